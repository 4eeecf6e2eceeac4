"""Give both servers the same rows. Where one load filled them differently, report it and copy the old
server's rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.answers.ask import ask
from pytest_pgfeatures.readiness.running.contents import all_contents, restore, sequences

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.running.contents import Table

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
_LOOKED_AT = 10_000
"""The number of values of a column that are searched for an example of a difference."""


@dataclass(frozen=True, slots=True)
class LoadDifference:
    """A table with different rows on the two servers after the same load.

    Parameters:
        table: its name.
        rows: how many the two servers have.
        columns: those with other values, and an example of each: the old and the new value.
        changing: columns among them whose default changes from call to call, and the default.
    """

    table: str
    rows: tuple[int, int]
    columns: tuple[tuple[str, str, str], ...]
    changing: tuple[tuple[str, str], ...]


def make_same(old: psycopg.Connection, new: psycopg.Connection) -> list[LoadDifference]:
    """Compare the rows of all tables. Where they differ, copy the old server's rows to the new one.

    Parameters:
        old, new: connections to the loaded databases, in autocommit mode. The new server's has
            ``session_replication_role = replica``: no triggers, no foreign keys.
    """
    theirs = all_contents(new)
    defaults: dict[str, str] | None = None
    found = []
    for name, contents in all_contents(old).items():
        other = theirs.get(name)
        if other is None or other == contents or not contents.table.is_written:
            continue
        defaults = dict(old.execute(_CHANGING_DEFAULTS.encode()).fetchall()) if defaults is None else defaults
        differing = contents.differences(other)
        changing = {
            each: default for each in differing if (default := defaults.get(f"{name}.{each}")) is not None
        }
        examples = tuple(
            (each, *_example(old, new, contents.table, each)) for each in differing if each not in changing
        )
        found.append(LoadDifference(name, (contents.rows, other.rows), examples, tuple(changing.items())))
        _copy(old, new, contents.table)
    restore(new, sequences(old))
    return found


def changing_functions(connection: psycopg.Connection) -> frozenset[str]:
    """The names of functions of PostgreSQL and its extensions whose values change from call to call, or from load
    to load."""
    return frozenset(name for (name,) in connection.execute(_CHANGING_FUNCTIONS.encode()))


def _example(old: psycopg.Connection, new: psycopg.Connection, table: Table, column: str) -> tuple[str, str]:
    """A value that only the old server has, and one that only the new server has."""
    query = sql.SQL('SELECT DISTINCT {0}::text COLLATE "C" FROM ONLY {1} ORDER BY 1 LIMIT {2}').format(
        sql.Identifier(column), table.identifier, _LOOKED_AT
    )
    # A "char" above 127 is no character of the encoding.
    answers = (ask(each, query.as_string(each).replace("%", "%%")) for each in (old, new))
    ours, theirs = ({str(value) for (value,) in answer.sent[0].rows} for answer in answers)
    return min(ours - theirs, default=""), min(theirs - ours, default="")


def differing(old: psycopg.Connection, new: psycopg.Connection) -> tuple[list[str], list[str]]:
    """The names of the tables whose rows differ, and of those without rows on the old server."""
    ours, theirs = all_contents(old), all_contents(new)
    return (
        [name for name, contents in ours.items() if theirs.get(name, contents) != contents],
        [name for name, contents in ours.items() if contents.rows == 0],
    )


def _copy(old: psycopg.Connection, new: psycopg.Connection, table: Table) -> None:
    """Copy a table's rows, unless the new server refuses them."""
    read, write = (
        sql.SQL(f"COPY {{}} {way}").format(table.identifier) for way in ("TO STDOUT", "FROM STDIN")
    )
    try:
        with new.transaction(), old.transaction():
            new.execute(sql.SQL("DELETE FROM ONLY {}").format(table.identifier))
            old.execute("SET LOCAL extra_float_digits = 3")  # all digits: the default before 12 has fewer
            with old.cursor().copy(read) as rows, new.cursor().copy(write) as sink:
                for block in rows:
                    sink.write(block)
    except psycopg.Error:
        if old.closed or new.closed:
            raise
