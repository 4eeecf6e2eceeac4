"""Describe the contents of a database so that they can be compared: extensions, their objects, and rows."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import psycopg


def configuration_tables(connection: psycopg.Connection, name: str) -> str:
    """The tables of an extension whose rows pg_dump dumps, with the conditions
    (https://www.postgresql.org/docs/current/extend-extensions.html#EXTEND-EXTENSIONS-CONFIG-TABLES)."""
    row = connection.execute(
        "SELECT string_agg(config.id::regclass || ' ' || quote_literal(condition), ', '"
        ' ORDER BY config.id::regclass::text COLLATE "C")'
        " FROM pg_extension, unnest(extconfig, extcondition) AS config(id, condition) WHERE extname = %s",
        [name],
    ).fetchone()
    return str(row[0] or "") if row else ""


def difference(expected: Mapping[str, str], found: Mapping[str, str], names: tuple[str, str]) -> list[str]:
    """The differences, as SQL.

    Parameters:
        names: what to call the expected and the found side.
    """
    lines: list[str] = []
    for key in sorted(expected.keys() | found.keys()):
        old, new = expected.get(key, ""), found.get(key, "")
        if old != new:
            lines.append(f"-- {key}")
            lines += difflib.unified_diff(old.splitlines(), new.splitlines(), *names, n=2, lineterm="")
    return lines


def cut(lines: Sequence[str], limit: int = 120) -> tuple[str, ...]:
    """The first lines; a last line says how many are omitted."""
    if len(lines) <= limit:
        return tuple(lines)
    return (*lines[:limit], f"... {len(lines) - limit} more lines")


def members(connection: psycopg.Connection, name: str) -> tuple[str, ...]:
    """The objects that belong to an extension, as PostgreSQL identifies them, without the extension's own schema.

    Objects that PostgreSQL creates along with a member, such as its array type or the constructors of a range
    type, are omitted: whether they are members depends on the major, and on pg_upgrade.

    https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-OBJECT
    """
    rows = connection.execute(
        "SELECT i.type || ' ' || i.identity, e.extnamespace::regnamespace::text FROM pg_depend d, pg_extension e,"
        " LATERAL pg_identify_object(d.classid, d.objid, d.objsubid) i"
        " WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'"
        " AND e.extname = %s AND NOT EXISTS (SELECT FROM pg_depend inner_d WHERE inner_d.classid = d.classid"
        " AND inner_d.objid = d.objid AND inner_d.deptype = 'i')",
        [name],
    ).fetchall()
    # Some majors leave out pg_catalog themselves.
    return tuple(sorted(row[0].replace("pg_catalog.", "").replace(f"{row[1]}.", "") for row in rows))


def extension_versions(connection: psycopg.Connection) -> dict[str, str]:
    """The extensions in a database, with their versions."""
    return dict(connection.execute("SELECT extname, extversion FROM pg_extension ORDER BY 1").fetchall())
