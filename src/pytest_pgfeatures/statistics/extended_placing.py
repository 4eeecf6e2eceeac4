"""Restore the data of extended statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg

from pytest_pgfeatures.statistics.combinations import stored_combinations
from pytest_pgfeatures.statistics.extended import (
    HAVE,
    HAVE_DATA_CATALOG,
    HAVE_EXPRESSIONS,
    HAVE_INHERITED,
    stored,
)
from pytest_pgfeatures.statistics.placing import Putting, execute, left_out, row_of, without_code
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import ExtendedStatistics
    from pytest_pgfeatures.statistics.types import Types

_OBJECTS = """
    SELECT n.nspname::text, x.stxname::text, x.oid::bigint, {expressions}
      FROM pg_statistic_ext x JOIN pg_namespace n ON n.oid = x.stxnamespace
"""
_EXPRESSIONS = "coalesce(pg_get_statisticsobjdef_expressions(x.oid), '{}')"
_VIEW = "pg_temp.pgfeatures_expressions"
_VIEWED = f"""
    SELECT atttypid::bigint, attcollation::bigint FROM pg_attribute
     WHERE attrelid = '{_VIEW}'::regclass ORDER BY attnum
"""
_CASTS = ("pg_ndistinct", "pg_dependencies", "pg_mcv_list")


class Given(NamedTuple):
    """A value for a column of the catalog: SQL with placeholders, and the values for them."""

    sql: str
    values: tuple[Any, ...]


def put_extended(
    connection: psycopg.Connection[Any],
    owner: psycopg.Connection[Any],
    extended: Sequence[ExtendedStatistics],
    found: Mapping[tuple[str, str], Counterpart],
    types: Types,
) -> list[str]:
    """Write the data in the server's own format: no server before 19 accepts it as text.

    Parameters:
        connection: a superuser's connection, with the search path ``pg_catalog``.
        owner: the connection of the role that may run the database's code, with the same search path.
        found: the database's relations.

    Returns:
        A line for each object that could not be restored.
    """
    version = PgVersion.from_num(connection.info.server_version)
    if not extended:
        return []
    if version not in HAVE:
        return [f"{version.major} has no extended statistics"]
    query = _OBJECTS.format(expressions=_EXPRESSIONS if version in HAVE_EXPRESSIONS else "'{}'::text[]")
    objects = {(schema, name): rest for schema, name, *rest in connection.execute(query.encode())}
    said: list[str] = []
    statements: list[Putting] = []
    for each in extended:
        place = found.get((each.table_schema, each.table))
        known = objects.get((each.schema, each.name))
        if place is None or known is None:
            said.append(f"extended statistics {each} do not exist here")
            continue
        oid, expressions = known
        described = _described(owner, each, expressions)
        if len(expressions) < len(each.expressions):
            said.append(f"extended statistics {each} have other expressions here")
            continue
        try:
            values = _values(connection, each, place, described, types, said)
        except KeyError as error:
            said.append(f"extended statistics {each}: there is no column {error} here")
            continue
        except psycopg.Error as error:
            if connection.broken:
                raise
            said.append(f"extended statistics {each}: {error.diag.message_primary}")
            continue
        statements.append(_statement(each, oid, values, version))
    kinds = [
        kind for kind in _CASTS if connection.execute("SELECT to_regtype(%s)", [kind]).fetchone() != (None,)
    ]
    with connection.transaction():
        for kind in kinds:
            connection.execute(f"CREATE CAST (bytea AS {kind}) WITHOUT FUNCTION".encode())
    try:
        said += execute(connection, statements)
    finally:
        for kind in kinds:
            connection.execute(f"DROP CAST (bytea AS {kind})".encode())
    return said


def _described(
    connection: psycopg.Connection[Any], each: ExtendedStatistics, expressions: Sequence[str]
) -> list[tuple[int, int]]:
    """The types and collations of expressions, read from a view with these expressions."""
    if not expressions:
        return []
    table = psycopg.sql.Identifier(each.table_schema, each.table)
    listed = ", ".join(f'({expression}) AS "{number}"' for number, expression in enumerate(expressions))
    query = psycopg.sql.SQL("CREATE VIEW {} AS SELECT {} FROM {}").format(
        psycopg.sql.SQL(_VIEW), psycopg.sql.SQL(listed), table
    )
    with connection.transaction(force_rollback=True):
        connection.execute(query)
        return [(type_, collation) for type_, collation in connection.execute(_VIEWED)]


def _values(
    connection: psycopg.Connection[Any],
    each: ExtendedStatistics,
    place: Counterpart,
    described: Sequence[tuple[int, int]],
    types: Types,
    said: list[str],
) -> dict[str, Given]:
    """The columns of the catalog, each with its new value.

    Parameters:
        described: the types and collations of the object's expressions.
    """
    version = PgVersion.from_num(connection.info.server_version)
    numbers = {str(number): -number for number in range(1, len(described) + 1)}
    numbers |= {name: attribute.number for name, attribute in place.columns.items()}
    values: dict[str, Given] = {}
    for kind in ("ndistinct", "dependencies"):
        if (content := stored(kind, getattr(each, kind), numbers)) is not None:
            values[kind] = Given(f"%s::bytea::pg_{kind}", (content,))
    if each.mcv:
        if version not in HAVE_DATA_CATALOG:
            said.append(f"extended statistics {each}: {version.major} has no lists of common combinations")
        else:
            # the planner numbers a table's columns in their own order
            order = sorted(range(len(each.columns)), key=lambda at: place.columns[each.columns[at]].number)
            order += range(len(order), len(order) + len(described))
            oids = [*(place.columns[name].type for name in each.columns), *(type_ for type_, _ in described)]
            combinations = [one._replace(values=tuple(one.values[at] for at in order)) for one in each.mcv]
            if any(types.runs_code(oid) for oid in oids):
                said.append(left_out(f"extended statistics {each}"))
            else:
                listed = stored_combinations(connection, combinations, [oids[at] for at in order], types)
                values["mcv"] = Given("%s::bytea::pg_mcv_list", (listed,))
    if each.expressions:
        if any(
            without_code(expression, described[int(expression.name) - 1][0], types) != expression
            for expression in each.expressions
        ):
            said.append(left_out(f"extended statistics {each}"))
        rows = {
            int(expression.name): row_of(
                expression, (0, 0), described[int(expression.name) - 1], types, version
            )
            for expression in each.expressions
        }
        fields = (
            f"ROW({rows[number][0]})::pg_statistic" if number in rows else "NULL::pg_statistic"
            for number in range(1, len(described) + 1)
        )
        given = (value for number in sorted(rows) for value in rows[number][1])
        values["expr"] = Given(f"ARRAY[{', '.join(fields)}]", tuple(given))
    return values


def _statement(
    each: ExtendedStatistics, oid: int, values: Mapping[str, Given], version: PgVersion
) -> Putting:
    what = f"extended statistics {each}"
    contents = tuple(value for given in values.values() for value in given.values)
    if version in HAVE_INHERITED:
        names = "".join(f", stxd{name}" for name in values)
        fields = "".join(f", {given.sql}" for given in values.values())
        sql = f"INSERT INTO pg_statistic_ext_data (stxoid, stxdinherit{names}) VALUES (%s::oid, %s::bool{fields})"
        return Putting(sql, (oid, each.inherited, *contents), what)
    table, prefix, key = (
        ("pg_statistic_ext_data", "stxd", "stxoid")
        if version in HAVE_DATA_CATALOG
        else ("pg_statistic_ext", "stx", "oid")
    )
    changed = ", ".join(f"{prefix}{name} = {given.sql}" for name, given in values.items())
    return Putting(
        f"UPDATE {table} SET {changed or f'{key} = {key}'} WHERE {key} = %s::oid", (*contents, oid), what
    )
