"""Find an install for a request.

    resolver = Resolver(Store.open())
    for cell in resolver.cells(parse_requests("14..18")):
        install = resolver.resolve(cell.request, {"pg_dump"})

The order is: installs that the user names, the system's, those in the store, then PyPI and Maven. Installs that
can't be loaded on this host, or lack a needed capability, are skipped. If none is left, the error says why each
was skipped.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import (
    ArchiveError,
    CapabilityMissingError,
    DownloadError,
    InstallNotFoundError,
    PgFeaturesError,
    StoreError,
    UnreachableError,
    UnusableInstallError,
)
from pytest_pgfeatures.install.inventory import REMOTE, Inventory
from pytest_pgfeatures.install.matrix import Cell, by_major, from_source_of, plan_cells
from pytest_pgfeatures.install.model import SOURCES, Install
from pytest_pgfeatures.install.request import Request, parse_requests
from pytest_pgfeatures.install.store import LOCK_NAME, SESSION, Store
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pgfeatures.install.lockfile import LockFile
    from pytest_pgfeatures.install.release import Progress

OFFLINE_VARIABLE = "PGFEATURES_OFFLINE"


def is_offline() -> bool:
    """Whether ``PGFEATURES_OFFLINE`` forbids downloads."""
    return os.environ.get(OFFLINE_VARIABLE, "").lower() not in ("", "0", "no", "off", "false")


class Resolver:
    """Finds installs, and downloads those that are not at hand. It remembers what it found.

    Parameters:
        store: the store of downloaded installs; by default the user's.
        directory: the project's. Archives are compared with its ``pgfeatures.lock``, if there is one, and added
            to it. By default the current directory.
        offline: never download; by default, ``PGFEATURES_OFFLINE`` decides.
        lock: another lock file than the directory's.
        progress: shows the progress of a download.
        asked: the requests of the matrix; :meth:`cell` takes a major from the same source.
    """

    def __init__(
        self,
        store: Store | None = None,
        *,
        directory: Path | None = None,
        offline: bool | None = None,
        lock: LockFile | None = None,
        progress: Progress | None = None,
        asked: Iterable[Request] = (),
    ) -> None:
        self.inventory = Inventory(
            store or Store.open(),
            offline=is_offline() if offline is None else offline,
            lock=lock or _lock_in(directory or Path()),
            progress=progress,
        )
        self._found: dict[tuple[Request, frozenset[str]], Install | PgFeaturesError] = {}
        self._held: dict[str, int | None] = {}
        self._asked = tuple(asked)
        self._of_cells: list[Request] = []

    @property
    def store(self) -> Store:
        """The store with the fetched installs."""
        return self.inventory.store

    def cells(self, requests: Iterable[Request] = ()) -> list[Cell]:
        """The cells of the matrix that the requests span, oldest major first.

        One per major, or per source if several sources are named for a major. Without any request, the newest
        available install; if there is none, the newest release that can be fetched.

        Raises:
            VersionError: there is no such version.
            InstallNotFoundError: a path has no server, or there is no latest release.
            UnusableInstallError: a path has a server that can't be used on this host.
        """
        requests = tuple(requests)
        self._of_cells += requests
        return plan_cells(requests, self.inventory)

    def cell(self, version: str) -> Cell:
        """The cell for a version named beside the matrix: ``"14"`` is the 14 of the matrix's source, if that
        names one.

        Parameters:
            version: as ``--pg`` takes it; of several majors, the newest is taken.

        Raises:
            VersionError: there is no such version.
            InstallNotFoundError: a path has no server, or there is no latest release.
            UnusableInstallError: a path has a server that can't be used on this host.
        """
        return from_source_of(self.cells(parse_requests(version, "version"))[-1], self._asked, self.inventory)

    def check_capabilities(self, names: Iterable[str]) -> None:
        """Refuse unknown capabilities: those that neither PostgreSQL nor any install at hand has.

        Raises:
            InstallError: there is one. The error suggests a similar name.
        """
        from pytest_pgfeatures.install.capabilities import unfamiliar, unknown_error

        for name in unfamiliar(names):
            if not any(install.has(name) for install in self.inventory.at_hand()):
                raise unknown_error(name)

    def check_existence(self, requests: Iterable[Request]) -> None:
        """Refuse a single major or release that no source has.

        Raises:
            InstallNotFoundError: no source has it. The error names nearby versions.
        """
        from pytest_pgfeatures.install.existence import check_existence

        check_existence(requests, self.inventory)

    def resolve(self, request: Request | VersionSet | str, needs: Iterable[str] = ()) -> Install:
        """The install to use: the newest release from the first source that has the needed capabilities.

        Parameters:
            request: the versions and their source.
            needs: the required capabilities.

        Raises:
            CapabilityMissingError: there are installs of the version, but none has a capability.
            InstallNotFoundError: there is no install of the version; the details list the attempts.
            InstallError: there is no such capability.
            ArchiveError: an archive is damaged, or differs from the recorded one.
            StoreError: the store can't be used.
        """
        if not isinstance(request, Request):
            request = Request(VersionSet(request))
        if request.latest:
            (request,) = by_major(request, self.inventory)
        key = (request, frozenset(needs))
        if key not in self._found:
            try:
                self._found[key] = self._resolve(*key)
            except PgFeaturesError as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, PgFeaturesError):
            raise found.with_traceback(None)
        return found

    def prepare(self, cells: Sequence[Cell], needs: Iterable[str] = ()) -> list[Install | PgFeaturesError]:
        """Resolve several cells at the same time, so that downloads and unpacking overlap.

        Returns:
            for each cell its install, or the error.
        """
        from pytest_pgfeatures.threads import Pool, in_order

        needed = frozenset(needs)

        def prepared(cell: Cell) -> Install | PgFeaturesError:
            try:
                return self.resolve(cell.request, needed)
            except PgFeaturesError as error:
                return error

        with Pool(max_workers=_SIDE_BY_SIDE) as pool:
            return list(in_order(pool, prepared, cells))

    def client(self, program: str, version: PgVersion) -> Install:
        """An install with a client program for a server of this version, whose own install may lack it.

        This is the nearest available major that has it, else the newest one that can be downloaded.

        Parameters:
            program: such as ``psql``. Some serve servers of older majors, see
                :mod:`~pytest_pgfeatures.install.client_compatibility`, others of their own major only.
            version: the server's version.

        Raises:
            CapabilityMissingError: no install of these majors has it.
        """
        from pytest_pgfeatures.install.client_compatibility import client_versions

        versions = client_versions(program, version)
        for nearest in self._nearest_first(version):
            if nearest.has(program) and nearest.version in versions:
                if nearest.source in ("path", "system"):
                    return nearest
                with contextlib.suppress(
                    InstallNotFoundError
                ):  # the install is damaged, and can't be fetched anew
                    return self.resolve(Request(VersionSet(nearest.version), nearest.source), {program})
        return self.resolve(Request(versions), {program})

    def clients_at_hand(self, programs: Iterable[str], version: PgVersion) -> dict[str, Install]:
        """For each client program, the nearest available install that has it for servers of this version.

        Parameters:
            programs: their names.
            version: the server's version.
        """
        from pytest_pgfeatures.install.client_compatibility import client_versions

        found: dict[str, Install] = {}
        wanted = {program: client_versions(program, version) for program in programs}
        for install in self._nearest_first(version) if wanted else ():
            for program in wanted.keys() - found.keys():
                if install.has(program) and install.version in wanted[program]:
                    found[program] = install
            if len(found) == len(wanted):
                break
        return found

    def _nearest_first(self, version: PgVersion) -> Iterator[Install]:
        """The available installs of a server's major and of newer ones, oldest first; each is probed when it
        is reached."""
        local = {
            found.bindir: found
            for source, directory in (*self._named(), ("path", None), ("system", None))
            for found in self.inventory.local(source, directory)
            if isinstance(found, Install)
        }
        places: list[tuple[PgVersion, Install | tuple[str, Path]]] = [
            (found.version, found) for found in local.values()
        ]
        places += [(stored, (source, bindir)) for stored, source, bindir in self.inventory.cached()]
        for found, where in sorted(places, key=lambda place: place[0]):
            if found.major < version.major:
                continue
            try:
                yield where if isinstance(where, Install) else self.inventory.probe(where[1], where[0])
            except UnusableInstallError:
                continue  # reported when the install is asked for, and by doctor

    def _named(self) -> list[tuple[str, Path | None]]:
        """The directories that the requests of cells name."""
        requests = (*self._asked, *self._of_cells)
        return [("path", request.directory) for request in requests if request.directory is not None]

    def _resolve(self, request: Request, needed: frozenset[str]) -> Install:
        from pytest_pgfeatures.install.capabilities import unknown, unknown_error

        for name in unknown(needed):  # a newer server's programs count without being listed
            if not any(install.has(name) for install in self.inventory.at_hand()):
                raise unknown_error(name)
        tried: list[str] = []
        lacking: list[str] = []
        for install in self._candidates(request, needed, tried):
            missing = sorted(needed - install.capabilities)
            if not missing and self._hold(install):
                return install
            if not missing:
                tried.append(f"{install.source}: {install.bindir} was removed just now")
                continue
            tried.append(
                f"{install.source}: {install.version} in {install.bindir} lacks {', '.join(missing)}"
            )
            lacking += missing
        not_asked = self.inventory.not_asked(request)
        but = f"; {' and '.join(not_asked)} could not be asked" if not_asked else ""
        error: InstallNotFoundError
        if lacking:
            error = CapabilityMissingError(
                f"no install of PostgreSQL {request} has {' and '.join(sorted(needed))}{but}",
                capability=lacking[0],
                details=tuple(tried),
                remedy="point at one that has it, with path:DIR or PGFEATURES_PATH",
            )
        else:
            error = InstallNotFoundError(
                f"PostgreSQL {request} is not available{' offline' if self.inventory.offline else but}",
                details=tuple(tried),
                remedy=self._remedy(request),
            )
        error.not_asked = tuple(not_asked.values())
        raise error

    def _hold(self, install: Install) -> bool:
        """Protect an install from ``pgfeatures clean`` while this process runs; False if it was just removed."""
        place = install.bindir.parent
        for name in (SESSION, *([place.name] if place.parent == self.store.installs else [])):
            if name not in self._held:
                self._held[name] = self.store.hold(name)
        return install.bindir.is_dir()

    def close(self) -> None:
        """Release the installs. The end of the process does this, too."""
        for descriptor in self._held.values():
            if descriptor is not None:
                os.close(descriptor)
        self._held.clear()

    def _remedy(self, request: Request) -> str:
        if request.source in ("path", "system"):
            return "ask for it without naming the source, or see what is there with 'pgfeatures doctor'"
        if self.inventory.offline:
            return f"run 'pgfeatures install {request}' while online, or unset {OFFLINE_VARIABLE}"
        return (
            "ask for a version that 'pgfeatures list --available' shows, "
            "or point at an install with path:DIR or PGFEATURES_PATH"
        )

    def _candidates(self, request: Request, needed: frozenset[str], tried: list[str]) -> Iterator[Install]:
        """Matching installs in order, whatever their capabilities. The reasons against other installs are
        added to ``tried``."""
        sources = [request.source] if request.source else list(SOURCES)
        for source in sources:
            if source not in REMOTE:
                yield from self._local(source, request, tried)
        remote = [source for source in sources if source in REMOTE]
        seen: set[Path] = set()
        for version, source, bindir in self.inventory.cached():
            if source in remote and request.allows(version, source):
                seen.add(bindir.parent)
                yield from self._stored(source, bindir, needed, tried)
        for source in remote:
            yield from self._fetched(source, request, tried, seen)

    def _local(self, source: str, request: Request, tried: list[str]) -> Iterator[Install]:
        others = []
        for found in self.inventory.local(source, request.directory):
            if isinstance(found, UnusableInstallError):
                tried += _lines(source, found)
            elif request.allows(found.version, source):
                yield found
            else:
                others.append(str(found.version))
        if others or source == "system":
            tried.append(f"{source}: {'only ' + ', '.join(others) if others else 'none found'}")

    def _stored(
        self, source: str, bindir: Path, needed: frozenset[str], tried: list[str]
    ) -> Iterator[Install]:
        if damage := self.inventory.damage(bindir.parent, headers="pgxs" in needed):
            try:
                self.inventory.renew(bindir.parent, damage)
            except (DownloadError, StoreError) as error:
                tried += _lines(source, error)
                return
        self._check_record(bindir.parent)
        try:
            yield self.inventory.probe(bindir, source)
        except UnusableInstallError as error:
            tried += _lines(source, error)

    def _check_record(self, place: Path) -> None:
        """Compare the archive that an install came from with the project's lock file."""
        if (lock := self.inventory.lock) is None:
            return
        from pytest_pgfeatures.install.manifest import read_record

        lock.entries()  # raises if the file can't be read
        record = read_record(place)
        assert record is not None  # otherwise, another process could damage it
        try:
            lock.check(record.entry)
        except ArchiveError as error:
            error.remedy = f"remove {place} (pgfeatures clean), or correct the lock file"
            raise

    def _fetched(self, source: str, request: Request, tried: list[str], seen: set[Path]) -> Iterator[Install]:
        if self.inventory.offline:
            tried.append(f"{source}: not in the store, and offline")
            return
        try:
            release = self.inventory.newest_release(source, request)
            if release is None:
                tried.append(f"{source}: no release of it for this platform")
            elif self.inventory.place_of(release) not in seen:
                yield self.inventory.probe(self.inventory.fetch(release), source)
        except (DownloadError, UnusableInstallError) as error:
            tried += _lines(source, error)


_SIDE_BY_SIDE = 4
"""The maximum number of simultaneous downloads."""


def _lock_in(directory: Path) -> LockFile | None:
    """The lock file of a project's directory, if it has one."""
    path = directory / LOCK_NAME
    if not path.exists():
        return None
    from pytest_pgfeatures.install.lockfile import LockFile

    return LockFile(path.absolute())


def _lines(source: str, error: PgFeaturesError) -> list[str]:
    """An error of one source, as lines of the list of attempts."""
    problem = error.problem if isinstance(error, UnreachableError) else f"{source}: {error.problem}"
    lines = [problem, *(f"    {line}" for line in error.details)]
    return [*lines, f"    what to do: {error.remedy}"] if error.remedy else lines
