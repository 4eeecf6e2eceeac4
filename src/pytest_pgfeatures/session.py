"""What one pytest process has: its matrix, its installs, its running clusters."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.marker import Requirements, requirements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    from pytest_pgfeatures.install import Cell, Install, Request, Resolver, Store
    from pytest_pgfeatures.install.release import Report
    from pytest_pgfeatures.libpq import PasswordFile
    from pytest_pgfeatures.server import Cluster, Clusters, Database, Databases
    from pytest_pgfeatures.server.database import UsedDatabases

KEY = pytest.StashKey["PgSession"]()
_IDLE_KEPT = 6
"""Shared clusters that go on running while no test uses them, as a later one may."""


@dataclass(frozen=True, slots=True)
class Station:
    """Where a test runs: a cell of the matrix, and what it needs there. The parameter of ``pg_cell``.

    Parameters:
        cell: the version, from one source if one was named.
        needs: capabilities.
        settings: of the server.
        only_for: the node id of the one test that this cluster is for; None for a shared one.
        pg_hba: lines of ``pg_hba.conf``.
    """

    cell: Cell
    needs: frozenset[str]
    settings: tuple[tuple[str, str], ...]
    only_for: str | None = None
    pg_hba: tuple[str, ...] = ()


class PgSession:
    """The resolver, the shared clusters and their databases: made when they are first asked for.

    Parameters:
        config: pytest's.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._clusters: Clusters | None = None
        self._shared: dict[tuple[Install, tuple[tuple[str, str], ...], tuple[str, ...]], Cluster] = {}
        self._uses: Counter[Cluster] = Counter()
        self._databases: dict[tuple[str, Any], Databases] = {}
        self._with_slots: list[Database] = []
        self._templates = itertools.count(1)
        self._stations: dict[Station, Station] = {}
        self._installs: dict[Station, Install] = {}
        self.station_in_use: Station | None = None
        self._ends: list[Callable[[], object]] = []

    @property
    def allow_missing(self) -> bool:
        """Whether a version that can't be had makes a test unavailable instead of failed."""
        return bool(self._config.getoption("pg_allow_missing"))

    @functools.cached_property
    def requests(self) -> tuple[Request, ...]:
        """What ``--pg``, or the ini option ``pg``, asks for; empty for the default."""
        from pytest_pgfeatures.install import parse_requests

        text = self._config.getoption("pg") or self._config.getini("pg")
        return parse_requests(text) if text else ()

    @functools.cached_property
    def store(self) -> Store:
        """The store."""
        from pytest_pgfeatures.install import Store

        return Store.open()

    @functools.cached_property
    def resolver(self) -> Resolver:
        """What finds installs; it checks archives against a ``pgfeatures.lock`` in pytest's root directory."""
        from pytest_pgfeatures.install.resolve import Resolver, lock_in

        return Resolver(self.store, lock=lock_in(self._config.rootpath), progress=self._progress)

    @contextlib.contextmanager
    def _progress(self, what: str) -> Iterator[Report]:
        """Show how far a download is, past pytest's capturing of what tests print."""
        from pytest_pgfeatures.report.progress import download_bars

        capturing = self._config.pluginmanager.get_plugin("capturemanager")
        shown = capturing.global_and_fixture_disabled() if capturing else contextlib.nullcontext()
        with shown, download_bars() as bars, bars(what) as report:
            yield report

    @functools.cached_property
    def cells(self) -> list[Cell]:
        """The matrix."""
        return self.resolver.cells(self.requests)

    def station(self, cell: Cell, wanted: Requirements, nodeid: str) -> Station:
        """The one object for this cell and these requirements, so that tests that share it are seen to."""
        only_for = nodeid if wanted.isolation == "cluster" else None
        station = Station(cell, wanted.needs, wanted.settings, only_for, wanted.pg_hba)
        return self._stations.setdefault(station, station)

    def enter_cell(self, station: Station) -> None:
        """Tests of this station's cell run from now on."""
        self.station_in_use = station

    def at_end_of_cell(self, end: Callable[[], object]) -> None:
        """Have ``end`` called when the tests of the cell in use have run."""
        self._ends.append(end)

    def leave_cell(self) -> None:
        """The tests of the cell in use have run."""
        while self._ends:
            self._ends.pop()()
        self.station_in_use = None

    def install(self, station: Station) -> Install:
        """The install for a station.

        Raises:
            InstallError: there is none.
        """
        if station not in self._installs:
            self._installs[station] = self.resolver.resolve(station.cell.request, station.needs)
        return self._installs[station]

    def known_install(self, station: Station) -> Install | None:
        """The install for a station if it has been resolved."""
        return self._installs.get(station)

    @property
    def clusters(self) -> Clusters:
        """What makes clusters."""
        if self._clusters is None:
            from pytest_pgfeatures.server import Clusters

            self._clusters = Clusters(self.store, resolver=self.resolver)
        return self._clusters

    @functools.cached_property
    def password_file(self) -> PasswordFile:
        """Passwords that libpq finds by itself in the tests of the cell in use."""
        from pytest_pgfeatures.libpq import PasswordFile

        return PasswordFile(self.clusters.file("pgpass"))

    @contextlib.contextmanager
    def cluster(self, station: Station) -> Iterator[Cluster]:
        """The cluster for a station, in use during the block: a shared one, or one of its own for a test that asks
        for it."""
        install = self.install(station)
        if station.only_for is not None:
            own = self._create(install, station)
            yield own
            self.retire(own)
            return
        key = (install, station.settings, station.pg_hba)
        # Taken out and put back: the one used last is the last.
        cluster = self._shared.pop(key, None) or self._create(install, station)
        self._shared[key] = cluster
        self._uses[cluster] += 1
        yield cluster
        self._uses[cluster] -= 1
        self._retire_idle()

    def _create(self, install: Install, station: Station) -> Cluster:
        from pytest_pgfeatures.server.configuration import Access

        return self.clusters.create(
            install, settings=dict(station.settings), access=Access(pg_hba=station.pg_hba)
        )

    def _retire_idle(self) -> None:
        """End the shared clusters that were not used for longest, if there are many: each takes memory."""
        idle = [key for key, cluster in self._shared.items() if not self._uses[cluster]]
        for key in idle[:-_IDLE_KEPT]:
            self.retire(self._shared.pop(key))

    @functools.cached_property
    def _used(self) -> UsedDatabases:
        from pytest_pgfeatures.server.database import UsedDatabases

        return UsedDatabases()

    def databases(self, cluster: Cluster, load: Callable[[psycopg.Connection], object] | None) -> Databases:
        """The databases of a cluster that are made from a template that ``load`` fills."""
        from pytest_pgfeatures.server.database import Databases

        key = (cluster.name, load)
        if key not in self._databases:
            self._databases[key] = Databases(cluster, load, number=next(self._templates), used=self._used)
        return self._databases[key]

    def retire(self, cluster: Cluster) -> None:
        """End a cluster that no other test uses, and its standbys."""
        for key in [key for key in self._databases if key[0] == cluster.name]:
            self._databases.pop(key).close()
        self.clusters.remove(cluster)

    def drop_slots_later(self, database: Database) -> None:
        """Drop a database's replication slots at the test's end: its subscribers, which make them, go first."""
        self._with_slots.append(database)

    def end_test(self) -> None:
        """End the standbys and successors of shared clusters, and drop slots: they were the last test's."""
        for cluster in self._shared.values():
            for standby in [*cluster.standbys, *cluster.successors]:
                self.clusters.remove(standby)
            cluster.successors.clear()
        while self._with_slots:
            self._with_slots.pop().drop_slots()

    def log_positions(self) -> dict[Cluster, int]:
        """How long the clusters' logs are."""
        return {cluster: cluster.log.position() for cluster in (self._clusters or ())}

    def close(self) -> None:
        """End everything."""
        for databases in self._databases.values():
            databases.close()
        if self._clusters is not None:
            self._clusters.close()


