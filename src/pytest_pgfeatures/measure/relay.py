"""A relay between a client and a server that counts the bytes that a network would carry."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_PIECE = 65536


class Relay:
    """Listens on a port of 127.0.0.1, and passes everything on to a server's Unix socket.

    Only this machine's users can connect, and only while it is open.

    Parameters:
        server: the path of the server's socket.

    Attributes:
        port: the port on which it listens.
        sent: the bytes that the server has sent so far.
        received: the bytes that the server has received so far.
    """

    def __init__(self, server: Path) -> None:
        self._server = str(server)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.sent = 0
        self.received = 0
        self._open: set[socket.socket] = set()
        self._counting = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._server)
            except OSError:  # the server is stopped: the client sees the connection end
                client.close()
                continue
            self._open.update((client, server))
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        to_client = source.family == socket.AF_UNIX
        with contextlib.suppress(OSError):
            while piece := source.recv(_PIECE):
                with self._counting:
                    if to_client:
                        self.sent += len(piece)
                    else:
                        self.received += len(piece)
                target.sendall(piece)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it, with all connections through it."""
        for each in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def __enter__(self) -> Relay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
