"""Split scripts into statements, meta-commands and blocks of COPY data, as psql does.

A semicolon ends a statement unless it is inside parentheses, as in CREATE RULE ... DO (...; ...), or inside the
BEGIN ATOMIC ... END of a function's body. The data that COPY ... FROM STDIN reads from the script is a separate
piece.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql.lexer import Lexer, Token, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_pgfeatures.version import PgVersion

_SENDING = frozenset({"g", "gx", "gset", "gexec", "gdesc", "crosstabview", "watch", "parse", "sendpipeline"})
"""Meta-commands that send the statement before them to the server."""
_NOT_SENT = frozenset({"command", "data", "end of data"})
_FORGETTING = frozenset({"r", "reset"})
"""Meta-commands that make psql discard the statement read so far."""
_CLIENT = frozenset({"stdin", "stdout"})
"""COPY's words for the client: one of them, for either direction."""
_ROUTINES = (("create", "function"), ("create", "procedure"))
_SETTING = "standard_conforming_strings"
_ON = frozenset({"on", "true", "yes", "1", "default"})
_OFF = frozenset({"off", "false", "no", "0"})
_WORDS_KEPT = 8
"""Words of a statement that determine its kind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a script. The concatenated texts of all pieces are the script.

    Parameters:
        text: the text.
        start: its index in the script, in characters.
        line, column: where it begins, counted from 1; for a statement, where its first word begins.
    """

    text: str
    start: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Blank(Piece):
    """White space, comments and semicolons between statements."""


@dataclass(frozen=True, slots=True)
class Statement(Piece):
    """A statement, with the /* comments */ right before it, which may be hints for the planner.

    Parameters:
        tokens: its tokens. They may include meta-commands, which psql runs while it still reads the statement.
        ended_by: ``;``, a meta-command such as ``\\gset`` (the next piece), or empty at the script's end.
        complete: whether all strings, quoted identifiers, comments and parentheses in it are closed.
        begins: the line and column where its text begins, comments included.
    """

    tokens: tuple[Token, ...] = field(repr=False, default=())
    ended_by: str = ";"
    complete: bool = True
    begins: tuple[int, int] = field(repr=False, default=(1, 1))

    @property
    def sql(self) -> str:
        """The text that is sent to the server, without the final semicolon and without meta-commands.

        ``\\;`` becomes a semicolon that does not end the statement: the text then contains several statements.
        """
        return self.with_variables({})

    def with_variables(self, values: Mapping[str, str]) -> str:
        """The text that is sent to the server, with psql variables replaced by their values.

        https://www.postgresql.org/docs/current/app-psql.html#APP-PSQL-INTERPOLATION

        Parameters:
            values: the values, by variable name; ``:name`` stays as it is if it has no value.
        """
        return "".join(text for _, text in self._sent(values))

    @property
    def words(self) -> tuple[str, ...]:
        """Its first words, in lower case."""
        found = (token.keyword for token in self.tokens if token.keyword)
        return tuple(word for word, _ in zip(found, range(_WORDS_KEPT), strict=False))

    @property
    def reads_stdin(self) -> bool:
        """Whether it is a COPY ... FROM STDIN, whose data follows in the script."""
        return self.words[:1] == ("copy",) and _has_client(self.tokens, "from")

    @property
    def writes_stdout(self) -> bool:
        """Whether it is a COPY ... TO STDOUT."""
        return self.words[:1] == ("copy",) and _has_client(self.tokens, "to")

    def locate(self, position: int, values: Mapping[str, str] = MappingProxyType({})) -> tuple[int, int]:
        """The line and column, in the script, of a position in :attr:`sql`, all counted from 1.

        Parameters:
            position: the position that a server's error gives; a position beyond the end counts as the end.
            values: the values that :meth:`with_variables` was given.
        """
        remaining = max(position - 1, 0)
        at = self.start
        for token, text in self._sent(values):
            at = token.start + min(remaining, len(token.text))
            if remaining < len(text):
                break
            remaining -= len(text)
        return self.place(at)

    def place(self, index: int) -> tuple[int, int]:
        """The line and column of an index in the script. The index is within the statement."""
        return _after(self.text[: index - self.start], *self.begins)

    def _sent(self, values: Mapping[str, str]) -> Iterator[tuple[Token, str]]:
        last = len(self.tokens) - 1 if self.ended_by == ";" else None
        for at, token in enumerate(self.tokens):
            if token.kind == "variable":
                yield token, interpolated(token.text, values)
            elif token.kind not in _NOT_SENT and at != last:
                yield token, token.text[1:] if token.text in ("\\;", "\\:") else token.text


