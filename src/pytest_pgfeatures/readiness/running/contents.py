"""The contents of tables, as counts and sums of hashes, which two servers can compare without sending the rows; and
the values of sequences, which no rollback restores. An upgrade has to preserve them, roles and settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from psycopg import sql

from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import psycopg

    Values = dict[str, tuple[int, bool]]
    """For each sequence, its last value, and whether ``nextval`` has been called."""

_BY_VALUE = (
    "float4send", "float8send", "point_send", "path_send", "poly_send", "circle_send",
    # https://www.postgresql.org/docs/release/12.0/: floats, and the numbers in geometric types
    "charsend",  # https://www.postgresql.org/docs/release/15.0/: bytes above 127
    "pg_lsn_send",  # 19: eight digits after the slash
)  # fmt: skip
"""Send functions of the types whose text a release changes, but not their values. They, and types with elements of
these types, are compared by what their send functions return. All others are compared by their text, so that a
column that has another type on the new server is the same with the same text."""
_TABLES = """
SELECT n.nspname, c.relname, c.relkind = 'r', array_agg(a.attname::text ORDER BY a.attnum),
    format('SELECT count(*)%%s FROM ONLY %%I.%%I', string_agg(
        format(', sum((''x'' || substr(md5(quote_nullable(%%s)), 1, 15))::bit(60)::bigint)::text',
            CASE WHEN s.oid IS NULL THEN format('%%I::text', a.attname)
            ELSE format('encode(pg_catalog.%%I(%%I), ''hex'')', s.proname, a.attname) END),
        '' ORDER BY a.attnum), n.nspname, c.relname)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND e.oid < 10000 -- an array's bytes have this OID
    AND t.typcategory <> 'S' -- name: its elements are characters
LEFT JOIN pg_catalog.pg_proc f ON f.oid = e.typsend
LEFT JOIN pg_catalog.pg_proc s ON s.oid = t.typsend AND s.oid < 10000
    AND (s.proname = ANY (%(by_value)s) OR f.proname = ANY (%(by_value)s))
WHERE (c.relkind = 'r' OR c.relkind = 'm' AND c.relispopulated) AND c.relpersistence <> 't'
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
GROUP BY n.nspname, c.relname, c.relkind
ORDER BY n.nspname, c.relname
"""
_SEQUENCES = """
SELECT string_agg(format('SELECT %L, last_value, is_called FROM %s', name, name), ' UNION ALL ') FROM (
    SELECT format('"%s"."%s"', replace(n.nspname, '"', '""'), replace(c.relname, '"', '""')) AS name
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'S' AND c.relpersistence <> 't' ORDER BY n.nspname, c.relname
) AS sequences
"""
_OTHERS = """
SELECT 'role ' || rolname, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin,
    rolreplication, {bypassrls} rolconnlimit, rolvaliduntil, md5(rolpassword),
    (SELECT string_agg(g.rolname, ',' ORDER BY g.rolname) FROM pg_catalog.pg_auth_members m
     JOIN pg_catalog.pg_authid g ON g.oid = m.roleid WHERE m.member = a.oid))
FROM pg_catalog.pg_authid a WHERE rolname !~ '^pg_'
UNION ALL
SELECT 'settings of ' || concat_ws(' in ', coalesce('role ' || r.rolname, 'all roles'), 'database ' || d.datname),
    array_to_string(array(SELECT unnest(s.setconfig) ORDER BY 1), ', ')
