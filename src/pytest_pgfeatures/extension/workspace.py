"""The workspace of an extension on one major: a copy of the sources, a private install, and a server."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import WaitTimeoutError
from pytest_pgfeatures.extension.model import StageError
from pytest_pgfeatures.extension.state import Fresh, State
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.configuration import Access, Setting
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from pytest_pgfeatures.extension.options import Options
    from pytest_pgfeatures.extension.source import Source
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server import Cluster, Clusters

DBNAME = "extension"
"""The database in which the stages create the extension."""
_WORKERS = (
    "SELECT pid FROM pg_stat_activity s WHERE datname = %s AND coalesce(row_to_json(s) ->> 'backend_type', '')"
    " NOT IN ('client backend', 'autovacuum worker', 'parallel worker')"
)
"""Finds the background workers in a database; before 10, all sessions."""
_DEFAULTS = (
    Setting(
        "log_line_prefix", "%m [%p] ", "https://www.postgresql.org/docs/release/10.0/", VersionSet(">=10")
    ),
    Setting("log_line_prefix", "", "until then", VersionSet("<10")),
    Setting("wal_buffers", "-1", "a share of shared_buffers"),
    Setting("wal_init_zero", "on", "https://www.postgresql.org/docs/release/12.0/", VersionSet(">=12")),
)
"""PostgreSQL's own defaults of settings for which other servers of ours have other values. Tests may show them."""


