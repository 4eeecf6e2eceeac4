"""The rows of a database's tables, and which of them belong to extensions and are dumped
(https://www.postgresql.org/docs/current/extend-extensions.html#EXTEND-EXTENSIONS-CONFIG-TABLES)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Collection

    import psycopg

_RELATIONS = """
SELECT nspname, relname, relkind FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
WHERE relkind IN ('r', 'm', 'S') AND relispopulated AND nspname NOT LIKE 'pg\\_%'
    AND nspname <> 'information_schema'
ORDER BY 1, 2
"""
_OWNED = """
SELECT n.nspname, c.relname, c.relkind, e.extname, e.extnamespace = n.oid, config.condition,
    (SELECT min(o.relnamespace::regnamespace || '.' || o.relname) FROM pg_class o
        WHERE o.oid = ANY(e.extconfig) AND o.relkind = 'r' AND EXISTS (SELECT FROM pg_depend s
            LEFT JOIN pg_attrdef a ON s.classid = 'pg_attrdef'::regclass AND s.objid = a.oid
            WHERE (s.classid = 'pg_class'::regclass AND s.objid = c.oid AND s.deptype IN ('a', 'i')
                AND s.refclassid = 'pg_class'::regclass AND s.refobjid = o.oid)
            OR (a.adrelid = o.oid AND s.refclassid = 'pg_class'::regclass AND s.refobjid = c.oid)))
FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid JOIN pg_class c ON d.objid = c.oid
JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN LATERAL unnest(e.extconfig, e.extcondition) AS config(id, condition) ON config.id = c.oid
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    AND c.relkind IN ('r', 'S') AND e.extname = ANY(%s)
ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Owned:
    """The rows of a table or sequence that belongs to an extension.

    Parameters:
        extension: the extension's name.
        name: the table's name, without the extension's own schema.
        is_sequence: whether it is a sequence.
        condition: the condition on the rows that pg_dump dumps; None if it is not a configuration table.
        dumped: the rows that pg_dump dumps.
        left_out: the other rows, which CREATE EXTENSION has to create again.
        used_by: the configuration table with a column that takes its values from this sequence.
    """

    extension: str
    name: str
    is_sequence: bool
    condition: str | None
    dumped: str
    left_out: str
    used_by: str | None


def rows(connection: psycopg.Connection) -> dict[str, str]:
    """The rows of each table and sequence in a database, sorted because dumps and upgrades change their physical
    order."""
    connection.execute("SET extra_float_digits = 0")  # higher values show more differences up to 11
    return {
        f"{schema}.{name}": _rows(connection, schema, name, kind == "S")
        for schema, name, kind in connection.execute(_RELATIONS).fetchall()
    }


def owned_rows(connection: psycopg.Connection, extensions: Collection[str]) -> dict[str, Owned]:
    """The rows that belong to extensions, by table or sequence."""
    connection.execute("SET extra_float_digits = 0")
    found = {}
    for schema, name, kind, extension, is_own, condition, used_by in connection.execute(
        _OWNED, [list(extensions)]
    ).fetchall():
        is_sequence = kind == "S"
        all_of_it = _rows(connection, schema, name, is_sequence)
        if condition is None:
            dumped, left_out = "", all_of_it
        elif is_sequence or not condition:
            dumped, left_out = all_of_it, ""
        else:
            dumped = _rows(connection, schema, name, False, condition)
            left_out = "\n".join(_without(all_of_it.splitlines(), dumped.splitlines()))
        short = name if is_own else f"{schema}.{name}"
        found[f"{schema}.{name}"] = Owned(
            extension, short, is_sequence, condition, dumped, left_out, used_by if is_sequence else None
        )
    return found


def together(*parts: str) -> str:
    """The rows of several parts together, sorted."""
    return "\n".join(sorted(line for part in parts for line in part.splitlines()))


def _rows(
    connection: psycopg.Connection, schema: str, name: str, is_sequence: bool, condition: str = ""
) -> str:
    columns = sql.SQL("last_value, is_called" if is_sequence else "*")
    query = sql.SQL("COPY (SELECT {} FROM ONLY {} {}) TO STDOUT").format(
        columns,
        sql.Identifier(schema, name),
        sql.SQL(condition),  # the condition comes from the server; pg_dump uses it, too
    )
    if is_sequence:
        query = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT").format(columns, sql.Identifier(schema, name))
    with connection.cursor() as cursor, cursor.copy(query) as found:
        content = b"".join(bytes(row) for row in found).decode(errors="replace")
    return "\n".join(sorted(content.splitlines()))


def _without(lines: list[str], others: list[str]) -> list[str]:
    left = list(lines)
    for line in others:
        if line in left:
            left.remove(line)
    return left
