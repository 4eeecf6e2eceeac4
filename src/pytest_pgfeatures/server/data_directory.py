"""A server's data directory and its configuration files."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.server.account_files import append_to_file
from pytest_pgfeatures.server.client import ClientSide
from pytest_pgfeatures.server.configuration import PORT, configuration, host_based_authentication, quoted
from pytest_pgfeatures.server.process import NewDirectory
from pytest_pgfeatures.settings import as_setting, for_version

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.errors import StoreError
    from pytest_pgfeatures.install import Account
    from pytest_pgfeatures.server.factory import ClusterFactory
    from pytest_pgfeatures.server.process import SupervisorClient


class ConfiguredSide(ClientSide):
    """A server's data directory and configuration; :class:`~pytest_pgfeatures.server.Cluster` builds on it."""

    settings: dict[str, str]
    supervisor: SupervisorClient
    _clusters: ClusterFactory[Any]
    source: Path | None
    """The template of the data directory; None if it exists already."""
    _renewed = False
    """Whether it is a removed server's data directory, which may have files that the servers' user can't remove."""

    @property
    def account(self) -> Account | None:
        """The account that runs the server and owns its files; None for the current user."""
        return self._clusters.account

    def append_conf(self, conf: str = "", /, **settings: str | int | float | bool) -> None:
        """Append to ``postgresql.conf``. Call :meth:`reload` or :meth:`restart` for it to take effect.

        Parameters:
            conf: lines, appended unchanged.
            settings: under their newest names, which are translated for older servers.
        """
        values = for_version({name: as_setting(value) for name, value in settings.items()}, self.version)
        lines = [conf.rstrip("\n")] if conf else []
        lines += [f"{name} = {quoted(value)}" for name, value in values.items()]
        try:
            append_to_file(self.datadir / "postgresql.conf", "\n".join(lines) + "\n", self._clusters.account)
        except OSError as error:
            raise self._clusters.refused(error) from error

    def make(self) -> None:
        """Create the data directory now. Otherwise the first start does."""
        while (new := self._new_directory()) is not None:
            try:
                self.supervisor.fill(new)
                return
            except OSError as error:
                refused = self._not_made(error)
                if not self._renewed:
                    raise refused from error

    def _new_directory(self) -> NewDirectory | None:
        """The data directory to create; None if it exists."""
        self._renewed = False
        if self.source is None or self.datadir.exists():
            return None
        if self._clusters.take_left(self.source, self.datadir):
            self._renewed = True
            return NewDirectory(str(self.source), str(self.datadir), *self._configuration(), renewed=True)
        return self.new_directory(self.source)

    def new_directory(self, source: Path) -> NewDirectory:
        """Create an empty data directory, to be filled from another one."""
        self._clusters.directory_in(self.datadir.parent, self.datadir.name)
        return NewDirectory(str(source), str(self.datadir), *self._configuration())

    def _not_made(self, error: OSError) -> StoreError:
        """Discard a data directory that could not be created. Return the error to raise."""
        self._clusters.discard(self.datadir)
        return self._clusters.refused(error)

    def _configuration(self) -> tuple[dict[str, str], dict[str, str]]:
        """The text to append to configuration files of a new server, and the contents of other files."""
        if self.access.port is not None:
            self.port = self.access.port
        elif self.access.tcp:
            self.port = free_port()
        port = f"port = {self.port}\n" if self.port != PORT else ""
        conf = configuration(self.version, self.socket_directory, self.access, self.settings) + port
        return {"postgresql.conf": conf}, {
            "pg_hba.conf": host_based_authentication(self.version, self.access)
        }


def free_port() -> int:
    """A free port. If another process takes it first, start() tries another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
