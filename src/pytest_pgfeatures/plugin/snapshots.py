"""Plans as text files beside the tests, kept by syrupy: one file for each group of majors that agree.

``assert plan == plan_snapshot`` in ``test_report`` of ``test_orders.py`` reads
``__plans__/test_orders/test_report.14..16.plan`` on 15, and ``test_report.17..18.plan`` on 18. ``pytest
--snapshot-update`` writes them for the majors of that run: a major whose plan became another one leaves its group
for the one that agrees with it. Other majors' files stay.

See https://syrupy-project.github.io/syrupy/ for what else the fixture can do.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.version import PgMajor, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.data import SnapshotCollection
    from syrupy.location import PyTestLocation
    from syrupy.types import SerializedData, SnapshotIndex

EXTENSION = "plan"
_CELL = re.compile(r"(?<=[\[-])pg(?P<major>9\.\d|\d+)[^\]-]*(?:-(?:path|system|pypi|maven))?(?:-\d+)?-?")
"""What the matrix adds to a test's id: ``pg16``, ``pg17-maven``, ``pg17-2``."""


class PlanSnapshots(SingleFileSnapshotExtension):
    """A syrupy extension: a plan's shape, or any other text, in a file for each group of majors."""

    _write_mode = WriteMode.TEXT
    file_extension = EXTENSION

    def serialize(self, data: Any, **_: Any) -> SerializedData:
        """The text that is kept: of a plan its shape, which has no costs and figures; else what it prints."""
        text = str(data.shape() if isinstance(data, Plan) else data)
        return text if text.endswith("\n") else text + "\n"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """A directory for each file of tests; not in syrupy's own, where an update deletes unknown ones."""
        return str(Path(test_location.filepath).parent / "__plans__" / test_location.basename)

    @classmethod
    def discovery_dirname(cls, *, test_location: PyTestLocation) -> str:
        """The same: nothing is looked for elsewhere."""
        return cls.dirname(test_location=test_location)

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """The file of the group that has the test's major; where none has, the one it would be in alone."""
        name = cls.get_snapshot_name(test_location=test_location, index=index)
        stem, major = _parted(name)
        place = Path(cls.dirname(test_location=test_location))
        if major is None:
            return str(place / f"{stem}.{EXTENSION}")
        found = next(
            (path for versions, path in _groups(place, stem) if versions.covers(PgMajor(major))), None
        )
        return str(found or place / f"{stem}.{major}.{EXTENSION}")

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Whether a file may be one of the test's: it is where its files are."""
        return Path(snapshot_location).parent == Path(cls.dirname(test_location=test_location))

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Nothing: a run knows only its own majors, so it can't tell which files are unused."""
        return SnapshotCollections()

    @classmethod
    def write_snapshot_collection(
        cls, *, snapshot_collection: SnapshotCollection, name_order: dict[str, int] | None = None
    ) -> None:
        """Move the major into the group whose text it has, or into a new one."""
        path = Path(snapshot_collection.location)
        (snapshot,) = snapshot_collection
        stem, major = _parted(snapshot.name)
        text = str(snapshot.data)
        if major is None:
            write_atomically(path, text)
            return
        key = hashlib.sha256(str(path.parent / stem).encode()).hexdigest()
        with FileLock(Path(tempfile.gettempdir()) / f"pgfeatures-{key[:16]}.lock"):  # pytest-xdist
            _regroup(path.parent, stem, VersionSet(major), text)


def _parted(name: str) -> tuple[str, str | None]:
    """A snapshot's name without what the matrix added to it, and the major that this names."""
    found = _CELL.search(name)
    if found is None:
        return name, None
    stem = (name[: found.start()] + name[found.end() :]).replace("[]", "").replace("-]", "]")
    return stem, found["major"]


def _groups(place: Path, stem: str) -> Iterator[tuple[VersionSet, Path]]:
    """The groups of majors of one snapshot, and their files."""
    for path in sorted(place.glob(f"*.{EXTENSION}")):
        name = path.name.removesuffix(f".{EXTENSION}")
        if name.startswith(f"{stem}.") and re.fullmatch(r"[\d.,]+", name[len(stem) + 1 :]):
            versions = name[len(stem) + 1 :]
            yield VersionSet(versions), path


def _regroup(place: Path, stem: str, major: VersionSet, text: str) -> None:
    """Write ``text`` for ``major``, and rename the files of the groups that this changes."""
    groups = [(versions, path, path.read_text(encoding="utf-8")) for versions, path in _groups(place, stem)]
    joined = major
    for versions, path, said in groups:
        rest = versions & ~major
        if said == text:
            joined |= rest
        elif rest != versions and rest:
            path.rename(place / f"{stem}.{rest}.{EXTENSION}")
            continue
        elif rest == versions:
            continue
        path.unlink()
    write_atomically(place / f"{stem}.{joined}.{EXTENSION}", text)
