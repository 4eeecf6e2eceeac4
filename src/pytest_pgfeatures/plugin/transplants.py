"""The fixture ``pg_transplant``: servers that plan as production does, without its data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.plugin.marker import ServerSpec
    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.server import Cluster


_KNOWN = pytest.StashKey["dict[tuple[ServerSpec, Path], Cluster]"]()


class Transplants:
    """Connects a test to databases with production's statistics, until it ends.

    Parameters:
        config: pytest's configuration.
        cell: the test's requirements in its cell.
        session: creates the servers.
    """

    def __init__(self, config: pytest.Config, cell: ServerSpec, session: PgSession) -> None:
        self._config = config
        self._cell = cell
        self._session = session
        self._connections: list[psycopg.Connection] = []

    def connect(self, file: str | Path) -> psycopg.Connection:
        """Connect to a database with the statistics of a file, whose server is created on first use."""
        from pytest_pgfeatures.statistics.transplant import DBNAME, LOADER, connect_as

        path = self._config.rootpath / file
        known = self._config.stash.setdefault(_KNOWN, {})
        cluster = known.get((self._cell, path))
        if cluster is None or not cluster.running():
            cluster = known[self._cell, path] = _create(self._session, self._cell, path)
        self._connections.append(connect_as(cluster, DBNAME, LOADER))
        return self._connections[-1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._connections:
            connection.close()


def _create(session: PgSession, spec: ServerSpec, path: Path) -> Cluster:
    from pytest_pgfeatures.statistics.document import read_statistics
    from pytest_pgfeatures.statistics.transplant import transplant

    statistics = read_statistics(path)
    cluster = session.create_for_cell(session.install(spec), spec)
    session.at_end_of_cell(lambda: session.retire(cluster))
    transplant(cluster, statistics)
    return cluster
