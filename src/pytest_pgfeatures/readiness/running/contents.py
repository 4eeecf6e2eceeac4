"""The contents of tables, as counts and sums of hashes, which two servers can compare without sending the rows; and
the values of sequences, which no rollback restores. An upgrade has to preserve them, roles and settings."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import psycopg
from psycopg import sql

from pytest_pgfeatures.answers.ask import ask

Values = dict[str, tuple[int, bool]]  # for each sequence, its last value, and whether nextval has been called

_BY_VALUE = [
    "float4send", "float8send", "point_send", "path_send", "poly_send", "circle_send",
    # https://www.postgresql.org/docs/release/12.0/: floats, and the numbers in geometric types
    "charsend",  # https://www.postgresql.org/docs/release/15.0/: bytes above 127
    "pg_lsn_send",  # 19: eight digits after the slash
]  # fmt: skip
"""Send functions of the types whose text a release changes, but not their values. They, and types with elements of
these types, are compared by what their send functions return. All others are compared by their text, so that a
column that has another type on the new server is the same with the same text."""
_TABLES = """
SELECT n.nspname || '.' || c.relname, format('%%I.%%I', n.nspname, c.relname), c.relkind = 'r',
    array_agg(a.attname::text ORDER BY a.attnum), format('SELECT count(*)%%s FROM ONLY %%I.%%I', string_agg(
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
    rolreplication, coalesce(row_to_json(a)->>'rolbypassrls', 'false'), -- 9.4 has no such column
    rolconnlimit, rolvaliduntil, md5(rolpassword),
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


class Table(NamedTuple):
    """A table, or a materialized view, that stores rows. Its query returns their number and the columns' hashes."""

    quoted: str
    is_written: bool
    columns: list[str]
    query: str


class Contents(NamedTuple):
    """The number of a table's rows, and for each column a sum of hashes of its values."""

    rows: int
    hashes: dict[str, str | None]

    def differences(self, other: Contents, without: Collection[str] = ()) -> tuple[str, ...]:
        """The columns with different values, except for those in ``without``."""
        differing = (name for name, found in self.hashes.items() if other.hashes.get(name) != found)
        return tuple(name for name in differing if name not in without)


Snapshot = dict[str, Contents | str]
"""By kind and name: tables, sequences, roles, and the settings of ALTER ROLE ... SET and ALTER DATABASE ... SET."""


def tables(connection: psycopg.Connection) -> dict[str, Table]:
    """The tables and populated materialized views of the database by name, without those of the system."""
    return {name: Table(*row) for name, *row in connection.execute(_TABLES.encode(), {"by_value": _BY_VALUE})}


def contents_of(connection: psycopg.Connection, table: Table) -> Contents:
    """The contents of a table, as this transaction sees it."""
    ((rows, *hashes),) = connection.execute(table.query.encode()).fetchall()
    return Contents(rows, dict(zip(table.columns, hashes, strict=True)))


def _all_contents(connection: psycopg.Connection) -> dict[str, Contents]:
    return {name: contents_of(connection, table) for name, table in tables(connection).items()}


def sequences(connection: psycopg.Connection) -> Values:
    """The values of all sequences."""
    ((query,),) = connection.execute(_SEQUENCES.encode()).fetchall()
    found = connection.execute(query.encode()).fetchall() if query else []
    return {name: (last, called) for name, last, called in found}


def restore(connection: psycopg.Connection, wanted: Values) -> Values:
    """Set sequences to other values. Return those that had another value."""
    moved = {name: now for name, now in sequences(connection).items() if wanted.get(name, now) != now}
    for name in moved:
        connection.execute("SELECT pg_catalog.setval(%s::regclass, %s, %s)", [name, *wanted[name]])
    return moved


def snapshot_of(connection: psycopg.Connection, superuser: psycopg.Connection) -> Snapshot:
    """A database as the role that loaded it reads it, and its server as a superuser does."""
    found: Snapshot = {f"table {name}": contents for name, contents in _all_contents(connection).items()}
    found |= {f"sequence {name}": str(value) for name, value in sequences(connection).items()}
    return found | dict(superuser.execute(_OTHERS.encode()).fetchall())


def lost(before: Snapshot, after: Snapshot) -> Iterator[tuple[str, str]]:
    """Objects that an upgrade lost or changed, each with the difference."""
    for name, was in before.items():
        if (there := after.get(name)) is None:
            yield name, "it is missing"
        elif isinstance(was, Contents) and isinstance(there, Contents):
            if there.rows != was.rows:
                yield name, f"it has {there.rows} rows, and had {was.rows}"
            elif columns := was.differences(there):
                yield name, f"other values, or another text of them, in {', '.join(columns)}"
        elif there != was:
            yield name, "not as it was" + ("" if name.startswith("role") else f": {was} -> {there}")


_CHANGING_DEFAULTS = r"""
SELECT name, expression FROM (
    SELECT n.nspname || '.' || c.relname || '.' || a.attname, pg_catalog.pg_get_expr(d.adbin, d.adrelid),
        d.adbin::text
    FROM pg_catalog.pg_attrdef d
    JOIN pg_catalog.pg_class c ON c.oid = d.adrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
) AS defaults (name, expression, tree)
WHERE expression ~ '''now''' OR tree ~ 'SQLVALUEFUNCTION' OR EXISTS (
    SELECT 1 FROM pg_catalog.regexp_matches(tree, ':funcid (\d+)', 'g') AS called JOIN pg_catalog.pg_proc p
        ON p.oid = called[1]::oid WHERE provolatile <> 'i' AND proname <> 'nextval')
"""
_CHANGING_FUNCTIONS = """
SELECT proname::text FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = pronamespace
WHERE (provolatile = 'v' OR provolatile = 's' AND pronargs = 0) AND proname NOT IN ('nextval', 'setval')
    AND (nspname = 'pg_catalog' OR EXISTS (
        SELECT 1 FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid
        AND d.deptype = 'e'))
"""
"""Not the application's own: the catalog calls those volatile that don't say otherwise."""


class LoadDifference(NamedTuple):
    """A table with different rows on the two servers after the same load: their numbers; columns with other values,
    each with an old and a new one; and columns with a default that changes from call to call."""

    table: str
    rows: tuple[int, int]
    columns: tuple[tuple[str, str, str], ...]
    changing: tuple[tuple[str, str], ...]


def make_same(old: psycopg.Connection, new: psycopg.Connection) -> Iterator[LoadDifference]:
    """Compare the rows of all tables. Where they differ, copy the old server's rows to the new one. Its
    connection has ``session_replication_role = replica``: no triggers, no foreign keys."""
    theirs = _all_contents(new)
    defaults: dict[str, str] = dict(old.execute(_CHANGING_DEFAULTS.encode()).fetchall())
    for name, table in tables(old).items():
        contents = contents_of(old, table)
        if (other := theirs.get(name, contents)) == contents or not table.is_written:
            continue
        columns = [each for each in contents.differences(other) if each in other.hashes]
        changing = {each: defaults[f"{name}.{each}"] for each in columns if f"{name}.{each}" in defaults}
        examples = [(each, *_example(old, new, table, each)) for each in columns if each not in changing]
        yield LoadDifference(name, (contents.rows, other.rows), tuple(examples), tuple(changing.items()))
        _copy(old, new, table.quoted)
    restore(new, sequences(old))


def changing_functions(connection: psycopg.Connection) -> frozenset[str]:
    """Functions of PostgreSQL and its extensions whose values change from call to call, or from load to load."""
    return frozenset(name for (name,) in connection.execute(_CHANGING_FUNCTIONS.encode()))


def _example(old: psycopg.Connection, new: psycopg.Connection, table: Table, column: str) -> tuple[str, str]:
    """A value that only the old server has, and one that only the new server has."""
    name = sql.Identifier(column).as_string(old)
    query = f'SELECT DISTINCT {name}::text COLLATE "C" FROM ONLY {table.quoted} ORDER BY 1 LIMIT 10000'
    # A "char" above 127 is no character of the encoding.
    answers = (ask(each, query.replace("%", "%%")) for each in (old, new))
    ours, theirs = ({str(value) for (value,) in answer.sent[0].rows} for answer in answers)
    return min(ours - theirs, default=""), min(theirs - ours, default="")


def differing(old: psycopg.Connection, new: psycopg.Connection) -> tuple[list[str], list[str]]:
    """The names of the tables whose rows differ, and of those without rows on the old server."""
    ours, theirs = _all_contents(old), _all_contents(new)
    unlike = [name for name, contents in ours.items() if theirs.get(name, contents) != contents]
    return unlike, [name for name, contents in ours.items() if contents.rows == 0]


def _copy(old: psycopg.Connection, new: psycopg.Connection, table: str) -> None:
    """Copy a table's rows, unless the new server refuses them."""
    read, write = (f"COPY {table} {way}".encode() for way in ("TO STDOUT", "FROM STDIN"))
    try:
        with new.transaction(), old.transaction():
            new.execute(f"DELETE FROM ONLY {table}".encode())
            old.execute("SET LOCAL extra_float_digits = 3")  # all digits: the default before 12 has fewer
            with old.cursor().copy(read) as rows, new.cursor().copy(write) as sink:
                for block in rows:
                    sink.write(block)
    except psycopg.Error:
        if old.closed or new.closed:
            raise
