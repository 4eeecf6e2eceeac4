"""Two more ways to create an extension: as a role that is not a superuser, and in one schema to move it to another
(https://www.postgresql.org/docs/current/extend-extensions.html: ``trusted``, ``superuser``, ``relocatable``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.model import Object
from pytest_pgfeatures.extension.objects import cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.extension.workspace import Workspace

_ROLE = "pgfeatures_owner"
_BEFORE, _AFTER = "pgfeatures_before", "pgfeatures_after"
_FACTS = (
    "SELECT superuser, {} AS trusted, relocatable, coalesce(requires::text[], '{{}}')"
    " FROM pg_available_extension_versions WHERE name = %s AND version = %s"
)
_LEFT = (
    "SELECT i.type || ' ' || i.identity FROM pg_depend d JOIN pg_extension e ON d.refobjid = e.oid,"
    " LATERAL pg_identify_object(d.classid, d.objid, d.objsubid) i"
    " WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = %(name)s"
    " AND i.schema = %(schema)s"
    " UNION SELECT 'the body of function ' || p.oid::regprocedure FROM pg_proc p"
    " WHERE position(%(schema)s in concat(p.prosrc, p.proconfig::text)) > 0 ORDER BY 1"
)


def create_in_other_ways(workspace: Workspace, name: str, version: str) -> Iterator[Object | str]:
    """Create the default version as another role and in another schema, if the control file allows it.

    Returns:
        the methods that succeeded, each in a word or two, and those that failed.
    """
    with workspace.connect("postgres") as connection:
        column = "trusted" if connection.info.server_version >= 130000 else "false"
        facts = connection.execute(_FACTS.format(column).encode(), [name, version]).fetchone()
    if facts is None:
        return
    superuser, trusted, relocatable, required = facts
    if trusted or not superuser:
        yield _by_role(workspace, name, required) or ("trusted" if trusted else "without superuser")
    if relocatable:
        yield _relocated(workspace, name, required) or "relocated"


def _by_role(workspace: Workspace, name: str, required: list[str]) -> Object | None:
    with workspace.fresh_database() as connection:
        _create_required(connection, required)
        connection.execute(f"CREATE ROLE {_ROLE}".encode())
        connection.execute(f"GRANT CREATE ON DATABASE {connection.info.dbname} TO {_ROLE}".encode())
        connection.execute(f"GRANT CREATE ON SCHEMA public TO {_ROLE}".encode())
        connection.execute(f"SET SESSION AUTHORIZATION {_ROLE}".encode())
        try:
            connection.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(name)))
        except psycopg.Error as error:
            lines = str(error).splitlines()
            summary = f"CREATE EXTENSION {name} by a role without superuser: {lines[0]}"
            return Object(f"trusted:{name}", summary, (f"SQLSTATE {error.sqlstate}", *lines))
    return None


def _relocated(workspace: Workspace, name: str, required: list[str]) -> Object | None:
    id = f"relocatable:{name}"
    with workspace.fresh_database() as connection:
        _create_required(connection, required)
        for schema in (_BEFORE, _AFTER):
            connection.execute(f"CREATE SCHEMA {schema}".encode())
        extension = sql.Identifier(name)
        try:
            connection.execute(
                sql.SQL("CREATE EXTENSION {} SCHEMA {}").format(extension, sql.Identifier(_BEFORE))
            )
            connection.execute(
                sql.SQL("ALTER EXTENSION {} SET SCHEMA {}").format(extension, sql.Identifier(_AFTER))
            )
        except psycopg.Error as error:
            lines = str(error).splitlines()
            summary = f"{name} is relocatable, and can't be moved to another schema: {lines[0]}"
            return Object(id, summary, (f"SQLSTATE {error.sqlstate}", *lines))
        rows = connection.execute(_LEFT, {"name": name, "schema": _BEFORE}).fetchall()
    if rows:
        left = [row[0] for row in rows]
        summary = f"{name} is relocatable, and names its first schema after ALTER EXTENSION SET SCHEMA"
        return Object(id, summary, cut(left))
    return None


def _create_required(connection: psycopg.Connection, required: list[str]) -> None:
    cascade = "CASCADE" if connection.info.server_version >= 90600 else ""
    for name in required:
        connection.execute(
            sql.SQL("CREATE EXTENSION IF NOT EXISTS {} {}").format(sql.Identifier(name), sql.SQL(cascade))
        )
