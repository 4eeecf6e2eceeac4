"""The tokens of SQL, by the rules of PostgreSQL's own scanner and of psql's.

Nothing of a text is lost: the tokens' texts, joined, are the text, whatever it is. A quote or comment that does not
end is one token to the end of the text, marked as not closed.

See https://www.postgresql.org/docs/current/sql-syntax-lexical.html and, for what psql adds (commands after a
backslash, variables after a colon), https://www.postgresql.org/docs/current/app-psql.html.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.literals.scanner import number_at
from pytest_pgfeatures.version import MAJORS, as_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.version import PgVersion

BLANK = "blank"
COMMENT = "comment"
WORD = "word"
"""A keyword or a name without quotes."""
NAME = "name"
"""A name in double quotes, U&"..." too."""
STRING = "string"
"""A string in any quotes: '...', E'...', U&'...', B'...', X'...', N'...', $tag$...$tag$."""
NUMBER = "number"
PARAMETER = "parameter"
OPERATOR = "operator"
PUNCTUATION = "punctuation"
COMMAND = "command"
"""A command of psql's: a backslash, and the rest of the line up to the next command."""
VARIABLE = "variable"
"""A variable of psql's: :name, :'name', :"name", :{?name}."""
OTHER = "other"
"""A character that begins no token; the server refuses it."""

_LETTER = r"A-Za-z_\x80-\U0010ffff"
_WORD = re.compile(rf"[{_LETTER}][{_LETTER}0-9$]*")
_BLANK = re.compile(r"[ \t\n\r\f\v]+")
_LINE_COMMENT = re.compile(r"--[^\n\r]*")
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_TAG = re.compile(rf"\$(?:[{_LETTER}][{_LETTER}0-9]*)?\$")
_PREFIXED = re.compile(r"[bBxXnNeE]'|[uU]&['\"]")
_OPERATOR = re.compile(r"[-+*/<>=~!@#%^&|`?]{1,64}")  # the server takes 63 at most
_UNUSUAL = frozenset("~!@#%^&|`?")
"""An operator of several characters may end in + or - only if it has one of these."""
_VARIABLE = re.compile(rf":(?:[{_LETTER}0-9]+|'[{_LETTER}0-9]+'|\"[{_LETTER}0-9]+\"|\{{\?[{_LETTER}0-9]+\}})")
_COMMAND = re.compile(r"\\(?:[;\\:]|[^\n\r]*)")
_COMMAND_QUOTED = re.compile(r"'(?:[^'\\\n\r]|\\.|'')*'?|\"[^\"\n\r]*\"?|`[^`\n\r]*`?")
_PUNCTUATION = re.compile(r"::|:=|=>|\.\.|[,()\[\].;:]")


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Parameters:
        kind: one of this module's constants.
        text: as it stands there.
        start: its index in the text.
        closed: False for a quote or comment that does not end.
    """

    kind: str
    text: str
    start: int
    closed: bool = True

    @property
    def end(self) -> int:
        """The index behind it."""
        return self.start + len(self.text)

    @property
    def keyword(self) -> str:
        """A word in lower case, as the server compares it; empty for other tokens."""
        return self.text.lower() if self.kind == WORD else ""


def tokens(
    text: str,
    version: PgVersion | None = None,
    *,
    psql: bool = True,
    standard_conforming_strings: bool = True,
    start: int = 0,
) -> Iterator[Token]:
    """The tokens of a text, blanks and comments among them.

    Parameters:
        version: the server's, which decides how numbers end; by default the newest known.
        psql: whether a backslash begins a command, and a colon a variable.
        standard_conforming_strings: whether a backslash in '...' is a character like others, which is the default
            since 9.1.
        start: the index to begin at.
    """
    release = version or as_release(MAJORS[-1])
    at = start
    while at < len(text):
        token = _token(text, at, release, psql, standard_conforming_strings)
        yield token
        at = token.end


def _token(text: str, at: int, version: PgVersion, psql: bool, conforming: bool) -> Token:
    found = _apart(text, at) or _in_quotes(text, at, conforming) or (_of_psql(text, at) if psql else None)
    return found or _of_sql(text, at, version)


def _apart(text: str, at: int) -> Token | None:
    """Blanks or a comment."""
    if match := _BLANK.match(text, at):
        return Token(BLANK, match[0], at)
    if text.startswith("--", at):
        match = _LINE_COMMENT.match(text, at)
        assert match is not None
        return Token(COMMENT, match[0], at)
    return _block_comment(text, at) if text.startswith("/*", at) else None


def _in_quotes(text: str, at: int, conforming: bool) -> Token | None:
    """A string or name in quotes of any kind."""
    character = text[at]
    if character in "'\"":
        return _quoted(text, at, at, character == "'" and not conforming)
    if match := _PREFIXED.match(text, at):
        return _quoted(text, at, match.end() - 1, character in "eE")
    if character == "$" and (match := _TAG.match(text, at)):
        end = text.find(match[0], match.end())
        closed = end >= 0
        return Token(STRING, text[at : end + len(match[0])] if closed else text[at:], at, closed)
    return None


def _of_psql(text: str, at: int) -> Token | None:
    """A command or variable of psql's."""
    if text[at] == "\\":
        return Token(COMMAND, _command(text, at), at)
    if text[at] == ":" and (match := _VARIABLE.match(text, at)) and not _is_cast(text, at):
        return Token(VARIABLE, match[0], at)
    return None


