"""The installs on this machine and in the store, and the releases in the registries."""

from __future__ import annotations

import contextlib
import json
import re
import time
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import (
    DownloadError,
    StoreError,
    UnreachableError,
    UnusableInstallError,
    VersionError,
)
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.install.model import SOURCES, Install
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.probe_cache import probed
from pytest_pgfeatures.install.request import Request
from pytest_pgfeatures.install.system import bindir_in, path_bindirs, system_bindirs
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.install.lockfile import LockFile
    from pytest_pgfeatures.install.release import Progress, Release
    from pytest_pgfeatures.install.store import Store

REMOTE = ("pypi", "maven")
_LINES_SHOWN = 5
_SAYS_OFFLINE = "offline, as PGFEATURES_OFFLINE says; what to do: unset it"
_SECONDS_BELIEVED = 24 * 3600
"""Seconds for which a list of releases is used: PostgreSQL has new minor releases every three months."""


class Inventory:
    """Looks up each install and release once, on first use."""

    def __init__(
        self, store: Store, *, offline: bool, lock: LockFile | None = None, progress: Progress | None = None
    ) -> None:
        self.store, self.offline, self.lock, self.progress = store, offline, lock, progress
        self.platform = this_platform().name
        self._local: dict[str, tuple[Install | UnusableInstallError, ...]] = {}
        self._cached: tuple[tuple[PgVersion, str, Path], ...] | None = None
        self._releases: dict[str, tuple[Release, ...]] = {}
        self._trouble: dict[str, DownloadError] = {}
        self._checked: set[Path] = set()
        self._damage: dict[tuple[Path, bool], tuple[str, ...]] = {}

    # --- at hand -------------------------------------------------------------------------------------------

    def probe(self, bindir: Path, source: str) -> Install:
        """The install in a directory of binaries. Raises UnusableInstallError if this host can't use it, or
        if other users could change it in the store."""
        if source in REMOTE and bindir not in self._checked:
            self.store.check(bindir.parent)
            self._checked.add(bindir)
        return probed(self.store, bindir, source)

    def local(self, source: str, directory: Path | None = None) -> tuple[Install | UnusableInstallError, ...]:
        """The installs of the source ``path`` or ``system``: usable ones, newest first, then the others' errors.

        Parameters:
            source: ``path`` or ``system``.
            directory: the directory of a ``path`` install; by default those in ``PGFEATURES_PATH``.
        """
        if directory is not None:
            return self._probed([bindir_in(directory)], "path")
        if source not in self._local:
            bindirs = path_bindirs() if source == "path" else [found for found, _ in system_bindirs()]
            self._local[source] = self._probed(bindirs, source)
        return self._local[source]

    def _probed(self, bindirs: list[Path], source: str) -> tuple[Install | UnusableInstallError, ...]:
        usable: list[Install] = []
        troubles: list[UnusableInstallError] = []
        for bindir in bindirs:
            try:
                usable.append(self.probe(bindir, source))
            except UnusableInstallError as error:
                troubles.append(error)
        return *sorted(usable, key=lambda install: install.version, reverse=True), *troubles

    def cached(self) -> tuple[tuple[PgVersion, str, Path], ...]:
        """Version, source and directory of binaries of all installs in the store for this platform, newest
        first."""
        if self._cached is None:
            pattern = re.compile(rf"({'|'.join(REMOTE)})-([\d.]+)-{re.escape(self.platform)}")
            with self.store.explaining():
                entries = list(self.store.installs.iterdir())
            if any(entry.name.startswith(".incoming-") for entry in entries):
                from pytest_pgfeatures.install.fetch import sweep_leftovers

                sweep_leftovers(self.store)
            matches = [(pattern.fullmatch(entry.name), entry) for entry in entries]
            found = [(PgVersion(match[2]), match[1], entry / "bin") for match, entry in matches if match]
            self._cached = tuple(
                sorted(found, key=lambda item: (item[0], -SOURCES.index(item[1])), reverse=True)
            )
        return self._cached

    def damage(self, place: Path, *, headers: bool) -> tuple[str, ...]:
        """The damage found in an install in the store; checked once.

        Parameters:
            place: its directory.
            headers: whether the files for building extensions will be used.
        """
        from pytest_pgfeatures.install.manifest import find_damage, read_record, write_record

        if (place, headers) not in self._damage:
            self._damage[place, headers] = find_damage(place, headers=headers)
            record = read_record(place)
            if record is not None and not record.manifest:  # unpacked before there were manifests
                with contextlib.suppress(StoreError), self.store.lock(place.name), self.store.explaining():
                    write_record(place, record.entry)
        return self._damage[place, headers]

    def renew(self, place: Path, damage: tuple[str, ...]) -> None:
        """Download a damaged install in the store again.

        Parameters:
            place: its directory.
            damage: the damage found, one line each.

        Raises:
            DownloadError: its release can't be fetched.
            ArchiveError: the archive is damaged, or differs from the recorded one.
            StoreError: the store can't be written, or the install is in use.
        """
        version, source = next(found[:2] for found in self.cached() if found[2].parent == place)
        release = None if self.offline else self.newest_release(source, Request(VersionSet(version), source))
        if release is None:
            raise DownloadError(
                f"{place} is damaged, and can't be fetched anew" + (" offline" if self.offline else ""),
                details=damage[:_LINES_SHOWN],
                remedy=f"run 'pgfeatures install {source}:{version}' while online, or remove it (pgfeatures clean)",
            )
        self.fetch(release)
        self._checked.discard(place / "bin")
        for headers in (True, False):
            self._damage.pop((place, headers), None)

    def at_hand(self) -> Iterator[Install]:
        """Every usable install that is at hand, in the order of the sources."""
        for source in ("path", "system"):
            yield from (found for found in self.local(source) if isinstance(found, Install))
        for _version, source, bindir in self.cached():
            try:
                yield self.probe(bindir, source)
            except UnusableInstallError:
                continue  # reported when the install is asked for, and by doctor

    def versions_at_hand(self, request: Request) -> set[PgVersion]:
        """The available versions that satisfy a request; those in the store are not probed for it."""
        local = (found for source in ("path", "system") for found in self.local(source))
        found = [(install.version, install.source) for install in local if isinstance(install, Install)]
        found += [(version, source) for version, source, _ in self.cached()]
        return {version for version, source in found if request.allows(version, source)}

    # --- in the registries ---------------------------------------------------------------------------------

    def releases(self, source: str) -> tuple[Release, ...]:
        """The releases in a registry, oldest first; from a list less than a day old if there is one.

        Raises:
            DownloadError: it can't be reached, and there is no older list.
        """
        if source in self._trouble and source not in self._releases:
            raise self._trouble[source].with_traceback(None)  # the registry is asked only once
        if source not in self._releases:
            record = self.store.probes / f"releases-{source}-{self.platform}.json"
            known = _read_releases(
                record, source, oldest=0 if self.offline else time.time() - _SECONDS_BELIEVED
            )
            self._releases[source] = self._asked(source, record) if known is None else known
        return self._releases[source]

    def _asked(self, source: str, record: Path) -> tuple[Release, ...]:
        """Ask the registry, one process at a time, and keep its answer. If it can't be reached, use its last
        answer."""
        if self.offline:
            return ()
        from pytest_pgfeatures.install import maven, pypi

        ask = maven.releases if source == maven.NAME else pypi.releases
        found = None
        try:
            with self.store.lock(record.stem):
                known = _read_releases(record, source, oldest=time.time() - _SECONDS_BELIEVED)
                if known is not None:
                    return known
                found = ask()
                rows = [[str(one.version), one.project, one.label, one.build] for one in found]
                with self.store.explaining():
                    text = json.dumps({"when": time.time(), "releases": rows}) + "\n"
                    write_atomically(record, text, mode=0o644)
        except DownloadError as error:
            self._trouble[source] = error
            known = _read_releases(record, source, oldest=0)
            if known is None:
                raise
            return known
        except StoreError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            return ask() if found is None else found  # a list that can't be kept is requested each time
        return found

    def newest_release(self, source: str, request: Request) -> Release | None:
        """The newest release in a registry that satisfies a request; the locked one if the lock file has one."""
        fitting = [release for release in self.releases(source) if request.allows(release.version, source)]
        if self.lock is not None and (entry := self.lock.locked(source, self.platform, request.versions)):
            fitting = [release for release in fitting if release.label == entry.label] or fitting
        return max(fitting, key=lambda release: release.order, default=None)

    def place_of(self, release: Release) -> Path:
        """The directory in the store of a fetched release."""
        return self.store.installs / f"{release.source}-{release.version}-{self.platform}"

    def fetch(self, release: Release) -> Path:
        """Bring a release into the store and return the directory of its binaries."""
        from pytest_pgfeatures.install.fetch import fetch

        place = self.place_of(release)
        try:
            fetch(self.store, release, place, lock=self.lock, progress=self.progress)
        except UnreachableError as error:
            self._trouble[release.source] = error
            raise
        self._cached = None
        return place / "bin"

    def available(self, request: Request) -> set[PgVersion]:
        """The available and the downloadable versions that match a request."""
        found = self.versions_at_hand(request)
        for source in REMOTE if not self.offline else ():
            if request.source in (None, source):
                try:
                    offered = self.releases(source)
                except DownloadError as error:
                    self._trouble[source] = error
                    continue
                found |= {release.version for release in offered if request.allows(release.version, source)}
        return found

    @property
    def unreachable(self) -> frozenset[str]:
        """The registries that could not be reached, even if an old list is known."""
        return frozenset(self._trouble)

    def not_asked(self, request: Request) -> dict[str, str]:
        """The registries that may have the requested version and could not be asked, each with the reason and
        the remedy, in one line."""
        sources = [source for source in REMOTE if request.source in (None, source)]
        if self.offline:
            return {source: f"{source} could not be asked: {_SAYS_OFFLINE}" for source in sources}
        troubles = {source: self._trouble[source] for source in sources if source in self._trouble}
        return {source: f"{error.problem}; what to do: {error.remedy}" for source, error in troubles.items()}

    def trouble(self) -> tuple[str, ...]:
        """The errors of registries, one line each."""
        lines = [
            error.problem if isinstance(error, UnreachableError) else f"{source}: {error.problem}"
            for source, error in self._trouble.items()
        ]
        return (*lines, "offline: no registry was asked") if self.offline else tuple(lines)


def _read_releases(record: Path, source: str, *, oldest: float) -> tuple[Release, ...] | None:
    """The list of releases kept in a file; None if there is none, or it is older than the given time."""
    from pytest_pgfeatures.install.release import Release

    try:
        content = json.loads(record.read_bytes())
        if content["when"] < oldest:
            return None
        return tuple(
            Release(source, PgVersion(version), project, label, tuple(build))
            for version, project, label, build in content["releases"]
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError, VersionError):
        return None  # none yet, or written by another version of ours: it is fetched anew
