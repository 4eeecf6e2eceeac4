"""Sends a client's startup message without a client library, and reads the server's answer.

https://www.postgresql.org/docs/9.6/protocol-message-formats.html; in versions 1 and 2 the message has a fixed size.
"""

import socket
import struct


def startup_answer(node, version, **options):
    """Return ``accepted`` or ``refused``: a server's answer to a connection with this protocol version.

    Parameters:
        node: the server; the superuser connects over the Unix socket, unless ``options`` name another ``user``.
        version: 1, 2 or 3.
        options: parameters in version 3's message, such as ``replication="database"``.
    """
    user, database = node.cluster.user, node.value("SELECT current_database()")
    if version < 3:
        body = struct.pack(
            "!i64s32s64s64s64s", version << 16, database.encode(), user.encode(), b"", b"", b""
        )
    else:
        pairs = {"user": user, "database": database, **options}
        words = "".join(f"{name}\0{value}\0" for name, value in pairs.items())
        body = struct.pack("!i", version << 16) + words.encode() + b"\0"
    path = node.cluster.socket_directory / f".s.PGSQL.{node.cluster.port}"
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(str(path))
        client.sendall(struct.pack("!i", len(body) + 4) + body)
        kind = client.recv(1)
    outcome = "accepted" if kind == b"R" else "refused"
    given = "".join(f", {name}={value}" for name, value in options.items())
    node.remark(f"a connection by version {version} of the protocol{given}: {outcome}")
    return outcome
