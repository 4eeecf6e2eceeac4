"""pytest-postgresql's executor, served by our clusters: any major, as root too."""

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
    """pytest-postgresql's choice of a port, or any free one where that is taken, as by another version's tests."""
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
    """How a suite reaches its server: by the socket where it names a directory as its host, else over TCP.

    Only we can reach the socket's directory. Over TCP anyone on this machine can come, and has to know a password:
    the suite's, or a random one. To hash it often makes guessing slow, and each connection, too: nobody guesses a
    random one, so that it is hashed once.
    """
    if host.startswith("/"):
        return Access(user=user, password=password or None, port=port)
    access = Access.by_tcp(user=user, password=password or None, port=port)
    return access if password else replace(access, scram_iterations=1)


def executor_class(base: Any, install: Install, create: Callable[..., Cluster]) -> type:
    """pytest-postgresql's executor, with a cluster of ours.

    Parameters:
        base: pytest-postgresql's own class.
        install: what the cluster runs.
        create: makes the cluster; it is given ``access`` and ``arguments``.
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
            """Start the server unless it runs."""
            if not self._cluster.running():
                self._cluster.start()
            return self

        def stop(self, *_: Any, **__: Any) -> ClusterExecutor:
            """Stop the server."""
            self._cluster.stop("immediate")
            for path in self._reservations:  # up to 8, pytest-postgresql leaves it behind
                path.unlink(missing_ok=True)
            return self

        def running(self) -> bool:
            """Whether the server runs."""
            return self._cluster.running()

        def wait_for_postgres(self) -> None:
            """Nothing to wait for: a cluster takes connections once it has started."""

        def init_directory(self) -> None:
            """Nothing to do: the data directory is a copy of the template."""

        def clean_directory(self) -> None:
            """Nothing to do: the run's directory goes as a whole."""

        @property
        def version(self) -> Any:
            """The server's version, as pytest-postgresql has it."""
            from packaging.version import parse

            return parse(str(self._cluster.version))

    return ClusterExecutor
