"""A test's connection, opened while the test before it runs.

Most of the time that a connection takes is the start of the server's process for it. A connection opened ahead is
handed over only if one that is opened at that moment would be the same. It is discarded

- if anybody has asked for the database's name first: a fixture may have set something there, or count sessions;
- if the server was restarted, or has ended the session;
- if a configuration file was changed since the first database, or if a role or database ever had settings of its
  own (ALTER ROLE and ALTER DATABASE SET): the catalog of these is empty in a new cluster, and its first row extends
  its file;
- if libpq has read an environment variable that a test set meanwhile.

Two changes aren't seen if they are made while the test before it runs: of the superuser's own attributes (ALTER
ROLE ... NOSUPERUSER), and of a file that ``postgresql.conf`` includes. A test that makes them needs a cluster of
its own.

No connection is opened ahead on servers with settings or lines of ``pg_hba.conf`` that a test asked for: such a
test may look at connections in the log, or count them. Other tests see it in ``pg_stat_activity``, in a database
that isn't theirs.
"""

from __future__ import annotations

import contextlib
import select
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError, WaitTimeoutError
from pytest_pgfeatures.libpq import has_variables
from pytest_pgfeatures.server.waiting import exists, wait_until
from pytest_pgfeatures.threads import Pool, first_completed

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.server.cluster import Cluster

_ROLE_SETTINGS = "global/2964"
"""The file of pg_db_role_setting, whose OID it has until the catalog is rewritten."""
_FILES = (
    _ROLE_SETTINGS,
    "global/pg_filenode.map",  # written when a shared catalog is
    "postgresql.conf",
    "postgresql.auto.conf",
    "pg_hba.conf",
    "pg_ident.conf",
)
_REPORTED = (b"TimeZone", b"DateStyle", b"IntervalStyle", b"client_encoding")
"""Settings that libpq takes from variables that aren't connection options, as the server reports them."""
_HAS_SYNC = 140000  # https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
_SECONDS = 5.0


class _File(NamedTuple):
    """A file's state, which differs after a change."""

    inode: int
    size: int
    modified: int


class ConnectionsAhead:
    """Opens connections to databases of a cluster ahead, one at a time, in a thread.

    Parameters:
        cluster: the cluster, as tests get it.
        like: a connection to it that was opened on demand.
    """

    def __init__(self, cluster: Cluster, like: psycopg.Connection) -> None:
        from psycopg import pq

        self._cluster = cluster
        self._files = self._files_now()
        roles = self._files[0]
        asked = cluster.settings or cluster.access.pg_hba or cluster.access.tcp
        self._may = not asked and roles is not None and roles.size == 0 and pq.version() >= _HAS_SYNC
        self._options = _options(like)
        self._executor = Pool(1, thread_name_prefix=f"connections to {cluster.name}")

    def open(self, dbname: str) -> ConnectionAhead | None:
        """Begin to open a connection to a database; None if there is to be none ahead."""
        if not self._may or not self._is_unchanged():
            return None
        return ConnectionAhead(self, self._executor.submit(self._open, dbname))

    def is_as_new(self, connection: psycopg.Connection, postmaster: int | None) -> bool:
        """Return whether a connection is the same as one that would be opened now."""
        return self._cluster.pid == postmaster and self._is_unchanged() and _answers(connection)

    def close(self) -> None:
        """Open no further ones."""
        self._executor.shutdown(cancel_futures=True)

    def _open(self, dbname: str) -> tuple[psycopg.Connection, int | None] | None:
        import psycopg

        cluster = self._cluster
        if has_variables() or not cluster.identified:
            return None
        postmaster = cluster.pid
        connection = psycopg.connect(**cluster.connection_parameters(dbname), autocommit=True)
        if has_variables() or _options(connection) != self._options:
            connection.close()
            return None
        return connection, postmaster

    def _is_unchanged(self) -> bool:
        return self._files == self._files_now()

    def _files_now(self) -> tuple[_File | None, ...]:
        return tuple(_file(self._cluster.datadir / name) for name in _FILES)


class ConnectionAhead:
    """One connection, to be handed over or discarded."""

    def __init__(
        self, owner: ConnectionsAhead, opening: Future[tuple[psycopg.Connection, int | None] | None]
    ) -> None:
        self._owner = owner
        self._opening = opening

    def take(self) -> psycopg.Connection | None:
        """Return the connection; None, and discard it, if it isn't as a new one would be."""
        opened = self._opened()
        if opened is None:
            return None
        connection, postmaster = opened
        if self._owner.is_as_new(connection, postmaster):
            return connection
        _end(connection)
        return None

    def discard(self) -> None:
        """Close the connection, and wait until the server's process for it has ended."""
        if (opened := self._opened()) is not None:
            _end(opened[0])

    def _opened(self) -> tuple[psycopg.Connection, int | None] | None:
        """Wait for the connection if it is being opened. Otherwise, it isn't opened any more."""
        import psycopg

        if self._opening.cancel():
            return None
        first_completed([self._opening])
        with contextlib.suppress(psycopg.Error, PgFeaturesError, OSError):
            return self._opening.result()
        return None


def _answers(connection: psycopg.Connection) -> bool:
    """Whether the session goes on. It runs nothing for this, not even an empty statement. When it answers, signals
    sent to it before, such as by pg_terminate_backend(), have reached it."""
    import psycopg

    pgconn = connection.pgconn
    poll = select.poll()
    with contextlib.suppress(psycopg.Error):  # it may be lost already
        poll.register(pgconn.socket, select.POLLIN)
        pgconn.enter_pipeline_mode()
        pgconn.pipeline_sync()
        if not poll.poll(1000 * _SECONDS):
            return False
        result = pgconn.get_result()
        if result is None or result.status != psycopg.pq.ExecStatus.PIPELINE_SYNC:
            return False
        pgconn.exit_pipeline_mode()
        return True
    return False


def _end(connection: psycopg.Connection) -> None:
    """Close a connection. Unless it is broken, wait until the server's process for it has ended."""
    process = connection.info.backend_pid
    answers = _answers(connection)
    connection.close()
    if answers:
        with contextlib.suppress(WaitTimeoutError):
            wait_until(
                lambda: not exists(process),
                f"the end of session {process}",
                timeout=_SECONDS,
                interval=0.0005,
            )


def _file(path: Path) -> _File | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _File(found.st_ino, found.st_size, found.st_mtime_ns)


def _options(connection: psycopg.Connection) -> tuple[list[bytes | None], list[bytes | None]]:
    """The options that libpq connected with, whether they were given or are from the environment."""
    pgconn = connection.pgconn
    given = [option.val for option in pgconn.info if option.keyword != b"dbname"]
    return given, [pgconn.parameter_status(name) for name in _REPORTED]
