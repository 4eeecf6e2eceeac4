"""A running server with its data directory."""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import (
    ServerError,
    ServerStartError,
    StartTimeoutError,
    StoreError,
    WaitTimeoutError,
)
from pytest_pgfeatures.libpq import connecting, program_environment
from pytest_pgfeatures.server.account_files import read_text
from pytest_pgfeatures.server.client import import_psycopg
from pytest_pgfeatures.server.configuration import (
    PORT,
    Access,
)
from pytest_pgfeatures.server.data_directory import ConfiguredSide, free_port
from pytest_pgfeatures.server.log import ServerLog
from pytest_pgfeatures.server.waiting import SECONDS, wait_until
from pytest_pgfeatures.settings import given
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server.factory import ClusterFactory
    from pytest_pgfeatures.server.process import Process, SupervisorClient

SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
"""The shutdown modes (https://www.postgresql.org/docs/current/server-shutdown.html)."""
_READY = ("ready", "standby")
_SAYS_READY = VersionSet(">=10")
"""Servers whose ``postmaster.pid`` has their state (https://www.postgresql.org/docs/release/10.0/)."""
_TRIES_FOR_A_PORT = 10
_SECONDS_BETWEEN_LOOKS = 0.02
"""Time between checks that a starting server still runs. Each check takes the test process and the supervisor
some work; reading the pid file takes hardly any time."""


