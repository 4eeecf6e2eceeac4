"""A fresh database for each test. The next one is created while the current test runs."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_pgfeatures.errors import PgFeaturesError, ServerError
from pytest_pgfeatures.server.commits import CAN_TELL, committed_since, next_transaction
from pytest_pgfeatures.server.prefetch import PREFETCHES
from pytest_pgfeatures.server.runs import IN_MEMORY
from pytest_pgfeatures.threads import Pool
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.connection_ahead import ConnectionAhead, ConnectionsAhead
    from pytest_pgfeatures.version import PgVersion

T = TypeVar("T")

_DROPS_WITH_FORCE = VersionSet(">=13")  # https://www.postgresql.org/docs/release/13.0/
_HAS_STRATEGY = VersionSet(">=15")  # https://www.postgresql.org/docs/release/15.0/
_OF_A_CRASH = (None, "57P02", "57P03")
"""The error codes of a connection that a server breaks or refuses; empty if the server sent no error at all
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
USED_KEPT = 64
"""The number of used databases kept before the oldest are dropped in the background: about 8 MB each."""
USED_KEPT_ON_DISK = 8
"""The number on a disk, where the end of a run waits until each database's 300 files are removed."""


def kept_of(cluster: Cluster) -> int:
    """The number of used databases to keep, by the place of the cluster's files."""
    return USED_KEPT if cluster.datadir.is_relative_to(IN_MEMORY) else USED_KEPT_ON_DISK


def copy_option(version: PgVersion) -> str:
    """The option of CREATE DATABASE that copies files. This is faster with the data directory in memory, and the
    only way up to 14 (https://www.postgresql.org/docs/current/sql-createdatabase.html)."""
    return " STRATEGY file_copy" if version in _HAS_STRATEGY else ""


def drop_option(version: PgVersion) -> str:
    """The option of DROP DATABASE that ends sessions; empty up to 12, where the caller ends them."""
    return " WITH (FORCE)" if version in _DROPS_WITH_FORCE else ""


class Database:
    """One database of a cluster.

    Attributes:
        cluster: the server.
    """

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.cluster = cluster
        self._name = name
        self._idle: list[psycopg.Connection] = []
        self.ahead: ConnectionAhead | None = None
        """The connection that the first :meth:`connect` returns, unless somebody has asked for the name before."""

    @property
    def name(self) -> str:
        """The database's name."""
        self.close_ahead()
        return self._name

    @property
    def dsn(self) -> str:
        """A libpq connection string."""
        return self.cluster.dsn(self.name)

    def url(self, scheme: str = "postgresql", *, user: str = "") -> str:
        """A connection URL, for libpq or another driver: see :meth:`Cluster.url`."""
        return self.cluster.url(self.name, scheme, user=user)

    def connect(self, **options: Any) -> psycopg.Connection:
        """Connect as :meth:`Cluster.connect` does: each statement commits, unless ``autocommit=False``."""
        if not options and (ahead := self.ahead) is not None:
            self.ahead = None
            if (connection := ahead.take()) is not None:
                return connection
        return self.cluster.connect(self.name, **options)

    def borrow(self) -> psycopg.Connection:
        """A connection that was used and given back, or else a new one.

        Connecting and filling a session's caches takes longer than most of what a test does.
        """
        return self._idle.pop() if self._idle else self.connect(prepare_threshold=None)

    def give_back(self, connection: psycopg.Connection) -> None:
        """Take a connection back, and reset its session. A broken connection is closed."""
        import psycopg

        try:
            connection.execute("ROLLBACK")
            connection.execute("DISCARD ALL")
        except psycopg.Error:
            connection.close()
        else:
            self._idle.append(connection)

    def close_borrowed(self) -> None:
        """Close the connections that were given back."""
        while self._idle:
            self._idle.pop().close()

    def close_ahead(self) -> None:
        """Close the connection that was opened ahead, if there is one."""
        if (ahead := self.ahead) is not None:
            self.ahead = None
            ahead.discard()

    def sql(self, query: str, params: Any = None) -> list[tuple[Any, ...]]:
        """Run a statement on a new connection, and return its rows."""
        return self.cluster.sql(query, params, dbname=self.name)

    def drop_slots(self) -> None:
        """Drop this database's logical replication slots, which would retain WAL forever."""
        if self.cluster.settings.get("wal_level") == "logical" and self.cluster.running():
            from psycopg import sql

            from pytest_pgfeatures.server.replication import drop_slots

            drop_slots(self.cluster, f"database = {sql.quote(self.name)}")

    def drop_subscriptions(self) -> None:
        """Drop this database's subscriptions, which would look for their publishers forever."""
        if self.cluster.settings.get("wal_level") == "logical" and self.cluster.running():
            from pytest_pgfeatures.server.replication import drop_subscriptions

            drop_subscriptions(self.cluster, self.name)

    def __repr__(self) -> str:
        return f"<Database {self._name} of {self.cluster.name}>"


