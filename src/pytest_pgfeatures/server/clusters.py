"""All clusters of one test process.

Modules that few tests need are imported on first use, so that the first test starts sooner.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerStartError, StoreError, WaitTimeoutError
from pytest_pgfeatures.install import server_account
from pytest_pgfeatures.server.cluster import Cluster
from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
from pytest_pgfeatures.server.left_directories import LeftDirectories
from pytest_pgfeatures.server.process import SupervisorClient
from pytest_pgfeatures.server.run_directory import RunDirectory
from pytest_pgfeatures.server.template import template
from pytest_pgfeatures.settings import as_setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from pytest_pgfeatures.install import Account, Install, Resolver, Store
    from pytest_pgfeatures.results.program import Finished
    from pytest_pgfeatures.server.factory import Upgrade

_TRIES = 3
"""The number of attempts to start a new server that another process kills each time."""


class Clusters:
    """Creates clusters, and removes them all when it is closed or this process dies.

    Parameters:
        store: the store, which has the templates.
        resolver: finds the installs that servers are upgraded to. By default, a new one.
        connects: this process will connect to the servers. It imports psycopg while the first one starts.
        controller: in a pytest-xdist worker, the pid of the controller. When that process ends, the worker is
            ended.
    """

    def __init__(
        self,
        store: Store,
        *,
        resolver: Resolver | None = None,
        connects: bool = True,
        controller: int | None = None,
    ) -> None:
        self.connects = connects
        self._store = store
        self._resolver = resolver
        self._account = server_account()
        self._run = RunDirectory(store, self._account)
        self._supervisor = SupervisorClient(self._run, controller)
        os.close(self._run.lock)  # the supervisor now holds the directory, and with it the lock
        self._names: set[str] = set()
        self._homes = itertools.count(1)
        self._runs = itertools.count(1)
        self._naming = threading.Lock()
        self._originals: dict[Install, Install] = {}
        self._clusters: list[Cluster] = []
        self._left = LeftDirectories(self._run, store.templates)

    def create(
        self,
        install: Install,
        *,
        name: str | None = None,
        settings: Mapping[str, str] | None = None,
        initdb_options: tuple[str, ...] = (),
        access: Access = SOCKET_ONLY,
        arguments: tuple[str, ...] = (),
        template_of: Install | None = None,
        begun: Cluster | None = None,
        timeout: float = 60.0,
    ) -> Cluster:
        """Create a cluster and start it. If another process kills it while it starts, it is created again.

        Parameters:
            install: the binaries to run.
            name: identifies it; by default its major.
            settings: for ``postgresql.conf``, under their newest names.
            initdb_options: added to the default ones.
            access: who can connect, and how; by default only by the socket.
            arguments: added to the command line of ``postgres``.
            template_of: the install whose initdb creates the data directory, if ``install`` is a copy of it.
            begun: a cluster that was prepared in this way, and whose start :meth:`~Cluster.begin` has begun.
            timeout: the deadline for the start, in seconds.

        Raises:
            ServerError: initdb refused, or the server did not start.
            StoreError: there is no room.
        """
        prepare = functools.partial(
            self.prepare,
            install,
            name=name,
            settings=settings,
            initdb_options=initdb_options,
            access=access,
            arguments=arguments,
            template_of=template_of,
        )
        cluster = begun or prepare()
        for left in reversed(range(_TRIES)):
            try:
                cluster.start(timeout=timeout)
                break
            except ServerStartError:
                from pytest_pgfeatures.server.recovery import was_killed

                if not (left and was_killed(cluster)):
                    raise
                self.remove(cluster)
                cluster = prepare()
        cluster.set_password()
        return cluster

    def prepare(
        self,
        install: Install,
        *,
        name: str | None = None,
        settings: Mapping[str, str] | None = None,
        initdb_options: tuple[str, ...] = (),
        access: Access = SOCKET_ONLY,
        arguments: tuple[str, ...] = (),
        template_of: Install | None = None,
    ) -> Cluster:
        """Create a cluster without starting it; see :meth:`create`. Its data directory is created by the first
        start, or by :meth:`Cluster.make`."""
        name = self._unique(name or f"pg{install.version.major}")
        options = (*initdb_options, *access.initdb_options)
        source = template(self._store, self._supervisor, template_of or install, options)
        cluster = self._cluster(
            install, name, self.home(name), settings or {}, access, arguments, source=source
        )
        self._clusters.append(cluster)
        return cluster

    def standby(
        self, upstream: Cluster, name: str, *, settings: Mapping[str, object] | None = None
    ) -> Cluster:
        """A physical standby of a running server; see :meth:`Cluster.standby`."""
        from pytest_pgfeatures.server import standby

        primary = upstream
        while primary.upstream is not None and standby.is_standby(primary):
            primary = primary.upstream
        standby.check_can_send(upstream)
        name = self._unique(name)
        home = self.home(name)
        slot = standby.make_slot(upstream, name)
        merged = upstream.settings | {key: as_setting(value) for key, value in (settings or {}).items()}
        follower = self._cluster(upstream.install, name, home, merged, replace(upstream.access, port=None))
        tablespaces = self.directory_in(home, "tablespaces")
        try:
            standby.back_up(primary, follower, tablespaces)
        except OSError as error:
            for directory in (follower.datadir, tablespaces):
                self.discard(directory)
            raise self.refused(error) from error
        follower.upstream = upstream
        upstream.standbys.append(follower)
        self._clusters.append(follower)
        with self._run.explaining():
            standby.follow(follower, upstream, slot, self._account)
        follower.start()
        standby.wait_until_streaming(follower, upstream)
        return follower

    def promote(self, cluster: Cluster, *, timeout: float) -> None:
        """Make a standby a primary."""
        from pytest_pgfeatures.server import standby

        with self._run.explaining():
            standby.promote(cluster, self._account, timeout=timeout)

    def upgrade_check(self, old: Cluster, version: str | Install, *, timeout: float) -> Finished:
        """The findings of pg_upgrade on a running server."""
        from pytest_pgfeatures.server import upgrade, upgrade_check
        from pytest_pgfeatures.server.factory import Upgrade

        install = self.install(version, upgrade.NEEDS_NEW)
        return upgrade_check.check(self, old, install, Upgrade(check_only=True), timeout=timeout)[0]

    def upgrade(self, old: Cluster, version: str | Install, wanted: Upgrade, *, timeout: float) -> Cluster:
        """A cluster upgraded by pg_upgrade; see :meth:`Cluster.upgrade_to`."""
        from pytest_pgfeatures.server import upgrade, upgrade_check

        install = self.install(version, upgrade.NEEDS_NEW)
        if wanted.check_only:
            _, refused = upgrade_check.check(self, old, install, wanted, timeout=timeout)
            if refused is not None:
                raise refused
            return old
        return upgrade.upgrade(self, old, install, wanted, timeout=timeout)

    def dump(
        self,
        old: Cluster,
        target: str | Install | Cluster,
        *,
        dbname: str | None,
        settings: Mapping[str, object] | None = None,
        timeout: float,
    ) -> Cluster:
        """A cluster dumped and restored; see :meth:`Cluster.dump_to`."""
        new = target if isinstance(target, Cluster) else self.successor(old, self.install(target), settings)
        if not new.running():
            new.start()
            new.set_password()
        from pytest_pgfeatures.server import dump

        with self._run.explaining():
            dump.dump(self, old, new, dbname=dbname, timeout=timeout)
        return new

    def successor(
        self,
        old: Cluster,
        install: Install,
        settings: Mapping[str, object] | None = None,
        *,
        initdb_options: tuple[str, ...] = (),
    ) -> Cluster:
        """Create a cluster, not started, as the successor of another one. It has that one's settings and the
        given ones, and its superuser and password, and is removed with it."""
        new = self.prepare(
            install,
            name=f"{old.name}-to-{install.version.major}",
            settings=old.settings | {key: as_setting(value) for key, value in (settings or {}).items()},
            initdb_options=initdb_options,
            access=replace(old.access, port=None),
            template_of=self._originals.get(install),
        )
        new.make()
        old.successors.append(new)
        return new

    def copy(self, cluster: Cluster, name: str) -> Cluster:
        """Create a cluster, not started, with a copy of a stopped one's files."""
        name = self._unique(name)
        home = self.home(name)
        access = replace(cluster.access, port=None)
        copy = self._cluster(cluster.install, name, home, cluster.settings, access, source=cluster.datadir)
        copy.make()
        self._clusters.append(copy)
        return copy

    def copied(self, install: Install, copy: Install) -> None:
        """Register ``copy`` as a copy of an install: both use the same template."""
        self._originals[copy] = install

    @property
    def resolver(self) -> Resolver:
        """The resolver that finds installs."""
        if self._resolver is None:
            from pytest_pgfeatures.install import Resolver

            self._resolver = Resolver(self._store)
        return self._resolver

    def install(self, version: str | Install, needs: Iterable[str] = ()) -> Install:
        """The install for a version.

        Raises:
            InstallNotFoundError: there is none.
            CapabilityMissingError: no install has the required capabilities.
        """
        if not isinstance(version, str):
            return version
        return self.resolver.resolve(self.resolver.cell(version).request, needs)

    def run(
        self,
        argv: Sequence[str | Path],
        *,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float,
    ) -> Finished:
        """Run a program as the user who runs the servers. It is ended with this process at the latest.

        Raises:
            ServerError: it can't be started.
            WaitTimeoutError: it was still running after ``timeout``. It is killed, with all processes that it
                started.
        """
        output = self._run.path / f"run-{next(self._runs)}.log"
        try:
            return self._supervisor.run(
                argv, output=output, environment=environment, cwd=cwd, timeout=timeout
            )
        except WaitTimeoutError as error:
            error.details = (*error.details, *output.read_text(errors="replace").splitlines()[-20:])
            raise
        finally:
            output.unlink(missing_ok=True)

    def home(self, name: str) -> Path:
        """Create a directory that the servers' user may enter but not write. It is removed when this object is
        closed."""
        return self._run.directory(self._numbered(name))

    def directory(self, name: str) -> Path:
        """Create a directory of the user who runs the servers. It is removed when this object is closed."""
        return self._run.directory(self._numbered(name), theirs=True)

    def directory_in(self, home: Path, name: str) -> Path:
        """Create a directory of the user who runs the servers, in one that :meth:`home` created."""
        return self._run.directory(f"{home.name}/{name}", theirs=True)

    def take_left(self, source: Path, target: Path) -> bool:
        """Move the data directory of a removed server to ``target``, if one was made from this template.
        :func:`pytest_pgfeatures.server.renewal.make_directory` makes it the same as the template."""
        return self._left.take(source, target)

    def discard(self, directory: Path) -> None:
        """Remove a directory that one of these methods created."""
        self._run.remove(directory)

    def file(self, name: str) -> Path:
        """The path for a new file, which is removed when this object is closed."""
        return self._run.path / name

    def refused(self, error: OSError) -> StoreError:
        """The error to raise for a file that could not be written."""
        return self._run.refused(error)

    def is_full(self) -> bool:
        """Whether the disk has less free space than a new server needs."""
        return self._run.is_full()

    @property
    def account(self) -> Account | None:
        """The account that runs the servers; None for the current user."""
        return self._account

    def remove(self, cluster: Cluster) -> None:
        """Remove a cluster, after its standbys and successors. Its log is kept until this object is closed."""
        for follower in reversed([*cluster.standbys, *cluster.successors]):
            self.remove(follower)
        cluster.successors.clear()
        cluster.stop("immediate")
        if cluster not in self._clusters:
            return  # a successor that the test has removed itself
        self._clusters.remove(cluster)
        if cluster.upstream is not None:
            cluster.upstream.standbys.remove(cluster)
            from pytest_pgfeatures.server import standby

            standby.forget(cluster, cluster.upstream)
        self._run.remove(cluster.datadir.with_name("tablespaces"))
        self._left.keep(cluster.source, cluster.datadir)
        with self._naming:
            self._names.discard(cluster.name)

    def _numbered(self, name: str) -> str:
        # Without characters that connection strings would have to quote: the socket's path is derived from
        # it.
        return f"{next(self._homes)}-{re.sub(r'[^A-Za-z0-9_.-]', '_', name)}"

    def _cluster(
        self,
        install: Install,
        name: str,
        home: Path,
        settings: Mapping[str, str],
        access: Access,
        arguments: tuple[str, ...] = (),
        *,
        source: Path | None = None,
    ) -> Cluster:
        return Cluster(
            install=install,
            name=name,
            clusters=self,
            supervisor=self._supervisor,
            datadir=home / "data",
            socket_directory=self._run.socket_directory(home),
            log=home / "log",
            settings=settings,
            access=access,
            arguments=arguments,
            source=source,
        )

    def __iter__(self) -> Iterator[Cluster]:
        """The clusters, running or stopped, that have not been removed."""
        return iter(list(self._clusters))

    def _unique(self, name: str) -> str:
        """The name, or a variant of it if another cluster has it."""
        with self._naming:
            names = (name, *(f"{name}-{number}" for number in range(2, len(self._names) + 3)))
            free = next(name for name in names if name not in self._names)
            self._names.add(free)
            return free

    def close(self) -> None:
        """Stop all servers and remove their files."""
        self._supervisor.close()
        self._run.close()

    def __enter__(self) -> Clusters:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
