"""Creates and drops databases on our clusters for pytest-postgresql's janitor, which does so around each test.

Copying a template and dropping a database take as long as many tests do. Here the next copy is created in the
background under a name of ours, and renamed when a test needs it. A used database is renamed, and dropped in the
background.

A copy created in advance is used only if nobody has connected to its template since; the server's statistics count
the sessions and transactions of each database. Up to 14 these statistics may arrive late, since they are in shared
memory only from 15 on (https://www.postgresql.org/docs/release/15.0/); there a copy is created on demand.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.server.database import copy_option, drop_option
from pytest_pgfeatures.server.waiting import exists, wait_until
from pytest_pgfeatures.threads import Pool
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from concurrent.futures import Future

    import psycopg

    from pytest_pgfeatures.server import Cluster

AHEAD = 2
"""The number of copies of a template to create in advance."""
USED_KEPT = 16
"""The number of used databases to keep before dropping the oldest: a drop takes as long as a copy."""
_COUNTS_AT_ONCE = VersionSet(">=15")
_WALSENDER_RUNS_SQL = VersionSet(">=10")
_SESSIONS = "FROM pg_stat_get_activity(NULL) WHERE datid = (SELECT oid FROM pg_database WHERE datname = %s)"
"""As in pg_stat_activity, whose joins take longer to plan than all else in such a query."""
_STATE = "datid, xact_commit + xact_rollback + sessions FROM pg_stat_database WHERE datname = %s"
_NO_STATE = "oid, 0 FROM pg_database WHERE datname = %s"
_SECONDS = 5.0
"""The timeout for sessions to end, which is that of the server in CREATE and DROP DATABASE."""


class _State(NamedTuple):
    """A database's OID and counts of sessions and transactions; they differ if somebody has connected since."""

    oid: int
    counted: int


class _Copy(NamedTuple):
    """A database created in advance, and the state of its template before that."""

    name: str
    of: _State


