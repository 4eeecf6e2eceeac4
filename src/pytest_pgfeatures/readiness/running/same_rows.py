"""Give both servers the same rows. Where one load filled them differently, report it and copy the old
server's rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql
from psycopg.adapt import Loader

from pytest_pgfeatures.readiness.running.contents import all_contents
from pytest_pgfeatures.readiness.running.sequences import Sequences

if TYPE_CHECKING:
    from psycopg.abc import Buffer

    from pytest_pgfeatures.readiness.running.contents import Table

_DEFAULTS = """
SELECT n.nspname || '.' || c.relname || '.' || a.attname, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
FROM pg_catalog.pg_attrdef d
JOIN pg_catalog.pg_class c ON c.oid = d.adrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
"""
_CHANGING = "SELECT DISTINCT proname FROM pg_catalog.pg_proc WHERE provolatile <> 'i'"
_OF_THE_TIME = re.compile(r"\b(?:current_\w+|localtime\w*|'now'|session_user)", re.IGNORECASE)
_CALLED = re.compile(r"(\w+)\(")
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
    theirs = {str(table): contents for table, contents in all_contents(new).items()}
    defaults: dict[str, str] | None = None
    found = []
    for table, contents in all_contents(old).items():
        other = theirs.get(str(table))
        columns = _written(old, table)
        if other is None or other == contents or not columns:
            continue
        if defaults is None:
            defaults = _changing_defaults(old)
        names = contents.differences(other)
        changing = tuple(
            (name, default) for name in names if (default := defaults.get(f"{table}.{name}")) is not None
        )
        examples = tuple(
            (name, *_example(old, new, table, name)) for name in names if name not in dict(changing)
        )
        found.append(LoadDifference(str(table), (contents.rows, other.rows), examples, changing))
        _copy(old, new, table, columns)
    _move_sequences(old, new)
    return found


def _changing_defaults(connection: psycopg.Connection) -> dict[str, str]:
    """The column defaults whose value varies from call to call, by column name."""
    changing = {name for (name,) in connection.execute(_CHANGING.encode())} - {"nextval"}
    return {
        column: default
        for column, default in connection.execute(_DEFAULTS.encode())
        if _OF_THE_TIME.search(default) or changing.intersection(_CALLED.findall(default))
    }


def _example(old: psycopg.Connection, new: psycopg.Connection, table: Table, column: str) -> tuple[str, str]:
    """A value that only the old server has, and one that only the new server has."""
    query = sql.SQL('SELECT DISTINCT {0}::text COLLATE "C" FROM ONLY {1} ORDER BY 1 LIMIT {2}').format(
        sql.Identifier(column), table.identifier, _LOOKED_AT
    )
    ours, theirs = ({str(value) for (value,) in _lenient(each).execute(query)} for each in (old, new))
    return min(ours - theirs, default=""), min(theirs - ours, default="")


def _lenient(connection: psycopg.Connection) -> psycopg.Cursor:
    """A cursor that accepts any bytes as text: a "char" above 127 is no character of the encoding."""
    cursor = connection.cursor()
    cursor.adapters.register_loader("text", _AnyText)
    return cursor


class _AnyText(Loader):
    def load(self, data: Buffer) -> str:
        return bytes(data).decode("utf-8", "backslashreplace")


def differing(old: psycopg.Connection, new: psycopg.Connection) -> tuple[list[str], list[str]]:
    """The names of the tables whose rows differ, and of those without rows on the old server."""
    theirs = {str(table): contents for table, contents in all_contents(new).items()}
    ours = {str(table): contents for table, contents in all_contents(old).items()}
    return (
        [name for name, contents in ours.items() if theirs.get(name, contents) != contents],
        [name for name, contents in ours.items() if contents.rows == 0],
    )


def _written(connection: psycopg.Connection, table: Table) -> list[str]:
    """The columns that COPY writes: none of a materialized view, and none that is generated."""
    query = (
        "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s"
        " AND is_generated = 'NEVER' ORDER BY ordinal_position"
    )
    return [name for (name,) in connection.execute(query, [table.schema, table.name])]


def _copy(old: psycopg.Connection, new: psycopg.Connection, table: Table, columns: list[str]) -> None:
    """Copy a table's rows, unless the new server refuses them."""
    listed = sql.SQL(", ").join(map(sql.Identifier, columns))
    try:
        with new.transaction():
            new.execute(sql.SQL("DELETE FROM ONLY {}").format(table.identifier))
            read = sql.SQL("COPY (SELECT {} FROM ONLY {}) TO STDOUT").format(listed, table.identifier)
            write = sql.SQL("COPY {} ({}) FROM STDIN").format(table.identifier, listed)
            old.execute("SET extra_float_digits = 3")  # all digits: the default before 12 has fewer
            with old.cursor().copy(read) as rows, new.cursor().copy(write) as sink:
                for block in rows:
                    sink.write(block)
        old.execute("RESET extra_float_digits")
    except psycopg.Error:
        if old.closed or new.closed:
            raise


def _move_sequences(old: psycopg.Connection, new: psycopg.Connection) -> None:
    sequences = Sequences(new)
    wanted = Sequences(old).values
    sequences.values = {name: wanted.get(name, value) for name, value in sequences.values.items()}
    sequences.restore()
