"""The stages of an extension's gate, and how each went."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Install


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage.

    Parameters:
        name: as options and reports have it.
        after: the stage that has to pass before.
        meaning: what passes.
    """

    name: str
    after: str | None
    meaning: str


STAGES: tuple[Stage, ...] = (
    Stage("build", None, "make builds it with the server's headers"),
    Stage("install", "build", "make install puts its files into the private install"),
    Stage("create", "install", "CREATE EXTENSION at every version that can be installed"),
    Stage("update", "create", "every update path leads to what a fresh install of that version has"),
    Stage("regress", "create", "its own regression tests"),
    Stage("dump", "create", "dumped and restored into the same and the next major"),
    Stage("upgrade", "create", "pg_upgrade to each later major, then its regression tests again"),
    Stage("drop", "create", "DROP EXTENSION leaves nothing behind"),
)
STAGE_NAMES = tuple(stage.name for stage in STAGES)

PASSED = "passed"
FAILED = "failed"
KNOWN = "known failure"
UNEXPECTED = "unexpected pass"
UNAVAILABLE = "unavailable"
NOT_RUN = "not run"
NONE = "none"
"""There is nothing of that kind: no regression tests, no other version to update to, no later major."""

OUTCOMES = (PASSED, FAILED, KNOWN, UNEXPECTED, UNAVAILABLE, NOT_RUN, NONE)


@dataclass(frozen=True, slots=True)
class Result:
    """How a stage went on a major.

    Parameters:
        stage: its name.
        cell: the cell's id, such as ``pg16``.
        outcome: one of :data:`OUTCOMES`.
        seconds: how long it took.
        summary: in a line.
        details: the evidence: compiler output, differences, logs.
        file: where a compiler says the error is, relative to the sources.
        line: in that file, counted from 1.
        capability: what the install lacks, of an unavailable stage.
    """

    stage: str
    cell: str
    outcome: str
    seconds: float = 0.0
    summary: str = ""
    details: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    capability: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """How all stages went on all majors.

    Parameters:
        subject: what was given: a path, or an extension's name.
        installs: what each cell ran, None where there is none; in the order of the matrix.
        results: in the order of stages, then cells.
        seconds: from start to end.
        warnings: what else there is to say.
    """

    subject: str
    installs: dict[str, Install | None]
    results: tuple[Result, ...]
    seconds: float
    warnings: tuple[str, ...] = ()

    def get(self, stage: str, cell: str) -> Result | None:
        """The result of a stage on a cell; None if the stage was not asked for."""
        return next((result for result in self.results if (result.stage, result.cell) == (stage, cell)), None)

    def failures(self, *, allow_missing: bool = False) -> list[Result]:
        """The results for which the run fails."""
        bad = {FAILED, UNEXPECTED} if allow_missing else {FAILED, UNEXPECTED, UNAVAILABLE}
        return [result for result in self.results if result.outcome in bad]


@dataclass
class StageError(Exception):
    """A stage did not pass.

    Parameters:
        summary: in a line.
        details: the evidence.
        file: where a compiler says the error is, relative to the sources.
        line: in that file.
    """

    summary: str
    details: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None


@dataclass
class LackingError(Exception):
    """A stage can't be run, as the install or the machine lacks something.

    Parameters:
        capability: what is lacking.
        summary: in a line.
    """

    capability: str
    summary: str
    details: tuple[str, ...] = field(default=())


class NothingToDoError(Exception):
    """There is nothing of a stage's kind; the message says so."""
