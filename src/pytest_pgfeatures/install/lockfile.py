"""The lock file: the archive of each install, with its SHA-256."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ArchiveError, VersionError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.json_values import FormError
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.version import VersionSet

_FORMAT = 1


@dataclass(frozen=True, slots=True, order=True)
class LockedArchive:
    """One archive. ``version`` is PostgreSQL's, ``label`` the registry's, ``file`` the archive's name."""

    source: str
    platform: str
    version: str
    label: str
    file: str
    sha256: str

    @classmethod
    def read(cls, fields: Any, place: str = "$") -> LockedArchive:
        """The entry with these fields. This is read at each start, so it doesn't import msgspec.

        Parameters:
            place: the entry's path in the document, for errors.

        Raises:
            FormError: the fields are wrong.
        """
        if not isinstance(fields, dict):
            raise FormError(f"{place}: expected object")
        for name in dict.fromkeys((*cls.__slots__, *fields)):
            if name not in cls.__slots__:
                raise FormError(f"{place}.{name}: unknown name")
            if not isinstance(fields.get(name), str):
                raise FormError(f"{place}.{name}: expected string")
        entry = cls(**fields)
        try:
            PgVersion(entry.version)
        except VersionError as error:
            raise FormError(f"{place}.version: {error.problem}") from None
        return entry


@dataclass(frozen=True, slots=True)
class LockFile:
    """A project's ``pgfeatures.lock``, or the record of archives that a store keeps for itself."""

    path: Path

    def entries(self) -> tuple[LockedArchive, ...]:
        """The entries; none if the file does not exist.

        Raises:
            ArchiveError: it can't be read as a lock file. Nothing is downloaded then.
        """
        try:
            return _read(json.loads(self.path.read_text(encoding="utf-8")), self.path)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, RecursionError) as error:
            raise ArchiveError(
                f"{self.path} is not a lock file: {error}", remedy="restore it, or remove it and lock again"
            ) from None

    def locked(self, source: str, platform: str, versions: VersionSet) -> LockedArchive | None:
        """The newest entry for a source and platform among these versions."""
        fitting = [
            entry
            for entry in self.entries()
            if entry.source == source and entry.platform == platform and PgVersion(entry.version) in versions
        ]
        return max(fitting, key=lambda entry: PgVersion(entry.version), default=None)

    def check(self, entry: LockedArchive) -> None:
        """Compare an archive with its entry, if there is one.

        Raises:
            ArchiveError: the recorded hash differs.
        """
        for known in self.entries():
            same = (known.source, known.platform, known.file) == (entry.source, entry.platform, entry.file)
            if same and known.sha256 != entry.sha256:
                raise ArchiveError(
                    f"{entry.file} is not the archive that {self.path} records: it is not used",
                    details=(f"recorded sha256 {known.sha256}", f"received sha256 {entry.sha256}"),
                    remedy=f"find out why; if the new one is right, remove its entry from {self.path}",
                )

    def add(self, entry: LockedArchive) -> None:
        """Record an archive. The caller makes sure that no other process writes at the same time.

        Raises:
            ArchiveError: the file can't be written.
        """
        known = set(self.entries())
        if entry in known:
            return
        lines = ",\n".join(f"  {json.dumps(asdict(one))}" for one in sorted(known | {entry}))
        try:
            write_atomically(self.path, f'{{"format": {_FORMAT}, "archives": [\n{lines}\n]}}\n')
        except OSError as error:
            raise ArchiveError(
                f"{entry.file} can't be recorded in {self.path}: {error.strerror}",
                remedy="make the lock file writable, or record the archive first (pgfeatures install --lock)",
            ) from None


def _read(content: Any, path: Path) -> tuple[LockedArchive, ...]:
    if not isinstance(content, dict) or "format" not in content:
        raise FormError("$.format: missing")
    if content["format"] != _FORMAT:
        raise ArchiveError(
            f"{path} has format {content['format']!r}; this release reads {_FORMAT}",
            remedy="use the release of pytest-pgfeatures that wrote it, or remove it and lock again",
        )
    archives = content.get("archives")
    if not isinstance(archives, list):
        raise FormError("$.archives: expected array")
    return tuple(LockedArchive.read(fields, f"$.archives[{at}]") for at, fields in enumerate(archives))
