"""Values for the parameters of a statement: from a file, a log, or the columns that they are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from psycopg import sql

from pytest_pgfeatures.readiness.running.reading import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.column_values import ColumnValues
    from pytest_pgfeatures.readiness.running.given_parameters import GivenParameters

_ROWS = "10"
"""For LIMIT; OFFSET is 0."""


def values_of(
    query: Query,
    types: Sequence[str],
    tree: exp.Expression | None,
    given: GivenParameters,
    columns: ColumnValues,
) -> tuple[str | None, ...] | int:
    """The values of a statement's parameters.

    Parameters:
        types: of the parameters, as the old server says.
        tree: the statement as sqlglot reads it; None if it can't.

    Returns:
        the values as text; or the number of the first parameter that has none.
    """
    if len(query.values) >= len(types):
        return query.values[: len(types)]
    known: dict[int, str] = given.of(query)
    for number, type_ in enumerate(types, 1):
        if number in known:
            continue
        value = _from_columns(number, tree, columns) if tree is not None else None
        if value is None:
            return number
        is_array = type_.endswith("[]") and not value.startswith("{")
        known[number] = _array(value) if is_array else value
    return tuple(known[number] for number in range(1, len(types) + 1))


def _array(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{{"{escaped}"}}'


def _from_columns(number: int, tree: exp.Expression, columns: ColumnValues) -> str | None:
    from sqlglot import exp

    for placeholder in tree.find_all(exp.Placeholder):
        if placeholder.this == f"p{number}":
            value = _one(placeholder, tree, columns)
            if value is not None:
                return value
    return None


def _one(placeholder: exp.Expression, tree: exp.Expression, columns: ColumnValues) -> str | None:
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
        case _:
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


def _of_side(side: exp.Expression, tree: exp.Expression, columns: ColumnValues) -> str | None:
    """A value of the column, or of the expression over one relation, that a parameter is compared with."""
    from sqlglot import exp

    relations = {
        (name_of(alias.this) if (alias := table.args.get("alias")) is not None else None)
        or name_of(table.this): (
            name_of(table.args.get("db")),
            name_of(table.this) or "",
        )
        for table in tree.find_all(exp.Table)
    }
    found = list(side.find_all(exp.Column))
    if not found or side.find(exp.Placeholder) is not None or side.find(exp.Subquery) is not None:
        return None
    homes = set()
    for column in found:
        table, name = name_of(column.args.get("table")), name_of(column.this) or ""
        home = relations.get(table) if table is not None else columns.home_of(name, relations.values())
        if home is None:
            return None
        homes.add((table, home))
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