def session_of(config: pytest.Config) -> PgSession:
    """The pytest process's session; made when it is first asked for."""
    if KEY not in config.stash:
        config.stash[KEY] = PgSession(config)
    return config.stash[KEY]


def parametrize(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each cell of the matrix, or for each pair of neighbors if it uses ``pg_pair``."""
    # A test uses servers: what runs them is imported here, and not while that test waits for one.
    import pytest_pgfeatures.server  # noqa: F401

    session = session_of(metafunc.config)
    try:
        item = metafunc.definition
        stations = [
            session.station(cell, requirements(item, cell.major), item.nodeid) for cell in session.cells
        ]
    except PgFeaturesError as error:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: {error}") from None
    if "pg_pair" in metafunc.fixturenames:
        pairs = list(itertools.pairwise(stations))
        ids = [f"{old.cell.id}-{new.cell.id}" for old, new in pairs]
        if pairs:
            metafunc.parametrize("pg_pair", pairs, indirect=True, ids=ids, scope="session")
        return
    if "pg_cell" not in metafunc.fixturenames:
        metafunc.fixturenames.append("pg_cell")
    metafunc.parametrize(
        "pg_cell", stations, indirect=True, ids=[station.cell.id for station in stations], scope="session"
    )


def stations_of(item: pytest.Item) -> tuple[Station, ...]:
    """The stations that a test was parametrized with: one, two for a pair, none for other tests."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return ()
    if "pg_pair" in callspec.params:
        pair: tuple[Station, ...] = callspec.params["pg_pair"]
        return pair
    return (callspec.params["pg_cell"],) if "pg_cell" in callspec.params else ()


def loader(template: Any, root: Path) -> Callable[[psycopg.Connection], object] | None:
    """What ``pg_template`` returned, as a function of a connection.

    Parameters:
        template: None, SQL as text, the path of a file of SQL, or a function of a connection.
        root: what a relative path starts from.

    Raises:
        PgFeaturesError: it is something else, or there is no such file.
    """
    if template is None or callable(template):
        return template  # type: ignore[no-any-return]
    if isinstance(template, Path):
        path = root / template
        if not path.is_file():
            raise PgFeaturesError(
                f"there is no file {path} to load the template database from",
                remedy="correct pg_schema in the configuration file, which counts from pytest's root directory",
            )
        return _file_loader(path)
    if isinstance(template, str):
        return _sql_loader(template, "pg_template")
    raise PgFeaturesError(
        f"pg_template returned {template!r}",
        remedy="return SQL as text, a pathlib.Path to a file of SQL, or a function that takes a connection",
    )


@functools.cache
def _file_loader(path: Path) -> Callable[[psycopg.Connection], object]:
    return _sql_loader(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def _sql_loader(sql: str, where: str) -> Callable[[psycopg.Connection], object]:
    def load(connection: psycopg.Connection) -> None:
        import psycopg

        try:
            connection.execute(sql.encode())
        except psycopg.Error as error:
            position = error.diag.statement_position
            line = f", line {sql[: int(position)].count(chr(10)) + 1}" if position else ""
            raise PgFeaturesError(
                f"can't load the template database from {where}{line}: {error.sqlstate} {error}",
                remedy="mend the SQL; psql's backslash commands are not SQL",
            ) from error

    return load
