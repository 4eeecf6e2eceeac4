"""Classify the tokens of a statement by their neighbors: calls, types, compared constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.statements.reading import CallSite, StatementReading

OPERAND_BEFORE = frozenset({
    "", ",", "(", "[", ".", "select", "where", "and", "or", "not", "by", "on", "when", "then", "else", "case",
    "distinct", "all", "between", "in", "is", "having", "set", "using", "return", "returning", "like", "ilike",
    "any", "some", "limit", "offset", "values", "check", "if", "elsif", "while", "perform", "similar",
    "filter", "only", "from", "column", "as", "default", ";",
})  # fmt: skip
"""Words that may directly precede an expression, as operators may; a name after another word is an alias."""
DEFINING = frozenset({"function", "procedure", "aggregate", "routine"})
_NO_CALL = frozenset(
    {"into", "table", "exists", "references", "view", "type", "index", "sequence", "as", "trigger"}
)


def constants_of(reading: StatementReading, at: int) -> Iterator[tuple[int, str]]:
    """The constants that the column at a token is compared with: their tokens and texts."""
    end = at + 1
    while reading.keyword(end) == "::" or (
        reading.keyword(end - 1) == "::" and reading.name(end) is not None
    ):
        end += 1
    if reading.keyword(end) == ")":
        end += 1  # lower(column) = ...
    word = reading.keyword(end)
    if word == "not":
        end += 1
        word = reading.keyword(end)
    if word == "when":
        closing = next((i for i in range(end, len(reading.tokens)) if reading.keyword(i) == "end"), end)
        yield from (
            found
            for i in range(end, closing)
            if reading.keyword(i - 1) == "when"
            for found in _one(reading, i)
        )
    elif word == "in" or reading.keyword(end + 1) in ("any", "all", "some"):
        opening = end + 1 if word == "in" else end + 2
        for inner in range(opening + 1, min(reading.closing(opening), len(reading.tokens))):
            for found in _one(reading, inner):
                if found[1].startswith("{") and found[1].endswith("}"):
                    yield from ((found[0], item.strip('" ')) for item in found[1][1:-1].split(","))
                yield found
    else:
        yield from _after_operator(reading, end)
    yield from _beside_row(reading, at)
    first = at - 2 if reading.keyword(at - 1) == "." else at
    before = first - 1
    if reading.keyword(before) in ("=", "<>", "!=", "<", ">", "<=", ">="):
        yield from _one(reading, before - 2 if reading.keyword(before - 2) == "-" else before - 1)


def _after_operator(reading: StatementReading, at: int) -> Iterator[tuple[int, str]]:
    """The constants after an operator, LIKE, IS or BETWEEN."""
    word = reading.keyword(at)
    if word == "between":
        yield from _one(reading, at + 1)
        yield from _one(reading, at + 3)
    elif word in ("like", "ilike", "similar", "is") or (word and not word.isalnum() and word not in ",();.:"):
        following = at + 1
        while reading.keyword(following) in ("to", "distinct", "from", "not"):
            following += 1
        for found, text in _one(reading, following):
            yield found, text
            if word in _MATCHING:
                yield from ((found, part) for part in _WORDS.findall(text) if part != text)


_MATCHING = frozenset({"like", "ilike", "similar", "~", "~*", "~~", "~~*"})
_WORDS = re.compile(r"\w+")


def _beside_row(reading: StatementReading, at: int) -> Iterator[tuple[int, str]]:
    """The constants in the rows that a row with the column at a token is compared with: ``(a, b) IN ((1, 2))``."""
    opening = reading.enclosing[at]
    if opening < 0 or reading.keyword(at + 1) not in (",", ")"):
        return
    following = reading.closing(opening) + 2
    if reading.keyword(following - 1) in ("in", "=", "<>") and reading.keyword(following) == "(":
        for inner in range(following + 1, min(reading.closing(following), len(reading.tokens))):
            yield from _one(reading, inner)


def _one(reading: StatementReading, at: int) -> Iterator[tuple[int, str]]:
    value = reading.value(at)
    if value is not None:
        yield at, value
    elif 0 <= at < len(reading.tokens) and reading.tokens[at].kind == "number":
        yield at, reading.tokens[at].text
    elif reading.keyword(at) == "-" and at + 1 < len(reading.tokens):
        yield at, "-" + reading.tokens[at + 1].text


def may_follow(reading: StatementReading, at: int) -> bool:
    """Whether an expression may begin at a token. If not, a name there is an alias."""
    before = reading.tokens[at - 1] if at else None
    if before is None or before.kind == "operator":
        return True
    if before.kind in ("string", "number", "identifier", "parameter"):
        return False
    return reading.keyword(at - 1) in OPERAND_BEFORE or before.text in ("::", ":=", "=>")


def is_sorted_output(reading: StatementReading, at: int) -> bool:
    """Whether a name in ORDER BY is that of an output column: ``SELECT ... AS name ... ORDER BY name``."""
    level, name = reading.enclosing[at], reading.name(at)
    if reading.keyword(at - 1) not in ("by", ","):
        return False
    clauses = (
        word
        for before in range(at - 1, -1, -1)
        if reading.enclosing[before] == level and (word := reading.keyword(before)) in _CLAUSES
    )
    return next(clauses, "") == "order" and any(
        reading.enclosing[output] == level and reading.keyword(output - 1) == "as"
        for output in reading.positions.get(name or "", ())
    )


_CLAUSES = frozenset({"select", "from", "where", "group", "having", "order", "set", "values", "window"})


def is_cast(reading: StatementReading, at: int) -> bool:
    opening = reading.enclosing[at]
    return opening > 0 and reading.keyword(opening - 1) == "cast"


def is_no_call(reading: StatementReading, call: CallSite) -> bool:
    """Whether a name with parentheses isn't a call, but a table with its columns, an alias, or a created object."""
    before = reading.keyword(call.at - (3 if call.schema else 1))
    at = call.at - (2 if call.schema else 0)
    if before in DEFINING or (before == "exists" and reading.keyword(0) == "drop"):
        return reading.keyword(0) in ("create", "drop") and at <= 5
    if before in _NO_CALL:
        return not (before == "exists" and reading.keyword(at - 2) in ("where", "and", "not", "or"))
    if before == "on" and reading.keyword(0) == "create" and "index" in reading.positions:
        return reading.enclosing[call.at] == -1
    if before in ("with", "recursive") or (before == "," and reading.keyword(0) == "with"):
        closing = reading.closing(call.opening)
        return reading.keyword(closing + 1) == "as" and reading.keyword(closing + 2) in (
            "(",
            "materialized",
            "not",
        )
    return (
        before not in ("from", "join")
        and reading.name(at - 1) is not None
        and not may_follow(reading, at)
        and (before not in _BEFORE_CALL)
    )


