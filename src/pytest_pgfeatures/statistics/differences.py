"""Differences between the schema of the statistics and that of a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import psycopg

    from pytest_pgfeatures.statistics.model import RelationStatistics, Statistics

_RELATIONS = """
    SELECT n.nspname::text, c.relname::text, c.oid::bigint, c.relkind::text,
           CASE WHEN c.relkind IN ('r', 'i', 'm') THEN pg_relation_filepath(c.oid) END
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
       AND c.relkind IN ('r', 'i', 'm', 'f', 'p', 'I')
"""
_COLUMNS = """
    SELECT c.oid::bigint, a.attname::text, a.attnum, a.atttypid::bigint, a.attcollation::bigint,
           format_type(a.atttypid, NULL)
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND a.attnum > 0 AND NOT a.attisdropped
       AND c.relkind IN ('r', 'i', 'm', 'f', 'p', 'I')
"""
_EXPRESSIONS = """
    SELECT i.indexrelid::bigint, a.attname::text, i.indrelid::regclass::text,
           pg_get_indexdef(i.indexrelid, a.attnum, true)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum <= i.indnatts AND i.indkey[a.attnum - 1] = 0
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""
"""ANALYZE uses the type of an expression. An index's column may have the storage type of its access method
instead."""
_KINDS = {
    "r": "table", "p": "partitioned table", "m": "materialized view", "f": "foreign table", "i": "index",
    "I": "partitioned index",
}  # fmt: skip


class Attribute(NamedTuple):
    """A column of a database, by numbers and OIDs. For an expression, the type is the expression's own."""

    number: int
    type: int
    collation: int
    shown: str


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A relation of a database.

    Parameters:
        path: the path of its file below the data directory; None for a relation without files.
    """

    oid: int
    kind: str
    path: str | None
    columns: Mapping[str, Attribute]


def places(
    connection: psycopg.Connection[Any], owner: psycopg.Connection[Any]
) -> dict[tuple[str, str], Counterpart]:
    """The relations of a database by schema and name.

    Parameters:
        connection: a connection with the search path ``pg_catalog``, so that types print as in the statistics.
        owner: the connection of the role that may run the database's code, with the same search path.
    """
    columns: dict[int, dict[str, Attribute]] = {}
    for oid, name, *rest in connection.execute(_COLUMNS.encode()):
        columns.setdefault(oid, {})[name] = Attribute(*rest)
    for oid, name, table, expression in connection.execute(_EXPRESSIONS.encode()).fetchall():
        # preparing evaluates constants, so the owner does it
        owner.pgconn.prepare(b"", f"SELECT ({expression}) FROM {table}".encode())
        described = owner.pgconn.describe_prepared(b"")
        if described.nfields:
            columns[oid][name] = columns[oid][name]._replace(type=described.ftype(0))
    return {
        (schema, name): Counterpart(oid, kind, path, columns.get(oid, {}))
        for schema, name, oid, kind, path in connection.execute(_RELATIONS.encode())
    }


def differences(statistics: Statistics, found: Mapping[tuple[str, str], Counterpart]) -> list[str]:
    """The objects that only the statistics or only the database has, or that differ, one line each."""
    said: list[str] = []
    for relation in statistics.relations:
        place = found.get(relation.key)
        if place is None:
            said.append(f"{_KINDS[relation.kind]} {relation} does not exist here")
        else:
            said += _of_relation(relation, place)
    known = {relation.key for relation in statistics.relations}
    said += [
        f"{_KINDS[place.kind]} {schema}.{name} has no statistics"
        for (schema, name), place in sorted(found.items())
        if (schema, name) not in known
    ]
    return said


def _of_relation(relation: RelationStatistics, place: Counterpart) -> Iterator[str]:
    if relation.kind != place.kind:
        yield f"{relation} is a {_KINDS[place.kind]} here, and the statistics are of a {_KINDS[relation.kind]}"
    for column in relation.columns:
        attribute = place.columns.get(column.name)
        if attribute is None:
            yield f"column {relation}.{column.name} does not exist here"
        elif attribute.shown != column.type:
            yield (
                f"column {relation}.{column.name} is {attribute.shown} here, and the statistics are of"
                f" {column.type}"
            )