@dataclass(frozen=True, slots=True)
class MetaCommand(Piece):
    """A meta-command of psql, such as ``\\connect shop``.

    Parameters:
        name: its name, without the backslash.
        arguments: the rest of the command, unchanged.
    """

    name: str = ""
    arguments: str = ""

    @property
    def reads_stdin(self) -> bool:
        """Whether it is a ``\\copy ... from stdin``, whose data follows in the script."""
        return self.name == "copy" and _has_client(tokens(self.arguments), "from")


@dataclass(frozen=True, slots=True)
class CopyData(Piece):
    """The block of data that a COPY ... FROM STDIN, or a ``\\copy ... from stdin``, reads from the script.

    Parameters:
        data: the block without the final line ``\\.``.
    """

    data: str = ""


def split(
    text: str,
    *,
    version: PgVersion | None = None,
    psql: bool = True,
    standard_conforming_strings: bool = True,
) -> Iterator[Piece]:
    """Split a script into pieces, whose concatenated texts are the script.

    Parameters:
        text: the script.
        version: the version of the server and of psql; by default the newest known.
        psql: whether it is a script for psql, such as pg_dump writes: with meta-commands, variables and COPY data.
        standard_conforming_strings: the setting at the beginning; a SET in the script changes it.

    Yields:
        each :class:`Statement`, :class:`MetaCommand` and :class:`CopyData`, and the text between them as
        :class:`Blank`.
    """
    lexer = Lexer(text, version=version, psql=psql, standard_conforming_strings=standard_conforming_strings)
    return _Splitter(lexer).pieces()


def statements(text: str, *, version: PgVersion | None = None, psql: bool = True) -> list[Statement]:
    """The statements of a script, without the other pieces; see :func:`split`."""
    return [piece for piece in split(text, version=version, psql=psql) if isinstance(piece, Statement)]


class _Splitter:
    """Reads a script token by token."""

    def __init__(self, lexer: Lexer) -> None:
        self._lexer = lexer
        self._line = 1
        self._column = 1
        self._begin()

    def _begin(self) -> None:
        """Reset the state for the next statement."""
        self._tokens: list[Token] = []
        self._started = False
        self._parentheses = 0
        self._blocks = 0
        self._words: list[str] = []
        self._to_copy = 0

    def pieces(self) -> Iterator[Piece]:
        """All pieces."""
        data: Token | None = None
        for token in self._lexer:
            if data is not None:
                ended = token.kind == "end of data"
                yield self._copy_data(data, token if ended else None)
                data = None
                if ended:
                    continue
            match token.kind:
                case "data" | "end of data" if self._started:
                    self._tokens.append(token)  # data of a COPY on the line where this statement begins
                case "data":
                    yield from self._blank()
                    data = token
                case "end of data":
                    yield from self._blank()
                    yield self._copy_data(None, token)
                case "command":
                    yield from self._command(token)
                case _ if token.text == ";":
                    yield from self._semicolon(token)
                case _:
                    self._sql(token)
        if data is not None:
            yield self._copy_data(data, None)
        yield from self._rest()

    def _sql(self, token: Token) -> None:
        """Handle a token of a statement, or between two statements."""
        self._tokens.append(token)
        if token.kind not in ("space", "comment"):
            self._started = self._started or token.text != "\\;"
            self._note(token)

    def _semicolon(self, token: Token) -> Iterator[Piece]:
        self._tokens.append(token)
        if self._parentheses or self._blocks:
            self._started = True
        elif self._started:
            yield from self._statement(";")
        else:
            yield from self._blank()

    def _note(self, token: Token) -> None:
        """Update the state that decides where the statement ends."""
        if token.kind == "word":
            word = token.text.lower()
            if not self._parentheses:
                self._note_block(word)
                if len(self._words) < _WORDS_KEPT or self._words[0] == "copy":
                    self._words.append(word)
        elif token.text == "(" and token.kind == "punctuation":
            self._parentheses += 1
        elif token.text == ")" and token.kind == "punctuation":
            self._parentheses = max(0, self._parentheses - 1)
        elif token.text == "\\;":
            self._to_copy += self._copies_from_script()
            self._words.clear()

    def _note_block(self, word: str) -> None:
        """Count the blocks that END closes in the body of a function or procedure: BEGIN, and CASE inside it."""
        if word == "begin" or (word == "case" and self._blocks):
            beginning = [known for known in self._words[:4] if known not in ("or", "replace")]
            self._blocks += tuple(beginning[:2]) in _ROUTINES
        elif word == "end" and self._blocks:
            self._blocks -= 1

    def _command(self, token: Token) -> Iterator[Piece]:
        name, arguments = _named(token.text)
        if self._started and name not in _SENDING | _FORGETTING:
            self._tokens.append(token)  # psql continues to read the statement
            return
        if self._started and name in _SENDING:
            yield from self._statement(f"\\{name}")
        else:
            yield from self._blank()
        command = self._placed(MetaCommand, token.text, token.start, name=name, arguments=arguments)
        assert isinstance(command, MetaCommand)
        if command.reads_stdin:
            self._lexer.expect_data()
        yield command

    def _statement(self, ended_by: str) -> Iterator[Piece]:
        """The statement that was read."""
        self._follow()
        lead = next(at for at, token in enumerate(self._tokens) if _may_matter(token))
        found, self._tokens = tuple(self._tokens[lead:]), self._tokens[:lead]
        complete = self._parentheses == 0 and self._blocks == 0 and all(token.complete for token in found)
        trailing: tuple[Token, ...] = ()
        if ended_by != ";":  # the text after the last word does not belong to the statement
            last = max(at for at, token in enumerate(found) if token.significant or not token.complete)
            found, trailing = found[: last + 1], found[last + 1 :]
        yield from self._blank(forget=False)
        first = next(token.start for token in found if token.significant)
        start = found[0].start
        text = "".join(token.text for token in found)
        begins = self._line, self._column
        line, column = _after(text[: first - start], *begins)
        statement = Statement(text, start, line, column, found, ended_by, complete, begins)
        self._line, self._column = _after(text, *begins)
        self._begin()
        yield statement
        self._tokens = list(trailing)
        yield from self._blank()

    def _follow(self) -> None:
        """Inform the lexer about the statement's effect on the text after it."""
        for _ in range(self._to_copy + self._copies_from_script()):
            self._lexer.expect_data()
        if self._words[:1] == ["set"] and _SETTING in self._words[1:3]:
            value = next(token for token in reversed(self._tokens) if token.significant and token.text != ";")
            said = value.text.strip("'").lower()
            if said in _ON | _OFF:
                self._lexer.standard_conforming_strings = said in _ON

    def _copies_from_script(self) -> bool:
        return self._words[:1] == ["copy"] and _goes(self._words, "from")

    def _rest(self) -> Iterator[Piece]:
        """The remaining pieces at the script's end."""
        if self._started:
            yield from self._statement("")
        else:
            yield from self._blank()

    def _blank(self, *, forget: bool = True) -> Iterator[Piece]:
        """The text read so far, if any, as a piece that is not a statement."""
        found = self._tokens
        if forget:
            self._begin()
        if found:
            text, start = "".join(token.text for token in found), found[0].start
            yield self._placed(Blank, text, start)

    def _copy_data(self, data: Token | None, end: Token | None) -> CopyData:
        content = data.text if data else ""
        start = data.start if data else end.start if end else 0
        piece = self._placed(CopyData, content + (end.text if end else ""), start, data=content)
        assert isinstance(piece, CopyData)
        return piece

    def _placed(self, kind: type[Piece], text: str, start: int, **more: str) -> Piece:
        piece = kind(text, start, self._line, self._column, **more)
        self._line, self._column = _after(text, self._line, self._column)
        return piece


