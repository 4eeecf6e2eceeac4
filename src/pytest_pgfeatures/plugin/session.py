"""The state of one pytest process: its matrix, its installs, its running clusters."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import PgFeaturesError, ServerError
from pytest_pgfeatures.plugin.capabilities import suite_capabilities
from pytest_pgfeatures.plugin.marker import ServerSpec
from pytest_pgfeatures.plugin.options import asked_versions
from pytest_pgfeatures.threads import Pool, first_completed
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Future

    import psycopg

    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.install.release import Report
    from pytest_pgfeatures.libpq import PasswordFile
    from pytest_pgfeatures.plugin.marker import Requirements
    from pytest_pgfeatures.server import Cluster, Database, Databases
    from pytest_pgfeatures.server.database import UsedDatabases
    from pytest_pgfeatures.server.recovery import Watch

KEY = pytest.StashKey["PgSession"]()
_IDLE_KEPT = 6
"""The number of idle shared clusters that keep running, because a later test may use them."""


class PgSession:
    """The workbench, its shared clusters and their databases, each created on first use.

    Parameters:
        config: pytest's configuration.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.workbench = Workbench(
            asked_versions(config),
            directory=config.rootpath,
            progress=self._progress,
            report=self._report,
            controller=os.getppid() if hasattr(config, "workerinput") else None,  # of pytest-xdist
        )
        self._shared: dict[tuple[Install, tuple[tuple[str, str], ...], tuple[str, ...], int], Cluster] = {}
        self._ahead: dict[tuple[Install, ServerSpec], tuple[Cluster, Future[Cluster]]] = {}
        """Clusters that no test has asked for yet, and their start."""
        self.first: ServerSpec | None = None
        """The spec of the first shared cluster that a test asked for."""
        self._uses: Counter[Cluster] = Counter()
        self._databases: dict[tuple[str, Any], Databases] = {}
        self._with_slots: list[Database] = []
        self._peers: list[Database] = []
        """Those that the current test uses."""
        self._templates = itertools.count(1)
        self._specs: dict[ServerSpec, ServerSpec] = {}
        self._installs: dict[tuple[Cell, frozenset[str]], Install] = {}
        self.spec_in_use: ServerSpec | None = None
        self._ends: list[Callable[[], object]] = []
        self.renewals: dict[str, Callable[[], object]] = {}
        """Functions that end the fixtures with shared clusters; the next test sets them up again."""
        self._lost: set[Cluster] = set()

    @contextlib.contextmanager
    def _progress(self, what: str) -> Iterator[Report]:
        """Show the progress of a download, although pytest captures tests' output."""
        from pytest_pgfeatures.progress import DownloadBars

        with self._uncaptured(), DownloadBars()(what) as report:
            yield report

    def _report(self, message: str) -> None:
        with self._uncaptured():
            print(message, file=sys.stderr, flush=True)

    def _uncaptured(self) -> contextlib.AbstractContextManager[None]:
        """A block whose output pytest does not capture."""
        capturing = self._config.pluginmanager.get_plugin("capturemanager")
        return capturing.global_and_fixture_disabled() if capturing else contextlib.nullcontext()

    @functools.cached_property
    def cells(self) -> list[Cell]:
        """The matrix.

        Raises:
            PgFeaturesError: a version is not available, there is none, or ``--pg-needs`` names an unknown
                capability.
        """
        resolver = self.workbench.resolver
        resolver.check_capabilities(suite_capabilities(self._config))
        if not self._config.getoption("pg_allow_missing"):
            resolver.check_existence(self.workbench.requests)
        return self.workbench.cells

    def server_spec(self, cell: Cell, wanted: Requirements, nodeid: str) -> ServerSpec:
        """Return the spec for a cell and requirements. Equal arguments give the same object."""
        only_for = nodeid if wanted.isolation == "cluster" else None
        spec = ServerSpec(cell, wanted.needs, wanted.settings, only_for, wanted.pg_hba)
        return self._specs.setdefault(spec, spec)

    def enter_cell(self, spec: ServerSpec) -> None:
        """Start a cell: the tests that follow run in it."""
        self.spec_in_use = spec

    def at_end_of_cell(self, end: Callable[[], object]) -> None:
        """Call ``end`` after the last test of the current cell."""
        self._ends.append(end)

    def leave_cell(self) -> None:
        """End the current cell, after its last test."""
        while self._ends:
            self._ends.pop()()
        self.spec_in_use = None

    def install(self, spec: ServerSpec) -> Install:
        """Return the install for a server spec.

        Raises:
            InstallError: no install fits.
        """
        key = (spec.cell, spec.needs)
        if key not in self._installs:
            self._installs[key] = self.workbench.resolver.resolve(spec.cell.request, spec.needs)
        return self._installs[key]

    def known_install(self, spec: ServerSpec) -> Install | None:
        """Return the install for a server spec; None if it has not been resolved yet."""
        return self._installs.get((spec.cell, spec.needs))

    @contextlib.contextmanager
    def cluster(self, spec: ServerSpec) -> Iterator[Cluster]:
        """A block with the cluster for a server spec. The cluster is shared, unless the test asked for its own."""
        install = self.install(spec)
        if spec.only_for is not None:
            own = self._create(install, spec)
            yield own
            self.retire(own)
            return
        cluster = self._use_shared(install, spec)
        yield cluster
        self._uses[cluster] -= 1
        self._retire_idle()

    def begin_supervisor(self) -> None:
        """Start the supervisor, which takes a while, before the install is looked up. What can't be had is an error
        of the fixture that needs it."""
        with contextlib.suppress(PgFeaturesError, OSError):
            _ = self.workbench.clusters

    def begin(self, spec: ServerSpec, *, connects: bool) -> None:
        """Start the shared cluster for a server spec in a thread, which imports psycopg meanwhile.

        Parameters:
            connects: also create the first test's database, and open the connection to it.
        """
        from pytest_pgfeatures.server.configuration import Access

        install = self.install(spec)
        cluster = self.workbench.clusters.prepare(
            install, settings=dict(spec.settings), access=Access(pg_hba=spec.pg_hba)
        )
        cluster.begin()

        def start() -> Cluster:
            started = self.workbench.clusters.create(
                install, settings=dict(spec.settings), access=Access(pg_hba=spec.pg_hba), begun=cluster
            )
            import psycopg

            if connects:
                with contextlib.suppress(
                    psycopg.Error, PgFeaturesError
                ):  # then the first test's fixture creates it
                    self.databases(started, None).begin()
            return started

        executor = Pool(1, thread_name_prefix=f"start of {cluster.name}")
        self._ahead[install, spec] = cluster, executor.submit(start)
        executor.shutdown(wait=False)

    def _use_shared(self, install: Install, spec: ServerSpec, number: int = 0) -> Cluster:
        self.first = self.first or spec
        key = (install, spec.settings, spec.pg_hba, number)
        # Remove and reinsert: the most recently used cluster comes last.
        cluster = self._shared.pop(key, None)
        if cluster is not None and (cluster in self._lost or cluster.exit_status() is not None):
            self.retire(cluster)
            cluster = None
        cluster = cluster or self._create(install, spec)
        self._shared[key] = cluster
        self._uses[cluster] += 1
        return cluster

    def peer(self, spec: ServerSpec) -> Database:
        """Take a fresh database on another shared cluster with the install and the settings of ``spec``. A test's
        first peer is on the same cluster as that of other tests, its second one as their second ones."""
        cluster = self._use_shared(self.install(spec), spec, number=len(self._peers) + 1)
        try:
            database = self.databases(cluster, None).take()
        except BaseException:
            self._uses[cluster] -= 1
            raise
        self._peers.append(database)
        return database

    def _end_peers(self) -> None:
        """Drop the subscriptions of the test's peers, and then their slots. They are idle from now on."""
        for database in self._peers:
            database.drop_subscriptions()
        while self._peers:
            database = self._peers.pop()
            database.drop_slots()
            self._uses[database.cluster] -= 1

    def _create(self, install: Install, spec: ServerSpec) -> Cluster:
        from pytest_pgfeatures.server.configuration import Access

        if (begun := self._ahead.pop((install, spec), None)) is not None:
            first_completed([begun[1]])
            return begun[1].result()
        access = Access(pg_hba=spec.pg_hba)
        return self.workbench.clusters.create(install, settings=dict(spec.settings), access=access)

    @functools.cached_property
    def password_file(self) -> PasswordFile:
        """The password file that libpq reads in the tests of the current cell."""
        from pytest_pgfeatures.libpq import PasswordFile

        return PasswordFile(self.workbench.clusters.file("pgpass"))

    def create_for_cell(self, install: Install, spec: ServerSpec, **options: Any) -> Cluster:
        """Create a cluster for use until the current cell ends. The caller stops it then.

        Parameters:
            options: further options of :meth:`Clusters.create`.
        """
        cluster = self.workbench.clusters.create(
            install, name=spec.cell.id, settings=dict(spec.settings), **options
        )
        self._uses[cluster] += 1
        self.at_end_of_cell(functools.partial(self._uses.pop, cluster))
        return cluster

    def incidents(self) -> Iterator[str]:
        """Yield a sentence for each incident of the clusters in use since the last call. Wait for a crashed
        server to recover; a cluster that has ended is not used again."""
        for cluster in [
            cluster for cluster, uses in self._uses.items() if uses and cluster not in self._lost
        ]:
            try:
                incident = self._watch.look(cluster)
            except ServerError:
                continue  # the supervisor is gone: each test that asks for a server gets an error
            if incident is not None:
                yield f"{incident.text}; later tests get a new one" if incident.lost else incident.text
                if incident.lost:
                    self._lost.add(cluster)

    @functools.cached_property
    def _watch(self) -> Watch:
        from pytest_pgfeatures.server.recovery import Watch

        return Watch()

    def renew(self) -> None:
        """Make the next test set up ended clusters again, with the fixtures that depend on them."""
        if any(self._uses[cluster] for cluster in self._lost):
            with contextlib.ExitStack() as all_of_them:
                for finish in self.renewals.values():
                    all_of_them.callback(finish)

    def _retire_idle(self) -> None:
        """Remove the longest-idle shared clusters if there are too many, since each takes memory."""
        idle = [key for key, cluster in self._shared.items() if not self._uses[cluster]]
        for key in idle[:-_IDLE_KEPT]:
            self.retire(self._shared.pop(key))

    @functools.cached_property
    def _used(self) -> UsedDatabases:
        from pytest_pgfeatures.server.database import UsedDatabases

        return UsedDatabases()

    def databases(self, cluster: Cluster, load: Callable[[psycopg.Connection], object] | None) -> Databases:
        """Return the databases of a cluster that are copies of the template that ``load`` fills."""
        from pytest_pgfeatures.server.database import Databases

        key = (cluster.name, load)
        if key not in self._databases:
            self._databases[key] = Databases(cluster, load, number=next(self._templates), used=self._used)
        return self._databases[key]

    def discard(self, database: Database) -> Callable[[], None]:
        """Return a function that replaces the shared database of tests that roll back, if it is this one."""

        def discard() -> None:
            for databases in self._databases.values():
                databases.discard_shared(database)

        return discard

    @property
    def connects(self) -> bool:
        """Whether tests have connected to databases that are copies of no template of theirs."""
        return any(databases.connects for (_, load), databases in self._databases.items() if load is None)

    def retire(self, cluster: Cluster) -> None:
        """Remove a cluster that no other test uses, and its standbys."""
        for key in [key for key in self._databases if key[0] == cluster.name]:
            self._databases.pop(key).close()
        self.workbench.clusters.remove(cluster)

    def drop_slots_later(self, database: Database) -> None:
        """Drop a database's replication slots after the test, when the subscribers that created them are gone."""
        self._with_slots.append(database)

    def end_test(self) -> None:
        """Remove the standbys, successors and replication slots that the last test created on shared clusters."""
        self._end_peers()
        for cluster in self._shared.values():
            own = [standby for standby in cluster.standbys if standby.shared_as is None]
            for standby in [*own, *cluster.successors]:
                self.workbench.clusters.remove(standby)
            cluster.successors.clear()
        while self._with_slots:
            self._with_slots.pop().drop_slots()

    def log_positions(self) -> dict[Cluster, int]:
        """Return the current length of each cluster's log."""
        ahead = [cluster for cluster, _ in self._ahead.values()]
        return {cluster: cluster.log.position() for cluster in self.workbench if cluster not in ahead}

    def close(self) -> None:
        """Stop all clusters."""
        for _, start in self._ahead.values():
            first_completed([start])
        for databases in self._databases.values():
            databases.close()
        self.workbench.close()


def session_of(config: pytest.Config) -> PgSession:
    """Return the process's session, created on first use."""
    if KEY not in config.stash:
        config.stash[KEY] = PgSession(config)
    return config.stash[KEY]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop all servers."""
    if KEY in config.stash:
        config.stash[KEY].close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remove the standbys, successors and replication slots that a test created on a shared server."""
    try:
        return (yield)
    finally:
        if (session := item.config.stash.get(KEY, None)) is not None:
            session.end_test()
