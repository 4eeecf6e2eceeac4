"""Check that a connection leads to the right server.

This is a second safeguard: :mod:`pytest_pgfeatures.libpq` already keeps out libpq's environment and files.
"""

from __future__ import annotations

import os
import socket
import struct
from typing import TYPE_CHECKING, Protocol

from pytest_pgfeatures.errors import ServerError

if TYPE_CHECKING:
    from pathlib import Path

    import psycopg

    from pytest_pgfeatures.server.configuration import Access
    from pytest_pgfeatures.version import PgVersion

_CREDENTIALS = struct.Struct("3i")
"""Process, user and group ids of a socket's peer (unix(7), SO_PEERCRED)."""


class Identified(Protocol):
    """The attributes that identify a server; any :class:`~pytest_pgfeatures.server.Cluster` has them."""

    name: str
    datadir: Path
    access: Access

    @property
    def version(self) -> PgVersion:
        """The server's version."""

    @property
    def pid(self) -> int | None:
        """The postmaster's process id."""


def check(cluster: Identified, connection: psycopg.Connection) -> bool:
    """Check that a connection is to a cluster's own postmaster.

    On Linux, the kernel reports which process listens on a Unix socket. Otherwise (TCP, other systems), the
    server is asked for its data directory, in which no second server can run.

    Parameters:
        cluster: a running cluster.
        connection: the connection to check. It is closed if it leads to another server.

    Returns:
        whether this could be checked: only superusers may see the data directory.

    Raises:
        ServerError: the connection leads to another server.
    """
    listener = _listener(connection)
    if listener is not None and listener == cluster.pid:
        return True
    from psycopg import pq

    # Not psycopg's execute, which begins a transaction unless the connection is in autocommit mode.
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
        f"a server other than {cluster.name} answers on {address}",
        details=(
            f"there: PostgreSQL {version}, data directory {directory}"
            + ("" if listener is None else f", process {listener}"),
            f"ours: PostgreSQL {cluster.version}, data directory {cluster.datadir}, process {cluster.pid}",
        ),
        remedy="stop the other server and run again; no statement was run on it",
    )


def _listener(connection: psycopg.Connection) -> int | None:
    """The process that listens on a connection's Unix socket; None if the kernel doesn't report it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    with socket.socket(fileno=os.dup(connection.pgconn.socket)) as opened:
        if opened.family != socket.AF_UNIX:
            return None
        packed = opened.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return _CREDENTIALS.unpack(packed)[0] or None  # 0: the process is in a namespace that we can't see
