"""The JSON documents of the verbs about installs, the store and projects.

The classes are the formats: ``make schemas`` writes the JSON Schemas from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.install.clean import Removal


@dataclass(frozen=True, slots=True)
class InstallObject:
    """An install at hand."""

    version: str
    source: str
    bindir: str
    capabilities: tuple[str, ...]

    @classmethod
    def of(cls, install: Install) -> InstallObject:
        """Describe an install."""
        return cls(
            str(install.version), install.source, str(install.bindir), tuple(sorted(install.capabilities))
        )


@dataclass(frozen=True, slots=True)
class ReleaseObject:
    """The newest release of a major that a source has."""

    version: str
    source: str


@dataclass(frozen=True, slots=True)
class CellObject:
    """A cell with its install."""

    cell: str
    error: None
    version: str
    source: str
    bindir: str
    capabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FailureObject:
    """A cell that has no install, and why."""

    cell: str
    error: str


def cell_object(cell: str, install: Install | Exception) -> CellObject | FailureObject:
    """Describe a cell."""
    if isinstance(install, Exception):
        return FailureObject(cell, str(install))
    found = InstallObject.of(install)
    return CellObject(cell, None, found.version, found.source, found.bindir, found.capabilities)


@dataclass(frozen=True, slots=True)
class FactObject:
    """A line of a section.

    Parameters:
        name: empty if the line continues the one before.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SectionObject:
    """A section of the report."""

    title: str
    facts: tuple[FactObject, ...]


@dataclass(frozen=True, slots=True)
class DoctorDocument:
    """Everything that was found."""

    sections: tuple[SectionObject, ...]
    installs: tuple[InstallObject, ...] = ()


@dataclass(frozen=True, slots=True)
class RemovalObject:
    """A file or directory in the store that may be removed.

    Parameters:
        size: in bytes.
        kept: why it was not removed; empty if it was, or would be.
    """

    kind: str
    path: Path
    size: int
    kept: str
    removed: bool


@dataclass(frozen=True, slots=True)
class CleanDocument:
    """The removals from the store.

    Parameters:
        root: the store's directory.
        dry_run: whether nothing is removed.
        freed: the number of bytes that were freed, or would be.
    """

    root: Path
    dry_run: bool
    freed: int
    removals: tuple[RemovalObject, ...]

    @classmethod
    def of(cls, root: Path, removals: Sequence[Removal], *, dry_run: bool) -> CleanDocument:
        """Describe removals."""
        objects = (
            RemovalObject(each.kind, each.path, each.size, each.kept, not (dry_run or each.kept))
            for each in removals
        )
        return cls(root, dry_run, sum(each.size for each in removals if not each.kept), tuple(objects))


@dataclass(frozen=True, slots=True)
class InitDocument:
    """The files of a project.

    Parameters:
        configuration: the file that has the configuration.
        configured: whether ``init`` wrote it.
        test: the file of the test that ``init`` wrote.
    """

    configuration: str
    configured: bool
    test: str


@dataclass(frozen=True, slots=True)
class JobObject:
    """A job.

    Parameters:
        name: a name for the job.
        pg: the value of ``--pg``.
    """

    name: str
    pg: str


@dataclass(frozen=True, slots=True)
class JobsDocument:
    """The matrix of jobs."""

    include: tuple[JobObject, ...]
