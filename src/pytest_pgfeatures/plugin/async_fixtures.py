"""Fixtures for ``async`` tests, registered if pytest-asyncio is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio

from pytest_pgfeatures.libpq import connecting
from pytest_pgfeatures.plugin.connections import is_busy

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import psycopg

    from pytest_pgfeatures.server import Database


@pytest_asyncio.fixture
async def pg_async_connection(pg_database: Database) -> AsyncIterator[psycopg.AsyncConnection]:
    """An asynchronous psycopg connection to the fresh database, in autocommit mode, closed after the test."""
    import psycopg

    parameters = pg_database.cluster.connection_parameters(pg_database.name)
    with connecting():
        opened = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)
    async with opened as connection:
        try:
            yield connection
        finally:
            if is_busy(connection):
                connection.cancel()
                await connection.close()
