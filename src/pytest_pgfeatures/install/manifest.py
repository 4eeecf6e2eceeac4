"""The manifest of an install in the store: written when the install is unpacked, compared when it is used.

Beside the files stand the record, which names their archive, and the manifest: size, time and
SHA-256 of each file, and where each link leads.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.files import sha256_of, write_atomically
from pytest_pgfeatures.install.lockfile import LockedArchive
from pytest_pgfeatures.install.store import MANIFEST, RECORD

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = 1
_HEADERS = "include/"
"""Files that are used only to build extensions: two thirds of the files of a full install."""
_LINES_KEPT = 5


@dataclass(frozen=True, slots=True)
class Record:
    """The record of an install in the store.

    Parameters:
        entry: its archive.
        manifest: the SHA-256 of the manifest; empty if the release of ours that unpacked it wrote none.
        damage: the result of a full check; a damaged install is not used until it is fetched anew.
    """

    entry: LockedArchive
    manifest: str = ""
    damage: tuple[str, ...] = ()

    def text(self) -> str:
        """The content of its file."""
        return json.dumps(asdict(self.entry) | {"manifest": self.manifest, "damage": self.damage}) + "\n"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of an install: in columns, which are read in a third of the time that rows take.

    Parameters:
        format: the file's format.
        files: paths, those for building extensions last.
        headers: the index of the first of these.
        sizes: the files' sizes, in bytes.
        times: the files' modification times, in seconds since 1970.
        sha256: the hashes of their contents.
        links: symbolic links, with their targets.
    """

    format: int
    files: list[str]
    headers: int
    sizes: list[int]
    times: list[int]
    sha256: list[str]
    links: dict[str, str]

    def text(self) -> str:
        """The content of its file."""
        return json.dumps(asdict(self), separators=(",", ":")) + "\n"


def read_record(place: Path) -> Record | None:
    """The record of an install in the store; None if there is none that can be read.

    Parameters:
        place: the install's directory.
    """
    try:
        fields = json.loads((place / RECORD).read_bytes())
        manifest, damage = fields.pop("manifest", ""), tuple(fields.pop("damage", ()))
        record = Record(LockedArchive.read(fields), manifest, damage)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return None
    return record if all(isinstance(text, str) for text in (manifest, *damage)) else None


def write_record(place: Path, entry: LockedArchive) -> None:
    """Write the record and the manifest of an install, from the files as they are.

    Raises:
        OSError: they can't be written, or a file can't be read.
    """
    text = _manifest_of(place).text()
    write_atomically(place / MANIFEST, text, mode=0o644)
    record = Record(entry, hashlib.sha256(text.encode()).hexdigest())
    write_atomically(place / RECORD, record.text(), mode=0o644)


def mark_damaged(place: Path, damage: tuple[str, ...]) -> None:
    """Mark an install as damaged, so that it is not used until it is downloaded again.

    Raises:
        OSError: its record can't be written.
    """
    record = read_record(place)
    if record is not None:  # without a record it is not used anyway
        write_atomically(place / RECORD, replace(record, damage=damage[:_LINES_KEPT]).text(), mode=0o644)


def find_damage(place: Path, *, headers: bool = True) -> tuple[str, ...]:
    """Find damaged files of an install in the store by their size and time.

    If only a file's time differs, the file is read. If its content is unchanged, its time is restored: copies
    of a store often have other times.

    Parameters:
        place: its directory.
        headers: whether to check the files for building extensions, too.

    Returns:
        the damaged files, one line each; empty if there are none, or if there is a record without a manifest.
    """
    record = read_record(place)
    if record is None:
        return (f"{RECORD} is missing or damaged",)
    if record.damage or not record.manifest:
        return record.damage
    manifest = _read_manifest(place)
    if manifest is None:
        return (f"{MANIFEST} is missing or damaged",)
    return (*_changed_files(place, manifest, headers), *_changed_links(place, manifest))


def find_all_damage(place: Path, recorded: tuple[LockedArchive, ...]) -> tuple[str, ...]:
    """Find damaged files of an install in the store by their content, one line each.

    Parameters:
        place: its directory.
        recorded: the archives that were unpacked in this store, according to its own record.
    """
    damage = find_damage(place)
    record, manifest = read_record(place), _read_manifest(place)
    if damage or record is None or manifest is None:
        return damage
    checked = [(RECORD, hashlib.sha256(record.text().encode()).hexdigest()), (MANIFEST, record.manifest)]
    checked += zip(manifest.files, manifest.sha256, strict=True)
    damage = tuple(
        f"{name} has another content" for name, sha256 in checked if not _has(place / name, sha256)
    )
    if record.entry not in recorded:
        damage += (f"{RECORD} names an archive that was never unpacked here",)
    return damage


def _manifest_of(place: Path) -> Manifest:
    facts: dict[str, os.stat_result] = {}
    links: dict[str, str] = {}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_symlink():
            links[name] = str(path.readlink())
        elif path.is_file() and name not in (RECORD, MANIFEST):
            facts[name] = path.stat()
    files = sorted(facts, key=lambda name: (name.startswith(_HEADERS), name))
    return Manifest(
        format=_FORMAT,
        files=files,
        headers=sum(not name.startswith(_HEADERS) for name in files),
        sizes=[facts[name].st_size for name in files],
        times=[facts[name].st_mtime_ns // 10**9 for name in files],
        sha256=[sha256_of(place / name) for name in files],
        links=links,
    )


def _read_manifest(place: Path) -> Manifest | None:
    """The manifest of an install; None if it can't be read."""
    try:
        manifest = Manifest(**json.loads((place / MANIFEST).read_bytes()))
        columns = (manifest.files, manifest.sizes, manifest.times, manifest.sha256)
        whole = manifest.format == _FORMAT and {len(column) for column in columns} == {len(manifest.files)}
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    return manifest if whole else None


def _changed_files(place: Path, manifest: Manifest, headers: bool) -> list[str]:
    damage = []
    try:
        directory = os.open(place, os.O_RDONLY)
    except OSError as error:
        return [f"it can't be read: {error.strerror}"]
    count = len(manifest.files) if headers else manifest.headers
    try:
        for index, name in enumerate(manifest.files[:count]):
            try:
                found = os.stat(name, dir_fd=directory, follow_symlinks=False)
            except OSError:
                damage.append(f"{name} is missing")
                continue
            size = manifest.sizes[index]
            if found.st_size != size:
                damage.append(f"{name} has {found.st_size:,} bytes instead of {size:,}")
            elif found.st_mtime_ns // 10**9 != manifest.times[index]:
                if not _has(place / name, manifest.sha256[index]):
                    damage.append(f"{name} has another content")
                    continue
                with contextlib.suppress(OSError):  # in a store that can't be written, it is read each time
                    os.utime(place / name, (manifest.times[index],) * 2)
    finally:
        os.close(directory)
    return damage


def _changed_links(place: Path, manifest: Manifest) -> list[str]:
    damage = []
    for name, target in manifest.links.items():
        try:
            found = os.readlink(place / name)  # noqa: PTH115
        except OSError:
            found = ""
        if found != target:
            damage.append(f"{name} leads to {found or 'nothing'} instead of {target}")
    return damage


def _has(path: Path, sha256: str) -> bool:
    try:
        return sha256_of(path) == sha256
    except OSError:
        return False