class Workspace:
    """The servers and files that the stages of one major share.

    Parameters:
        cell: the cell's id.
        source: the extension to test.
        options: the options of the test.
        install: the shared install, which is only read.
        clusters: creates servers and directories, and runs programs.

    Attributes:
        install_copy: the private copy of the install, which servers run; None until it exists.
        tree: the copy of the sources; None until it exists.
        library_path: the directory with stubs of libraries, if the machine lacks any.
        names: the extensions that were installed.
        modules: the libraries that were installed.
        created: for each extension, the versions at which it could be created.
        updated_from: for each extension, the version of the earlier release from which it was updated.
        fresh: the objects that CREATE EXTENSION creates in a fresh database; None until it has run.
        spoiled: whether tests left objects other than databases on the server.
        only_null: the types of which the tests have no value to store.
        state: the state of the server when it has all data to dump and upgrade; None until then.
    """

    def __init__(
        self, cell: str, source: Source, options: Options, install: Install, clusters: Clusters
    ) -> None:
        self.cell = cell
        self.source = source
        self.options = options
        self.install = install
        self.clusters = clusters
        self.install_copy = install
        self.home = clusters.home(f"{cell}-extension")
        self._home_of_programs = clusters.directory_in(self.home, ".home")
        self._temporary = clusters.directory_in(self.home, ".tmp")
        self.tree: Path | None = None
        self.names: tuple[str, ...] = () if source.is_built else (source.name,)
        self.modules: tuple[str, ...] = ()
        self.created: dict[str, tuple[str, ...]] = {}
        self.updated_from: dict[str, str] = {}
        self.fresh = Fresh()
        self.spoiled = False
        self.only_null: tuple[str, ...] = ()
        self.state: State | None = None
        self.library_path: Path | None = None
        self.lock = threading.Lock()
        self._cached_compiler: dict[str, str] = {}
        self._environment: dict[str, str] = {}
        self._cluster: Cluster | None = None
        self._scratch: Cluster | None = None
        self._pristine: Cluster | None = None
        self._roles: frozenset[str] = frozenset()

    @property
    def cluster(self) -> Cluster:
        """The server of the stages ``regress``, ``dump`` and ``upgrade``, started on first use. Other stages don't
        use it."""
        if self._cluster is None:
            self._cluster = self._create(self.cell)
        if not self._cluster.running():
            self._cluster.start()
        return self._cluster

    def _create(self, name: str) -> Cluster:
        settings = {each.name: each.value for each in _DEFAULTS if self.install.version in each.versions}
        if self.source.is_module:
            settings |= {"wal_level": "logical"}  # for output plugins
        cluster = self.clusters.create(
            self.install_copy,
            name=name,
            settings=settings | self.options.server_settings,
            access=Access.by_tcp(inside=True) if self.options.tcp else Access(inside=True),
            template_of=self.install,
            timeout=self.options.timeout,
        )
        if self.source.is_module:
            allow_output_plugins(cluster, self.modules)
        return cluster

    def pristine(self, fill: Callable[[Cluster], object]) -> Cluster:
        """A stopped server that no test has used, created on first use.

        Parameters:
            fill: creates the extension and its data on the server.
        """
        with self.lock:
            if self._pristine is None:
                self._pristine = self._create(f"{self.cell}-pristine")
                fill(self._pristine)
                self._pristine.stop("fast")
            return self._pristine

    @property
    def scratch(self) -> Cluster:
        """The server of the other stages, started on first use."""
        if self._scratch is None:
            self._scratch = self._create(f"{self.cell}-scratch")
            self._roles = roles(self._scratch)
        return self._scratch

    def discard_scratch(self) -> None:
        """Give up the scratch server, so that the next stage starts a new one."""
        if self._scratch is not None:
            self.clusters.remove(self._scratch)
            self._scratch = None

    def servers(self) -> tuple[Cluster | None, ...]:
        """The servers that the stages of this major have used."""
        return self._cluster, self._scratch

    def roles_left(self) -> list[str]:
        """The roles that were created on the scratch server and still exist."""
        return sorted(roles(self.scratch) - self._roles)

    def connect(self, dbname: str = DBNAME, cluster: Cluster | None = None) -> psycopg.Connection:
        """Open a connection, by default to the scratch server. Its statements have the deadline of programs."""
        milliseconds = round(self.options.timeout * 1000)
        return (cluster or self.scratch).connect(dbname, options=f"-c statement_timeout={milliseconds}")

    @contextlib.contextmanager
    def fresh_database(
        self, cluster: Cluster | None = None, dbname: str = DBNAME
    ) -> Iterator[psycopg.Connection]:
        """Create the database anew and connect to it, by default on the scratch server. If the scratch server has
        roles of an earlier database, a new server replaces it."""
        if cluster is None and self.roles_left():
            self.discard_scratch()
        if cluster is None and self.scratch.sql(_WORKERS, [dbname]):
            self.discard_scratch()  # a background worker of the extension uses the database, and would be restarted
        try:
            self._make_database(cluster, dbname)
        except psycopg.errors.ObjectInUse:  # the worker started just now
            if cluster is not None:
                raise
            self.discard_scratch()
            self._make_database(None, dbname)
        with self.connect(dbname, cluster) as connection:
            yield connection

    def _make_database(self, cluster: Cluster | None, dbname: str) -> None:
        with self.connect("postgres", cluster) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {dbname}".encode())
            connection.execute(f"CREATE DATABASE {dbname} TEMPLATE template0".encode())

    def run(
        self,
        argv: list[str | Path],
        *,
        cwd: Path | None = None,
        cluster: Cluster | None = None,
        install: Install | None = None,
        more: Mapping[str, str] | None = None,
    ) -> Finished:
        """Run a program to its end, against a server if one is given, with the variables ``more`` added to its
        environment.

        Raises:
            StageError: the program did not end in time. The error has its output and the server's log.
        """
        environment = {**self.environment(install, cluster), **(more or {})}
        try:
            return self.clusters.run(argv, environment=environment, cwd=cwd, timeout=self.options.timeout)
        except WaitTimeoutError as error:
            log = ("the server's log:", *cluster.log.tail(25)) if cluster is not None else ()
            hung = end_queries(cluster) if cluster is not None else []
            what = " ".join(map(str, argv[:1] + [word for word in argv[1:] if "=" not in str(word)]))
            raise StageError(
                f"{what} still ran after {self.options.timeout:g} seconds, and was killed"
                + "".join(f"; it was in: {query}" for query in hung[:1]),
                (*(f"it was in: {query}" for query in hung), *error.details, *log),
            ) from None

    def environment(self, install: Install | None = None, cluster: Cluster | None = None) -> dict[str, str]:
        """The environment of programs, which names an install and a server, if one is given."""
        install = install or self.install_copy
        environment = program_environment(install) | {
            "HOME": str(self._home_of_programs),
            "PG_CONFIG": str(install.bindir / "pg_config"),
            "PATH": os.pathsep.join((str(install.bindir), os.environ.get("PATH", os.defpath))),
            "TMPDIR": str(self._temporary),  # a killed compiler leaves files there
        }
        environment |= self._environment
        if self.library_path is not None:
            known = environment.get("LIBRARY_PATH", "")
            environment["LIBRARY_PATH"] = os.pathsep.join(filter(None, (known, str(self.library_path))))
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "DESTDIR"):
            environment.pop(name, None)
        if cluster is not None:
            environment |= cluster.connection_environment() | {"PGHOST": str(cluster.socket_directory)}
        return environment

    @property
    def pgxs(self) -> Path:
        """The PGXS directory in the copy of the install."""
        from pytest_pgfeatures.extension.install_copy import pgxs_of

        return pgxs_of(self.install_copy)

    def cache_compiled(self, compiler: str) -> None:
        """Make the builds run the compiler through ccache, if it is available."""
        from pytest_pgfeatures.extension.compiler_cache import ccache

        store = self.clusters.resolver.store
        if (found := ccache(store.compiled, self.home, self.clusters.account)) is not None:
            program, self._environment = found
            self._cached_compiler = {"CC": f"{program} {compiler}"}

    def stop(self) -> Cluster:
        """Stop the server in an orderly way, so that its files can be copied."""
        cluster = self._cluster or self.cluster
        cluster.stop("fast")
        return cluster

    def shell(self, command: str, **options: Any) -> Finished:
        """Run a shell command in the copy of the sources."""
        return self.run(["/bin/sh", "-c", command], cwd=self.tree, **options)

    def make(self, *targets: str, tree: Path | None = None, **options: Any) -> Finished:
        """Run make in the copy of the sources."""
        import shutil

        cwd = tree or self.tree
        assert cwd is not None
        variables = {
            "PG_CONFIG": str(self.install_copy.bindir / "pg_config"),
            "USE_PGXS": "1",
            "with_llvm": "no",  # bitcode serves only inlining, and needs the same clang as the server's build
            **self._cached_compiler,
            **self.options.make,
        }
        make = shutil.which("make") or "make"
        assignments = [f"{name}={value}" for name, value in variables.items()]
        return self.run([make, *targets, *assignments], cwd=cwd, **options)


def roles(cluster: Cluster) -> frozenset[str]:
    """The roles of a server."""
    return frozenset(name for (name,) in cluster.sql("SELECT rolname FROM pg_roles"))


def allow_output_plugins(cluster: Cluster, names: Collection[str]) -> None:
    """Allow output plugins from outside the server's distribution, for minor releases with a setting for this."""
    rows = cluster.sql("SELECT setting FROM pg_settings WHERE name = 'output_plugin_libraries'")
    for (setting,) in rows:
        cluster.append_conf(f"output_plugin_libraries = '{', '.join(filter(None, (setting, *names)))}'")
        cluster.restart()


def end_queries(cluster: Cluster) -> list[str]:
    """End the sessions whose client is gone; return the queries that they were running."""
    found = cluster.sql(
        "SELECT query, pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE state = 'active' AND datname IS NOT NULL AND pid <> pg_backend_pid() ORDER BY query_start"
    )
    return [" ".join(query.split()) for query, _ in found]
