"""Update an extension in a database, and read the objects that the database has then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.extension.create import create_extension
from pytest_pgfeatures.extension.model import StageError
from pytest_pgfeatures.extension.objects import configuration_tables
from pytest_pgfeatures.extension.refusals import first_line, told
from pytest_pgfeatures.extension.schema import objects

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.trial import Trial
    from pytest_pgfeatures.server import Cluster


def objects_of(trial: Trial, name: str, version: str | None, target: str | None = None) -> dict[str, str]:
    """The objects in a database after creating an extension at one version and updating it to another."""
    with trial.fresh_database() as connection:
        create_extension(connection, name, version)
        if target is not None:
            update_extension(connection, name, version, target)
        return found(trial, connection, name)


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
            f"ALTER EXTENSION {name} UPDATE from {version} to {target}: {first_line(error)}", told(error)
        ) from None


def found(
    trial: Trial, connection: psycopg.Connection, name: str, cluster: Cluster | None = None
) -> dict[str, str]:
    """The objects in the database of a connection, and the configuration tables of an extension. Closes the
    connection.

    Parameters:
        cluster: the server of the connection; by default, the scratch server.
    """
    tables = configuration_tables(connection, name)
    dbname = connection.info.dbname
    connection.close()
    made = objects(trial, dbname, cluster)
    return made | ({"CONFIGURATION TABLES of " + name: tables} if tables else {})
