"""Servers without pytest: the store, the resolver and the clusters, as the verbs and the plugin have them, too."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from pytest_pgfeatures.install import Cell, Request, Resolver, Store
    from pytest_pgfeatures.install.release import Progress
    from pytest_pgfeatures.server import Cluster, Clusters


class Workbench:
    """Servers of any version, without pytest. The end of the ``with`` block, or of the process, removes them.

    ::

        with Workbench() as pg:
            server = pg.cluster("18")
            server.sql("SELECT version()")

    Nothing is looked up, downloaded or started before it is asked for. Threads may share it.

    Parameters:
        versions: the matrix, as ``--pg`` takes it, such as ``"14..18"``. By default, the newest install at hand.
        directory: the project's directory, which has ``pgfeatures.lock``; by default the current one.
        progress: shows the progress of downloads; by default, bars on standard error, if that is a terminal.
        report: called with a message while waiting for another process; by default it prints to standard error.
        connects: whether this process will connect to the servers. It imports psycopg while the first one starts.
        controller: in a pytest-xdist worker, the pid of the controller. When that process ends, this one is ended.
    """

    def __init__(
        self,
        versions: str | None = None,
        *,
        directory: Path | None = None,
        progress: Progress | None = None,
        report: Callable[[str], object] | None = None,
        connects: bool = True,
        controller: int | None = None,
    ) -> None:
        self._versions = versions
        self._directory = directory
        self._progress = progress
        self._report = report
        self._connects = connects
        self._controller = controller
        self._resolver: Resolver | None = None
        self._clusters: Clusters | None = None
        self._setting_up = threading.RLock()

    def cluster(
        self,
        version: str | Cell | None = None,
        *,
        name: str | None = None,
        needs: Iterable[str] = (),
        settings: Mapping[str, object] | Path | None = None,
        pg_hba: Iterable[str] = (),
        initdb_options: Iterable[str] = (),
        tcp: bool = False,
    ) -> Cluster:
        """Create a cluster and start it. Its install is downloaded if it is not at hand.

        Parameters:
            version: as ``--pg`` takes it, such as ``"14"``, ``"16.2"``, ``"path:DIR"``; of several majors,
                the newest is taken. Or one of :attr:`cells`. By default, the newest of these.
            name: identifies it; by default its major.
            needs: required capabilities of its install, such as ``icu``.
            settings: for ``postgresql.conf``, under their newest names; or the path of such a file.
            pg_hba: lines of ``pg_hba.conf``, placed before ours.
            initdb_options: such as ``["--data-checksums"]``.
            tcp: also listen on 127.0.0.1, with scram-sha-256 and a random password.

        Raises:
            VersionError: there is no such version.
            InstallNotFoundError: no source has it.
            CapabilityMissingError: no install of it has the required capabilities.
            ServerError: initdb refused, or the server did not start.
        """
        from dataclasses import replace

        from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
        from pytest_pgfeatures.settings import as_setting, given

        if isinstance(version, str):
            version = self.resolver.cell(version)
        cell = version or self.cells[-1]
        return self.clusters.create(
            self.resolver.resolve(cell.request, needs),
            name=name,
            settings={key: as_setting(value) for key, value in given(settings).items()},
            initdb_options=tuple(initdb_options),
            access=replace(Access.by_tcp() if tcp else SOCKET_ONLY, pg_hba=tuple(pg_hba)),
        )

    @functools.cached_property
    def requests(self) -> tuple[Request, ...]:
        """The requests for the versions; empty for the default.

        Raises:
            VersionError: they can't be read.
        """
        from pytest_pgfeatures.install import parse_requests

        return () if self._versions is None else parse_requests(self._versions)

    @property
    def cells(self) -> list[Cell]:
        """The cells of the matrix, oldest major first; see :meth:`cluster`.

        Raises:
            VersionError: there is no such version.
            InstallNotFoundError: a path has no server, or there is no latest release.
            UnusableInstallError: a path has a server that can't be used on this host.
        """
        return self.resolver.cells(self.requests)

    @property
    def store(self) -> Store:
        """The store of downloaded installs."""
        return self.resolver.store

    @property
    def resolver(self) -> Resolver:
        """Finds installs, and downloads those that are not at hand."""
        with self._setting_up:
            if self._resolver is None:
                from pytest_pgfeatures.install import Resolver, Store

                self._resolver = Resolver(
                    Store.open(report=self._report),
                    directory=self._directory,
                    progress=self._progress or _bars(),
                    asked=self.requests,
                )
            return self._resolver

    def find_resolver(self) -> Resolver:
        """Return the resolver. Pass this method to code that may not need the resolver."""
        return self.resolver

    @property
    def clusters(self) -> Clusters:
        """Creates clusters. It starts the supervisor, which removes them, when it is first used."""
        with self._setting_up:
            if self._clusters is None:
                from pytest_pgfeatures.server import Clusters

                self._clusters = Clusters(
                    self.store, resolver=self.resolver, connects=self._connects, controller=self._controller
                )
            return self._clusters

    def __iter__(self) -> Iterator[Cluster]:
        """The clusters, running or stopped, that have not been removed."""
        return iter(self._clusters or ())

    def close(self) -> None:
        """Stop all servers, remove their files, and release the installs."""
        if self._clusters is not None:
            self._clusters.close()
        if self._resolver is not None:
            self._resolver.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _bars() -> Progress:
    from pytest_pgfeatures.progress import DownloadBars

    return DownloadBars()
