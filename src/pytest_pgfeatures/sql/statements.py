"""The statements of a script, split as psql splits it; with its own commands, and the data of COPY.

psql sends what stands before a semicolon that is not in parentheses, quotes or comments, nor in the body of a
function between BEGIN ATOMIC and END (https://www.postgresql.org/docs/current/app-psql.html).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql.lexer import BLANK, COMMAND, COMMENT, PUNCTUATION, Token, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.version import PgVersion

STATEMENT = "statement"
PSQL_COMMAND = "command"
DATA = "data"
"""The lines of COPY ... FROM stdin, with the line that ends them."""
GAP = "gap"
"""Blanks, comments and lone semicolons between the others."""

_SENDING = re.compile(r"\\(?:g|gx|gset|gexec|gdesc|crosstabview|watch|bind|bind_named|parse|sendpipeline)\b")
"""Commands of psql's that send what stands before them, or belong to it."""
_END_OF_DATA = re.compile(r"^\\\.[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_CREATES = {"create", "or", "replace", "function", "procedure"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a script.

    Parameters:
        kind: one of this module's constants.
        text: as it stands there; a statement with its semicolon.
        start: its index in the script.
        line, column: of its first character, counted from 1.
    """

    kind: str
    text: str
    start: int
    line: int
    column: int
    tokens: tuple[Token, ...] = ()

    @property
    def sql(self) -> str:
        """A statement without its semicolon, and without commands of psql's in it or behind it."""
        sent = (";" if token.text == "\\;" else token.text for token in self.tokens if not _is_command(token))
        parts = list(sent)
        while parts and (parts[-1] == ";" or not parts[-1].strip()):
            parts.pop()
        return "".join(parts)

    @property
    def words(self) -> tuple[str, ...]:
        """The statement's first words, in lower case: what it is about."""
        found = (token.keyword for token in self.tokens if token.kind not in (BLANK, COMMENT))
        return tuple(word for word, _ in zip(found, range(8), strict=False))


class Script:
    """A script and the places of its lines.

    Parameters:
        text: all of it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @functools.cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, index: int) -> tuple[int, int]:
        """Line and column of an index, counted from 1."""
        line = bisect.bisect_right(self._lines, index)
        return line, index - self._lines[line - 1] + 1

    def pieces(
        self, version: PgVersion | None = None, *, standard_conforming_strings: bool = True
    ) -> Iterator[Piece]:
        """Its parts, in order; joined they are the script.

        Parameters:
            version, standard_conforming_strings: as :func:`~pytest_pgfeatures.sql.lexer.tokens` takes them.
        """
        at = 0
        while at < len(self.text):
            stream = tokens(
                self.text, version, standard_conforming_strings=standard_conforming_strings, start=at
            )
            for piece in self._until_data(stream):
                yield piece
                at = piece.start + len(piece.text)
                if piece.kind == STATEMENT and _copies_from_stdin(piece.tokens):
                    if data := self._data(at):
                        yield from data
                        at = data[-1].start + len(data[-1].text)
                    break

    def _until_data(self, stream: Iterator[Token]) -> Iterator[Piece]:
        held: list[Token] = []
        state = _State()
        for token in stream:
            if not held:
                if token.kind in (BLANK, COMMENT) or token.text == ";":
                    yield self._piece(GAP, [token])
                    continue
                if token.kind == COMMAND:
                    yield self._piece(PSQL_COMMAND, [token])
                    continue
            held.append(token)
            state.see(token)
            if (token.text == ";" and token.kind == PUNCTUATION and state.may_end) or (
                token.kind == COMMAND and _SENDING.match(token.text)
            ):
                yield self._piece(STATEMENT, held)
                held = []
                state = _State()
        trailing = len(held)
        while trailing and held[trailing - 1].kind in (BLANK, COMMENT):
            trailing -= 1
        if trailing:
            yield self._piece(STATEMENT, held[:trailing])
        yield from (self._piece(GAP, [token]) for token in held[trailing:])

    def _data(self, at: int) -> list[Piece]:
        """The rest of the line of COPY as a gap, and the lines of data behind it."""
        newline = self.text.find("\n", at)
        if newline < 0:
            return []
        pieces = [Piece(GAP, self.text[at : newline + 1], at, *self.place(at))]
        end = _END_OF_DATA.search(self.text, newline + 1)
        until = end.end() if end else len(self.text)
        if until > newline + 1:
            data = self.text[newline + 1 : until]
            pieces.append(Piece(DATA, data, newline + 1, *self.place(newline + 1)))
        return pieces

    def _piece(self, kind: str, found: Sequence[Token]) -> Piece:
        start = found[0].start
        text = "".join(token.text for token in found)
        return Piece(kind, text, start, *self.place(start), tuple(found) if kind == STATEMENT else ())


class _State:
    """What psql counts while it looks for the end of a statement."""

    def __init__(self) -> None:
        self._parentheses = 0
        self._words: list[str] = []
        self._blocks = 0

    @property
    def may_end(self) -> bool:
        return self._parentheses == 0 and self._blocks == 0

    def see(self, token: Token) -> None:
        if token.kind == PUNCTUATION:
            self._parentheses += {"(": 1, ")": -1}.get(token.text, 0)
            self._parentheses = max(self._parentheses, 0)
        word = token.keyword
        if not word:
            return
        if len(self._words) < 4:
            self._words.append(word if word in _CREATES else "")
        if self._parentheses == 0 and self._creates_routine():
            if word == "begin" or (word == "case" and self._blocks):
                self._blocks += 1
            elif word == "end" and self._blocks:
                self._blocks -= 1

    def _creates_routine(self) -> bool:
        words = self._words
        if not words or words[0] != "create":
            return False
        kind = words[3:4] if words[1:2] == ["or"] else words[1:2]
        return bool(kind) and kind[0] in ("function", "procedure")


def _is_command(token: Token) -> bool:
    """Whether a token is a command of psql's, other than the semicolon that does not send: ``\\;``."""
    return token.kind == COMMAND and token.text != "\\;"


def _copies_from_stdin(found: Sequence[Token]) -> bool:
    """Whether a statement reads the lines behind it: COPY ... FROM STDIN."""
    words = [token.keyword for token in found if token.kind not in (BLANK, COMMENT)]
    if not words or words[0] != "copy":
        return False
    return ("from", "stdin") in itertools.pairwise(words)


def split(text: str, version: PgVersion | None = None) -> list[Piece]:
    """The statements of a script, without what is between them; see :meth:`Script.pieces`."""
    return [piece for piece in Script(text).pieces(version) if piece.kind == STATEMENT]
