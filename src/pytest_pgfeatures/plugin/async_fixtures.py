"""Fixtures for ``async`` tests, registered if pytest-asyncio is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest_asyncio

from pytest_pgfeatures.libpq import connecting
from pytest_pgfeatures.plugin.connections import ends_idle_async, rolled_back_async
from pytest_pgfeatures.plugin.marker import requirements

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import psycopg
    import pytest

    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.server import Database


@pytest_asyncio.fixture
async def pg_async_connection(
    request: pytest.FixtureRequest, pg_database: Database, _pg_session: PgSession
) -> AsyncIterator[psycopg.AsyncConnection]:
    """An asynchronous psycopg connection to the fresh database, in autocommit mode, closed after the test.

    With ``isolation="transaction"`` the test runs in a transaction, as with ``pg_connection``.
    """
    import psycopg

    parameters = pg_database.cluster.connection_parameters(pg_database.name)
    with connecting():
        opened = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)
    async with opened as connection, ends_idle_async(connection):
        if requirements(request.node).isolation == "transaction":
            async with rolled_back_async(connection, _pg_session.discard(pg_database)):
                yield connection
        else:
            yield connection
