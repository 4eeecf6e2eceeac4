"""Split SQL into tokens by the rules of PostgreSQL's own scanners: the server's and psql's.

The concatenated tokens are the original text. No server is needed, and the time taken is linear in the text's
length.

Where a number ends depends on the major: ``0x1F`` is one number from 16 on, an error in 15, and the number 0
followed by the word ``x1F`` up to 14. :mod:`pytest_pgfeatures.literals.scanner` decides that.

https://www.postgresql.org/docs/current/sql-syntax-lexical.html
https://www.postgresql.org/docs/current/app-psql.html (meta-commands, variables)
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pgfeatures.literals.scanner import beyond_ascii_or, number_at
from pytest_pgfeatures.version import MAJORS, VersionSet, as_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.version import PgVersion

Kind = Literal[
    "space",
    "comment",  # -- to the end of the line, or /* nested */
    "word",  # a keyword, or an identifier without quotes
    "identifier",  # "quoted", U&"quoted"
    "string",  # 'quoted', E'', B'', X'', N'', U&'', $tag$quoted$tag$; with its continuation on later lines
    "number",
    "parameter",  # $1
    "operator",
    "punctuation",  # , ( ) [ ] . .. ; : :: :=   and psql's \; and \:
    "variable",  # psql's :name, :'name', :"name", :{?name}
    "command",  # psql's meta-commands, with their arguments
    "data",  # the rows that COPY ... FROM STDIN reads from the script
    "end of data",  # the line \.
    "other",  # text that no rule matches, and numbers and parameters directly followed by letters
]


class Token(NamedTuple):
    """A piece of a text."""

    kind: Kind
    text: str
    start: int
    """The number of characters of the text before it."""
    complete: bool = True
    """False for a string, quoted identifier or comment that the text's end cut off."""

    @property
    def end(self) -> int:
        """The position where the next token starts."""
        return self.start + len(self.text)

    @property
    def keyword(self) -> str:
        """A word in lower case, as the server compares it; empty for other tokens."""
        return self.text.lower() if self.kind == "word" else ""

    @property
    def significant(self) -> bool:
        """Whether it is neither white space nor a comment."""
        return self.kind not in ("space", "comment")


