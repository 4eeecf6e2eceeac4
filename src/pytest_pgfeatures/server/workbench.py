"""Servers outside of pytest: the store, the resolver and the clusters, set up together."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from pytest_pgfeatures.install import Resolver, Store
    from pytest_pgfeatures.install.release import Progress
    from pytest_pgfeatures.server.cluster import Cluster
    from pytest_pgfeatures.server.clusters import Clusters


class Workbench:
    """Servers of any version, without pytest. The end of the ``with`` block, or of the process, removes them.

    ::

        with Workbench() as pg:
            server = pg.cluster("18")
            server.sql("SELECT version()")

    Parameters:
        directory: the project's directory, which has ``pgfeatures.lock``; by default the current one.
        progress: shows the progress of downloads; by default nothing is shown.
        connects: this process will connect to the servers. It imports psycopg while the first one starts.
    """

    def __init__(
        self, directory: Path | None = None, *, progress: Progress | None = None, connects: bool = True
    ) -> None:
        self._directory = directory or Path.cwd()
        self._progress = progress
        self._connects = connects

    def cluster(
        self,
        version: str | None = None,
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
                the newest is taken. By default, the newest install at hand.
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
        from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
        from pytest_pgfeatures.settings import as_setting, given

        cell = self.resolver.cells()[-1] if version is None else self.resolver.cell(version)
        return self.clusters.create(
            self.resolver.resolve(cell.request, needs),
            name=name,
            settings={key: as_setting(value) for key, value in given(settings).items()},
            initdb_options=tuple(initdb_options),
            access=replace(Access.by_tcp() if tcp else SOCKET_ONLY, pg_hba=tuple(pg_hba)),
        )

    @functools.cached_property
    def store(self) -> Store:
        """The store of downloaded installs."""
        from pytest_pgfeatures.install import Store

        return Store.open()

    @functools.cached_property
    def resolver(self) -> Resolver:
        """Finds installs, and downloads those that are not at hand."""
        from pytest_pgfeatures.install.resolve import Resolver, lock_in

        return Resolver(self.store, lock=lock_in(self._directory), progress=self._progress)

    @functools.cached_property
    def clusters(self) -> Clusters:
        """The clusters, and the supervisor that removes them. It starts on first use."""
        from pytest_pgfeatures.server.clusters import Clusters

        return Clusters(self.store, resolver=self.resolver, connects=self._connects)

    def close(self) -> None:
        """Stop all servers, remove their files, and release the installs."""
        if "clusters" in self.__dict__:
            self.clusters.close()
        if "resolver" in self.__dict__:
            self.resolver.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
