"""The stages ``create``, ``update`` and ``drop``
(https://www.postgresql.org/docs/current/extend-extensions.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.model import LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.objects import (
    configuration_tables,
    difference,
    extension_versions,
    members,
)
from pytest_pgfeatures.extension.schema import objects
from pytest_pgfeatures.extension.state import Fresh
from pytest_pgfeatures.extension.trial import DBNAME

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.trial import Trial

_REQUIRED = re.compile(
    r'extension "([^"]+)" is not available|/([^/"]+)\.control"|required extension "([^"]+)" is not installed'
)
_LINES = 120


def create(trial: Trial) -> str:
    """Create each extension at each version, and then in the database that is dumped and upgraded later."""
    done = []
    trial.roles = _roles(trial)
    for name in trial.names:
        versions = _versions(trial, name)
        for version in versions:
            with trial.fresh_database() as connection:
                create_extension(connection, name, version)
        done.append(f"{name} {', '.join(versions)}")
    with trial.fresh_database() as connection:
        for name in trial.names:
            create_extension(connection, name, if_not_exists=True)
        made = {name: members(connection, name) for name in trial.names}
        trial.fresh = Fresh(extension_versions(connection), made)
    return "; ".join(done)


def create_extension(
    connection: psycopg.Connection, name: str, version: str | None = None, *, if_not_exists: bool = False
) -> None:
    """Run CREATE EXTENSION, with required extensions.

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
        raise StageError(f"CREATE EXTENSION {name}{at}: {_first_line(error)}", _told(error)) from None


def _roles(trial: Trial) -> frozenset[str]:
    return frozenset(name for (name,) in trial.cluster.sql("SELECT rolname FROM pg_roles"))


def _versions(trial: Trial, name: str) -> list[str]:
    with trial.connect("postgres") as connection:
        rows = connection.execute(
            "SELECT version FROM pg_available_extension_versions WHERE name = %s ORDER BY 1", [name]
        ).fetchall()
    if not rows:
        if trial.source.is_built:
            raise StageError(
                f"{name} has a control file, but no script, so the server knows no version of it"
            )
        raise LackingError(
            f"contrib:{name}", f"PostgreSQL {trial.install.version} from {trial.install.source} has no {name}"
        )
    return [row[0] for row in rows]


def update(trial: Trial) -> str:
    """Follow each update path, and compare the result with a fresh install of the target version."""
    done = unreachable = 0
    wrong: list[str] = []
    details: list[str] = []
    for name in trial.names:
        installable = set(_versions(trial, name))
        with trial.connect("postgres") as connection:
            paths = connection.execute(
                "SELECT source, target, path FROM pg_extension_update_paths(%s)"
                " WHERE path IS NOT NULL ORDER BY 1, 2",
                [name],
            ).fetchall()
        fresh: dict[str, dict[str, str]] = {}
        for source, target, path in paths:
            if source not in installable or target not in installable:
                unreachable += 1
                continue
            if target not in fresh:
                fresh[target] = _objects_of(trial, name, target)
            try:
                updated = _objects_of(trial, name, source, target)
            except StageError as error:
                wrong.append(error.summary)
                details += error.details
                continue
            done += 1
            if lines := difference(fresh[target], updated, (f"fresh {target}", f"updated from {source}")):
                wrong.append(f"{name} {path} differs from a fresh {target}")
                details += [f"-- {name} {path}", *lines]
    if wrong:
        raise StageError("; ".join(wrong), tuple(details[:_LINES]))
    others = f"; {unreachable} start at versions that can't" if unreachable else ""
    if not done:
        raise NothingToDoError(f"no update path between versions that can be installed{others}")
    return f"{done} path{'s' if done > 1 else ''}{others}"


def _objects_of(trial: Trial, name: str, version: str, target: str | None = None) -> dict[str, str]:
    """The objects in a database after an extension is created at a version and updated to another."""
    with trial.fresh_database() as connection:
        create_extension(connection, name, version)
        if target is not None:
            statement = sql.SQL("ALTER EXTENSION {} UPDATE TO {}")
            try:
                connection.execute(statement.format(sql.Identifier(name), sql.Literal(target)))
            except psycopg.Error as error:
                raise StageError(
                    f"ALTER EXTENSION {name} UPDATE from {version} to {target}: {_first_line(error)}",
                    _told(error),
                ) from None
        tables = configuration_tables(connection, name)
    return objects(trial, DBNAME) | ({"CONFIGURATION TABLES of " + name: tables} if tables else {})


def drop(trial: Trial) -> str:
    """Drop the extension, and look for objects that are left."""
    with trial.fresh_database() as connection:
        before = objects(trial, DBNAME)
        existing = {row[0] for row in connection.execute("SELECT extname FROM pg_extension").fetchall()}
        for name in trial.names:
            create_extension(connection, name, if_not_exists=True)
        for name in reversed(trial.names):
            try:
                connection.execute(
                    sql.SQL("DROP EXTENSION IF EXISTS {} CASCADE").format(sql.Identifier(name))
                )
            except psycopg.Error as error:
                raise StageError(f"DROP EXTENSION {name}: {_first_line(error)}", _told(error)) from None
        required = connection.execute("SELECT extname FROM pg_extension").fetchall()
        for (name,) in required:
            if name not in existing:  # created by CASCADE; this extension need not clean up after it
                connection.execute(
                    sql.SQL("DROP EXTENSION IF EXISTS {} CASCADE").format(sql.Identifier(name))
                )
        left = difference(before, objects(trial, DBNAME), ("before", "after DROP EXTENSION"))
    left += [f"-- role {name}" for name in _roles(trial) if name not in trial.roles]
    if left:
        raise StageError(
            f"DROP EXTENSION leaves {sum(line.startswith('-- ') for line in left)} objects behind",
            tuple(left[:_LINES]),
        )
    return ""


def _first_line(error: psycopg.Error) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _told(error: psycopg.Error) -> tuple[str, ...]:
    told = [f"SQLSTATE {error.sqlstate}", *str(error).splitlines()]
    told += [f"CONTEXT: {line}" for line in (error.diag.context or "").splitlines()]
    return tuple(told)
