"""Whether it is our server that answers: the belt to the braces of :mod:`pytest_pgfeatures.libpq`."""

from __future__ import annotations

import os
import socket
import struct
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError

if TYPE_CHECKING:
    import psycopg

    from pytest_pgfeatures.server.client import ClientSide

_CREDENTIALS = struct.Struct("3i")
"""Process, user and group of a socket's other end (unix(7), SO_PEERCRED)."""


def check(cluster: ClientSide, connection: psycopg.Connection) -> bool:
    """See that the server at the other end of a connection is a cluster's own postmaster.

    The kernel says which process listens on a Unix socket, at no cost. Where it does not (TCP, other systems than
    Linux), the server is asked for its data directory, in which no second server can run.

    Parameters:
        cluster: a running one.
        connection: is closed if it is to another server.

    Returns:
        whether that could be told: only superusers may see the data directory.

    Raises:
        ServerError: it is another server.
    """
    listener = _listener(connection)
    if listener is not None and listener == cluster.pid:
        return True
    from psycopg import pq

    # Below psycopg's own execute, which would begin a transaction where the connection is not in autocommit mode.
    answer = connection.pgconn.exec_(b"SHOW data_directory")
    if answer.status != pq.ExecStatus.TUPLES_OK:
        return False
    directory = (answer.get_value(0, 0) or b"").decode(errors="replace")
    if os.path.realpath(directory) == os.path.realpath(cluster.datadir):
        return True
    info = connection.info
    address = f"{info.host}:{info.port}" if cluster.access.tcp else f"{info.host}/.s.PGSQL.{info.port}"
    version = info.parameter_status("server_version")
    connection.close()
    raise ServerError(
        f"another server answers on {address} than {cluster.name}",
        details=(
            f"there: PostgreSQL {version}, data directory {directory}"
            + ("" if listener is None else f", process {listener}"),
            f"ours: PostgreSQL {cluster.version}, data directory {cluster.datadir}, process {cluster.pid}",
        ),
        remedy="nothing was run on it; find out who started it there, stop it, and run again",
    )


def _listener(connection: psycopg.Connection) -> int | None:
    """The process that listens on the Unix socket that a connection is to; None where the kernel doesn't say."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    with socket.socket(fileno=os.dup(connection.pgconn.socket)) as opened:
        if opened.family != socket.AF_UNIX:
            return None
        packed = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return _CREDENTIALS.unpack(packed)[0] or None  # 0: in a namespace that we don't see
