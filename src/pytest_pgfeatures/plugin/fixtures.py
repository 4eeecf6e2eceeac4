"""The fixtures that tests can use.

| fixture | gives |
|---|---|
| ``pg_cluster`` | the matrix cell's server, shared by tests that ask for the same settings |
| ``pg_database`` | a fresh database on it, copied from the template |
| ``pg_connection`` | a psycopg connection to that database, in autocommit mode |
| ``pg_async_connection`` | the same for ``async`` tests (with pytest-asyncio) |
| ``create_pg`` | a function that creates clusters for this test alone, of any version |
| ``create_pgs`` | the same for several at once |
| ``pg_pair`` | an old and a new server, for each pair of neighbors in the matrix |
| ``pg_pair_of`` | a function: an old and a new server of given versions |
| ``pg_template`` | override it to define each test database's initial contents |
| ``pg_extension`` | a fresh database with the project's extension, built for that version |
| ``pg_transplant`` | a function: a database that plans as production does, without its data |
| ``plan_snapshot`` | a plan as it was when ``pytest --snapshot-update`` last ran, in a file beside the test |
| ``lab`` | a fresh database to observe a behavior in |
| ``pg_readiness`` | a function: what an upgrade breaks or changes in the application |

Their modules are imported when a test asks for one, so that a run without servers doesn't pay for them.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.behaviors.lab import Lab
    from pytest_pgfeatures.install import Cell, Install
    from pytest_pgfeatures.plugin.experiments import ExperimentRunner
    from pytest_pgfeatures.plugin.marker import Requirements, ServerSpec
    from pytest_pgfeatures.plugin.session import PgSession
    from pytest_pgfeatures.plugin.snapshots import PlanSnapshot
    from pytest_pgfeatures.readiness.run import Readiness
    from pytest_pgfeatures.server import Cluster, Database


class Pair(NamedTuple):
    """Two servers; ``old`` has the smaller major."""

    old: Cluster
    new: Cluster


@pytest.fixture(scope="session")
def _pg_session(pytestconfig: pytest.Config) -> PgSession:
    from pytest_pgfeatures.plugin.loading import load_all
    from pytest_pgfeatures.plugin.session import session_of

    load_all(pytestconfig)  # for a test that requests a fixture of ours by name at run time
    session = session_of(pytestconfig)
    session.begin_supervisor()
    return session


@pytest.fixture(scope="session")
def pg_cell(request: pytest.FixtureRequest, _pg_session: PgSession) -> Iterator[ServerSpec]:
    """The matrix cell in which the test runs; the newest one if the test doesn't run once per version."""
    from pytest_pgfeatures.plugin.capabilities import suite_capabilities
    from pytest_pgfeatures.plugin.client_path import client_path_of
    from pytest_pgfeatures.plugin.marker import Requirements

    spec: ServerSpec = getattr(request, "param", None) or _pg_session.server_spec(
        _pg_session.cells[-1], Requirements(needs=suite_capabilities(request.config)), ""
    )
    _pg_session.enter_cell(spec)
    client_path_of(request.config).offer(spec)
    yield spec
    _pg_session.leave_cell()


@pytest.fixture(scope="session")
def pg_cluster(pg_cell: ServerSpec, _pg_session: PgSession) -> Iterator[Cluster]:
    """A running server of the matrix cell's version.

    Tests that ask for the same settings share it: leave it as you found it. A test that changes the server itself
    uses ``create_pg`` or ``@pytest.mark.pg(isolation="cluster")``.
    """
    with _pg_session.cluster(pg_cell) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def pg_pair(request: pytest.FixtureRequest, _pg_session: PgSession) -> Iterator[Pair]:
    """An old and a new server: ``--pg 14,18`` gives 14 and 18, ``--pg 14..16`` 14 and 15, then 15 and 16."""
    from pytest_pgfeatures.plugin.client_path import client_path_of

    if not hasattr(request, "param"):
        from pytest_pgfeatures.errors import VersionError

        raise VersionError(
            "pg_pair needs two versions, and the matrix has one",
            remedy="ask for an old and a new one, such as --pg 14,18",
        )
    old, new = request.param
    client_path_of(request.config).offer(new)
    with _pg_session.cluster(old) as old_cluster, _pg_session.cluster(new) as new_cluster:
        yield Pair(old_cluster, new_cluster)


