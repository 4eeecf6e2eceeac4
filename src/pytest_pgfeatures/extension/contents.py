"""The rows of an extension's tables, in a form that can be compared before and after an update."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import psycopg

_TABLES = """
SELECT n.nspname, c.relname, config.condition
FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid JOIN pg_class c ON d.objid = c.oid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN LATERAL unnest(e.extconfig, e.extcondition) AS config(id, condition) ON config.id = c.oid
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND c.relkind = 'r' AND e.extname = %s
ORDER BY 1, 2
"""
_COLUMNS = """
SELECT attname, coalesce(pg_get_expr(adbin, adrelid) LIKE 'nextval(%%', false)
    OR coalesce(row_to_json(a) ->> 'attidentity', '') <> ''
FROM pg_attribute a LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname
"""
"""The columns of a table, and whether their values come from a sequence."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table.

    Parameters:
        columns: the names of the columns.
        rows: the rows, each with its values as text, in the order of the columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]

    def of(self, columns: tuple[str, ...]) -> Counter[tuple[str | None, ...]]:
        """The rows with only some of the columns, and how often each occurs."""
        places = [self.columns.index(name) for name in columns]
        return Counter(tuple(row[place] for place in places) for row in self.rows)


def own_rows(connection: psycopg.Connection, name: str) -> dict[str, str]:
    """The rows of an extension's tables, by table; no entry for a table without rows.

    Values from sequences are left out: they show the order of the INSERT statements, which may differ.
    """
    found = {}
    for schema, table, _ in connection.execute(_TABLES, [name]).fetchall():
        read = _read(connection, schema, table, "", numbers=False)
        if read.rows:
            lines = sorted("\t".join("\\N" if value is None else value for value in row) for row in read.rows)
            found[f"ROWS of {schema}.{table}"] = "\n".join(lines)
    return found


def configuration_rows(connection: psycopg.Connection, name: str) -> dict[str, TableRows]:
    """The rows that pg_dump dumps of an extension's configuration tables, by table
    (https://www.postgresql.org/docs/current/extend-extensions.html#EXTEND-EXTENSIONS-CONFIG-TABLES)."""
    return {
        f"{schema}.{table}": _read(connection, schema, table, condition)
        for schema, table, condition in connection.execute(_TABLES, [name]).fetchall()
        if condition is not None
    }


def lost(
    before: Mapping[str, TableRows], created: Mapping[str, TableRows], after: Mapping[str, TableRows]
) -> Iterator[tuple[str, list[str]]]:
    """The tables that lose users' rows, with these rows.

    An update may add and drop columns: only those that exist before and after are compared.

    Parameters:
        before: the rows before the update.
        created: the rows that CREATE EXTENSION makes, which are not the user's.
        after: the rows after the update.
    """
    nothing = TableRows((), ())
    for table, old in before.items():
        by_extension = created.get(table, nothing)
        new = after.get(table)
        users = old.of(old.columns) - (by_extension.of(old.columns) if by_extension.rows else Counter())
        theirs = TableRows(old.columns, tuple(users.elements()))
        common = tuple(name for name in old.columns if new is not None and name in new.columns)
        gone = theirs.of(common) - new.of(common) if new is not None else theirs.of(old.columns)
        if gone:
            named = common if new is not None else old.columns
            yield table, sorted(_said(named, row) for row in gone.elements())


def _said(columns: tuple[str, ...], row: tuple[str | None, ...]) -> str:
    return ", ".join(
        f"{name}: {'NULL' if value is None else value}" for name, value in zip(columns, row, strict=True)
    )


def _read(
    connection: psycopg.Connection, schema: str, table: str, condition: str, *, numbers: bool = True
) -> TableRows:
    relation = sql.Identifier(schema, table)
    found = connection.execute(_COLUMNS, [relation.as_string(connection)]).fetchall()
    names = tuple(name for name, is_numbered in found if numbers or not is_numbered)
    if not names:
        return TableRows((), ())
    connection.execute("SET extra_float_digits = 0")
    query = sql.SQL("SELECT {} FROM ONLY {} {}").format(
        sql.SQL(", ").join(sql.SQL("{}::text").format(sql.Identifier(name)) for name in names),
        relation,
        sql.SQL(condition),  # the condition comes from the server; pg_dump uses it, too
    )
    return TableRows(names, tuple(connection.execute(query).fetchall()))