class UsedDatabases:
    """The databases of all clusters that tests have used.

    A database is not dropped after its test, as the whole cluster is removed later. After many tests the oldest
    are dropped in the background, to save memory, or time at the end of the run.
    """

    def __init__(self) -> None:
        self._used: deque[tuple[Databases, Database]] = deque()

    def add(self, owner: Databases, database: Database) -> None:
        """Add a database. If there are too many, drop the oldest."""
        self._used.append((owner, database))
        if len(self._used) > kept_of(database.cluster):
            oldest_owner, oldest = self._used.popleft()
            oldest_owner.drop_later(oldest)


class Databases:
    """A cluster's databases for tests: copies of a template.

    The template is loaded once, when the first database is asked for.

    Parameters:
        cluster: a running server.
        load: called with a connection to the template database, to create the initial contents.
        number: a part of the databases' names, different for each template.
        used: collects the used databases.
    """

    def __init__(
        self,
        cluster: Cluster,
        load: Callable[[psycopg.Connection], object] | None = None,
        *,
        number: int = 1,
        used: UsedDatabases | None = None,
    ) -> None:
        self._prefix = f"test_{number}"
        self._cluster = cluster
        self._load = load
        self._numbers = itertools.count(1)
        self._loaded = False
        self._refused: PgFeaturesError | None = None
        self._for_all: Database | None = None
        self._ready: deque[Future[Database]] = deque()
        self._used = used or UsedDatabases()
        self._executor: Pool | None = None
        self._prefetch = next(prefetch for prefetch in PREFETCHES if cluster.version in prefetch.versions)
        self._wanted = self._prefetch.ahead
        """The number of databases to have ahead."""
        self._connections: dict[int, psycopg.Connection] = {}
        self._connections_ahead: ConnectionsAhead | None = None
        self.connects = False
        """Whether a test has connected to its database without options."""
        self._lock = threading.Lock()
        self._looked_at = 0
        """A position in the server's log: everything before it has been processed."""

    def take(self, *, connects: bool = False) -> Database:
        """A database that no test has used. If the server is recovering from a crash, wait for it.

        Parameters:
            connects: the test calls the database's ``connect`` without options, and so will the next tests, whose
                connections are opened ahead.

        Raises:
            ServerError: the server is stopped, or has ended.
            StoreError: the disk is full.
            PgFeaturesError: the template could not be loaded.
        """
        import psycopg

        while True:
            self._check_running()
            try:
                with self._lock, self._explaining():
                    database = self._take(connects)
                break
            except psycopg.OperationalError as error:
                if error.sqlstate not in _OF_A_CRASH or not self._recovers():
                    raise
        self._looked_at = self._cluster.log.position()
        self._used.add(self, database)
        return database

    def begin(self) -> None:
        """Create the first database, and open the connection to it, before a test takes it."""
        with self._lock:
            if self._executor is None:
                first: Future[Database] = Future()
                first.set_result(database := self._create_first(self._template_name()))
                self._ready.append(first)
                self._connect_ahead(database)

    def _take(self, connects: bool) -> Database:
        self.connects = self.connects or connects
        template = self._template_name()
        if self._executor is None:
            database = self._create_first(template)
        else:
            database = self._made_ahead() or self._create(template)
        assert self._executor is not None
        while len(self._ready) < self._wanted:
            self._ready.append(self._executor.submit(self._create_ahead, template, connects))
        return database

    def _check_running(self) -> None:
        cluster = self._cluster
        if cluster.running():
            return
        if (status := cluster.exit_status()) is None:
            raise ServerError(
                f"{cluster.name} is stopped, so that it has no database for the next test",
                remedy="stop only clusters of your own: the fixture create_pg gives you one",
            )
        raise ServerError(
            f"{cluster.name} has ended (status {status}), so that it has no database for the next test",
            details=cluster.log.tail(),
            remedy="see its log; if something killed it, look for the kernel's out-of-memory killer",
        )

    def _recovers(self) -> bool:
        """Whether the server has crashed since the last database was taken, and is ready again."""
        from pytest_pgfeatures.server.recovery import recovers

        since, self._looked_at = self._looked_at, self._cluster.log.position()
        return recovers(self._cluster, since)

    def drop_later(self, database: Database) -> None:
        """Drop a database in the background, if the server runs then."""
        with self._lock:
            if self._executor is not None:
                self._executor.submit(self._drop, database)

    def shared(self) -> Database:
        """One shared database: for tests that roll back, or that have a cluster of their own.

        No further database is created ahead of time, so the server stays idle.
        """
        with self._lock, self._explaining():
            if self._for_all is None:
                self._for_all = self._create(self._template_name())
            return self._for_all

    @contextlib.contextmanager
    def rolled_back(self) -> Iterator[Database]:
        """A block with the shared database, whose writes are rolled back.

        If another session commits meanwhile, :meth:`shared` returns a new database from then on (10 and later).
        """
        import psycopg

        database = self.shared()
        since = self._on_maintenance(next_transaction) if self._cluster.version in CAN_TELL else None
        try:
            yield database
        finally:
            # A test may have ended the server.
            with contextlib.suppress(psycopg.Error):
                if since is not None and self._on_maintenance(lambda each: committed_since(each, since)):
                    self.discard_shared(database)

    def discard_shared(self, database: Database) -> None:
        """Make :meth:`shared` return a new database from now on, if it has returned this one."""
        with self._lock:
            if self._for_all is database:
                self._for_all.close_borrowed()
                self._for_all = None

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        """Convert the server's message about a full disk inside the block into an error with a remedy."""
        import psycopg

        try:
            yield
        except psycopg.errors.DiskFull as error:
            raise self._cluster.supervisor.directory.full(str(error)) from error

    def close(self) -> None:
        """Stop creating databases."""
        with self._lock:
            if self._executor is not None:
                self._executor.shutdown(cancel_futures=True)
                self._executor = None
            for made in self._ready:
                if not made.cancelled() and made.exception() is None:
                    made.result().close_ahead()
            self._ready.clear()
            if self._connections_ahead is not None:
                self._connections_ahead.close()
            if self._for_all is not None:
                self._for_all.close_borrowed()
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()

    def _template_name(self) -> str:
        """The database to copy; created and loaded at the first call, if there is something to load."""
        if self._load is None:
            return "template1"
        template = f"{self._prefix}_template"
        if self._refused is not None:
            raise self._refused.with_traceback(None)
        if not self._loaded:
            self._maintain(f"DROP DATABASE IF EXISTS {template}")
            self._maintain(f"CREATE DATABASE {template}")
            with self._cluster.connect(template) as connection:
                self._load_into(connection)
            # CREATE DATABASE refuses while anyone is connected to its template; the last session may still be
            # ending.
            self._cluster.terminate_sessions(template)
            self._loaded = True
        return template

    def _load_into(self, template: psycopg.Connection) -> None:
        """Load the template database. A failure that the server reported, such as wrong SQL, is not tried again."""
        import psycopg

        assert self._load is not None
        try:
            self._load(template)
        except PgFeaturesError as error:
            if not isinstance(error.__cause__, psycopg.OperationalError):
                self._refused = error
            raise

    def _made_ahead(self) -> Database | None:
        """The next database that was created ahead; None if the test restarted the server, and none could be
        created."""
        import psycopg

        while self._ready:
            with contextlib.suppress(psycopg.Error):
                if not (made := self._ready.popleft()).done():
                    self._wanted = min(self._wanted + 1, self._prefetch.most)
                return made.result()
        return None

    def _create(self, template: str) -> Database:
        database = self._next()
        self._maintain(self._creation(database, template))
        return database

    def _create_ahead(self, template: str, connects: bool) -> Database:
        database = self._create(template)
        if connects:
            self._connect_ahead(database)
        return database

    def _connect_ahead(self, database: Database) -> None:
        if self._connections_ahead is not None:
            database.ahead = self._connections_ahead.open(database.name)

    def _create_first(self, template: str) -> Database:
        """Create a database by a session in the template itself, the only session that may be there. The
        first session in a database writes a cache of its catalog, which all copies then have, so that
        connecting to them takes less time."""
        database = self._next()
        with self._cluster.connect(template) as connection:
            connection.execute(self._creation(database, template).encode())
            if self._prefetch.connected:
                from pytest_pgfeatures.server.connection_ahead import ConnectionsAhead

                self._connections_ahead = ConnectionsAhead(self._cluster, connection)
        self._executor = Pool(self._prefetch.at_once, thread_name_prefix=f"databases of {self._cluster.name}")
        self._executor.submit(self._cluster.terminate_sessions, template)
        return database

    def _next(self) -> Database:
        return Database(self._cluster, f"{self._prefix}_{next(self._numbers)}")

    def _creation(self, database: Database, template: str) -> str:
        return f"CREATE DATABASE {database.name} TEMPLATE {template}{copy_option(self._cluster.version)}"

    def _drop(self, database: Database) -> None:
        force = drop_option(self._cluster.version)
        if not force:
            self._cluster.terminate_sessions(database.name)
        self._maintain(f"DROP DATABASE IF EXISTS {database.name}{force}")

    def _maintain(self, statement: str) -> None:
        """Run a statement on this thread's connection for maintenance."""
        self._on_maintenance(lambda connection: connection.execute(statement.encode()))

    def _on_maintenance(self, run: Callable[[psycopg.Connection], T]) -> T:
        """Call a function with this thread's connection; a new one if the server was restarted since the last
        call."""
        import psycopg

        thread = threading.get_ident()
        known = self._connections.get(thread)
        try:
            if known is None:
                self._connections[thread] = self._cluster.connect(application_name="pgfeatures")
            return run(self._connections[thread])
        except psycopg.OperationalError:
            if known is None or not known.closed:
                raise
            self._connections[thread] = self._cluster.connect(application_name="pgfeatures")
            return run(self._connections[thread])