@pytest.fixture(scope="session")
def pg_pair_of(_pg_session: PgSession) -> Iterator[Callable[[str, str], Pair]]:
    """A function that gives an old and a new server of given versions, whatever ``--pg`` says.

    ``pg_pair_of("14", "18")`` returns the same as ``pg_pair`` with ``--pg 14,18``; these servers are shared, too. A
    version is what ``--pg`` takes: ``"14"``, ``"16.2"``, ``"path:DIR"``.
    """
    from pytest_pgfeatures.plugin.marker import Requirements

    with contextlib.ExitStack() as in_use:

        def pair(old: str, new: str) -> Pair:
            cells = [_pg_session.workbench.resolver.cell(version) for version in (old, new)]
            specs = [_pg_session.server_spec(cell, Requirements(), "") for cell in cells]
            return Pair(*(in_use.enter_context(_pg_session.cluster(spec)) for spec in specs))

        yield pair


@pytest.fixture(scope="session")
def pg_template(pytestconfig: pytest.Config) -> Any:
    """Override to define each test database's initial contents.

    Return SQL as text, a ``pathlib.Path`` to a script or to a dump in any of pg_dump's formats, a list of these, or
    a function that takes a connection to the template database. It is loaded once per server. The default is the
    files that ``pg_schema`` names in the configuration file.
    """
    from pathlib import Path

    return [Path(name) for name in pytestconfig.getini("pg_schema")]


@pytest.fixture
def pg_database(
    request: pytest.FixtureRequest, pg_cluster: Cluster, pg_template: Any, _pg_session: PgSession
) -> Iterator[Database]:
    """A fresh database, copied from the template.

    Tests with ``isolation="transaction"`` share one, until code commits on a connection of its own (10 and later).
    With ``isolation="cluster"`` and an empty template it is ``postgres``, which nobody has used, either.
    """
    from pytest_pgfeatures.plugin.marker import requirements
    from pytest_pgfeatures.plugin.template import loader
    from pytest_pgfeatures.server import Database

    load = loader(pg_template, request.config.rootpath, _pg_session.workbench.find_resolver)
    databases = _pg_session.databases(pg_cluster, load)
    match requirements(request.node).isolation:
        case "transaction":
            with databases.rolled_back() as database:
                yield database
        case "cluster":
            yield databases.shared() if load else Database(pg_cluster, pg_cluster.maintenance_dbname)
        case _:
            database = databases.take(connects="pg_connection" in request.fixturenames)
            yield database
            _pg_session.drop_slots_later(database)


@pytest.fixture
def pg_connection(
    request: pytest.FixtureRequest, pg_database: Database, _pg_session: PgSession
) -> Iterator[psycopg.Connection]:
    """A psycopg connection to the fresh database, in autocommit mode, closed after the test.

    With ``isolation="transaction"`` the test runs in a transaction, which is rolled back after it. A test that ends
    this transaction is an error.
    """
    from pytest_pgfeatures.plugin.connections import ends_idle, rolled_back
    from pytest_pgfeatures.plugin.marker import requirements

    with pg_database.connect() as connection, ends_idle(connection):
        if requirements(request.node).isolation == "transaction":
            with rolled_back(connection, _pg_session.discard(pg_database)):
                yield connection
        else:
            yield connection


@pytest.fixture
def lab(
    request: pytest.FixtureRequest,
    pg_cell: ServerSpec,
    pg_database: Database,
    create_pgs: Callable[..., tuple[Cluster, ...]],
    _pg_session: PgSession,
) -> Iterator[Lab]:
    """A fresh database of this version to observe a behavior in; its statements are recorded."""
    from pytest_pgfeatures.behaviors.lab import Lab
    from pytest_pgfeatures.plugin.marker import requirements

    transaction = requirements(request.node).isolation == "transaction"
    peer = functools.partial(_pg_session.peer, pg_cell)
    with Lab(pg_database, create_pgs, peer, transaction=transaction) as opened:
        yield opened


