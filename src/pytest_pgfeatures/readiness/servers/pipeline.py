"""Send many commands to a server at once, and get the results of each.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import select
from typing import TYPE_CHECKING

import psycopg
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from psycopg.pq.abc import PGresult


def results(
    connection: psycopg.Connection, groups: Sequence[Sequence[Callable[[], None]]]
) -> Iterator[Iterator[PGresult]]:
    """Send all groups of libpq's commands; then yield for each group its results. An error ends only its group, but
    that of a lost connection is raised. The caller has to take all groups.

    Outside of a transaction, each group is one, so that the last of its results may be an error at its end. When
    libpq has read that end, it has what the server says of the next group.
    """
    server = connection.pgconn
    server.enter_pipeline_mode()
    for group in groups:
        for send in group:
            send()
        server.pipeline_sync()
    for _ in groups:
        of_group = _until_sync(connection)
        yield of_group
        for _ in of_group:
            pass  # the caller did not need it
    server.exit_pipeline_mode()


def checked(connection: psycopg.Connection, found: Iterable[PGresult]) -> list[PGresult]:
    """Take results. Raise the first error among them."""
    taken = list(found)
    if failed := [each for each in taken if each.status == ExecStatus.FATAL_ERROR]:
        raise error_from_result(failed[0], connection.info.encoding)
    return taken


def _until_sync(connection: psycopg.Connection) -> Iterator[PGresult]:
    reason: psycopg.Error | None = None
    while True:
        try:
            _wait(connection)
            result = connection.pgconn.get_result()
            if connection.pgconn.status != ConnStatus.OK:
                raise psycopg.OperationalError("the server closed the connection")
        except psycopg.OperationalError as lost:
            raise (reason if isinstance(reason, psycopg.OperationalError) else lost) from None
        if result is None:
            continue  # the end of one command's
        if result.status == ExecStatus.PIPELINE_SYNC:
            return
        if result.status == ExecStatus.FATAL_ERROR:
            reason = error_from_result(result, connection.info.encoding)
        yield result


def _wait(connection: psycopg.Connection) -> None:
    """Send what has not been sent yet, until a result arrives."""
    server = connection.pgconn
    while server.is_busy():
        unsent = server.flush()
        poll = select.poll()
        poll.register(server.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
        poll.poll()
        server.consume_input()
