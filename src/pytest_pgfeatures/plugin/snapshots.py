"""Plans as text files beside the tests, kept by syrupy: one file for each group of majors whose plans agree.

``assert plan == plan_snapshot`` in ``test_report`` of ``test_orders.py`` reads
``__plans__/test_orders/test_report.14..16.plan`` on 15, and ``test_report.17..18.plan`` on 18. ``pytest
--snapshot-update`` writes them for the majors of that run: a major whose plan changed moves to the group with the
same plan. The files of other majors stay.

``assert plan == plan_snapshot(baseline="14")`` reads the file of 14 on every major.

See https://syrupy-project.github.io/syrupy/ for the fixture's other features.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock
from syrupy.assertion import DiffMode, SnapshotAssertion
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.plan.diff import diff
from pytest_pgfeatures.plan.parse import parse_plan
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.version import PgMajor, VersionSet, read_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.data import SnapshotCollection
    from syrupy.location import PyTestLocation
    from syrupy.types import SerializedData, SnapshotIndex

EXTENSION = "plan"
_CELL = re.compile(
    r"(?<=[\[-])pg(?P<major>9\.\d|\d+)(?:[^\]\d-][^\]-]*)?(?:-(?:path|system|pypi|maven))?(?:-\d+)?-?"
)
"""The suffix that the matrix adds to a test's id: ``pg16``, ``pg17-maven``, ``pg17-2``."""

_MAJOR = r"(?:9\.\d|[1-9]\d)"
_GROUP = re.compile(rf"{_MAJOR}(?:(?:,|\.\.){_MAJOR})*").fullmatch
"""The name of a group: ``14..16,18``. That of a test's second snapshot starts with the number of the snapshot."""


class PlanSnapshot(SnapshotAssertion):
    """The value of the fixture ``plan_snapshot``: compares a plan with the snapshot of its major or a baseline.

    ``plan_snapshot(name=...)`` and syrupy's other options work as for any snapshot.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._baseline: str | None = None
        self._baselines: dict[int, str] = {}
        """The baseline of each assertion that had one, by its number."""

    @classmethod
    def of(cls, snapshot: SnapshotAssertion) -> PlanSnapshot:
        """Return a plan snapshot for the test of syrupy's fixture ``snapshot``."""
        options = {
            option.name: getattr(snapshot, option.name)
            for option in dataclasses.fields(snapshot)
            if option.init
        }
        return cls(**{**options, "extension_class": PlanSnapshots})

    def __call__(self, *, baseline: object = None, **options: Any) -> PlanSnapshot:
        """Set options for the next comparison.

        Parameters:
            baseline: a major (``"14"``). Compare with its snapshot, whatever version the test runs on; if the
                plans differ, the failure shows the tree diff. ``--snapshot-update`` writes the snapshot when the
                test runs on the baseline itself. On other versions it writes nothing, and the plans are compared.
            options: syrupy's options.

        Raises:
            VersionError: ``baseline`` is not a version.
        """
        if baseline is not None:
            self._baseline = _major(str(baseline))
            options["extension_class"] = PlanSnapshots.of(self._baseline)
        super().__call__(**options)
        return self

    def __eq__(self, other: object) -> bool:
        baseline, self._baseline = self._baseline, None
        if baseline is None or baseline == self._own_major():
            return super().__eq__(other)
        self._baselines[self.num_executions] = baseline
        options = self.update_snapshots, self.update_new_snapshots_only
        self.update_snapshots = self.update_new_snapshots_only = False
        try:
            return super().__eq__(other)
        finally:
            self.update_snapshots, self.update_new_snapshots_only = options

    __hash__ = None  # type: ignore[assignment]

    def _own_major(self) -> str | None:
        """Return the major in the test's id; None if it has none."""
        name = self.extension.get_snapshot_name(test_location=self.test_location, index=self.index)
        return _parted(name)[1]

    def get_assert_diff(self, *, diff_mode: DiffMode = DiffMode.DETAILED) -> list[str]:
        """Return the lines that explain why the last comparison failed."""
        number = self.num_executions - 1
        baseline, result = self._baselines.get(number), self.executions[number]
        if baseline is None or result.exception is not None or result.recalled_data is not None:
            return super().get_assert_diff(diff_mode=diff_mode)
        stem, _ = _parted(result.snapshot_name)
        place = Path(PlanSnapshots.dirname(test_location=result.test_location))
        known = ", ".join(str(versions) for versions, _ in _groups(place, stem))
        return [
            f"there is no snapshot of {stem} for the baseline {baseline}; there are: {known or 'none'}",
            f"what to do: pytest --pg {baseline} --snapshot-update",
        ]


