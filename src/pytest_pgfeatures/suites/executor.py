"""pytest-postgresql's executor on our clusters: it works for any major, and also as root."""

from __future__ import annotations

import contextlib
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.server.configuration import Access

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster


def another_if_taken(choose: Callable[..., int]) -> Callable[..., int]:
    """Wrap pytest-postgresql's choice of a port: if it is taken, such as by another version, use a free one."""
    from port_for import PortForException, get_port

    def port(wanted: Any, config: Any, taken: Iterable[int]) -> int:
        if not taken:
            with contextlib.suppress(PortForException):
                return choose(wanted, config, taken)
        free = get_port(None, taken)
        assert free is not None
        return free

    return port


def _access(host: str, user: str, password: str | None, port: int) -> Access:
    """Return how a suite reaches its server: by a socket if its host is a directory, else over TCP.

    Only this user can access the socket's directory. Over TCP any user of this machine can connect, so a password
    is required: the suite's, or a random one. Many hash iterations slow down guessing, but also each connection. A
    random password can't be guessed, so one iteration is used for it.
    """
    if host.startswith("/"):
        return Access(user=user, password=password or None, port=port)
    access = Access.by_tcp(user=user, password=password or None, port=port)
    return access if password else replace(access, scram_iterations=1)


def executor_class(base: Any, install: Install, create: Callable[..., Cluster]) -> type:
    """Return a subclass of pytest-postgresql's executor that uses a cluster of ours.

    Parameters:
        base: pytest-postgresql's executor class.
        install: the install that the cluster runs.
        create: creates the cluster; it is called with ``access`` and ``arguments``.
    """

    class ClusterExecutor(base):  # type: ignore[misc]
        """pytest-postgresql's executor, with a cluster of ours in place of a server started by pg_ctl."""

        host: str

        def __init__(self, **arguments: Any) -> None:
            super().__init__(**arguments | {"executable": str(install.bindir / "pg_ctl")})
            access = _access(self.host, self.user, arguments["password"], arguments["port"])
            self._cluster = create(
                access=access,
                arguments=tuple(shlex.split(arguments["postgres_options"])),
            )
            if self.host != "localhost":
                self.host = self._cluster.host
            self.port = self._cluster.port
            self.password = access.password
            self.datadir = str(self._cluster.datadir)
            self.logfile = str(self._cluster.log.path)
            self.unixsocketdir = str(self._cluster.socket_directory)
            temporary = Path(arguments["logfile"]).parent.parent
            self._reservations = [
                directory / f"postgresql-{arguments['port']}.port"
                for directory in (temporary, temporary.parent)
            ]

        def start(self) -> ClusterExecutor:
            """Start the server if it isn't running."""
            if not self._cluster.running():
                self._cluster.start()
            return self

        def stop(self, *_: Any, **__: Any) -> ClusterExecutor:
            """Stop the server."""
            self._cluster.stop("immediate")
            for path in self._reservations:  # pytest-postgresql up to 8 leaves it behind
                path.unlink(missing_ok=True)
            return self

        def running(self) -> bool:
            """Return whether the server is running."""
            return self._cluster.running()

        def wait_for_postgres(self) -> None:
            """Do nothing: a cluster accepts connections once it has started."""

        def init_directory(self) -> None:
            """Do nothing: the data directory is a copy of the template."""

        def clean_directory(self) -> None:
            """Do nothing: the run's directory is removed as a whole."""

        @property
        def version(self) -> Any:
            """The server's version, as pytest-postgresql represents it."""
            from packaging.version import parse

            return parse(str(self._cluster.version))

    return ClusterExecutor