class _Session:
    """A superuser's connection, opened on demand, and again after a restart of the server.

    From 10 on it is a replication connection, which can run SQL as well
    (https://www.postgresql.org/docs/current/protocol-replication.html). Tests that count the clients of their
    server would otherwise count it.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._connection: psycopg.Connection | None = None

    def rows(self, query: str, *names: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query about databases."""
        return self._connected().execute(query.encode(), names).fetchall()

    def run(self, statement: str, *names: str) -> None:
        """Run a statement about databases."""
        from psycopg import sql

        composed = sql.SQL(statement).format(*map(sql.Identifier, names))
        self._connected().execute(composed)

    def close(self) -> None:
        """Close the connection if it is open."""
        if self._connection is not None:
            self._connection.close()

    def _connected(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            from psycopg import ClientCursor

            options: dict[str, Any] = {}
            if self._cluster.version in _WALSENDER_RUNS_SQL:
                options["replication"] = "database"
            self._connection = self._cluster.connect(
                host=str(self._cluster.socket_directory),  # needs no password
                application_name="pgfeatures",
                cursor_factory=ClientCursor,  # replication connections support no query parameters
                **options,
            )
        return self._connection


class JanitorDatabases:
    """The databases of one cluster that janitors of pytest-postgresql create and drop.

    ``create`` and ``drop`` return False if the janitor must do it itself, and raise its own errors if that fails.

    Parameters:
        cluster: a running server.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._pid = os.getpid()
        self._numbers = itertools.count(1)
        self._ahead: dict[str, deque[Future[_Copy | None]]] = {}
        self._visited: dict[str, _State | None] = {}
        self._used: deque[str] = deque()
        self._lock = threading.Lock()
        self._session = _Session(cluster)
        self._executor = Pool(1, thread_name_prefix=f"databases of {cluster.name}")
        self._in_background = _Session(cluster)
        """The session for the executor's tasks, which run one at a time."""

    def create(self, name: str, template: str) -> bool:
        """Create a database as a copy of a template, after ending the template's sessions."""
        import psycopg

        if os.getpid() != self._pid:
            return False  # a forked child process does not inherit threads
        with self._lock, contextlib.suppress(psycopg.Error, PgFeaturesError):
            # Evaluated from left to right: a session that has ended has already been counted completely.
            state_now = _STATE if self._cluster.version in _COUNTS_AT_ONCE else _NO_STATE
            ended_and_state = f"(SELECT count(pg_terminate_backend(pid)) {_SESSIONS}), {state_now}"
            [[ended, *state]] = self._session.rows(f"SELECT {ended_and_state}", template, template) or [
                (1, 0, 0)
            ]
            copy = None if ended else self._made_ahead(template, _State(*state))
            if copy is None:
                self._wait_for_end(template)
                self._copy(self._session, name, template)
            else:
                self._rename(copy, name)
            self._make_ahead(template)
            return True
        return False

    def drop(self, name: str) -> bool:
        """Drop a database, after ending its sessions. Those of a server that has ended have gone with it."""
        import psycopg

        if os.getpid() != self._pid:
            return False
        with self._lock, contextlib.suppress(psycopg.Error, PgFeaturesError):
            used = self._name("used")
            self._wait_for_end(name)
            self._session.run("ALTER DATABASE {} RENAME TO {}", name, used)
            self._used.append(used)
            if len(self._used) > USED_KEPT:
                self._drop_later(self._used.popleft())
            return True
        return self.server_has_ended()

    def server_has_ended(self) -> bool:
        """Return whether nobody can connect any more. The janitor would try that for a minute."""
        import psycopg

        try:
            self._cluster.connect(host=str(self._cluster.socket_directory)).close()
        except (psycopg.OperationalError, PgFeaturesError):
            return True
        return False

    def close(self) -> None:
        """Stop creating and dropping databases. The remaining ones are removed with the cluster."""
        with self._lock:
            self._executor.shutdown(cancel_futures=True)
            self._in_background.close()
            self._session.close()

    def _made_ahead(self, template: str, state: _State) -> str | None:
        """Return a copy created in advance that matches the template now. Drop outdated copies."""
        import psycopg

        copies = self._ahead.get(template)
        while copies:
            with contextlib.suppress(
                psycopg.Error, PgFeaturesError
            ):  # for example after a restart of the server
                copy = copies.popleft().result()
                if copy is not None and copy.of == state:
                    return copy.name
                if copy is not None:
                    self._drop_later(copy.name)
        return None

    def _make_ahead(self, template: str) -> None:
        if self._cluster.version in _COUNTS_AT_ONCE:
            copies = self._ahead.setdefault(template, deque())
            while len(copies) < AHEAD:
                copies.append(self._executor.submit(self._copy_ahead, template))

    def _copy_ahead(self, template: str) -> _Copy | None:
        """Create a copy; None if the template has sessions, which the janitor ends when a test needs a database."""
        session = self._in_background
        if session.rows(f"SELECT {_SESSIONS}", template):
            return None
        state = _state(session, template)
        if state is not None and self._visited.get(template) != state:
            self._visit(template)
            state = self._visited[template] = _state(session, template)
        if state is None:
            return None
        copy = _Copy(self._name("copy"), state)
        self._copy(session, copy.name, template)
        return copy

    def _visit(self, template: str) -> None:
        """Connect to a template once. The first session writes a cache of the catalog; all copies then contain it,
        so that connecting to them is faster."""
        with self._cluster.connect(template, host=str(self._cluster.socket_directory)) as visit:
            pid = visit.info.backend_pid
        wait_until(lambda: not exists(pid), f"the end of a session in {template}", timeout=_SECONDS)

    def _copy(self, session: _Session, name: str, template: str) -> None:
        session.run(f"CREATE DATABASE {{}} TEMPLATE {{}}{copy_option(self._cluster.version)}", name, template)

    def _rename(self, copy: str, name: str) -> None:
        import psycopg

        try:
            self._session.run("ALTER DATABASE {} RENAME TO {}", copy, name)
        except psycopg.Error:
            self._drop_later(copy)
            raise

    def _drop_later(self, name: str) -> None:
        force = drop_option(self._cluster.version)
        self._executor.submit(self._in_background.run, f"DROP DATABASE IF EXISTS {{}}{force}", name)

    def _wait_for_end(self, dbname: str) -> None:
        """End a database's sessions, and wait until their processes are gone. If the server itself finds one
        left, it checks again only after 0.1 seconds."""
        query = f"SELECT pid, pg_terminate_backend(pid) {_SESSIONS}"
        seen: set[int] = set()

        def gone() -> bool:
            seen.update(pid for pid, _ in self._session.rows(query, dbname))
            seen.difference_update([pid for pid in seen if not exists(pid)])
            return not seen

        wait_until(
            gone,
            f"the end of the sessions in {dbname} on {self._cluster.name}",
            timeout=_SECONDS,
            interval=0.0005,
        )

    def _name(self, kind: str) -> str:
        return f"pgfeatures_{kind}_{next(self._numbers)}"


def _state(session: _Session, database: str) -> _State | None:
    """Return the state of a database; None if it does not exist."""
    rows = session.rows(f"SELECT {_STATE}", database)
    return _State(*rows[0]) if rows else None