def _may_matter(token: Token) -> bool:
    """Whether a token at the beginning of a statement may matter to the server: extensions read /* hints */."""
    return token.significant or token.text.startswith("/*")


def _after(text: str, line: int, column: int) -> tuple[int, int]:
    """The line and column after a text that begins at ``line`` and ``column``."""
    newline = text.rfind("\n")
    if newline < 0:
        return line, column + len(text)
    return line + text.count("\n"), len(text) - newline


def _has_client(found: Iterable[Token], direction: str) -> bool:
    """Whether a COPY has ``from stdin`` or ``to stdout``, outside of parentheses."""
    words: list[str] = []
    depth = 0
    for token in found:
        if token.text in ("(", ")"):
            depth += 1 if token.text == "(" else -1
        elif token.significant and not depth:
            words.append(token.keyword)
    return _goes(words, direction)


def _goes(words: Iterable[str], direction: str) -> bool:
    return any(way == direction and end in _CLIENT for way, end in itertools.pairwise(words))


def interpolated(variable: str, values: Mapping[str, str]) -> str:
    """The text with which psql replaces ``:name``, ``:'name'``, ``:"name"`` or ``:{?name}``.

    Parameters:
        variable: the text in the script.
        values: the values, by variable name; without one, the text stays.
    """
    name = variable.strip(":'\"{?}")
    if variable.startswith(":{"):
        return "TRUE" if name in values else "FALSE"
    if name not in values:
        return variable
    value = values[name]
    if variable.startswith(":'"):
        escape = " E" if "\\" in value else ""
        return escape + "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
    return '"' + value.replace('"', '""') + '"' if variable.startswith(':"') else value


def _named(command: str) -> tuple[str, str]:
    name = re.match(r"\\([^\s\\]*)", command)
    assert name is not None
    return name[1], command[name.end() :].strip()
