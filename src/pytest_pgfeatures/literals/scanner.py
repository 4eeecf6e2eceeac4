"""The server's scanner on each major: it cuts a text into numbers, parameters, words and signs.

The scanner is a table of patterns. As in the server's flex scanner, the pattern with the longest match wins, and
of equally long ones the first. There are three generations of rules for numbers:

- up to 14 a number ends where its pattern ends, and a letter right behind it begins a new token
  (https://www.postgresql.org/docs/14/sql-syntax-lexical.html#SQL-SYNTAX-CONSTANTS-NUMERIC);
- 15 forbids that: "Prevent numeric literals from having non-numeric trailing characters"
  (https://www.postgresql.org/docs/release/15.0/);
- 16 adds ``0x``, ``0o``, ``0b`` and underscores: "Allow non-decimal integer literals", "Allow underscores in
  integer and numeric constants" (https://www.postgresql.org/docs/release/16.0/).

It scans texts of digits, ASCII letters, ``_ . $ + -``, blanks, and characters beyond ASCII. Quotes, parentheses and
other operators are outside of its alphabet.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.version import PgVersion

BLANKS = " \t\n\r\f"
"""White space in every major. (16 added the vertical tab, which is why that is outside of the alphabet.)"""


def beyond_ascii_or(ascii_: str, without: str = "") -> str:
    """A set of characters for a regular expression: these ASCII characters, and all others that aren't ASCII.

    Python compiles what a set leaves out in a fiftieth of the time, as it looks at each character of a range.

    Parameters:
        ascii_: as in a set: ``A-Z``.
        without: characters beyond ASCII that it leaves out.
    """
    left_out = (chr(code) for code in range(0x80) if not re.match(f"[{ascii_}]", chr(code)))
    return f"[^{''.join(map(re.escape, left_out))}{without}]"


_HALVES = r"\ud800-\udfff"
"""Half of a surrogate pair isn't a character."""
_ALPHABET = re.compile(beyond_ascii_or(rf"0-9A-Za-z_.$+\-{BLANKS}", _HALVES) + "*")
_LETTER = beyond_ascii_or("A-Za-z_", _HALVES)
_WORD = rf"{_LETTER}{beyond_ascii_or('0-9A-Za-z_$', _HALVES)}*"

# Digit runs. From 16 on an underscore may stand before any digit but the first. The text after a run of
# digits never begins with a digit, so that backtracking is pointless and, on long texts, slow: hence ``++``.
# It may, however, begin with an underscore: in ``1_0$x`` the number is ``1``, and the rest is a word after
# it. (Python before 3.11.5 also has a bug in such groups: https://github.com/python/cpython/issues/106052.)
_OLD = r"[0-9]++"
_NEW = r"[0-9]++(?:_[0-9]++)*"


def _fraction(digits: str) -> str:
    """Digits with a dot before, inside or after them."""
    return rf"(?:{digits}\.(?:{digits})?|\.{digits})"


def _real(digits: str) -> str:
    """A number with an exponent, up to and including the ``e``."""
    return rf"(?:{_fraction(digits)}|{digits})[Ee]"


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern of the scanner.

    Parameters:
        kind: the kind of token: ``integer``, ``numeric``, ``parameter``, ``word``, ``blank``, ``sign``, ``dots``,
            ``other``, or ``error``.
        pattern: the regular expression.
        versions: the servers that have it.
        message: for an ``error``: the server's message, before ``at or near``.
        gives_back: the number of characters at the end of the match that are scanned again.
    """

    kind: str
    pattern: re.Pattern[str]
    versions: VersionSet
    message: str = ""
    gives_back: int = 0


JUNK = "trailing junk after numeric literal"


def _rule(kind: str, pattern: str, versions: str, message: str = "", gives_back: int = 0) -> Rule:
    return Rule(kind, re.compile(pattern), VersionSet(versions), message, gives_back)


# The part of the junk that a message shows, and so the pattern that matches longest, changed in minor
# releases: 15.0 to 15.8 and 16.0 to 16.4 match only its first byte, all others the whole word. (Measured.)
_FIRST_15, _FIRST_16 = "15.0..15.8", "16.0..16.4"
_WHOLE_15, _WHOLE_16 = "15.9..15.9999", ">=16.5"
_15, _16 = "15", ">=16"

_HEXADECIMAL = r"0[xX]_?[0-9A-Fa-f]++(?:_[0-9A-Fa-f]++)*"
_OCTAL = r"0[oO]_?[0-7]++(?:_[0-7]++)*"
_BINARY = r"0[bB]_?[01]++(?:_[01]++)*"


def _junk(digits: str, junk: str, versions: str) -> tuple[Rule, ...]:
    """The patterns for a number of any form with a word right behind it."""
    return (
        _rule("error", rf"{digits}{junk}", versions, JUNK),
        _rule("error", rf"{_fraction(digits)}{junk}", versions, JUNK),
        _rule("error", rf"{_real(digits)}[-+]?{digits}{junk}", versions, JUNK),
        _rule("error", rf"\$[0-9]+{junk}", versions, "trailing junk after parameter"),
    )


# In the server's order.
RULES: tuple[Rule, ...] = (
    _rule("blank", rf"[{BLANKS}]+|--[^\n\r]*", "all"),
    _rule("dots", r"\.\.", "all"),
    _rule("parameter", r"\$[0-9]+", "all"),
    # Chapter 4.1.2.6 of the manual, "Numeric Constants"; up to 15 decimal only.
    _rule("integer", _OLD, "<16"),
    _rule("numeric", _fraction(_OLD), "<16"),
    _rule("integer", rf"{_OLD}\.\.", "<16", gives_back=2),
    _rule("numeric", rf"{_real(_OLD)}[-+]?{_OLD}", "<16"),
    # 15: an exponent without digits, and anything like a word right behind a number, is an error.
    _rule("error", rf"{_real(_OLD)}[-+]?", _15, JUNK),
    *_junk(_OLD, _LETTER, _FIRST_15),
    *_junk(_OLD, _WORD, _WHOLE_15),
    # 16: the same chapter, with 0x, 0o, 0b and underscores.
    _rule("integer", _NEW, _16),
    _rule("integer", _HEXADECIMAL, _16),
    _rule("integer", _OCTAL, _16),
    _rule("integer", _BINARY, _16),
    _rule("error", r"0[xX]_?", _16, "invalid hexadecimal integer"),
    _rule("error", r"0[oO]_?", _16, "invalid octal integer"),
    _rule("error", r"0[bB]_?", _16, "invalid binary integer"),
    _rule("numeric", _fraction(_NEW), _16),
    _rule("integer", rf"{_NEW}\.\.", _16, gives_back=2),
    _rule("numeric", rf"{_real(_NEW)}[-+]?{_NEW}", _16),
    _rule("error", rf"{_real(_NEW)}[-+]", _16, JUNK),
    *_junk(_NEW, _LETTER, _FIRST_16),
    *(_rule("error", digits + _LETTER, _FIRST_16, JUNK) for digits in (_HEXADECIMAL, _OCTAL, _BINARY)),
    *_junk(_NEW, _WORD, _WHOLE_16),
    _rule("word", _WORD, "all"),
    _rule("sign", r"[+\-]", "all"),
    _rule("other", r"[.$]", "all"),
)


@dataclass(frozen=True, slots=True)
class LiteralToken:
    """One token: its kind (that of its :class:`Rule`, or ``end``), its text and place, and an error's message."""

    kind: str
    text: str
    start: int
    message: str = ""

    @property
    def end(self) -> int:
        """The index behind it."""
        return self.start + len(self.text)


