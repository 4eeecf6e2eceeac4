"""Values for the parameters of a statement: from a file, a log, or the columns that they are compared with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from psycopg import sql

from pytest_pgfeatures.readiness.running.column_values import alike, array_of
from pytest_pgfeatures.readiness.running.reading import name_of
from pytest_pgfeatures.readiness.running.usual_values import argument_at, of_argument
from pytest_pgfeatures.readiness.statements.reading import StatementReading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from pytest_pgfeatures.readiness.inputs.parameters import GivenParameters
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.column_values import ColumnValues

_ROWS = "10"
"""For LIMIT; OFFSET is 0."""


class ParameterValues(NamedTuple):
    """The values of a statement's parameters.

    Parameters:
        values: as text, None for NULL.
        by_type: the numbers of the parameters of which only the type is known, and which got some value of
            that type.
    """

    values: tuple[str | None, ...]
    by_type: tuple[int, ...] = ()


def values_of(
    query: Query,
    types: Sequence[str],
    tree: exp.Expression | None,
    given: GivenParameters,
    columns: ColumnValues,
) -> ParameterValues | int:
    """The values of a statement's parameters.

    Parameters:
        types: the parameters' types, as the old server reports them.
        tree: the statement as sqlglot parses it; None if it can't.

    Returns:
        the values; or the number of the first parameter that has none.
    """
    if len(query.values) >= len(types):
        return ParameterValues(query.values[: len(types)])
    known: dict[int, str] = given.of(query)
    by_type = []
    reading = StatementReading(query)
    relations = [] if tree is None else list(_relations(tree).values())
    for number, type_ in enumerate(types, 1):
        if number in known:
            continue
        value = of_argument(reading, number, type_)
        if value is None and tree is not None:
            value = _from_columns(number, type_, tree, columns)
        if value is None:
            by_type.append(number)
            name = query.names[number - 1] if number <= len(query.names) else ""
            call, _ = argument_at(reading, number) or ("", 0)
            value = columns.of_type(type_, relations, name, call)
        if value is None:
            return number
        is_array = type_.endswith("[]") and (not value.startswith("{") or type_ in ("json[]", "jsonb[]"))
        known[number] = array_of(value) if is_array else value
    return ParameterValues(tuple(known[number] for number in range(1, len(types) + 1)), tuple(by_type))


def _from_columns(number: int, type_: str, tree: exp.Expression, columns: ColumnValues) -> str | None:
    from sqlglot import exp

    places = [each for each in tree.find_all(exp.Placeholder) if each.this == f"p{number}"]
    for find in (_one, partial(_beside, type_)):
        for placeholder in places:
            value = find(placeholder, tree, columns)
            if value is not None:
                return value
    return None


def _one(placeholder: exp.Expression, tree: exp.Expression, columns: ColumnValues) -> str | None:
    """A value for a parameter from the expression that it is compared with, the column that it sets, or
    inserts into."""
    from sqlglot import exp

    here: exp.Expression = placeholder
    while isinstance(here.parent, exp.Cast | exp.Paren | exp.Any | exp.Array | exp.All):
        here = here.parent
    parent = here.parent
    match parent:
        case exp.Limit() | exp.Fetch():
            return _ROWS
        case exp.Offset():
            return "0"
        case exp.JSONExtract() | exp.JSONExtractScalar() | exp.JSONBContainsTopKey() if (
            parent.expression is here
        ):
            column = parent.this
            if not isinstance(column, exp.Column) or (home := _home(column, tree, columns)) is None:
                return None
            return columns.key_in(*home, name_of(column.this) or "")
        case exp.In() | exp.Between() | exp.Binary():
            if isinstance(parent, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.And | exp.Or):
                return None
            sides = [parent.this, *parent.args.values()]
            other = next(
                (each for each in sides if isinstance(each, exp.Expression) and each is not here), None
            )
            return None if other is None else _of_side(other, tree, columns)
        case exp.Tuple() if isinstance(parent.parent, exp.Values):
            return _of_insert(parent, here, tree, columns)
        case exp.Tuple() if isinstance(parent.parent, exp.Binary):
            pair = parent.parent
            other = pair.this if pair.expression is parent else pair.expression
            at = next(at for at, each in enumerate(parent.expressions) if each is here)
            same = isinstance(other, exp.Tuple) and len(other.expressions) == len(parent.expressions)
            return _of_side(other.expressions[at], tree, columns) if same else None
        case _:
            return None


def _beside(
    type_: str, placeholder: exp.Expression, tree: exp.Expression, columns: ColumnValues
) -> str | None:
    """A value of the nearest column of the parameter's type in the same condition: ``lower(name) = lower($1)``."""
    from sqlglot import exp

    here = placeholder.parent
    while isinstance(
        here, exp.Func | exp.Binary | exp.Paren | exp.Cast | exp.Any | exp.Array | exp.Unary
    ) and (not isinstance(here, exp.And | exp.Or | exp.Not)):
        for column in here.find_all(exp.Column):
            home = _home(column, tree, columns)
            name = name_of(column.this) or ""
            if home is not None and alike(columns.type_of(*home, name), type_):
                return columns.value(*home, name)
        here = here.parent
    return None


def _of_insert(
    row: exp.Tuple, here: exp.Expression, tree: exp.Expression, columns: ColumnValues
) -> str | None:
    from sqlglot import exp

    insert = row.find_ancestor(exp.Insert)
    if insert is None:
        return None
    target = insert.this
    table = target.this if isinstance(target, exp.Schema) else target
    relation = name_of(table.args.get("db")), name_of(table.this) or ""
    listed = target.expressions if isinstance(target, exp.Schema) else []
    names = [name_of(each) for each in listed] or list(columns.columns(*relation))
    at = next((at for at, each in enumerate(row.expressions) if each is here), len(names))
    name = names[at] if at < len(names) else None
    return None if name is None else columns.value(*relation, name)


def _relations(tree: exp.Expression) -> dict[str | None, tuple[str | None, str]]:
    """The relations of a statement by their aliases, or names."""
    from sqlglot import exp

    return {
        (name_of(alias.this) if (alias := table.args.get("alias")) is not None else None)
        or name_of(table.this): (
            name_of(table.args.get("db")),
            name_of(table.this) or "",
        )
        for table in tree.find_all(exp.Table)
    }


def _home(column: exp.Column, tree: exp.Expression, columns: ColumnValues) -> tuple[str | None, str] | None:
    """The relation that a column belongs to; None if it is unknown."""
    relations = _relations(tree)
    table, name = name_of(column.args.get("table")), name_of(column.this) or ""
    return relations.get(table) if table is not None else columns.home_of(name, relations.values())


def _of_side(side: exp.Expression, tree: exp.Expression, columns: ColumnValues) -> str | None:
    """A value of the column, or of the expression over one relation, with which a parameter is compared."""
    from sqlglot import exp

    found = list(side.find_all(exp.Column))
    if not found or side.find(exp.Placeholder) is not None or side.find(exp.Subquery) is not None:
        return None
    homes = set()
    for column in found:
        home = _home(column, tree, columns)
        if home is None:
            return None
        homes.add((name_of(column.args.get("table")), home))
    if isinstance(side, exp.Column):
        ((_, home),) = homes
        return columns.value(*home, name_of(side.this) or "")
    if len(homes) != 1:
        return None
    ((table, (schema, relation)),) = homes
    source: sql.Composable = sql.Identifier(*filter(None, (schema, relation)))
    if table is not None:
        source = sql.SQL("{} AS {}").format(source, sql.Identifier(table))
    return columns.of_expression(sql.SQL(side.sql("postgres")), source)
