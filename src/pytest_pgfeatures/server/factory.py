"""The interfaces of ``Clusters`` that a cluster, upgrades and dumps use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_pgfeatures.errors import StoreError
    from pytest_pgfeatures.install import Account, Install, Resolver
    from pytest_pgfeatures.results.program import Finished

ClusterT = TypeVar("ClusterT")


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The parameters of an upgrade; see :meth:`Cluster.upgrade_to`."""

    mode: str = "copy"
    check_only: bool = False
    settings: Mapping[str, object] | None = None
    checksums: bool | None = None
    maintain: bool = False


class ClusterFactory(Protocol[ClusterT]):
    """Creates a cluster's standbys and successors, and removes the cluster."""

    connects: bool

    @property
    def account(self) -> Account | None:
        """The account that runs the servers; None for the current user."""

    def refused(self, error: OSError) -> StoreError:
        """The error to raise for a file that could not be written."""

    def is_full(self) -> bool:
        """Whether the disk has less free space than a new server needs."""

    def directory_in(self, home: Path, name: str) -> Path:
        """Create a directory that belongs to the user who runs the servers, in a server's directory."""

    def take_left(self, source: Path, target: Path) -> bool:
        """Move the data directory of a removed server to ``target``, if one was made from this template."""

    def discard(self, path: Path) -> None:
        """Remove a file or a tree below the run's directory."""

    def standby(
        self, upstream: ClusterT, name: str, *, settings: Mapping[str, object] | None = None
    ) -> ClusterT:
        """Create a physical standby of a running server."""

    def promote(self, cluster: ClusterT, *, timeout: float) -> None:
        """Promote a standby."""

    def upgrade(self, old: ClusterT, version: str | Install, wanted: Upgrade, *, timeout: float) -> ClusterT:
        """Upgrade a cluster with pg_upgrade, and return the new one."""

    def upgrade_check(self, old: ClusterT, version: str | Install, *, timeout: float) -> Finished:
        """Ask pg_upgrade whether it could upgrade a running server."""

    def dump(
        self,
        old: ClusterT,
        target: str | Install | ClusterT,
        *,
        dbname: str | None,
        settings: Mapping[str, object] | None = None,
        timeout: float,
    ) -> ClusterT:
        """Dump a cluster, restore it into another, and return that one."""

    def remove(self, cluster: ClusterT) -> None:
        """Remove a cluster."""


class Workshop(Protocol[ClusterT]):
    """Finds and runs programs, and creates the clusters and directories that they work on."""

    @property
    def account(self) -> Account | None:
        """The account that runs the servers; None for the current user."""

    @property
    def resolver(self) -> Resolver:
        """The resolver that finds installs."""

    def run(
        self,
        argv: Sequence[str | Path],
        *,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float,
    ) -> Finished:
        """Run a program as the user who runs the servers."""

    def directory(self, name: str) -> Path:
        """Create a directory that belongs to the user who runs the servers."""

    def home(self, name: str) -> Path:
        """Create a directory that the user who runs the servers may enter but not write."""

    def successor(
        self,
        old: ClusterT,
        install: Install,
        settings: Mapping[str, object] | None = None,
        *,
        initdb_options: tuple[str, ...] = (),
    ) -> ClusterT:
        """Create a cluster to which another one can be upgraded, without starting it."""