class Cluster(ConfiguredSide):
    """One PostgreSQL server and its data directory.

    Tests get one from the fixtures ``pg_cluster`` and ``create_pg``. The server listens on a Unix socket in a
    private directory. If TCP was requested, it also listens on a port of 127.0.0.1, with a password.

    Attributes:
        install: its binaries.
        name: identifies it in reports.
        datadir: its data directory.
        log: its log.
        host: the socket's directory, or 127.0.0.1 with TCP.
        socket_directory: the directory of its Unix socket.
        port: the port number, for the socket and for TCP.
        user: the superuser's name.
        password: the superuser's for TCP; None without TCP, as the socket is private.
        upstream: the server that this standby was made from; None for a primary.
        standbys: the standbys made from this server.
        successors: the servers that this one was upgraded or dumped to.
        shared_as: the name by which later tests find this standby; None for one of a test's own.
    """

    # The attributes that pytest-postgresql's client factories read from a process fixture.
    dbname = "tests"
    options = ""
    template_dbname = "template1"
    maintenance_dbname = "postgres"

    _clusters: ClusterFactory[Cluster]

    def __init__(
        self,
        *,
        install: Install,
        name: str,
        clusters: ClusterFactory[Cluster],
        supervisor: SupervisorClient,
        datadir: Path,
        socket_directory: Path,
        log: Path,
        settings: Mapping[str, str],
        access: Access,
        arguments: tuple[str, ...] = (),
        source: Path | None = None,
    ) -> None:
        self.install = install
        self.name = name
        self.datadir = datadir
        self.log = ServerLog(log)
        self.user = access.user
        self.port = PORT
        self.password = access.password
        self.settings = dict(settings)
        self.upstream: Cluster | None = None
        self.standbys: list[Cluster] = []
        self.successors: list[Cluster] = []
        self.shared_as: str | None = None
        self._clusters = clusters
        self.supervisor = supervisor
        self.access = access
        self.socket_directory = socket_directory
        self._arguments = arguments
        self.source = source
        """The template of the data directory; None if it exists already."""
        self._process: Process | None = None
        self._begun: int | None = None
        """The log's length when :meth:`begin` was called; None once :meth:`start` has waited."""
        self.identified = False

    @property
    def pid(self) -> int | None:
        """The postmaster's process id; None while the server is stopped."""
        return self._process.pid if self._process is not None else None

    def __repr__(self) -> str:
        return (
            f"<Cluster {self.name}: PostgreSQL {self.version}, {'running' if self.running() else 'stopped'}>"
        )

    # --- its life ------------------------------------------------------------------------------------------

    def running(self) -> bool:
        """Whether the server is running."""
        return self._process is not None and self.exit_status() is None

    def exit_status(self) -> int | None:
        """The exit status of a server that ended by itself, or a negative signal number. None while it is
        running, and after :meth:`stop`."""
        return None if self._process is None else self._process.poll()

    def start(self, *, timeout: float = 60.0) -> Cluster:
        """Start the server, and wait until it accepts connections.

        Parameters:
            timeout: the deadline, in seconds.

        Returns:
            this cluster.

        Raises:
            ServerStartError: the server ended. The error has its log, its command line and the likely cause.
            StoreError: there is no room for its data directory.
            StartTimeoutError: it did not accept connections before the deadline.
        """
        if self._begun is None and self.running():
            raise ServerError(f"{self.name} runs already", remedy="stop it first, or use restart()")
        for _ in range(_TRIES_FOR_A_PORT):
            since = self.log.position()
            try:
                self._start_once(timeout)
                break
            except ServerStartError:
                from pytest_pgfeatures.server.start_failure import PORT_TAKEN

                if not (self.access.tcp and PORT_TAKEN.search(self.log.text(since))):
                    raise
                self.port = free_port()
                self.append_conf(port=self.port)
            except StoreError:
                if not self._renewed:
                    raise
        return self

    def begin(self) -> None:
        """Start the server without waiting for it. :meth:`start` then waits."""
        self._begun = self._launch()

    def _command(self) -> list[str | Path]:
        return [self.install.program("postgres"), "-D", self.datadir, *self._arguments]

    def _launch(self) -> int:
        """Start the server's process. Return the log's length before that."""
        since = self.log.position()
        self.identified = False
        directory = self._new_directory()  # chooses the port
        try:
            self._process = self.supervisor.spawn(
                self._command(),
                output=self.log.path,
                environment=program_environment(self.install) | self._environment(),
                directory=directory,
            )
        except BaseException:
            if directory is not None:
                self._clusters.discard(self.datadir)
            raise
        return since

    def _start_once(self, timeout: float) -> None:
        since = self._launch() if self._begun is None else self._begun
        self._begun = None
        assert self._process is not None
        if self._clusters.connects:
            import_psycopg()  # this takes as long as the server's start, so it runs at the same time

        command = " ".join(map(str, self._command()))
        looked = time.monotonic()

        def ready_or_ended() -> bool:
            nonlocal looked
            if self._is_ready():
                return True
            if (now := time.monotonic()) < looked + _SECONDS_BETWEEN_LOOKS:
                return False
            looked = now
            return not self.running()

        try:
            wait_until(
                ready_or_ended,
                f"{self.name} (PostgreSQL {self.version}) to take connections",
                timeout=timeout,
                interval=0.001,
                details=lambda: (command, *self.log.tail()),
            )
        except WaitTimeoutError as error:
            self._process.send_signal(signal.SIGQUIT)
            raise StartTimeoutError(error.problem, remedy=error.remedy, details=error.details) from None
        except OSError as error:
            raise self._not_made(error) from error
        if not self.running():
            from pytest_pgfeatures.server.start_failure import remedy

            text = self.log.text(since)
            raise ServerStartError(
                f"{self.name} (PostgreSQL {self.version}) did not start: "
                f"its process ended with status {self._process.poll()}",
                details=(command, *text.splitlines()[-20:]),
                remedy=remedy(text, full=self._clusters.is_full()),
            )

    def _environment(self) -> dict[str, str]:
        """The variables that let libpq in the server connect to it by default, as its superuser."""
        own = {"PGUSER": self.user}
        if self.access.inside:
            own |= {"PGHOST": str(self.socket_directory), "PGPORT": str(self.port)}
            own |= {"PGPASSWORD": self.password} if self.password is not None else {}
        return own

    def _is_ready(self) -> bool:
        """Whether it accepts connections. Since 10 the server says so in its pid file."""
        try:
            lines = read_text(f"{self.datadir}/postmaster.pid", self._clusters.account).splitlines()
        except OSError:
            return False
        if self._process is None or not lines or lines[0] != str(self._process.pid):
            return False
        if self.version in _SAYS_READY:
            return len(lines) >= 8 and lines[7].strip() in _READY
        from psycopg import pq
        from psycopg.conninfo import make_conninfo

        # Use the private socket: another program that has taken the port may never answer.
        address = make_conninfo(**self.connection_parameters(host=str(self.socket_directory)))
        with connecting():
            return pq.PGconn.ping(address.encode()) == pq.Ping.OK

    def stop(self, mode: str = "fast", *, timeout: float = SECONDS) -> None:
        """Stop the server, and wait until it has ended. If it is stopped already, do nothing.

        Parameters:
            mode: ``smart`` waits for sessions to end, ``fast`` ends them, ``immediate`` is a crash.
            timeout: the deadline.

        Raises:
            ServerError: there is no such mode.
            WaitTimeoutError: it is still running after the deadline.
        """
        if mode not in SIGNALS:
            raise ServerError(
                f"there is no shutdown mode {mode!r}", remedy=f"use one of {', '.join(SIGNALS)}"
            )
        if self._process is None:
            return
        self._process.send_signal(SIGNALS[mode])
        try:
            self._process.wait(timeout=timeout)
        except WaitTimeoutError as error:
            raise WaitTimeoutError(
                f"{self.name} did not stop within {timeout:g} seconds of a {mode} shutdown",
                details=self.log.tail(),
                remedy="close its sessions first, or stop it in another mode",
            ) from error
        self._process = self._begun = None

    def crash(self) -> None:
        """Stop the server as a crash would, without a checkpoint. The next start recovers from the WAL."""
        self.stop("immediate")

    def restart(self, mode: str = "fast") -> None:
        """Stop and start the server."""
        self.stop(mode)
        self.start()

    def reload(self) -> None:
        """Reload the configuration files, and wait until the server has done so.

        Settings that need a restart don't change; the log names them.
        """
        if self._process is None or not self.running():
            raise ServerError(f"{self.name} is stopped", remedy="start it; it reads its configuration then")
        since = self.log.position()
        self._process.send_signal(signal.SIGHUP)
        self.wait_for_log(r"received SIGHUP, reloading configuration files", since)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the postmaster."""
        if self._process is not None:
            self._process.send_signal(number)

    def remove(self) -> None:
        """Stop this server and remove its data directory, after those of its standbys and successors.

        You need not call this: the server is removed with the test, or with the process. Its log is kept until
        then.
        """
        self._clusters.remove(self)

    # --- other servers that follow it (server.standby, server.replication) ---------------------------------

    def standby(self, name: str = "standby", *, settings: Mapping[str, object] | None = None) -> Cluster:
        """Create a physical standby of this server, which may itself be a standby. It is started, and streams.

        It is removed with this server, or after the test if this server is shared. It has this server's
        settings and the given ones. Since 9.4 it uses a replication slot, which is dropped when it is removed.

        Raises:
            ServerError: this server's ``wal_level`` is minimal, the default before 10.
        """
        return self._clusters.standby(self, name, settings=settings)

    def promote(self, *, timeout: float = SECONDS) -> None:
        """Promote this standby, and wait until it is a primary."""
        self._clusters.promote(self, timeout=timeout)

    def wait_for_catchup(
        self,
        receiver: Cluster | str,
        mode: str = "replay",
        lsn: str | None = None,
        *,
        timeout: float = SECONDS,
    ) -> None:
        """Wait until a standby, or a subscription given by name, has received everything that this server has
        written so far, or up to ``lsn``. ``mode`` is ``sent``, ``write``, ``flush`` or ``replay``."""
        from pytest_pgfeatures.server import replication

        replication.wait_for_catchup(self, receiver, mode, lsn, timeout=timeout)

    def wait_for_subscription_sync(
        self,
        publisher: Cluster | None = None,
        subscription: str | None = None,
        dbname: str = "postgres",
        *,
        timeout: float = SECONDS,
    ) -> None:
        """Wait until this server's subscriptions in a database have copied their tables. With a publisher, also
        wait until ``subscription`` has applied everything that the publisher has written so far."""
        from pytest_pgfeatures.server import replication

        replication.wait_for_subscription_sync(self, publisher, subscription, dbname, timeout=timeout)

    # --- other majors (server.upgrade, server.dump) --------------------------------------------------------

    def upgrade_to(
        self,
        version: str | Install,
        mode: str = "copy",
        *,
        check_only: bool = False,
        settings: Mapping[str, object] | Path | None = None,
        checksums: bool | None = None,
        maintain: bool = False,
        timeout: float = 600.0,
    ) -> Cluster:
        """Upgrade this server's data with ``pg_upgrade`` of a newer major, and start the new server.

        The new data directory has this one's encoding, locale and WAL segment size, as pg_upgrade requires. The
        new server has this one's settings and the given ones, and is removed with this one. This server is
        stopped. It can be started again only after the mode ``copy``.

        Parameters:
            version: such as ``"18"`` or ``"path:DIR"``.
            mode: ``copy``, ``link``, or ``swap`` (to 18 and later).
            check_only: only check whether pg_upgrade would refuse (``pg_upgrade --check``). From 9.6 on, this needs
                no program of this server's install. This server stays running, and is returned.
            settings: additional settings, under their newest names; or the path of a ``postgresql.conf`` (see
                :func:`pytest_pgfeatures.read_settings`).
            checksums: whether the new data directory has data checksums (set by pg_checksums, to 12 and later).
                By default, the same as this one.
            maintain: call :meth:`maintain` on the new server. Up to 17, pg_upgrade does not transfer
                statistics.
            timeout: the deadline for pg_upgrade.

        Raises:
            CapabilityMissingError: one of the installs lacks pg_upgrade or a program that it uses.
            ServerError: there is no such mode; or pg_upgrade refused (the error has its output and log files);
                or maintenance failed.
            ServerStartError: the new server did not start, for example because its major no longer has a
                setting.
            WaitTimeoutError: pg_upgrade took longer.

        https://www.postgresql.org/docs/current/pgupgrade.html
        """
        from pytest_pgfeatures.server.factory import Upgrade

        wanted = Upgrade(mode, check_only, given(settings), checksums, maintain)
        return self._clusters.upgrade(self, version, wanted, timeout=timeout)

    def dump_to(
        self,
        target: str | Install | Cluster,
        dbname: str | None = None,
        *,
        settings: Mapping[str, object] | Path | None = None,
        timeout: float = 600.0,
    ) -> Cluster:
        """Dump this server's databases and restore them into a server of the same or a newer major.

        Parameters:
            target: a running server; or a version, to create a new server, which has this one's settings and is
                removed with it.
            dbname: one database, which must not exist in the target. By default all databases and roles.
            settings: additional settings of a new server, as for :meth:`upgrade_to`.
            timeout: the deadline for each of the two programs.

        Returns:
            the target server. This server stays running.

        Raises:
            CapabilityMissingError: no install has pg_dump or psql.
            ServerError: dumping or restoring failed. The error has the output.
            WaitTimeoutError: one of them took longer.

        The programs are those of the newer server's install. If it has none, those of a still newer install are
        used
        (https://www.postgresql.org/docs/current/upgrading.html#UPGRADING-VIA-PGDUMPALL).
        """
        return self._clusters.dump(self, target, dbname=dbname, settings=given(settings), timeout=timeout)