def check_alphabet(text: str) -> None:
    """Reject a text with a character outside the alphabet.

    Raises:
        LiteralError: there is such a character; the message names it.
    """
    match = _ALPHABET.match(text)
    assert match is not None
    at = match.end()
    if at != len(text):
        raise LiteralError(
            f"{shortened(text)} is not a numeric literal: it has {text[at]!r} at index {at}",
            remedy="give digits, letters, and any of _ . $ + - and blanks",
        )


def tokens(text: str, version: PgVersion) -> Iterator[LiteralToken]:
    """The tokens of a text on a server of this version, without blanks and comments. They are followed by
    ``end`` without limit.

    Parameters:
        text: the text after ``SELECT``.
        version: the server's version; see :func:`~pytest_pgfeatures.literals.numbers.release`.

    Raises:
        LiteralError: the text has a character outside the alphabet, or opens a dollar quote.
    """
    check_alphabet(text)
    rules = _rules_for(version)
    at = 0
    while at < len(text):
        rule, end = max(
            ((rule, match.end()) for rule in rules if (match := rule.pattern.match(text, at))),
            key=lambda found: found[1],
        )
        end -= rule.gives_back
        if rule.kind != "blank":
            if text[at] == "$" and rule.kind == "other" and _OPENS_QUOTE.match(text, at):
                raise LiteralError(f"{shortened(text)} opens a dollar quote, which is no numeric literal")
            found = text[at:end]
            if rule.kind == "error" and version in _FIRST_BYTE and found[-1] >= "\x80":
                # The message has only the first byte of that character, which is not a character.
                found = f"{found[:-1]}\N{REPLACEMENT CHARACTER}"
            yield LiteralToken(rule.kind, found, at, rule.message)
        at = end
    while True:
        yield LiteralToken("end", "", at)


def number_at(text: str, at: int, version: PgVersion) -> tuple[str, int] | None:
    """The number or parameter that begins at an index, whatever else is in the text.

    Parameters:
        text: any SQL.
        version: the server's version.

    Returns:
        ``integer``, ``numeric``, ``parameter`` or ``error``, and the index behind it; None if none begins there.
    """
    if text[at] not in "0123456789.$":
        return None
    found = [(match.end(), rule) for rule in _numbers(version) if (match := rule.pattern.match(text, at))]
    if not found:
        return None
    end, rule = max(found, key=lambda each: each[0])
    return rule.kind, end - rule.gives_back


@functools.lru_cache(maxsize=64)
def _numbers(version: PgVersion) -> tuple[Rule, ...]:
    kinds = ("integer", "numeric", "parameter", "error")
    return tuple(rule for rule in _rules_for(version) if rule.kind in kinds)


_FIRST_BYTE = VersionSet(f"{_FIRST_15},{_FIRST_16}")
"""Servers whose message shows only the first byte of the junk: measured, see :data:`RULES`."""
_OPENS_QUOTE = re.compile(rf"\$(?:\$|{_LETTER})")


@functools.lru_cache(maxsize=64)
def _rules_for(version: PgVersion) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if version in rule.versions)


def shortened(text: str, limit: int = 60) -> str:
    """A text as an error message shows it: quoted, and cut if long."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r}... ({len(text)} characters)"
