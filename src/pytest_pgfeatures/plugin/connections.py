"""The end of a test's connection, whatever its state: it is rolled back."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    import psycopg

    Connection = psycopg.Connection[Any] | psycopg.AsyncConnection[Any]

_SAVEPOINT = "pgfeatures_test"
_BACK = f"ROLLBACK TO SAVEPOINT {_SAVEPOINT}"
_NO_SAVEPOINT = "3B001"  # invalid_savepoint_specification
_ENDED = (
    'the test has isolation="transaction", and ended its transaction with COMMIT or ROLLBACK: changes'
    " before and after that were not undone (later tests get a new database)"
)
_REMEDY = (
    "the code may use a savepoint, by `with connection.transaction():`; a test of code that commits needs a"
    ' database of its own: leave isolation="transaction" out'
)


def is_busy(connection: Connection) -> bool:
    """Whether a statement is still running, because the test was interrupted while it waited for the server."""
    return not connection.closed and connection.info.transaction_status.name == "ACTIVE"


@contextlib.contextmanager
def ends_idle(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """A block after which no statement of a connection runs: a running one is canceled, and the session is
    ended."""
    try:
        yield
    finally:
        _end_if_busy(connection)


@contextlib.asynccontextmanager
async def ends_idle_async(connection: psycopg.AsyncConnection[Any]) -> AsyncIterator[None]:
    """The same for an asynchronous connection."""
    try:
        yield
    finally:
        await _end_if_busy_async(connection)


def _end_if_busy(connection: psycopg.Connection[Any]) -> None:
    import psycopg

    if is_busy(connection):
        with contextlib.suppress(psycopg.Error):
            connection.cancel()
        connection.close()


async def _end_if_busy_async(connection: psycopg.AsyncConnection[Any]) -> None:
    import psycopg

    if is_busy(connection):
        with contextlib.suppress(psycopg.Error):
            connection.cancel()
        await connection.close()


@contextlib.contextmanager
def rolled_back(connection: psycopg.Connection[Any], discard: Callable[[], None]) -> Iterator[None]:
    """A block in a transaction that is rolled back at its end.

    Parameters:
        discard: called if the block has ended this transaction: its changes then stay in the database.

    Raises:
        PgFeaturesError: the block has ended the transaction.
    """
    import psycopg

    with connection.transaction(force_rollback=True):
        connection.execute(f"SAVEPOINT {_SAVEPOINT}")
        with _refusing(connection):
            try:
                yield
            finally:
                _end_if_busy(connection)
        ended = _is_idle(connection)
        if _may_ask(connection):
            try:
                connection.execute(_BACK)
            except psycopg.Error as error:
                ended = error.sqlstate == _NO_SAVEPOINT
    if ended:
        discard()
        raise PgFeaturesError(_ENDED, remedy=_REMEDY)


@contextlib.asynccontextmanager
async def rolled_back_async(
    connection: psycopg.AsyncConnection[Any], discard: Callable[[], None]
) -> AsyncIterator[None]:
    """The same for an asynchronous connection."""
    import psycopg

    async with connection.transaction(force_rollback=True):
        await connection.execute(f"SAVEPOINT {_SAVEPOINT}")
        with _refusing(connection):
            try:
                yield
            finally:
                await _end_if_busy_async(connection)
        ended = _is_idle(connection)
        if _may_ask(connection):
            try:
                await connection.execute(_BACK)
            except psycopg.Error as error:
                ended = error.sqlstate == _NO_SAVEPOINT
    if ended:
        discard()
        raise PgFeaturesError(_ENDED, remedy=_REMEDY)


@contextlib.contextmanager
def _refusing(connection: Connection) -> Iterator[None]:
    """A block in which the methods that end a transaction raise errors with a remedy."""

    def refused(name: str) -> Callable[[], NoReturn]:
        def refuse() -> NoReturn:
            raise PgFeaturesError(
                f'{name}() in a test with isolation="transaction", which runs in a transaction',
                remedy=_REMEDY,
            )

        return refuse

    setattr(connection, "commit", refused("commit"))  # noqa: B010 (for mypy, a method)
    setattr(connection, "rollback", refused("rollback"))  # noqa: B010
    try:
        yield
    finally:
        del connection.commit, connection.rollback


def _is_idle(connection: Connection) -> bool:
    """Whether no transaction is open. The server rolls back the transaction of a closed connection."""
    return not connection.closed and connection.info.transaction_status.name == "IDLE"


def _may_ask(connection: Connection) -> bool:
    """Whether our transaction is open: it has our savepoint."""
    return not connection.closed and not _is_idle(connection)
