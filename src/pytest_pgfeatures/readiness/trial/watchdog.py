"""Cancel statements that run too long. The client has to do this: a script may set ``statement_timeout`` itself."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self


class Watchdog:
    """A context manager that cancels the statements of a connection that run too long.

    Parameters:
        connection: the connection.
        timeout: the time that each statement may run, in seconds.
    """

    def __init__(self, connection: psycopg.Connection, timeout: float) -> None:
        self._connection = connection
        self._timeout = timeout
        self._changed = threading.Condition()
        self._until: float | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._watch, name="readiness watchdog", daemon=True)

    @contextlib.contextmanager
    def statement(self) -> Iterator[None]:
        """Watch the statement that the ``with`` block runs."""
        with self._changed:
            self._until = time.monotonic() + self._timeout
            self._changed.notify()
        try:
            yield
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
                left = None if self._until is None else self._until - time.monotonic()
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                self._until = time.monotonic() + self._timeout  # cancel again if this has no effect
                with contextlib.suppress(psycopg.Error):
                    self._connection.cancel()