@pytest.fixture
def _pg_experiments(request: pytest.FixtureRequest, _pg_session: PgSession) -> ExperimentRunner:
    """Runs the experiments that ``@experiment`` declares."""
    from pytest_pgfeatures.plugin.experiments import ExperimentRunner

    return ExperimentRunner(request)


@pytest.fixture
def pg_extension(
    pytestconfig: pytest.Config, pg_cell: ServerSpec, _pg_session: PgSession
) -> Iterator[Database]:
    """A fresh database with the project's extension, on the matrix cell's version.

    The ini option ``pg_extension`` names the extension; the default is the sources in pytest's root directory. For
    each version it is built once in a copy of the sources, and installed in a copy of the install. Settings and
    make variables come from ``pgfeatures.toml`` or ``pyproject.toml``, as for ``pgfeatures extension``.
    """
    from pytest_pgfeatures.plugin.extension import built

    workspace, load = built(pytestconfig, pg_cell, _pg_session)
    database = _pg_session.databases(workspace.cluster, load).take()
    yield database
    database.drop_slots()


@pytest.fixture
def pg_readiness(pytestconfig: pytest.Config, _pg_session: PgSession) -> Callable[..., Readiness]:
    """A function that looks for what an upgrade breaks or changes in the application.

    Its positional arguments are names of stages; without any, it runs all stages. Its keyword arguments are options
    under the names of :class:`~pytest_pgfeatures.readiness.options.ReadinessOptions`. Other options come from
    ``pgfeatures.toml`` or from ``[tool.pgfeatures.readiness]`` in ``pyproject.toml``, in pytest's root directory.
    Calls with the same options share the servers with the loaded schema.
    """
    from pytest_pgfeatures.plugin.readiness import looking

    return looking(pytestconfig, _pg_session)


@pytest.fixture
def pg_transplant(
    pytestconfig: pytest.Config, pg_cell: ServerSpec, _pg_session: PgSession
) -> Iterator[Callable[[str | Path], psycopg.Connection]]:
    """A function that connects to a database with production's statistics, on a server of the cell's version.

    It takes the file that ``pgfeatures statistics`` wrote, relative to pytest's root directory. The server is
    created once per version and file; all tests share it. EXPLAIN shows production's plans there; nothing can
    be executed. The role is no superuser: it owns the objects that superusers own in production, and is a
    member of the other roles.

    Raises:
        StatisticsError: the file can't be used.
    """
    from pytest_pgfeatures.plugin.transplants import Transplants

    with Transplants(pytestconfig, pg_cell, _pg_session) as transplants:
        yield transplants.connect


@pytest.fixture
def plan_snapshot(request: pytest.FixtureRequest) -> PlanSnapshot:
    """The plan at the time of the last ``pytest --snapshot-update``: ``assert plan == plan_snapshot``.

    The plan is stored in a file beside the test, one for each group of majors whose plans agree.
    ``plan_snapshot(baseline="14")`` compares with the plan of 14 on every version. See docs/plans.md.

    Raises:
        PlanError: syrupy is not installed.
    """
    from pytest_pgfeatures.plugin.plans import snapshot_of

    return snapshot_of(request)


_OPTIONS = ("version", "needs", "settings", "pg_hba", "initdb_options", "tcp")
"""The keyword arguments of the functions that ``create_pg`` and ``create_pgs`` return."""


