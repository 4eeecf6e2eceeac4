"""All clusters of one test process."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import server_account
from pytest_pgfeatures.server import standby
from pytest_pgfeatures.server.cluster import Cluster
from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access, as_setting
from pytest_pgfeatures.server.copying import copy_tree
from pytest_pgfeatures.server.process import KeeperClient
from pytest_pgfeatures.server.run_directory import RunDirectory
from pytest_pgfeatures.server.template import template

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from pytest_pgfeatures.install import Install, Store


class Clusters:
    """Makes clusters, and ends them all when it is closed or this process dies.

    Parameters:
        store: where templates are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._account = server_account()
        self._run = RunDirectory(store, self._account)
        self._keeper = KeeperClient(self._run.path, self._run.lock, self._account)
        os.close(self._run.lock)  # the keeper has it now, and with it the lock
        self._names: set[str] = set()
        self._homes = itertools.count(1)
        self._naming = threading.Lock()
        self._made: list[Cluster] = []

    def create(
        self,
        install: Install,
        *,
        name: str | None = None,
        settings: Mapping[str, str] | None = None,
        initdb_options: tuple[str, ...] = (),
        access: Access = SOCKET_ONLY,
        arguments: tuple[str, ...] = (),
    ) -> Cluster:
        """A new cluster, started.

        Parameters:
            install: the binaries to run.
            name: tells it from others; by default its major's.
            settings: for ``postgresql.conf``, under their newest names.
            initdb_options: beside ours.
            access: who connects how; by default only the socket.
            arguments: of the program ``postgres``, beside ours.

        Raises:
            ServerError: initdb refused, or the server did not start.
            StoreError: there is no room.
        """
        name = self._unique(name or f"pg{install.version.major}")
        options = (*initdb_options, *access.initdb_options)
        source = template(self._store, self._keeper, install, options)
        home = self._home(name)
        with self._store.explaining():
            copy_tree(source, home / "data", self._account)
        cluster = self._cluster(install, name, home, settings or {}, access, arguments)
        cluster.configure()
        self._made.append(cluster)
        cluster.start()
        cluster.set_password()
        return cluster

    def standby(
        self, upstream: Cluster, name: str, *, settings: Mapping[str, object] | None = None
    ) -> Cluster:
        """A physical standby of a running server; see :meth:`Cluster.standby`."""
        primary = upstream
        while primary.upstream is not None and standby.is_standby(primary):
            primary = primary.upstream
        standby.check_can_send(upstream)
        name = self._unique(name)
        home = self._home(name)
        slot = standby.make_slot(upstream, name)
        with self._store.explaining():
            standby.back_up(primary, home, self._account)
        merged = upstream.settings | {key: as_setting(value) for key, value in (settings or {}).items()}
        follower = self._cluster(upstream.install, name, home, merged, replace(upstream.access, port=None))
        follower.upstream = upstream
        upstream.standbys.append(follower)
        self._made.append(follower)
        follower.configure()
        standby.follow(follower, upstream, slot, self._account)
        follower.start()
        standby.wait_until_streaming(follower, upstream)
        return follower

    def promote(self, cluster: Cluster, *, seconds: float) -> None:
        """Make a standby a primary."""
        standby.promote(cluster, self._account, seconds=seconds)

    def remove(self, cluster: Cluster) -> None:
        """End a cluster that nobody needs any more: its standbys first. Its log stays until we are closed."""
        for follower in reversed(list(cluster.standbys)):
            self.remove(follower)
        cluster.stop("immediate")
        self._made.remove(cluster)
        if cluster.upstream is not None:
            cluster.upstream.standbys.remove(cluster)
            standby.forget(cluster, cluster.upstream)
        shutil.rmtree(cluster.datadir, ignore_errors=True)
        with self._naming:
            self._names.discard(cluster.name)

    def _home(self, name: str) -> Path:
        """The directory of a new cluster."""
        # Without what connection strings have to quote: the socket's path is derived from it.
        home = self._run.path / f"{next(self._homes)}-{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}"
        with self._store.explaining():
            home.mkdir(mode=0o700)
            if self._account is not None:
                os.chown(home, self._account.uid, self._account.gid)
        return home

    def _cluster(
        self,
        install: Install,
        name: str,
        home: Path,
        settings: Mapping[str, str],
        access: Access,
        arguments: tuple[str, ...] = (),
    ) -> Cluster:
        return Cluster(
            install=install,
            name=name,
            clusters=self,
            keeper=self._keeper,
            datadir=home / "data",
            socket_directory=self._run.socket_directory(f"{home.name}.s", self._account),
            log=home / "log",
            settings=settings,
            access=access,
            arguments=arguments,
        )

    def __iter__(self) -> Iterator[Cluster]:
        """The clusters, running or stopped, that have not been removed."""
        return iter(list(self._made))

    def _unique(self, name: str) -> str:
        """The name, or another one where a cluster has it that has not been removed."""
        with self._naming:
            names = (name, *(f"{name}-{number}" for number in range(2, len(self._names) + 3)))
            free = next(name for name in names if name not in self._names)
            self._names.add(free)
            return free

    def close(self) -> None:
        """End all servers and remove their files."""
        self._keeper.close()

    def __enter__(self) -> Clusters:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.close()
