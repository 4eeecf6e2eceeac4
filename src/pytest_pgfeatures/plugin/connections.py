"""How a test's connection ends: whatever the test left it in, and without what it wrote in a transaction."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

    Connection = psycopg.Connection[Any] | psycopg.AsyncConnection[Any]

_SAVEPOINT = "pgfeatures_test"
_REMEDY = (
    "the code may use a savepoint, by `with connection.transaction():`; a test of code that commits needs a"
    ' database of its own: leave isolation="transaction" out'
)


def is_busy(connection: Connection) -> bool:
    """Whether a statement is still running: the test was interrupted while it waited for the server."""
    return not connection.closed and connection.info.transaction_status.name == "ACTIVE"


@contextlib.contextmanager
def ends_idle(connection: psycopg.Connection[Any]) -> Iterator[None]:
    """A block after which no statement of a connection runs: one that does is canceled, and the session ended."""
    try:
        yield
    finally:
        _end_if_busy(connection)


def _end_if_busy(connection: psycopg.Connection[Any]) -> None:
    import psycopg

    if is_busy(connection):
        with contextlib.suppress(psycopg.Error):
            connection.cancel()
        connection.close()


@contextlib.contextmanager
def rolled_back(connection: psycopg.Connection[Any], discard: Callable[[], None]) -> Iterator[None]:
    """A block in a transaction that is rolled back at its end.

    Parameters:
        discard: called if the block has ended this transaction: the database then has what it wrote.

    Raises:
        PgFeaturesError: it has.
    """

    def refused(name: str) -> Callable[[], NoReturn]:
        def refuse() -> NoReturn:
            raise PgFeaturesError(
                f'{name}() in a test with isolation="transaction", which runs in a transaction',
                remedy=_REMEDY,
            )

        return refuse

    with connection.transaction(force_rollback=True):
        connection.execute(f"SAVEPOINT {_SAVEPOINT}")
        setattr(connection, "commit", refused("commit"))  # noqa: B010 (for mypy, a method)
        setattr(connection, "rollback", refused("rollback"))  # noqa: B010
        try:
            yield
        finally:
            del connection.commit, connection.rollback
            _end_if_busy(connection)
        ended = _has_ended(connection)
    if ended:
        discard()
        raise PgFeaturesError(
            'the test has isolation="transaction", and ended its transaction with COMMIT or ROLLBACK: what it wrote'
            " after or before that was not undone (later tests get a new database)",
            remedy=_REMEDY,
        )


def _has_ended(connection: psycopg.Connection[Any]) -> bool:
    """Whether the transaction with our savepoint is over. Of a closed connection the server rolls it back."""
    import psycopg

    if connection.closed:
        return False
    if connection.info.transaction_status.name == "IDLE":
        return True
    try:
        connection.execute(f"ROLLBACK TO SAVEPOINT {_SAVEPOINT}")
    except psycopg.Error as error:
        return error.sqlstate == "3B001"  # there is no such savepoint
    return False
