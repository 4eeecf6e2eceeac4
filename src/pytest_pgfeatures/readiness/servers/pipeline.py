"""Send many statements to a server at once, and get the answer to each.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

import psycopg
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def answers(
    connection: psycopg.Connection, groups: Sequence[Sequence[bytes]]
) -> Iterator[psycopg.Error | None]:
    """Send all groups of statements; then yield for each group its error, or None if it succeeded.

    The server goes on with the next group after an error, as it does if each is sent alone. Outside of a
    transaction, each group is one. The caller has to take all answers.

    Parameters:
        connection: a connection that is not in a failed transaction.
        groups: statements without parameters, and without COPY.

    Raises:
        psycopg.OperationalError: the connection is lost.
    """
    server = connection.pgconn
    server.enter_pipeline_mode()
    for group in groups:
        for sql in group:
            server.send_query_params(sql, None)
        server.pipeline_sync()
    for _ in groups:
        yield _answer(connection)
    server.exit_pipeline_mode()


def is_supported() -> bool:
    """Whether our libpq can send statements before it has the answers to earlier ones: from 14 on."""
    return psycopg.Pipeline.is_supported()


def _answer(connection: psycopg.Connection) -> psycopg.Error | None:
    """The first error of a group."""
    server = connection.pgconn
    error: psycopg.Error | None = None
    try:
        while True:
            _wait(connection)
            result = server.get_result()
            if server.status != ConnStatus.OK:
                raise psycopg.OperationalError("the server closed the connection")
            if result is None:
                continue  # the end of one statement's
            if result.status == ExecStatus.PIPELINE_SYNC:
                return error
            if result.status == ExecStatus.FATAL_ERROR and error is None:
                error = error_from_result(result, connection.info.encoding)
    except psycopg.OperationalError as lost:
        raise (error if isinstance(error, psycopg.OperationalError) else lost) from None


def _wait(connection: psycopg.Connection) -> None:
    """Send what has not been sent yet, until a result arrives."""
    server = connection.pgconn
    while True:
        unsent = server.flush()
        if not server.is_busy():
            return
        poll = select.poll()
        poll.register(server.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
        poll.poll()
        server.consume_input()
