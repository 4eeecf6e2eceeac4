"""Put the data of extended statistics in place."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.statistics.extended import (
    HAVE,
    HAVE_DATA_CATALOG,
    HAVE_INHERITED,
    stored,
)
from pytest_pgfeatures.statistics.placing import Putting, execute
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import ExtendedStatistics
    from pytest_pgfeatures.statistics.types import Types

_OBJECTS = """
    SELECT n.nspname::text, x.stxname::text, x.oid::bigint FROM pg_statistic_ext x
      JOIN pg_namespace n ON n.oid = x.stxnamespace
"""
_CASTS = ("pg_ndistinct", "pg_dependencies", "pg_mcv_list")


def put_extended(
    connection: psycopg.Connection[Any],
    extended: Sequence[ExtendedStatistics],
    found: Mapping[tuple[str, str], Counterpart],
    types: Types,
) -> list[str]:
    """Put the data in place as the server stores it: no server before 19 takes it as text.

    Parameters:
        connection: a superuser's, with the search path ``pg_catalog``.
        found: the database's relations.

    Returns:
        What could not be put in place, a line each.
    """
    version = PgVersion.from_num(connection.info.server_version)
    if not extended:
        return []
    if version not in HAVE:
        return [f"{version.major} has no extended statistics"]
    objects = {(schema, name): oid for schema, name, oid in connection.execute(_OBJECTS)}
    said: list[str] = []
    statements: list[Putting] = []
    for each in extended:
        place = found.get((each.table_schema, each.table))
        oid = objects.get((each.schema, each.name))
        if place is None or oid is None:
            said.append(f"extended statistics {each} do not exist here")
            continue
        try:
            values = _values(each, place, version, said)
        except KeyError as error:
            said.append(f"extended statistics {each}: there is no column {error} here")
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


def _values(
    each: ExtendedStatistics, place: Counterpart, version: PgVersion, said: list[str]
) -> dict[str, tuple[str, bytes]]:
    """The columns of the catalog, each with its type and what it gets."""
    numbers = {name: attribute.number for name, attribute in place.columns.items()}
    numbers |= {str(number): -number for number in range(1, len(numbers) + 9) if str(number) not in numbers}
    values: dict[str, tuple[str, bytes]] = {}
    if (content := stored("ndistinct", each.ndistinct, numbers)) is not None:
        values["ndistinct"] = ("pg_ndistinct", content)
    if (content := stored("dependencies", each.dependencies, numbers)) is not None:
        values["dependencies"] = ("pg_dependencies", content)
    if each.mcv is not None:
        if version not in HAVE_DATA_CATALOG:
            said.append(f"extended statistics {each}: {version.major} has no lists of common combinations")
        elif not each.mcv_portable:
            said.append(f"extended statistics {each}: common combinations of types of your own are left out")
        else:
            values["mcv"] = ("pg_mcv_list", base64.b64decode(each.mcv))
    if each.expressions:
        said.append(f"extended statistics {each}: those of expressions are left out")
    return values


def _statement(
    each: ExtendedStatistics, oid: int, values: Mapping[str, tuple[str, bytes]], version: PgVersion
) -> Putting:
    what = f"extended statistics {each}"
    contents = tuple(content for _, content in values.values())
    if version in HAVE_INHERITED:
        names = ", ".join(f"stxd{name}" for name in values)
        casts = ", ".join(f"%s::bytea::{type_}" for type_, _ in values.values())
        more, sep = (names, ", ") if names else ("", "")
        sql = (
            f"INSERT INTO pg_statistic_ext_data (stxoid, stxdinherit{sep}{more})"
            f" VALUES (%s::oid, %s::bool{sep}{casts})"
        )
        return Putting(sql, (oid, each.inherited, *contents), what)
    table, prefix, key = (
        ("pg_statistic_ext_data", "stxd", "stxoid")
        if version in HAVE_DATA_CATALOG
        else ("pg_statistic_ext", "stx", "oid")
    )
    changed = ", ".join(f"{prefix}{name} = %s::bytea::{type_}" for name, (type_, _) in values.items())
    return Putting(
        f"UPDATE {table} SET {changed or f'{key} = {key}'} WHERE {key} = %s::oid", (*contents, oid), what
    )
