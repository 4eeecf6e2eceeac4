"""The places of a pattern, and the tokens that they accept: words, and wildcards such as ``<name>``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.reading import StatementReading

if TYPE_CHECKING:
    import re

    from pytest_pgfeatures.readiness.names.model import Names

_LARGEST_INTEGER = 2147483647
Test = Callable[[StatementReading, int], int | None]
"""Takes the index of a token, and returns the index after the accepted tokens; None if it accepts nothing."""


def one_of(words: frozenset[str], names: frozenset[str]) -> Test:
    """A test that accepts one of some words. Names may be quoted."""

    def test(reading: StatementReading, at: int) -> int | None:
        if reading.keyword(at) in words:
            return at + 1
        return at + 1 if names and reading.name(at) in names else None

    return test


def end(reading: StatementReading, at: int) -> int | None:
    return at if at >= len(reading.tokens) or reading.keyword(at) == ";" else None


def described(pattern: re.Pattern[str]) -> Test:
    def test(reading: StatementReading, at: int) -> int | None:
        if at >= len(reading.tokens):
            return None
        if pattern.pattern.startswith('"'):
            return at + 1 if pattern.fullmatch(reading.tokens[at].text) else None
        if reading.tokens[at].kind in ("punctuation", "operator"):
            return None
        value = reading.value(at)
        text = value if value is not None else reading.name(at) or reading.tokens[at].text
        return at + 1 if pattern.fullmatch(text) else None

    return test


def string(pattern: re.Pattern[str]) -> Test:
    def test(reading: StatementReading, at: int) -> int | None:
        value = reading.value(at)
        return at + 1 if value is not None and pattern.fullmatch(value) else None

    return test


def _kind(*kinds: str) -> Test:
    return lambda reading, at: (
        at + 1 if at < len(reading.tokens) and reading.tokens[at].kind in kinds else None
    )


def _name(reading: StatementReading, at: int) -> int | None:
    if reading.name(at) is None:
        return None
    at += 1
    while reading.keyword(at) == "." and reading.name(at + 1) is not None:
        at += 2
    return at


def _group(reading: StatementReading, at: int) -> int | None:
    return min(reading.closing(at) + 1, len(reading.tokens)) if reading.keyword(at) == "(" else None


def _junk(reading: StatementReading, at: int) -> int | None:
    """Accept a number or parameter that a word follows without white space."""
    if at >= len(reading.tokens):
        return None
    token = reading.tokens[at]
    if (
        token.kind == "other"
        and (token.text[0].isdigit() or token.text[0] in ".$")
        and token.text[-1].isalnum()
    ):
        return at + 1
    if token.kind not in ("number", "parameter") or at + 1 >= len(reading.tokens):
        return None
    following = reading.tokens[at + 1]
    return at + 2 if following.kind == "word" and following.start == token.end else None


def _huge(reading: StatementReading, at: int) -> int | None:
    if at >= len(reading.tokens) or reading.tokens[at].kind != "parameter":
        return None
    return at + 1 if int(reading.tokens[at].text[1:]) > _LARGEST_INTEGER else None


def own_column(types: frozenset[str]) -> Test:
    """A test that accepts a column of the application that has one of the types."""

    def test(reading: StatementReading, at: int) -> int | None:
        end = _name(reading, at)
        if end is None or reading.context is None:
            return None
        return end if reading.context.type_of_column(end - 1, types) in types else None

    return test


def builtin(names: frozenset[str]) -> Test:
    """A test that accepts one of PostgreSQL's functions, without a schema or with pg_catalog."""

    def test(reading: StatementReading, at: int) -> int | None:
        if reading.keyword(at) not in names:
            return None
        schema = reading.name(at - 2) if reading.keyword(at - 1) == "." else None
        own = reading.context is not None and reading.keyword(at) in reading.context.own.functions
        return at + 1 if schema == "pg_catalog" or (schema is None and not own) else None

    return test


def operator(names: frozenset[str]) -> Test:
    """A test that accepts an operator that the application does not define."""

    def test(reading: StatementReading, at: int) -> int | None:
        own = reading.context.own.operators if reading.context is not None else ()
        return at + 1 if reading.keyword(at) in names and reading.keyword(at) not in own else None

    return test


def _known(is_one: Callable[[Names, str], bool]) -> Test:
    """A test that accepts a name for which the application's names satisfy a condition."""

    def test(reading: StatementReading, at: int) -> int | None:
        end = _name(reading, at)
        if end is None or reading.context is None:
            return None
        return end if is_one(reading.context.own, reading.name(end - 1) or "") else None

    return test


SINGLE = {
    "word": frozenset({"word", "identifier"}),
    "string": frozenset({"string"}),
    "number": frozenset({"number"}),
    "parameter": frozenset({"parameter"}),
    "junk": frozenset({"number", "parameter", "other"}),
    "huge": frozenset({"parameter"}),
    "any": frozenset[str](),
}
"""For each wildcard, the kinds of its first token."""


WILDCARDS: dict[str, Test] = {
    "partitioned": _known(lambda own, name: any(each.partitioned for each in own.relations.get(name, ()))),
    "foreign": _known(
        lambda own, name: any(each.kind == "foreign table" for each in own.relations.get(name, ()))
    ),
    "parent": _known(lambda own, name: name in own.parents),
    "own-type": _known(lambda own, name: name in own.types or name in own.relations),
    "path-function": _known(lambda own, name: name in own.path_functions),
    "session-role": _known(lambda own, name: name in own.session_roles),
    "cursor": _known(lambda own, name: name in own.cursors),
    "temporary": _known(lambda own, name: name in own.temporary),
    "name": _name,
    "word": _kind("word", "identifier"),
    "string": _kind("string"),
    "number": _kind("number"),
    "parameter": _kind("parameter"),
    "any": lambda reading, at: at + 1 if at < len(reading.tokens) else None,
    "group": _group,
    "junk": _junk,
    "huge": _huge,
}
