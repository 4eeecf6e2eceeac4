"""The contents of tables, as counts and sums of hashes, which two servers can compare without sending the rows."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Collection

_TABLES = """
SELECT n.nspname, c.relname, array_agg(a.attname ORDER BY a.attnum),
    array_agg(CASE a.atttypid WHEN 700 THEN 'float4send' WHEN 701 THEN 'float8send' ELSE '' END ORDER BY a.attnum)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE (c.relkind = 'r' OR c.relkind = 'm' AND c.relispopulated) AND c.relpersistence <> 't'
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
GROUP BY n.nspname, c.relname
ORDER BY n.nspname, c.relname
"""
_VIEWS = """
SELECT n.nspname, c.relname FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'm' AND c.relispopulated AND n.nspname NOT IN ('pg_catalog', 'information_schema')
ORDER BY c.oid -- those that a view reads are older
"""
_VALUE = {
    "": "{}::text",
    # 12 prints floats with other digits: https://www.postgresql.org/docs/release/12.0/
    "float4send": "encode(float4send({}), 'hex')",
    "float8send": "encode(float8send({}), 'hex')",
}
_HASH = "sum(('x' || substr(md5(quote_nullable({})), 1, 15))::bit(60)::bigint)::text"


@dataclass(frozen=True, slots=True)
class Table:
    """A table or materialized view that stores rows.

    Parameters:
        columns: their names.
        senders: for each column, the function that returns its value's bytes if its text is not exact; else empty.
    """

    schema: str
    name: str
    columns: tuple[str, ...]
    senders: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"

    @property
    def identifier(self) -> sql.Identifier:
        """The quoted name."""
        return sql.Identifier(self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a table, in any order.

    Parameters:
        rows: their number.
        hashes: for each column, a sum of hashes of its values' texts.
    """

    rows: int
    hashes: tuple[tuple[str, str | None], ...]

    def differences(self, other: Contents, without: Collection[str] = ()) -> tuple[str, ...]:
        """The columns with different values, except for those in ``without``."""
        theirs = dict(other.hashes)
        return tuple(name for name, found in self.hashes if name not in without and theirs.get(name) != found)


def tables(connection: psycopg.Connection) -> list[Table]:
    """The tables and populated materialized views of the database, without those of the system."""
    found = connection.execute(_TABLES.encode()).fetchall()
    return [Table(schema, name, tuple(columns), tuple(senders)) for schema, name, columns, senders in found]


def contents_of(connection: psycopg.Connection, table: Table) -> Contents:
    """The contents of a table, as this transaction sees it."""
    values = [
        sql.SQL(_VALUE[sender]).format(sql.Identifier(column))
        for column, sender in zip(table.columns, table.senders, strict=True)
    ]
    sums = [sql.SQL(_HASH).format(value) for value in values]
    query = sql.SQL("SELECT {} FROM ONLY {}").format(
        sql.SQL(", ").join([sql.SQL("count(*)"), *sums]), table.identifier
    )
    row = connection.execute(query).fetchone()
    assert row is not None
    return Contents(row[0], tuple(zip(table.columns, row[1:], strict=True)))


def all_contents(connection: psycopg.Connection) -> dict[Table, Contents]:
    """The contents of each table."""
    return {table: contents_of(connection, table) for table in tables(connection)}


def refresh(connection: psycopg.Connection) -> bool:
    """Refresh materialized views, as a restore does. One that can't be refreshed stays: the restore will report it.

    Parameters:
        connection: in autocommit mode.

    Returns:
        whether there are any.
    """
    names = connection.execute(_VIEWS.encode()).fetchall()
    for name in names:
        with contextlib.suppress(psycopg.Error):
            connection.execute(sql.SQL("REFRESH MATERIALIZED VIEW {}").format(sql.Identifier(*name)))
        if connection.closed:
            raise psycopg.OperationalError("the connection is lost")
    return bool(names)
