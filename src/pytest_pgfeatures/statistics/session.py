"""A connection to production: one read-only transaction, under timeouts, recognizable among other sessions."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.errors import StatisticsError
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "/* pgfeatures */"
"""A mark in each of our statements, which identifies them in logs and in pg_stat_statements. It follows the
statement's first word, because a server may leave out a comment before it."""
_FIRST_WORD = re.compile(rb"\s*\w+")
_SESSION = (
    "SET LOCAL search_path = pg_catalog, pg_temp",
    "SET LOCAL quote_all_identifiers = off",
    "SET LOCAL DateStyle = ISO",
    "SET LOCAL IntervalStyle = postgres",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL bytea_output = hex",
    "SET LOCAL extra_float_digits = 3",
    "SET LOCAL constraint_exclusion = off",
)
"""Settings so that names are resolved as PostgreSQL's own, values are written so that any server reads them
alike, and constraints are ignored."""
_LOCK_TIMEOUT_MS = 5000
_IDLE_TIMEOUT_MS = 600_000
"""The time that our transaction may wait for pg_dump."""
_NEWER = (
    (VersionSet(">=9.5"), "SET LOCAL row_security = off"),  # a policy is an error, and never evaluated
    (VersionSet(">=9.6"), f"SET LOCAL idle_in_transaction_session_timeout = {_IDLE_TIMEOUT_MS}"),
)


class _Marking(psycopg.Cursor[Any]):
    """A cursor that marks its statements."""

    def execute(self, query: Any, *arguments: Any, **options: Any) -> Any:
        text = query.as_bytes(self) if isinstance(query, psycopg.sql.Composable) else query
        text = text.encode() if isinstance(text, str) else text
        marked = _FIRST_WORD.sub(lambda word: word[0] + b" " + MARK.encode(), text, count=1)
        return super().execute(marked, *arguments, **options)


@contextlib.contextmanager
def reading(dsn: str, *, timeout: float) -> Iterator[psycopg.Connection[Any]]:
    """A block with a connection in a REPEATABLE READ READ ONLY transaction, under timeouts.

    Parameters:
        timeout: the time limit of each statement, in seconds.

    Raises:
        StatisticsError: the connection is refused or lost.
    """
    try:
        connection = psycopg.connect(
            dsn, autocommit=False, prepare_threshold=None, fallback_application_name="pgfeatures",
            client_encoding="utf8", cursor_factory=_Marking,
        )  # fmt: skip
    except psycopg.Error as error:
        raise StatisticsError(
            f"the connection was refused: {_first_line(error)}",
            remedy="see whether psql connects with the same connection string",
        ) from None
    connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    try:
        with connection.transaction(force_rollback=True):
            version = PgVersion.from_num(connection.info.server_version)
            for setting in (
                *_SESSION,
                f"SET LOCAL statement_timeout = {int(timeout * 1000)}",
                f"SET LOCAL lock_timeout = {_LOCK_TIMEOUT_MS}",
                *(setting for versions, setting in _NEWER if version in versions),
            ):
                connection.execute(setting.encode())
            yield connection
    except psycopg.Error as error:
        lost = "the connection was lost" if connection.broken else "the server refused to be read"
        raise StatisticsError(f"{lost}: {_first_line(error)}", remedy="try again") from None
    finally:
        connection.close()


def _first_line(error: psycopg.Error) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
