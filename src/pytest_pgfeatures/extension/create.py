"""The stages ``create`` and ``drop`` (https://www.postgresql.org/docs/current/extend-extensions.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.builtins import changed_builtins
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, Object, StageError
from pytest_pgfeatures.extension.module import load
from pytest_pgfeatures.extension.objects import cut, difference, extension_versions, members
from pytest_pgfeatures.extension.privileges import create_in_other_ways
from pytest_pgfeatures.extension.refusals import details_of, first_line
from pytest_pgfeatures.extension.rows import owned_rows
from pytest_pgfeatures.extension.schema import objects
from pytest_pgfeatures.extension.state import Fresh
from pytest_pgfeatures.extension.workspace import DBNAME

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.workspace import Workspace

_REQUIRED = re.compile(
    r'extension "([^"]+)" is not available|/([^/"]+)\.control"|required extension "([^"]+)" is not installed'
)


def create(workspace: Workspace) -> Done:
    """Create each extension at its default version, which must succeed, and at each other version."""
    if workspace.source.is_module and not workspace.names:
        return load(workspace)
    done = []
    methods: list[str] = []
    failed: list[Object] = []
    not_run: list[Object] = []
    for name in workspace.names:
        default, others = versions(workspace, name)
        with workspace.fresh_database() as connection:
            create_extension(connection, name)
        created = [default]
        for way in create_in_other_ways(workspace, name, default):
            if isinstance(way, Object):
                failed.append(way)
            else:
                methods.append(way)
        for version in others:
            prefix = f"{name}--" if len(workspace.names) > 1 else ""
            try:
                with workspace.fresh_database() as connection:
                    create_extension(connection, name, version)
            except StageError as error:
                failed.append(Object(f"version:{prefix}{version}", error.summary, error.details))
            except LackingError as error:
                not_run.append(Object(f"version:{prefix}{version}", error.summary))
            else:
                created.append(version)
        workspace.created[name] = tuple(sorted(created))
        done.append(", ".join((f"{name} {', '.join(workspace.created[name])}", *methods)))
        methods.clear()
    workspace.fresh = _fresh(workspace)
    return Done("; ".join(done), tuple(failed), tuple(not_run))


def _fresh(workspace: Workspace) -> Fresh:
    """The objects and rows that CREATE EXTENSION creates. It runs twice if tables have rows, to see which vary."""
    samples: list[Fresh] = []
    while len(samples) < 2:
        with workspace.fresh_database() as connection:
            for name in workspace.names:
                create_extension(connection, name, if_not_exists=True)
            found_members = {name: members(connection, name) for name in workspace.names}
            found = {
                (each.extension, each.name): each for each in owned_rows(connection, workspace.names).values()
            }
            samples.append(Fresh(extension_versions(connection), found_members, found))
        if not any(each.left_out and not each.is_sequence for each in found.values()):
            return samples[-1]
    first, second = samples
    varying = frozenset(key for key, each in second.owned.items() if each != first.owned.get(key))
    return Fresh(second.versions, second.members, second.owned, varying)


def create_extension(
    connection: psycopg.Connection, name: str, version: str | None = None, *, if_not_exists: bool = False
) -> None:
    """Run CREATE EXTENSION, for the required extensions too.

    Raises:
        LackingError: it requires an extension that the install lacks.
        StageError: the server refused.
    """
    statement = sql.SQL("CREATE EXTENSION {} {} {} {}").format(
        sql.SQL("IF NOT EXISTS" if if_not_exists else ""),
        sql.Identifier(name),
        sql.SQL("VERSION {}").format(sql.Literal(version)) if version else sql.SQL(""),
        sql.SQL("CASCADE" if connection.info.server_version >= 90600 else ""),
    )
    try:
        connection.execute(statement)
    except psycopg.Error as error:
        at = f" at version {version}" if version else ""
        wanted = _REQUIRED.search(str(error))
        required = next(filter(None, wanted.groups()), name) if wanted else name
        if required != name:
            raise LackingError(
                f"contrib:{required}",
                f"{name}{at} requires the extension {required}, which the install lacks",
            ) from None
        raise StageError(f"CREATE EXTENSION {name}{at}: {first_line(error)}", details_of(error)) from None


def versions(workspace: Workspace, name: str) -> tuple[str, list[str]]:
    """The default version of an extension, and the others that can be installed.

    Raises:
        LackingError: the install has no such extension.
        StageError: the server knows no version of it.
    """
    with workspace.connect("postgres") as connection:
        rows = connection.execute(
            "SELECT version FROM pg_available_extension_versions WHERE name = %s ORDER BY 1", [name]
        ).fetchall()
        defaults = connection.execute(
            "SELECT default_version FROM pg_available_extensions WHERE name = %s", [name]
        ).fetchall()
    if rows:
        (default,) = defaults[0] if defaults else rows[-1]
        return default, [version for (version,) in rows if version != default]
    if workspace.source.is_built:
        raise StageError(f"{name} has a control file, but no script, so the server knows no version of it")
    raise LackingError(
        f"contrib:{name}",
        f"PostgreSQL {workspace.install.version} from {workspace.install.source} has no {name}",
    )


def drop(workspace: Workspace) -> Done:
    """Drop the extension, and look for objects that remain.

    A schema that the control file names remains: PostgreSQL itself created it and doesn't drop it. Roles
    belong to no extension; remaining ones cause a warning.
    """
    if not workspace.names:
        raise NothingToDoError("a module without control file is not dropped")
    with workspace.fresh_database() as connection:
        before = objects(workspace, DBNAME) | changed_builtins(connection)
        existing = {row[0] for row in connection.execute("SELECT extname FROM pg_extension").fetchall()}
        for name in workspace.names:
            create_extension(connection, name, if_not_exists=True)
        ours = connection.execute(
            "SELECT DISTINCT a.schema FROM pg_available_extension_versions a JOIN pg_extension e"
            " ON a.name = e.extname AND a.version = e.extversion WHERE a.schema IS NOT NULL"
        ).fetchall()
        names = sql.SQL(", ").join(map(sql.Identifier, workspace.names))
        try:  # without CASCADE, because no user's object depends on the extension
            connection.execute(sql.SQL("DROP EXTENSION {}").format(names))
        except psycopg.Error as error:
            summary = f"DROP EXTENSION {', '.join(workspace.names)}: {first_line(error)}"
            raise StageError(summary, details_of(error)) from None
        required = connection.execute("SELECT extname FROM pg_extension").fetchall()
        for (name,) in required:
            if name not in existing:  # created by CASCADE: this extension need not drop it
                connection.execute(
                    sql.SQL("DROP EXTENSION IF EXISTS {} CASCADE").format(sql.Identifier(name))
                )
        after = objects(workspace, DBNAME) | changed_builtins(connection)
    schemas = {f"{kind} {name}" for (name,) in ours for kind in ("SCHEMA", "ACL SCHEMA", "COMMENT SCHEMA")}
    kept = {key: text for key, text in after.items() if key not in schemas or key in before}
    if left := difference(before, kept, ("before", "after DROP EXTENSION")):
        count = sum(line.startswith("-- ") for line in left)
        raise StageError(f"DROP EXTENSION leaves {count} object{'s' if count > 1 else ''} behind", cut(left))
    return Done(
        "dropped", warnings=tuple(f"DROP EXTENSION leaves the role {name}" for name in workspace.roles_left())
    )
