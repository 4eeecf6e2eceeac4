"""Numbers as the input function of ``jsonpath`` reads them, without a server.

Sources: "The SQL/JSON Path Language"
(https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-SQLJSON-PATH) and the release notes: 15
made numbers follow JavaScript (https://www.postgresql.org/docs/release/15.0/: "Allow ... such as 1. and .1
... and disallow trailing junk"), 16 added other bases and underscores
(https://www.postgresql.org/docs/release/16.0/).

A path is cut into tokens by the longest pattern, as SQL is (:mod:`~pytest_pgfeatures.literals.scanner`), but
in bytes, and a word may begin with a digit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import numbers
from pytest_pgfeatures.literals.numbers import NumberError
from pytest_pgfeatures.literals.scanner import shortened
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

    from pytest_pgfeatures.version import PgVersion


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: str
    pattern: re.Pattern[str]
    versions: VersionSet
    message: str = ""
    gives_back: int = 0


def _rule(kind: str, pattern: str, versions: str, message: str = "", gives_back: int = 0) -> _Rule:
    return _Rule(kind, re.compile(pattern), VersionSet(versions), message, gives_back)


_BLANK = r"[ \t\n\r\f]+"
_OTHER = r"[^?%$.\[\]{}()|&!=<>@#,*:\-+/\\\"' \t\n\r\f]"
_INT = r"(?:0|[1-9][0-9]*)"
_INT_16 = r"(?:0|[1-9][0-9]*(?:_[0-9]+)*)"
_RUN_16 = r"[0-9]+(?:_[0-9]+)*"
_DEC = rf"{_INT}\.[0-9]+"
_DEC_15 = rf"(?:{_INT}\.[0-9]*|\.[0-9]+)"
_DEC_16 = rf"(?:{_INT_16}\.(?:{_RUN_16})?|\.{_RUN_16})"
_JUNK = "trailing junk after numeric literal"

_RULES: tuple[_Rule, ...] = (
    _rule("blank", _BLANK, "all"),
    _rule("number", _INT, "<16"),
    _rule("number", _DEC, "<15"),
    _rule("number", rf"{_INT}\.", "<15", gives_back=1),
    _rule("number", rf"(?:{_DEC}|{_INT})[eE][-+]?[0-9]+", "<15"),
    _rule("error", rf"(?:{_DEC}|{_INT})[eE][-+]?", "<15", "invalid floating point number"),
    _rule("number", _DEC_15, "15"),
    _rule("number", rf"(?:{_DEC_15}|{_INT})[eE][-+]?[0-9]+", "15"),
    _rule("error", rf"(?:{_DEC_15}|{_INT})[eE][-+]", "15", "invalid numeric literal"),
    _rule("error", rf"{_INT}{_OTHER}", "15", _JUNK),
    _rule("error", rf"{_DEC_15}{_OTHER}", "15", _JUNK),
    _rule("error", rf"(?:{_DEC_15}|{_INT})[eE][-+]?[0-9]+{_OTHER}", "15", _JUNK),
    _rule("number", _INT_16, ">=16"),
    _rule("number", r"0[xX][0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*", ">=16"),
    _rule("number", r"0[oO][0-7]+(?:_[0-7]+)*", ">=16"),
    _rule("number", r"0[bB][01]+(?:_[01]+)*", ">=16"),
    _rule("number", _DEC_16, ">=16"),
    _rule("number", rf"(?:{_DEC_16}|{_INT_16})[eE][-+]?{_RUN_16}", ">=16"),
    _rule("error", rf"(?:{_DEC_16}|{_INT_16})[eE][-+]", ">=16", "invalid numeric literal"),
    _rule("error", rf"{_INT_16}{_OTHER}", ">=16", _JUNK),
    _rule("error", rf"{_DEC_16}{_OTHER}", ">=16", _JUNK),
    _rule("error", rf"(?:{_DEC_16}|{_INT_16})[eE][-+]?{_RUN_16}{_OTHER}", ">=16", _JUNK),
    _rule("word", rf"{_OTHER}+", "all"),
    _rule("sign", r"[-+]", "all"),
    _rule("dot", r"\.", "all"),
)


def read(text: str, version: PgVersion) -> Decimal:
    """The number that a jsonpath consists of.

    Parameters:
        text: the path.
        version: the server's version, 12 or newer.

    Raises:
        NumberError: the error of the server's input function.
        LiteralError: the path is, or could be, more than a signed number.
    """
    if _BEYOND.search(text):
        raise _more(text)
    # One character per byte, as the server sees it.
    tokens = _tokens(text.encode().decode("latin-1"), text, version)
    kind, found = next(tokens)
    if kind == "end":
        raise NumberError("22P02", f'invalid input syntax for type jsonpath: "{text}"')
    negative = False
    while kind == "sign":
        negative ^= found == "-"
        kind, found = next(tokens)
    if kind != "number":
        raise _unexpected(found)
    # The number is read before the text after it.
    value = numbers.numeric(found, version)
    kind, found = next(tokens)
    if kind == "sign":
        raise _more(text)
    if kind == "dot":
        kind, found = next(tokens)
        if kind == "word":
            raise _more(text)
    elif kind == "end":
        return value.copy_negate() if negative and value else value
    raise _unexpected(found)


# Quotes, comments, escapes, variables and other operators.
_BEYOND = re.compile(r"[\\\"'/*?%$\[\]{}()|&!=<>@#,:]")


def _tokens(path: str, text: str, version: PgVersion) -> Iterator[tuple[str, str]]:
    """Kinds of tokens, each with the text that a message shows of it."""
    rules = [rule for rule in _RULES if version in rule.versions]
    at = 0
    while at < len(path):
        rule, end = max(
            ((rule, match.end()) for rule in rules if (match := rule.pattern.match(path, at))),
            key=lambda found: found[1],
        )
        end -= rule.gives_back
        cut = path[at:end]
        if rule.kind == "error":
            raise NumberError("42601", f'{rule.message} at or near "{_bytes_shown(cut)}" of jsonpath input')
        at = end
        if rule.kind == "word":
            if _KEY_WORD.fullmatch(cut):
                raise _more(text)
            # A word ends where other text follows, and the message shows that text: blanks, or nothing.
            blank = re.compile(_BLANK).match(path, at)
            yield "word", blank.group() if blank else ""
        elif rule.kind != "blank":
            yield rule.kind, cut
    while True:
        yield "end", ""


_KEY_WORD = re.compile(
    "lax|strict|null|true|false|exists|last|is|to|with|starts|like_regex|flag|unknown", re.IGNORECASE
)


def _bytes_shown(cut: str) -> str:
    return cut.encode("latin-1").decode(errors="replace")


def _unexpected(found: str) -> NumberError:
    where = f'at or near "{found}" of jsonpath input' if found else "at end of jsonpath input"
    return NumberError("42601", f"syntax error {where}")


def _more(text: str) -> LiteralError:
    return LiteralError(
        f"{shortened(text)} is a jsonpath of more than a number", remedy="give a number, with signs"
    )