def _of_sql(text: str, at: int, version: PgVersion) -> Token:
    """A word, number, parameter or sign."""
    if match := _WORD.match(text, at):
        return Token(WORD, match[0], at)
    if (found := number_at(text, at, version)) is not None:
        kind, end = found
        return Token(PARAMETER if kind == "parameter" else NUMBER, text[at:end], at)
    if match := _PUNCTUATION.match(text, at):
        return Token(PUNCTUATION, match[0], at)
    if match := _OPERATOR.match(text, at):
        return Token(OPERATOR, _operator(match[0]), at)
    return Token(OTHER, text[at], at)


def _block_comment(text: str, at: int) -> Token:
    """A comment between ``/*`` and ``*/``; they nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, at):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return Token(COMMENT, text[at : edge.end()], at)
    return Token(COMMENT, text[at:], at, closed=False)


def _quoted(text: str, at: int, opening: int, escapes: bool) -> Token:
    """A string or name. A doubled quote is part of it; where backslashes escape, so is one behind a backslash."""
    quote = text[opening]
    kind = STRING if quote == "'" else NAME
    position = opening + 1
    while True:
        end = text.find(quote, position)
        if end < 0:
            return Token(kind, text[at:], at, closed=False)
        if escapes and _is_escaped(text, position, end):
            position = end + 1
        elif text.startswith(quote, end + 1):
            position = end + 2
        else:
            return Token(kind, text[at : end + 1], at)


def _is_escaped(text: str, since: int, end: int) -> bool:
    """Whether an odd number of backslashes stands right before an index."""
    before = end
    while before > since and text[before - 1] == "\\":
        before -= 1
    return (end - before) % 2 == 1


def _is_cast(text: str, at: int) -> bool:
    """Whether a colon is the second of ``::``, or the first."""
    return text.startswith("::", at) or (at > 0 and text[at - 1] == ":" and not text.startswith("::", at))


def _operator(run: str) -> str:
    """The first operator of a run of characters: it ends before a comment, and seldom in + or -."""
    for edge in ("--", "/*"):
        found = run.find(edge)
        if found > 0:
            run = run[:found]
    if len(run) > 1 and run[-1] in "+-" and not _UNUSUAL.intersection(run):
        run = run.rstrip("+-") or run[0]
    return run


def _command(text: str, at: int) -> str:
    """A command of psql's with its arguments: to the line's end, or the next backslash outside of quotes."""
    if text[at + 1 : at + 2] in (";", "\\", ":"):
        return text[at : at + 2]
    position = at + 1
    while position < len(text) and text[position] not in "\n\r":
        if quoted := _COMMAND_QUOTED.match(text, position):
            position = quoted.end()
        elif text[position] == "\\":
            break
        else:
            position += 1
    return text[at:position]