_BEFORE_CALL = frozenset({
    "current", "immediate", "call", "function", "procedure", "execute", "explain", "analyze", "verbose", "row",
    "values", "lateral", "begin", "do", "end", "into", "query", "next", "union", "to", "declare", "escape",
    "atomic", "loop", "exclude", "include", "ordinality", "generated", "always", "key", "asc", "desc", "session",
})  # fmt: skip


def is_type(reading: StatementReading, start: int, at: int) -> bool:
    """Whether the name at a token is a type. With its schema, the name begins at ``start``."""
    before, after = reading.keyword(start - 1), reading.keyword(at + 1)
    first = reading.keyword(0)
    quoted = reading.tokens[at].kind == "identifier"
    if before == "::" or (before in ("returns", "setof") and first in ("create", "alter")):
        return True
    if before == "as" and (
        is_cast(reading, start - 1) or "domain" in (reading.keyword(1), reading.keyword(2))
    ):
        return True
    if before == "type" and first == "alter":
        return (
            "column" in reading.positions or "attribute" in reading.positions or "alter" in reading.positions
        )
    if quoted:
        return False
    if reading.value(at + 1) is not None:  # abstime 'now'
        return before not in ("as", "language") and may_follow(reading, start)
    if first == "declare":
        return start >= 2 and reading.enclosing[start] == -1 and before != ":="
    if first == "create" and reading.keyword(1) == "cast":
        return before in ("(", "as")
    definition = first in ("create", "alter", "drop") and reading.enclosing[start] <= _opening_of_list(
        reading
    )
    if not definition or reading.tokens[at].kind != "word":
        return False
    named = reading.name(start - 1) is not None
    lead = reading.keyword(start - 2)
    if _is_routine(reading) and reading.enclosing[start] == _opening_of_list(reading):
        unnamed = before in ("(", ",", "in", "out", "inout", "variadic") and after in (
            ",",
            ")",
            "[",
            "default",
            "=",
        )
        return unnamed or (named and lead in ("(", ",", "in", "out", "inout", "variadic"))
    if not named or after == "(" or before in _NO_COLUMN:
        return False
    if lead in ("add", "column", "exists"):
        return first == "alter"
    return lead in ("(", ",") and reading.enclosing[start] == _opening_of_list(reading) >= 0


_NO_COLUMN = frozenset({"constraint", "check", "unique", "like", "primary", "foreign", "references", "key"})


def _is_routine(reading: StatementReading) -> bool:
    return not DEFINING.isdisjoint(reading.keyword(at) for at in range(1, 4))


def _opening_of_list(reading: StatementReading) -> int:
    """The opening parenthesis of a table's columns or a routine's arguments."""
    found = reading.positions.get("(", ())
    return found[0] if found else -1
