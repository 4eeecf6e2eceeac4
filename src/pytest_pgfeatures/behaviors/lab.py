"""The lab: the server access of an observing function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pytest_pgfeatures import settings
from pytest_pgfeatures.behaviors.session import POLLING_DEADLINE, Session
from pytest_pgfeatures.errors import LabError, ServerStartError
from pytest_pgfeatures.results.transcript import Entry, Transcript
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.behaviors.source_tree import SourceTree
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server import Cluster, Database


class _Closing(Protocol):
    def close(self) -> None: ...


Opened = TypeVar("Opened", bound=_Closing)


class LabServer(Session):
    """A server of a lab, with a first session, and more on request.

    Parameters:
        name: the first session's name in the transcript.
        database: the database to work in.
    """

    cluster: Cluster
    """The server: ``node.cluster.install``, ``node.cluster.log``, ..."""

    def __init__(self, name: str, database: Database, transcript: Transcript) -> None:
        self.cluster = database.cluster
        self._database = database
        self._others: list[_Closing] = []
        self._log_start = database.cluster.log.position()
        super().__init__(name, self._first_connection(), database.cluster.version, transcript)

    def _first_connection(self) -> psycopg.Connection[Any]:
        return self._database.connect()

    @property
    def dsn(self) -> str:
        """A connection string for the node's database, as CREATE SUBSCRIPTION takes it."""
        return self._database.dsn

    def session(self, name: str | None = None, *, user: str | None = None) -> Session:
        """Open another connection to the same database. It is closed at the end of the observation.

        Parameters:
            name: its name in the transcript; by default ``session 2`` and so on.
            user: the role to connect as; the superuser if not given.

        Raises:
            LabError: the server refused the connection.
        """
        import psycopg

        name = name or f"session {len(self._others) + 2}"
        try:
            connection = self._database.connect(**({"user": user} if user else {}))
        except psycopg.OperationalError as error:
            message = str(error).rpartition("FATAL:  ")[2].strip()
            self._record(Entry(name, f"-- connect as {user or self.cluster.user}", error=message))
            raise LabError(f"the server refused a connection as {user}", details=(message,)) from None
        return self._opened(Session(name, connection, self.version, self.transcript))

    def refusal(self, *, user: str | None = None) -> str | None:
        """Try one more connection. Return the server's message if it refuses, or None if it accepts.

        An accepted connection stays open until the end of the observation.

        Parameters:
            user: the role to connect as; the superuser if not given.
        """
        try:
            self.session(user=user)
        except LabError as error:
            return error.details[0]
        return None

    def restart(self, **values: str | int | bool) -> None:
        """Restart the server with other settings, and reconnect the first session. Other sessions are closed.

        Only for behaviors with ``isolation="cluster"``, because the settings are not reset.

        Parameters:
            values: as :meth:`set` takes them; a setting that the server's major doesn't have is left out.
        """
        known = {name: value for name, value in values.items() if settings.exists(name, self.version)}
        self.close()
        self._others.clear()
        self.cluster.append_conf(**known)
        self.cluster.restart()
        self._connect(self._database.connect())
        given = ", ".join(f"{name} = {value}" for name, value in known.items())
        self._record(Entry(self.name, f"-- restarted{' with ' if given else ''}{given}"))

    def start_refusal(self, conf: str) -> str | None:
        """Try to start the server's program with this configuration. Return its message if it refuses, or None.

        The server itself keeps running with its own configuration.

        Parameters:
            conf: lines of ``postgresql.conf``, with the settings under the names given here.

        Returns:
            the message, without a file's name and line.
        """
        from pytest_pgfeatures.server.start_failure import configuration_refusal

        refused = configuration_refusal(self.cluster, conf)
        self._record(Entry(self.name, f"-- start with {conf}", error=refused))
        return refused

    def run(
        self,
        program: str,
        *arguments: str | Path,
        stdin: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Finished:
        """Run one of the install's client programs on the lab's database, without judging its exit status.

        Parameters:
            program: such as ``pg_dump``. The behavior names it in ``needs``.
            arguments: the program's arguments. Its environment has host, port, user and database.
            stdin: its standard input.
            variables: added to its environment, such as libpq's.

        Returns:
            its ``status``, ``output`` and ``errors``.

        Raises:
            CapabilityMissingError: the install has no such program.
            LabError: it ran for more than five minutes.
        """
        from pytest_pgfeatures.behaviors import client_programs

        finished = client_programs.run(
            self.cluster, self._database.name, program, *arguments, stdin=stdin, variables=variables
        )
        command = client_programs.command_line(program, arguments, variables)
        self._record(client_programs.entry(self.name, command, finished))
        return finished

    def log_contains(self, pattern: str) -> bool:
        """Whether a regular expression matches in what the server has logged since this observation opened it."""
        return self.cluster.log_contains(pattern, self._log_start)

    def wait_for_log(self, pattern: str) -> None:
        """Wait until :meth:`log_contains` is true.

        Raises:
            WaitTimeoutError: it was not before the deadline. The error has the end of the log.
        """
        self.cluster.wait_for_log(pattern, self._log_start, timeout=POLLING_DEADLINE)

    def run_server_program(self, program: str, *arguments: str | Path) -> Finished:
        """Run a program that only the server's account may run, such as ``pg_ctl`` or ``initdb``.

        Parameters:
            program: its name.
            arguments: the program's arguments; ``self.cluster.datadir`` is the server's data directory. Other
                files have to go to ``self.cluster.socket_directory``: the account may write nowhere else.

        Returns:
            its ``status``, and as ``output`` everything that it wrote.

        Raises:
            CapabilityMissingError: the install has no such program.
        """
        from pytest_pgfeatures.behaviors import client_programs

        ran = client_programs.run_as_server(self.cluster, program, *arguments)
        self._record(client_programs.entry(self.name, client_programs.command_line(program, arguments), ran))
        return ran

    def restart_refusal(self, **values: str | int | bool) -> str | None:
        """Restart the server with other settings. Return its message if it does not start, or None if it does.

        If it does not start, the lab can't be used any more. For behaviors with ``isolation="cluster"``.

        Parameters:
            values: as :meth:`restart` takes them.

        Returns:
            the text of the last message of severity FATAL, or else of the last one, in the server's log.
        """
        from pytest_pgfeatures.server.start_failure import last_words

        since = self.cluster.log.position()
        try:
            self.restart(**values)
        except ServerStartError:
            said = last_words(self.cluster.log.text(since))
            self._record(Entry(self.name, "-- restarted", error=said))
            return said
        return None

    def upgrade_check(self, version: str = "17") -> Finished:
        """Run ``pg_upgrade --check`` of a newer version against this server.

        Parameters:
            version: the newer version; a server that is not older is checked by the pg_upgrade of its own install.

        Returns:
            its ``status``, which is not 0 if something prevents the upgrade, and its ``output``.
        """
        from pytest_pgfeatures.behaviors import client_programs
        from pytest_pgfeatures.server import upgrade_check

        older = self.version in VersionSet(f"<{version}")
        ran = upgrade_check.ask(self.cluster, version if older else self.cluster.install)
        self._record(client_programs.entry(self.name, f"pg_upgrade --check ... (to {version})", ran))
        return ran

    def standby(self, name: str = "standby", *, settings: Mapping[str, object] | None = None) -> LabServer:
        """Create a physical standby of this node; see :meth:`pytest_pgfeatures.server.Cluster.standby`."""
        from pytest_pgfeatures.server import Database

        created = self.cluster.standby(name, settings=settings)
        return self._opened(LabServer(name, Database(created, self._database.name), self.transcript))

    def shared_standby(self, name: str = "standby") -> LabServer:
        """A physical standby of this node which later labs on the node's server use, too: leave it as it is. It has
        what the node has written so far.

        Parameters:
            name: identifies it in the transcript; labs that ask for the same one share it.
        """
        from pytest_pgfeatures.server import Database

        known = [standby for standby in self.cluster.standbys if standby.shared_as == name]
        standby = known[0] if known else self.cluster.standby(name)
        standby.shared_as = name
        self.cluster.wait_for_catchup(standby, timeout=POLLING_DEADLINE)
        return self._opened(LabServer(name, Database(standby, self._database.name), self.transcript))

    def wait_for_catchup(self, receiver: LabServer | str) -> None:
        """Wait until a standby, or a subscription given by name, has applied everything that this node has
        written so far."""
        from pytest_pgfeatures.server import replication

        replication.wait_for_catchup(
            self.cluster,
            receiver if isinstance(receiver, str) else receiver.cluster,
            "replay",
            None,
            timeout=POLLING_DEADLINE,
            session=self._connection if self._superuser_is_idle() else None,
        )

    def wait_for_subscription_sync(
        self, publisher: LabServer | None = None, subscription: str | None = None
    ) -> None:
        """Wait until this node's subscriptions have copied their tables. With a publisher, also wait until
        ``subscription`` has applied everything that the publisher has written so far."""
        self.cluster.wait_for_subscription_sync(
            publisher.cluster if publisher else None,
            subscription,
            self._database.name,
            timeout=POLLING_DEADLINE,
        )

    def _opened(self, other: Opened) -> Opened:
        self._others.append(other)
        return other

    def _close_others(self) -> None:
        for session in self._others:
            session.close()

    def close(self) -> None:
        """Close all sessions."""
        self._close_others()
        super().close()


class Lab(LabServer):
    """A fresh database on a real server: a first session, named ``main``, and more on request.

    Parameters:
        database: the database to work in.
        create_pgs: creates servers, as the fixture of that name does.
        peer: takes a fresh database on another server, which labs with the same settings share.
        transaction: whether the first session runs everything in one transaction, which is rolled back.
    """

    def __init__(
        self,
        database: Database,
        create_pgs: Callable[..., tuple[Cluster, ...]],
        peer: Callable[[], Database],
        *,
        transaction: bool = False,
    ) -> None:
        self._create_pgs = create_pgs
        self._peer = peer
        self._borrows = transaction
        super().__init__("main", database, Transcript())
        if transaction:
            self._begin()

    def _first_connection(self) -> psycopg.Connection[Any]:
        return self._database.borrow() if self._borrows else super()._first_connection()

    def close(self) -> None:
        """Close all sessions. In a transaction, the session goes back to the database, for the next such lab."""
        if not self._borrows:
            super().close()
            return
        self._close_others()
        self._connection.remove_notice_handler(self._note)
        self._database.give_back(self._connection)

    def create_pg(self, name: str, **options: Any) -> LabServer:
        """Create a server and start it. By default it has the lab's version and settings.

        Parameters:
            name: identifies it in the transcript and in reports.
            options: ``version``, ``settings`` and others, as the fixture ``create_pg`` takes them.
        """
        (node,) = self.create_pgs(name, **options)
        return node

    def create_pgs(self, *names: str, **options: Any) -> tuple[LabServer, ...]:
        """Create several servers at the same time; see :meth:`create_pg`."""
        from pytest_pgfeatures.server import Database

        return tuple(
            self._opened(LabServer(name, Database(cluster, "postgres"), self.transcript))
            for name, cluster in zip(names, self._create_pgs(*names, **options), strict=True)
        )

    def create_refusal(self, name: str, **options: Any) -> str | None:
        """Try to create a server and start it: its message if it does not start, or None if it does.

        Parameters:
            name: identifies it in the transcript and in reports.
            options: as :meth:`create_pg` takes them.

        Returns:
            the text of the last message of severity FATAL, or else of the last one, in the server's log.
        """
        from pytest_pgfeatures.server.start_failure import last_words

        try:
            self.create_pg(name, **options)
        except ServerStartError as error:
            said = last_words("\n".join(error.details))
            self._record(Entry(name, "-- started", error=said))
            return said
        return None

    def peers(self, *names: str) -> tuple[LabServer, ...]:
        """Take a fresh database on each of several other servers with the lab's version and settings, to replicate
        to and from. Later labs use these servers, too: leave them as they are, but for the databases. Subscriptions
        and slots in these are dropped after the observation.

        Parameters:
            names: each identifies one in the transcript.
        """
        return tuple(self._opened(LabServer(name, self._peer(), self.transcript)) for name in names)

    def peer(self, name: str) -> LabServer:
        """Take a fresh database on another server; see :meth:`peers`."""
        (node,) = self.peers(name)
        return node

    def source_tree(self) -> SourceTree:
        """PostgreSQL's own sources, of the lab's major, that ``PGFEATURES_SOURCE_TREES`` names.

        Raises:
            CapabilityMissingError: it names no directory for this major. The outcome is then ``unavailable``.
            LabError: the directory has no sources of PostgreSQL.
        """
        from pytest_pgfeatures.behaviors import source_tree

        path = source_tree.source_tree(self.version.major)
        return self._opened(source_tree.SourceTree(path, self._record))