_LETTER = beyond_ascii_or("A-Za-z_")
_IN_NAME = beyond_ascii_or("A-Za-z_0-9")
_VERTICAL_TAB_IS_BLANK = VersionSet(">=16")  # https://www.postgresql.org/docs/release/16.0/
# Backtracking can't help, since adjacent repeats match different characters: the repeats are possessive (``++``).
_RULES = re.compile(
    rf"""
      (?P<space> [ \t\n\r\f]++ | \A\ufeff )
    | (?P<vertical> \v )
    | (?P<comment> --[^\n\r]*+ )
    | (?P<nested> /\* )
    | (?P<escaped> [eE]' )
    | (?P<unicode> [uU]&' )
    | (?P<bits> [bBxX]' )
    | (?P<plain> [nN]?' )
    | (?P<identifier> (?:[uU]&)?" )
    | (?P<word> {_LETTER}{beyond_ascii_or("A-Za-z_0-9$")}*+ )
    | (?P<number> \.?[0-9] | \$[0-9] )
    | (?P<dollar> \$ (?: {_LETTER}{_IN_NAME}*+ )? \$ )
    | (?P<operator> [~!@\#^&|`?+\-*/%<>=]++ )
    | (?P<variable> : (?: {_IN_NAME}++ | '{_IN_NAME}++' | "{_IN_NAME}++" | \{{\?{_IN_NAME}++\}} ) )
    | (?P<punctuation> :: | := | \.\. | [,()\[\].;:] )
    | (?P<backslash> \\ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_AS_MATCHED = frozenset({"comment", "word", "punctuation", "other"})
"""Rules that take the whole token."""
_QUOTE_OR_BACKSLASH = re.compile(r"['\\]")
_PLAIN_NUMBER = re.compile(r"[0-9]+(?=[ \t\r\n,;)])")
"""Digits that are a number in each version."""
_COMMENT_MARK = re.compile(r"/\*|\*/")
_SPACE = re.compile(r"[ \t\n\r\f\v]++")
_LINE_COMMENT = re.compile(r"--[^\n\r]*+")
_MAY_END_IN_SIGN = frozenset("~!@#^&|`?%")
"""An operator of several characters ends in + or - only if it has one of these."""
_WHOLE_LINE = re.compile(
    r"\\(?:(?:!|copy|ef|ev|sf\+?|sv\+?|h|help)(?![^\s\\])|[A-Za-z_+!?]*+[^A-Za-z_+!?\s\\])"
)
"""Meta-commands that take the rest of the line, whatever it contains.

A name with a character that no command has does the same: psql reports it, and drops the rest of the line.
"""
_COMMAND_NAME = re.compile(r"\\[^\s\\]*+")
_UNQUOTED_ARGUMENTS = re.compile(r"[^\\'\"`]*+")
_END_OF_DATA = re.compile(r"^\\\.\r?(?:\n|\Z)", re.MULTILINE)


class Lexer:
    """Yields the tokens of a text one by one, so that the caller can announce what follows between two tokens.

    Parameters:
        text: SQL, or a script for psql.
        version: the server's version; by default the newest known.
        psql: whether to recognize psql's meta-commands and variables, and COPY data.
        standard_conforming_strings: the server's setting; if it is off, a backslash in '...' escapes. It can be
            changed at any time.
    """

    def __init__(
        self,
        text: str,
        *,
        version: PgVersion | None = None,
        psql: bool = True,
        standard_conforming_strings: bool = True,
    ) -> None:
        self.text = text
        self._version = version or as_release(MAJORS[-1])
        self.standard_conforming_strings = standard_conforming_strings
        self._psql = psql
        self._blocks = 0
        self._line_end = 0

    def expect_data(self) -> None:
        """Expect one more block of COPY data after the end of this line, if this is a script for psql."""
        self._blocks += self._psql

    def __iter__(self) -> Iterator[Token]:
        """The tokens."""
        text, matching = self.text, _RULES.match
        position, length = 0, len(text)
        while position < length:
            match = matching(text, position)
            assert match is not None  # the last rule takes any character
            rule = match.lastgroup
            if rule in _AS_MATCHED or (rule == "space" and not self._blocks):
                yield Token(rule, match[0], position)  # type: ignore[arg-type]
                position = match.end()
                continue
            for token in self._at(position, match):
                yield token
                position = token.end

    def _at(self, start: int, match: re.Match[str]) -> Iterator[Token]:
        """The next token, or several tokens of one match."""
        text, rule, end = self.text, match.lastgroup, match.end()
        match rule:
            case "space":
                yield from self._space(start, end)
            case "nested":
                yield _token("comment", text, start, _end_of_comment(text, end))
            case "identifier":
                yield _token("identifier", text, start, _end_of_quotes(text, end, '"'))
            case "plain" | "escaped" | "unicode" | "bits":
                yield self._string(start, end, rule)
            case "dollar":
                closing = text.find(match.group(), end)
                yield _token("string", text, start, None if closing < 0 else closing + end - start)
            case "number":
                yield self._number(start)
            case "vertical":
                yield Token("space" if self._version in _VERTICAL_TAB_IS_BLANK else "other", "\v", start)
            case "operator":
                yield from _operators(match.group(), start)
            case "variable" if not self._psql:
                yield Token("punctuation", ":", start)
            case "backslash" if self._psql:
                yield self._command(start)
            case "backslash":
                yield Token("other", match.group(), start)
            case _:
                yield Token(rule, match.group(), start)  # type: ignore[arg-type]

    def _number(self, start: int) -> Token:
        """A number or parameter, including the word directly after it if that makes it an error."""
        if plain := _PLAIN_NUMBER.match(self.text, start):  # most numbers are: data has millions
            return Token("number", plain[0], start)
        found = number_at(self.text, start, self._version)
        assert found is not None  # it begins with a digit, with or without a dot or dollar before
        kind, end = found
        kinds: dict[str, Kind] = {"parameter": "parameter", "error": "other"}
        return Token(kinds.get(kind, "number"), self.text[start:end], start)

    def _space(self, start: int, end: int) -> Iterator[Token]:
        """White space, and COPY data after its first newline if data is expected."""
        newline = self.text.find("\n", start, end) if self._blocks else -1
        if newline < 0:
            yield Token("space", self.text[start:end], start)
            return
        start, data = newline + 1, start
        yield Token("space", self.text[data:start], data)
        while self._blocks:
            self._blocks -= 1
            last = _END_OF_DATA.search(self.text, start)
            end = last.start() if last else len(self.text)
            if end > start:
                yield Token("data", self.text[start:end], start)
            if last:
                yield Token("end of data", last.group(), end)
            start = last.end() if last else end

    def _string(self, start: int, opened: int, rule: str) -> Token:
        """A string in single quotes, with the strings that continue it after white space with a newline."""
        escapes = rule == "escaped" or (rule == "plain" and not self.standard_conforming_strings)
        end: int | None = opened
        while end is not None:
            end = _end_of_escaped(self.text, end) if escapes else _end_of_quotes(self.text, end, "'")
            continued = None if end is None else _continuation(self.text, end)
            if continued is None:
                break
            end = continued
        return _token("string", self.text, start, end)

    def _command(self, start: int) -> Token:
        text = self.text
        if text[start + 1 : start + 2] in (";", ":"):
            return Token("punctuation", text[start : start + 2], start)
        if start >= self._line_end:
            newline = text.find("\n", start)
            self._line_end = len(text) if newline < 0 else newline
        end = self._line_end
        if not _WHOLE_LINE.match(text, start):
            end = _end_of_command(text, start, self._line_end)
        return Token("command", text[start:end], start)


def tokens(
    text: str,
    *,
    version: PgVersion | None = None,
    psql: bool = False,
    standard_conforming_strings: bool = True,
) -> Iterator[Token]:
    """Split SQL into tokens.

    Parameters:
        text: SQL.
        version: the server's version, which decides where numbers end; by default the newest known.
        psql: whether to recognize psql's meta-commands and variables. Only :func:`pytest_pgfeatures.sql.split`
            recognizes COPY data, since it knows where statements end.
        standard_conforming_strings: the server's setting; if it is off, a backslash in '...' escapes.
    """
    return iter(
        Lexer(text, version=version, psql=psql, standard_conforming_strings=standard_conforming_strings)
    )


def _token(kind: Kind, text: str, start: int, end: int | None) -> Token:
    return Token(kind, text[start:end], start, end is not None)


def _end_of_comment(text: str, position: int) -> int | None:
    """The end of a comment that was opened before ``position``; comments nest."""
    depth = 1
    for mark in _COMMENT_MARK.finditer(text, position):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None


def _end_of_quotes(text: str, position: int, quote: str) -> int | None:
    """The end of a quoted text; a doubled quote does not end it."""
    while (end := text.find(quote, position)) >= 0:
        if text[end + 1 : end + 2] != quote:
            return end + 1
        position = end + 2
    return None


def _end_of_escaped(text: str, position: int, limit: int = sys.maxsize) -> int | None:
    """The end of a string in which a backslash escapes."""
    while (mark := _QUOTE_OR_BACKSLASH.search(text, position, limit)) is not None:
        position = mark.end()
        if mark.group() == "'" and text[position : position + 1] != "'":
            return position
        position += 1
    return None


def _continuation(text: str, position: int) -> int | None:
    """The position at which a string that ended continues: after the next quote, if that is on a later line."""
    newline = False
    while True:
        if space := _SPACE.match(text, position):
            newline = newline or "\n" in space.group() or "\r" in space.group()
            position = space.end()
        elif comment := _LINE_COMMENT.match(text, position):
            position = comment.end()
        else:
            return position + 1 if newline and text[position : position + 1] == "'" else None


def _end_of_command(text: str, start: int, line_end: int) -> int:
    """The end of a meta-command: the end of the line, another backslash, or the separator ``\\\\``."""
    name = _COMMAND_NAME.match(text, start, line_end)
    assert name is not None
    position = name.end()
    while position < line_end:
        quote = text[position]
        if quote == "\\":
            return position + 2 if text[position + 1 : position + 2] == "\\" else position
        if quote == "'":
            position = _end_of_escaped(text, position + 1, line_end) or line_end
        elif quote in '"`':
            end = text.find(quote, position + 1, line_end)
            position = line_end if end < 0 else end + 1
        else:
            arguments = _UNQUOTED_ARGUMENTS.match(text, position, line_end)
            assert arguments is not None
            position = arguments.end()
    return line_end


def _operators(run: str, start: int) -> Iterator[Token]:
    """The operators in a run of operator characters, up to a comment that begins in it."""
    comment_starts = [at for at in (run.find("--"), run.find("/*")) if at >= 0]
    run = run[: min(comment_starts)] if comment_starts else run
    length = len(run)
    if run[-1] in "+-" and _MAY_END_IN_SIGN.isdisjoint(run):
        length = max(1, len(run.rstrip("+-")))
    yield Token("operator", run[:length], start)
    for at in range(length, len(run)):
        yield Token("operator", run[at], start + at)