FROM pg_catalog.pg_db_role_setting s
LEFT JOIN pg_catalog.pg_authid r ON r.oid = s.setrole
LEFT JOIN pg_catalog.pg_database d ON d.oid = s.setdatabase
"""
_HAS_BYPASSRLS = VersionSet(">=9.5")  # https://www.postgresql.org/docs/release/9.5.0/


class Table(NamedTuple):
    """A table or materialized view that stores rows.

    Parameters:
        is_written: whether it is a table.
        query: returns the number of its rows, and the hash of each column.
    """

    schema: str
    name: str
    is_written: bool
    columns: list[str]
    query: str

    @property
    def identifier(self) -> sql.Identifier:
        """The quoted name."""
        return sql.Identifier(self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Contents:
    """The rows of a table, in any order.

    Parameters:
        rows: their number.
        hashes: for each column, a sum of hashes of its values.
    """

    table: Table = field(compare=False, repr=False)
    rows: int
    hashes: dict[str, str | None]

    def differences(self, other: Contents, without: Collection[str] = ()) -> tuple[str, ...]:
        """The columns with different values, except for those in ``without``."""
        return tuple(
            name
            for name, found in self.hashes.items()
            if name not in without and other.hashes.get(name) != found
        )


Snapshot = dict[str, Contents | str]
"""By kind and name, the contents of each table; and sequences, roles, and settings of ALTER ROLE ... SET and ALTER
DATABASE ... SET, each as a text."""


def tables(connection: psycopg.Connection) -> dict[str, Table]:
    """The tables and populated materialized views of the database by name, without those of the system."""
    rows = connection.execute(_TABLES.encode(), {"by_value": list(_BY_VALUE)}).fetchall()
    return {f"{row[0]}.{row[1]}": Table(*row) for row in rows}


def contents_of(connection: psycopg.Connection, table: Table) -> Contents:
    """The contents of a table, as this transaction sees it."""
    ((rows, *hashes),) = connection.execute(table.query.encode()).fetchall()
    return Contents(table, rows, dict(zip(table.columns, hashes, strict=True)))


def all_contents(connection: psycopg.Connection) -> dict[str, Contents]:
    """The contents of each table."""
    return {name: contents_of(connection, table) for name, table in tables(connection).items()}


def sequences(connection: psycopg.Connection) -> Values:
    """The values of all sequences."""
    ((query,),) = connection.execute(_SEQUENCES.encode()).fetchall()
    found = connection.execute(query.encode()).fetchall() if query else []
    return {name: (last, called) for name, last, called in found}


def restore(connection: psycopg.Connection, wanted: Values) -> Values:
    """Set sequences to other values.

    Returns:
        those that had another value.
    """
    moved = {name: now for name, now in sequences(connection).items() if wanted.get(name, now) != now}
    for name in moved:
        connection.execute("SELECT pg_catalog.setval(%s::regclass, %s, %s)", [name, *wanted[name]])
    return moved


def snapshot_of(connection: psycopg.Connection, superuser: psycopg.Connection) -> Snapshot:
    """Take a snapshot of a database and its server.

    Parameters:
        connection: a connection of the role that loaded the database, in autocommit mode; it reads the rows.
        superuser: a superuser's, in autocommit mode; it reads the roles.
    """
    version = PgVersion.from_num(connection.info.server_version)
    bypassrls = "rolbypassrls," if version in _HAS_BYPASSRLS else "false,"
    found: Snapshot = {f"table {name}": contents for name, contents in all_contents(connection).items()}
    found |= {f"sequence {name}": str(value) for name, value in sequences(connection).items()}
    return found | dict(superuser.execute(_OTHERS.format(bypassrls=bypassrls).encode()).fetchall())


def lost(before: Snapshot, after: Snapshot) -> Iterator[tuple[str, str]]:
    """Objects that an upgrade lost or changed, each with the difference."""
    for name, was in before.items():
        there = after.get(name)
        if there is None:
            yield name, "it is missing"
        elif isinstance(was, Contents) and isinstance(there, Contents):
            if there.rows != was.rows:
                yield name, f"it has {there.rows} rows, and had {was.rows}"
            elif columns := was.differences(there):
                yield name, f"other values, or another text of them, in {', '.join(columns)}"
        elif there != was:
            yield name, "not as it was" + ("" if name.startswith("role") else f": {was} -> {there}")