@pytest.fixture
def create_pg(create_pgs: Callable[..., tuple[Cluster, ...]]) -> Callable[..., Cluster]:
    """A function that creates clusters for this test alone; they are removed after it.

    ``create_pg(name=None, *, version=None, needs=(), settings=None, pg_hba=(), initdb_options=(), tcp=False)``
    returns a running :class:`~pytest_pgfeatures.server.Cluster`.

    Parameters:
        name: identifies it in logs and reports.
        version: such as ``"14"``, ``"16.2"``, ``"path:DIR"``; the default is the matrix cell's version, or with
            the marker's ``matrix=False`` the newest version of the matrix.
        needs: capabilities, as in the marker.
        settings: for ``postgresql.conf``, under their newest names; or the path of such a file (see
            :func:`pytest_pgfeatures.read_settings`).
        pg_hba: lines of ``pg_hba.conf``, placed before ours, such as ``["local all alice md5"]``. The superuser is
            always trusted on the socket.
        initdb_options: such as ``["--data-checksums"]``.
        tcp: also listen on 127.0.0.1, with scram-sha-256 and a random password.
    """

    def create(name: str | None = None, **options: Any) -> Cluster:
        from pytest_pgfeatures.keywords import check_keywords

        check_keywords("create_pg", options, _OPTIONS)
        (cluster,) = create_pgs(name, **options)
        return cluster

    return create


@pytest.fixture
def create_pgs(
    request: pytest.FixtureRequest, _pg_session: PgSession
) -> Iterator[Callable[..., tuple[Cluster, ...]]]:
    """A function that creates several clusters at the same time: the nodes of a topology.

    ``create_pgs(*names, version=None, needs=(), settings=None, pg_hba=(), initdb_options=(), tcp=False)`` returns a
    tuple of running clusters. The parameters are those of ``create_pg``. ``version`` may be a dict,
    such as ``{"subscriber": "18"}``; nodes that it doesn't name have the default version.
    """
    created: list[Cluster] = []

    def create(
        *names: str | None,
        version: str | Mapping[str | None, str] | None = None,
        needs: Iterable[str] | Mapping[str, str] = (),
        settings: Mapping[str, object] | Path | None = None,
        pg_hba: str | Iterable[str] = (),
        initdb_options: Iterable[str | Path] = (),
        tcp: bool = False,
        **unknown: Any,
    ) -> tuple[Cluster, ...]:
        from dataclasses import replace

        from pytest_pgfeatures.keywords import check_keywords
        from pytest_pgfeatures.plugin.marker import ServerSpec, requirements
        from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
        from pytest_pgfeatures.settings import given
        from pytest_pgfeatures.threads import Pool, in_order

        check_keywords("create_pgs", unknown, _OPTIONS)
        versions = version if isinstance(version, Mapping) else dict.fromkeys(names, version)
        clusters = _pg_session.workbench.clusters

        def described(name: str | None) -> tuple[str | None, Install, Requirements]:
            cell = _cell(request, _pg_session, versions.get(name))
            asked = requirements(request.node, cell.major).narrowed(
                needs=needs, settings=dict(given(settings)), pg_hba=pg_hba, major=cell.major
            )
            return name, _pg_session.install(ServerSpec(cell, asked.needs, ())), asked

        def start(node: tuple[str | None, Install, Requirements]) -> Cluster:
            name, install, asked = node
            access = Access.by_tcp() if tcp else SOCKET_ONLY
            cluster = clusters.create(
                install,
                name=name,
                settings=dict(asked.settings),
                initdb_options=tuple(map(str, initdb_options)),
                access=replace(access, pg_hba=asked.pg_hba),
            )
            created.append(cluster)
            return cluster

        nodes = [described(name) for name in names]
        with Pool(max(1, len(names))) as executor:
            return tuple(in_order(executor, start, nodes))

    yield create
    for cluster in reversed(created):
        _pg_session.retire(cluster)


def _cell(request: pytest.FixtureRequest, session: PgSession, version: str | None) -> Cell:
    """Return the cell for a cluster that belongs to one test."""
    if version is not None:
        return session.workbench.resolver.cell(str(version))
    callspec = getattr(request.node, "callspec", None)
    parametrized = callspec.params.get("pg_cell") if callspec is not None else None
    return parametrized.cell if parametrized is not None else session.cells[-1]
