"""Update an extension in a database, and compare the updated database with a fresh install."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.builtins import changed_builtins
from pytest_pgfeatures.extension.contents import own_rows
from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.model import StageError
from pytest_pgfeatures.extension.objects import configuration_tables, difference
from pytest_pgfeatures.extension.refusals import details_of, first_line
from pytest_pgfeatures.extension.schema import objects

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.workspace import Workspace
    from pytest_pgfeatures.server import Cluster


@dataclass(frozen=True, slots=True)
class FreshInstall:
    """The objects and rows that CREATE EXTENSION creates.

    Parameters:
        created: the objects and rows, as :func:`found` reads them.
        varying: the tables whose rows differ between two fresh installs, such as those with times or OIDs.
    """

    created: dict[str, str]
    varying: frozenset[str]

    @classmethod
    def of(cls, workspace: Workspace, name: str, version: str | None) -> FreshInstall:
        """Create an extension; twice if its tables have rows, to see which vary."""
        created = objects_of(workspace, name, version)
        if not any(key.startswith("ROWS of ") for key in created):
            return cls(created, frozenset())
        repeated = objects_of(workspace, name, version)
        return cls(created, frozenset(key for key in created if created[key] != repeated.get(key)))

    def difference(self, updated: dict[str, str]) -> list[str]:
        """Compare the objects and rows after an update. Of varying rows, only the number counts."""

        def comparable(found: dict[str, str]) -> dict[str, str]:
            return {
                key: f"{len(text.splitlines())} rows" if key in self.varying else text
                for key, text in found.items()
            }

        return difference(comparable(self.created), comparable(updated), ("fresh", "updated"))


def objects_of(
    workspace: Workspace, name: str, version: str | None, target: str | None = None
) -> dict[str, str]:
    """The objects in a database after creating an extension at one version and updating it to another."""
    with workspace.fresh_database() as connection:
        create_extension(connection, name, version)
        if target is not None:
            update_extension(connection, name, version, target)
        return found(workspace, connection, name)


def update_extension(connection: psycopg.Connection, name: str, version: str | None, target: str) -> None:
    """Run ALTER EXTENSION UPDATE.

    Raises:
        StageError: the server rejected the statement.
    """
    statement = sql.SQL("ALTER EXTENSION {} UPDATE TO {}")
    try:
        connection.execute(statement.format(sql.Identifier(name), sql.Literal(target)))
    except psycopg.Error as error:
        raise StageError(
            f"ALTER EXTENSION {name} UPDATE from {version} to {target}: {first_line(error)}",
            details_of(error),
        ) from None


def found(
    workspace: Workspace, connection: psycopg.Connection, name: str, cluster: Cluster | None = None
) -> dict[str, str]:
    """The objects in a connection's database, an extension's tables and rows, and its changes to PostgreSQL's own.

    Closes the connection.

    Parameters:
        cluster: the server of the connection; by default, the scratch server.
    """
    tables = configuration_tables(connection, name)
    rows = own_rows(connection, name)
    dbname = connection.info.dbname
    rest = changed_builtins(connection)
    connection.close()
    created = objects(workspace, dbname, cluster)
    return created | rest | rows | ({"CONFIGURATION TABLES of " + name: tables} if tables else {})
