"""End statements that run too long, or send more than fits into memory.

The client has to do this: a script may set ``statement_timeout`` itself, and catch the error of a cancel request.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.libpq import SAID_BY_OURS, connecting, known_options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

GRACE = 5.0
"""Seconds from one attempt to end a statement to the next, stronger one."""
MEMORY = "PGFEATURES_SESSION_MB"
"""The environment variable that raises the limit of memory."""
_MOST_MB = 1024
_LOOKS = 0.25
"""Seconds between two checks of our own memory while a statement runs."""
CANCELED = "57014"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
OUT_OF_MEMORY = "53200"
_STATM = Path("/proc/self/statm")


def session_mb() -> int:
    """The MB that a server process may take, and by which our own memory may grow during one statement: 1024,
    or the value of PGFEATURES_SESSION_MB."""
    given = os.environ.get(MEMORY, "")
    return int(given) if given.isdecimal() else _MOST_MB


def too_large() -> str:
    """Why a statement that filled our memory was canceled."""
    return f"its data takes more than {session_mb()} MB here; {MEMORY} in the environment raises the limit"


class SessionEndedError(psycopg.OperationalError):
    """The session of a statement was terminated by a :class:`Watchdog`, because the statement did not end
    when it was canceled."""


class Watchdog:
    """A context manager that ends the statements of a connection that run too long.

    It cancels them. If that has no effect, it terminates the session, and at last closes the connection. In
    both latter cases the connection is lost.

    Parameters:
        connection: the connection.
        timeout: the time that each statement may run, in seconds.
    """

    def __init__(self, connection: psycopg.Connection, timeout: float) -> None:
        self.connection = connection
        self._timeout = timeout
        self._changed = threading.Condition()
        self._until: float | None = None
        self._tries = 0
        self._memory = 0
        self.was_memory = False
        """Whether the last statement was canceled because it took too much of our memory."""
        self._closed = False
        self._is_idle = False
        """Whether the thread waits for a statement. Else it looks by itself, before the next one's time is up."""
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    @contextlib.contextmanager
    def statement(self) -> Iterator[None]:
        """Watch the statement that the ``with`` block runs.

        Raises:
            SessionEndedError: it did not end when it was canceled.
            psycopg.errors.OutOfMemory: it was canceled because it sent too much.
        """
        with self._changed:
            if self._is_idle or self._tries:
                self._changed.notify()
            self._until = time.monotonic() + self._timeout
            self._tries = 0
            self.was_memory = False
            self._memory = _memory_mb()
        try:
            yield
        except psycopg.OperationalError as error:
            if self.was_memory and error.sqlstate == CANCELED:
                raise psycopg.errors.OutOfMemory(too_large()) from error
            if self._tries > 1 and self.connection.closed:
                raise SessionEndedError(str(error)) from error
            raise
        finally:
            with self._changed:
                self._until = None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                self._is_idle = self._until is None
                if self._until is None:
                    self._changed.wait()
                    continue
                left = self._until - time.monotonic()
                if left > 0 and (self._tries or _memory_mb() - self._memory < session_mb()):
                    self._changed.wait(left if self._tries else min(left, _LOOKS))
                    continue
                self.was_memory = self.was_memory or left > 0
                self._until = time.monotonic() + GRACE
                self._tries += 1  # earlier: the statement may end while we still wait for the answer
                with contextlib.suppress(psycopg.Error, OSError):
                    (self._cancel, self._terminate, self._close)[min(self._tries, 3) - 1]()

    def _cancel(self) -> None:
        self.connection.cancel()

    def _terminate(self) -> None:
        """Terminate the session by another session of the same role. No error handler survives this."""
        info = self.connection.info
        options: dict[str, Any] = dict(known_options(**SAID_BY_OURS | {"connect_timeout": str(int(GRACE))}))
        with (
            connecting(),
            psycopg.connect(
                host=info.host,
                port=info.port,
                user=info.user,
                dbname=info.dbname,
                password=info.password,
                autocommit=True,
                **options,
            ) as other,
        ):
            other.execute("SELECT pg_catalog.pg_terminate_backend(%s)", [info.backend_pid])

    def _close(self) -> None:
        """Close the connection, because the server does not react any more."""
        descriptor = os.dup(self.connection.fileno())
        with socket.socket(fileno=descriptor) as ours:
            ours.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def within(connection: psycopg.Connection, timeout: float) -> Iterator[None]:
    """Limit the total time of the statements in the ``with`` block, in seconds."""
    with Watchdog(connection, timeout) as watchdog, watchdog.statement():
        yield


def _memory_mb() -> int:
    """The memory of this process; 0 if the system does not report it."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
