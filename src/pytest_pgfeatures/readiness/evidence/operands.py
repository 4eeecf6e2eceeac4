"""Find the types of an operator's operands, if the statement or the schema shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.grammar import OPERAND_BEFORE

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.reading import StatementReading


def left_type(context: StatementContext, at: int) -> str | None:
    """The type of the operand on the left of an operator; None if unknown."""
    reading = context.reading
    last = at - 1
    if reading.keyword(last) == "]":
        return _array_type(
            context, next((i for i in reading.positions.get("[", ()) if reading.closing(i) == last), 0)
        )
    if reading.name(last) is not None and reading.keyword(last - 1) == "::":
        return reading.name(last)
    if (
        reading.name(last) is not None
        and reading.keyword(last - 1) == "."
        and reading.keyword(last - 3) == "::"
    ):
        return reading.name(last)
    if reading.value(last) is not None:
        return _typed(reading, last)
    if reading.keyword(last) == ")":
        opening = next((i for i in reading.positions.get("(", ()) if reading.closing(i) == last), None)
        return _of_parentheses(context, opening) if opening is not None else None
    return context.type_of_column(last)


def right_type(context: StatementContext, at: int) -> str | None:
    """The type of the operand on the right of an operator; None if unknown."""
    reading = context.reading
    first = at + 1
    if reading.value(first) is not None:
        if reading.keyword(first + 1) != "::":
            return None
        name = reading.name(first + 2)
        return f"{_INTEGERS.get(name or '', name)}[]" if reading.keyword(first + 3) == "[" else name
    if reading.name(first) is not None and reading.value(first + 1) is not None:
        return reading.name(first)
    if reading.keyword(first) == "(":
        end = reading.closing(first)
        if reading.keyword(end + 1) == "::":
            return reading.name(end + 2)
        return _of_parentheses(context, first)
    if reading.keyword(first) == "array" and reading.keyword(first + 1) == "[":
        return _array_type(context, first + 1)
    last = first
    while reading.keyword(last + 1) == "." and reading.name(last + 2) is not None:
        last += 2
    if reading.keyword(last + 1) == "(":
        end = reading.closing(last + 1)
        return (
            reading.name(end + 2) if reading.keyword(end + 1) == "::" else _of_parentheses(context, last + 1)
        )
    if reading.keyword(last + 1) == "::":
        return reading.name(last + 2)
    return context.type_of_column(last)


def _array_type(context: StatementContext, opening: int) -> str | None:
    """The type of ``ARRAY[1, 2]`` or ``...::int[]``."""
    reading = context.reading
    if reading.keyword(opening - 1) == "array":
        return "integer[]" if reading.tokens[opening + 1].kind == "number" else None
    name = reading.name(opening - 1)
    return (
        f"{_INTEGERS.get(name, name)}[]"
        if name is not None and reading.keyword(opening - 2) == "::"
        else None
    )


_INTEGERS = {"int": "integer", "int4": "integer"}


def _typed(reading: StatementReading, at: int) -> str | None:
    """The type of a typed constant, such as ``box '...'``."""
    return reading.name(at - 1) if reading.name(at - 1) is not None else None


def _of_parentheses(context: StatementContext, opening: int) -> str | None:
    """The type of ``point(...)``, ``CAST(... AS box)`` or ``(column)``."""
    reading = context.reading
    name = reading.name(opening - 1)
    end = reading.closing(opening)
    if name == "cast":
        return reading.name(end - 1)
    if name is not None and reading.keyword(opening - 1) not in OPERAND_BEFORE:
        return name
    if reading.name(end - 1) is not None and reading.keyword(end - 2) == "::":
        return reading.name(end - 1)
    if reading.value(end - 1) is not None:
        return _typed(reading, end - 1)
    return context.type_of_column(end - 1)
