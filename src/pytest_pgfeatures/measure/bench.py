"""The argument of an experiment's work: a side's database, and ways to measure there."""

from __future__ import annotations

import contextlib
import re
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExperimentError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.measure.relay import Relay
    from pytest_pgfeatures.server import Cluster, Clusters
    from pytest_pgfeatures.version import PgVersion

PROGRAM_DEADLINE = 3600.0
_WAL_AND_LSN = VersionSet(">=10")  # https://www.postgresql.org/docs/release/10.0/
_TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)
"""pgbench's figure. Before 14 a second line includes the time of connecting; the last one excludes it."""


class Bench:
    """A database for one side of an experiment, with the means to measure.

    Attributes:
        side: the side's name, as declared.
        version: the server's version.
        cluster: the server. Sides on the same install share it.
        database: the name of the side's own database.
        facts: the facts passed to :meth:`fact`.
    """

    def __init__(
        self, side: str, cluster: Cluster, clusters: Clusters, database: str, newest: PgVersion
    ) -> None:
        self._newest = newest
        self.side = side
        self.cluster = cluster
        self.database = database
        self.facts: dict[str, str] = {}
        self._clusters = clusters
        self._exit = contextlib.ExitStack()
        self._connection = self.connect()
        self._postmaster = cluster.pid
        self._directories: dict[str, Path] = {}

    @property
    def version(self) -> PgVersion:
        """The server's version."""
        return self.cluster.version

    @property
    def dsn(self) -> str:
        """A libpq connection string for the database."""
        return self.cluster.dsn(self.database)

    @property
    def connection(self) -> psycopg.Connection:
        """A connection to the database, in autocommit mode. After a restart it is a new one."""
        if self._postmaster != self.cluster.pid:
            self._connection = self.connect()
            self._postmaster = self.cluster.pid
        return self._connection

    # --- statements ----------------------------------------------------------------------------------------

    def connect(self, **options: Any) -> psycopg.Connection:
        """Connect to the database, in autocommit mode. The connection is closed with the bench."""
        return self._exit.enter_context(
            contextlib.closing(self.cluster.connect(self.database, prepare_threshold=None, **options))
        )

    def sql(self, query: str, params: Sequence[object] | None = None) -> list[tuple[Any, ...]]:
        """Run statements, and return the rows of the last one."""
        cursor = self.connection.execute(query.encode(), params)
        while cursor.nextset():
            pass
        return cursor.fetchall() if cursor.description else []

    def value(self, query: str, params: Sequence[object] | None = None) -> Any:
        """The only value that a query returns."""
        ((value,),) = self.sql(query, params)
        return value

    def copy_in(self, statement: str, pieces: Iterable[str | bytes]) -> None:
        """Run a ``COPY ... FROM STDIN`` with this data."""
        with self.connection.cursor().copy(statement.encode()) as sink:
            for piece in pieces:
                sink.write(piece)

    # --- measuring -----------------------------------------------------------------------------------------

    def seconds(self, *queries: str) -> float:
        """The seconds that statements take, including the round trip to the server. Their rows are fetched."""
        started = time.perf_counter()
        for query in queries:
            self.sql(query)
        return time.perf_counter() - started

    def execution_time(self, query: str) -> float:
        """The seconds that ``EXPLAIN (ANALYZE)`` reports as a query's execution time."""
        plan = self.value(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}")[0]
        return float(plan["Execution Time" if "Execution Time" in plan else "Total Runtime"]) / 1000

    def at_once(self, *works: Callable[[psycopg.Connection], object]) -> float:
        """The time until all of several concurrent works are done, in seconds.

        Parameters:
            works: each is called with a connection of its own, in a thread of its own.
        """
        connections = [self.connect() for _ in works]
        together = threading.Barrier(len(works) + 1)
        troubles: list[BaseException] = []

        def run(work: Callable[[psycopg.Connection], object], connection: psycopg.Connection) -> None:
            together.wait()
            try:
                work(connection)
            except BaseException as error:
                troubles.append(error)

        threads = [
            threading.Thread(target=run, args=pair, daemon=True)
            for pair in zip(works, connections, strict=True)
        ]
        for thread in threads:
            thread.start()
        together.wait()
        started = time.perf_counter()
        for thread in threads:
            thread.join()
        ended = time.perf_counter()
        for connection in connections:
            connection.close()
        if troubles:
            raise troubles[0]
        return ended - started

    def wal_bytes(self, *queries: str) -> int:
        """The number of bytes of WAL that the server writes while statements run."""
        before = self.wal_position()
        for query in queries:
            self.sql(query)
        return self.wal_bytes_since(before)

    def wal_position(self) -> str:
        """The WAL position at which the server writes next."""
        new = self.version in _WAL_AND_LSN
        name = "pg_current_wal_insert_lsn" if new else "pg_current_xlog_insert_location"
        return str(self.value(f"SELECT {name}()::text"))

    def wal_bytes_since(self, position: str) -> int:
        """The number of bytes of WAL that the server has written since :meth:`wal_position`."""
        name = "pg_wal_lsn_diff" if self.version in _WAL_AND_LSN else "pg_xlog_location_diff"
        return int(self.value(f"SELECT {name}('{self.wal_position()}', '{position}')"))

    def run(self, program: str, *arguments: str | Path, install: Install | None = None) -> float:
        """The time that a client program takes, in seconds. The database is in its environment.

        Parameters:
            install: the install that has the program; by default the server's.

        Raises:
            ExperimentError: it failed.
        """
        return self._run(program, arguments, install or self.cluster.install)[0]

    def pgbench(self, script: str, *, clients: int, transactions: int) -> float:
        """The transactions per second that pgbench reports, without the time of connecting.

        All sides use the newest side's pgbench, because servers are compared.

        Parameters:
            script: the statements of a transaction.
            clients: the number of concurrent clients, each with a thread of its own.
            transactions: the number of transactions of each client.
        """
        install = self._clusters.resolver.client("pgbench", self._newest)
        file = self.file("pgbench.sql")
        file.write_text(script, encoding="utf-8")
        counts = ("-c", str(clients), "-j", str(clients), "-t", str(transactions))
        _, output = self._run("pgbench", ("-n", "-f", file, *counts), install)
        return float(_TPS.findall(output)[-1])

    def _run(self, program: str, arguments: tuple[str | Path, ...], install: Install) -> tuple[float, str]:
        argv = [str(install.program(program)), *map(str, arguments)]
        environment = program_environment(install) | self.cluster.connection_environment()
        started = time.perf_counter()
        done = subprocess.run(
            argv,
            env=environment | {"PGDATABASE": self.database},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=PROGRAM_DEADLINE,
            check=False,
        )
        seconds = time.perf_counter() - started
        if done.returncode:
            raise ExperimentError(
                f"{program} failed with exit status {done.returncode}",
                details=(" ".join(argv), *done.stdout.splitlines()[-10:]),
            )
        return seconds, done.stdout

    # --- other resources -----------------------------------------------------------------------------------

    def file(self, name: str) -> Path:
        """The path of a file for client programs, in a directory that servers can't write."""
        return self._directory("files", self._clusters.home) / name

    def server_file(self, name: str) -> Path:
        """The path of a file that the server writes, such as by ``COPY ... TO``."""
        return self._directory("server-files", self._clusters.directory) / name

    def _directory(self, kind: str, make: Callable[[str], Path]) -> Path:
        if kind not in self._directories:
            self._directories[kind] = directory = make(f"{kind}-{self.database}")
            self._exit.callback(self._clusters.discard, directory)
        return self._directories[kind]

    def create(self, name: str, settings: Mapping[str, str] | None = None) -> Cluster:
        """Create another server of the same version, with the same settings and the given ones."""
        cluster = self._clusters.create(
            self.cluster.install, name=name, settings={**self.cluster.settings, **(settings or {})}
        )
        self._exit.callback(self._clusters.remove, cluster)
        return cluster

    def relay(self) -> Relay:
        """A relay to the server that counts the bytes on the way."""
        from pytest_pgfeatures.measure.relay import Relay

        socket = self.cluster.socket_directory / f".s.PGSQL.{self.cluster.port}"
        return self._exit.enter_context(Relay(socket))

    def restart(self) -> None:
        """Restart the server, so that nothing is in its shared buffers. Other sides on it connect again."""
        self.cluster.restart()

    def fact(self, name: str, value: object) -> None:
        """Record a fact about the data, such as its entropy, which results show."""
        self.facts[name] = str(value)

    def close(self) -> None:
        """Close connections, and remove the files and servers that were created here."""
        self._exit.close()
