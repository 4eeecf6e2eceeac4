"""The fixture ``pg_transplant``: servers that plan as production does, without its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.plugin.server_spec import ServerSpec
    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.server import Cluster


_KNOWN = pytest.StashKey["dict[tuple[ServerSpec, Path], Cluster]"]()


@pytest.fixture
def pg_transplant(
    pytestconfig: pytest.Config,
    pg_cell: ServerSpec,
    _pg_session: PgSession,
) -> Iterator[Callable[[str | Path], psycopg.Connection]]:
    """A function that connects to a database with production's statistics, on a server of the cell's version.

    It takes the file that ``pgfeatures statistics`` wrote, relative to pytest's root directory. The server is made
    once per version and file; all tests share it. EXPLAIN shows production's plans there; nothing can be executed.
    The role is no superuser: it owns what superusers own in production, and is a member of the other roles.

    Raises:
        StatisticsError: the file can't be used.
    """
    connections: list[psycopg.Connection] = []

    def connect(file: str | Path) -> psycopg.Connection:
        from pytest_pgfeatures.statistics.transplant import DBNAME, LOADER, connect_as

        path = pytestconfig.rootpath / file
        known = pytestconfig.stash.setdefault(_KNOWN, {})
        cluster = known.get((pg_cell, path))
        if cluster is None or not cluster.running():
            cluster = known[pg_cell, path] = _made(_pg_session, pg_cell, path)
        connections.append(connect_as(cluster, DBNAME, LOADER))
        return connections[-1]

    yield connect
    for connection in connections:
        connection.close()


def _made(session: PgSession, spec: ServerSpec, path: Path) -> Cluster:
    from pytest_pgfeatures.statistics.document import read_statistics
    from pytest_pgfeatures.statistics.transplant import transplant

    statistics = read_statistics(path)
    cluster = session.create_for_cell(session.install(spec), spec)
    session.at_end_of_cell(lambda: session.retire(cluster))
    transplant(cluster, statistics)
    return cluster