class PlanSnapshots(SingleFileSnapshotExtension):
    """A syrupy extension: a plan's shape, or any other text, in a file for each group of majors."""

    _write_mode = WriteMode.TEXT
    file_extension = EXTENSION
    baseline: str | None = None
    """The major whose snapshots are read; None for that of the test."""

    @classmethod
    @functools.cache
    def of(cls, baseline: str) -> type[PlanSnapshots]:
        """Return the extension that reads the snapshots of this major."""
        return type(cls.__name__, (cls,), {"baseline": baseline})

    def serialize(self, data: Any, **_: Any) -> SerializedData:
        """Return the text to store: a plan's shape, without costs and figures; ``str`` of any other value."""
        text = str(data.shape() if isinstance(data, Plan) else data)
        return text if text.endswith("\n") else text + "\n"

    def diff_lines(self, serialized_data: SerializedData, snapshot_data: SerializedData) -> Iterator[str]:
        """Yield the lines of a tree diff of the plans, or of a text diff if the tree diff is empty."""
        try:
            changed = diff(parse_plan(str(snapshot_data)), parse_plan(str(serialized_data)))
        except PlanParseError:
            changed = None
        if changed:
            yield from str(changed).split("\n")
        else:
            yield from super().diff_lines(serialized_data, snapshot_data)

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """Return a test file's snapshot directory. It isn't syrupy's, where an update deletes unknown files."""
        return str(Path(test_location.filepath).parent / "__plans__" / test_location.basename)

    @classmethod
    def discovery_dirname(cls, *, test_location: PyTestLocation) -> str:
        """Return the same directory."""
        return cls.dirname(test_location=test_location)

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the file of the group with the test's major or the baseline, or a new file if there is none."""
        name = cls.get_snapshot_name(test_location=test_location, index=index)
        stem, major = _parted(name)
        major = cls.baseline or major
        place = Path(cls.dirname(test_location=test_location))
        if major is None:
            return str(place / f"{stem}.{EXTENSION}")
        found = next(
            (path for versions, path in _groups(place, stem) if versions.covers(PgMajor(major))), None
        )
        return str(found or place / f"{stem}.{major}.{EXTENSION}")

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Return whether a file can belong to the test: it is in the test's snapshot directory."""
        return Path(snapshot_location).parent == Path(cls.dirname(test_location=test_location))

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Return no snapshots: a run knows only its own majors, and can't tell which files are unused."""
        return SnapshotCollections()

    @classmethod
    def write_snapshot_collection(
        cls, *, snapshot_collection: SnapshotCollection, name_order: dict[str, int] | None = None
    ) -> None:
        """Move the major into the group with the same text, or into a new group."""
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


def _major(text: str) -> str:
    """Return the major of a version, such as ``14`` of ``14.2``.

    Raises:
        VersionError: ``text`` is not a version.
    """
    return str(read_version(text).major)


def _parted(name: str) -> tuple[str, str | None]:
    """Split a snapshot's name into the name without the matrix's suffix, and the major in that suffix."""
    found = _CELL.search(name)
    if found is None:
        return name, None
    stem = (name[: found.start()] + name[found.end() :]).replace("[]", "").replace("-]", "]")
    return stem, found["major"]


def _groups(place: Path, stem: str) -> Iterator[tuple[VersionSet, Path]]:
    """Yield a snapshot's groups of majors and their files."""
    for path in sorted(place.glob(f"*.{EXTENSION}")):
        name = path.name.removesuffix(f".{EXTENSION}")
        if name.startswith(f"{stem}.") and _GROUP(name[len(stem) + 1 :]):
            versions = name[len(stem) + 1 :]
            yield VersionSet(versions), path


def _regroup(place: Path, stem: str, major: VersionSet, text: str) -> None:
    """Write ``text`` for ``major``, and rename the files of the groups that change."""
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
