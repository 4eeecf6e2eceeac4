"""Cancels a statement that does not end: a script may set ``statement_timeout``, so the client has to."""

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
    """Cancels what a connection runs once it has run for too long; a context manager.

    Parameters:
        connection: the connection.
        timeout: how long a statement may run, in seconds.
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
        """Watch the statement that the block runs."""
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
                self._until = time.monotonic() + self._timeout  # once more, should it not listen
                with contextlib.suppress(psycopg.Error):
                    self._connection.cancel()
