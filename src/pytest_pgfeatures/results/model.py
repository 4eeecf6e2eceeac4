"""One result: an item, where it ran, its outcome, its evidence.

Behaviors, tests of a matrix, stages of an extension and commands produce results, and every report reads them.
"""

from __future__ import annotations

import enum
import functools
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.results.evidence import NOTHING, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pgfeatures.install import Install

Kind = Literal["behavior", "test", "stage", "command"]


class Outcome(enum.StrEnum):
    """The possible outcomes of an item."""

    AS_DOCUMENTED = "as documented"
    """A behavior was observed as documented."""
    DEVIATES = "deviates"
    PASSED = "passed"
    """A test, a stage or a command passed."""
    FAILED = "failed"
    KNOWN_FAILURE = "known failure"
    """It failed, as the user had declared."""
    UNEXPECTED_PASS = "unexpected pass"
    """It passed, although the user had declared that it fails."""
    UNAVAILABLE = "unavailable"
    """No install of the version has a capability that it needs."""
    ERROR = "error"
    """Nothing was found out: a setup step failed, or no server of the version was available."""
    NOT_RUN = "not run"
    """A test that it depends on did not pass, or it skipped itself."""
    NOTHING_TO_DO = "none"
    """There is nothing of that kind: no regression tests, no later major."""


BEHAVIOR_OUTCOMES = (Outcome.AS_DOCUMENTED, Outcome.DEVIATES, Outcome.UNAVAILABLE, Outcome.ERROR)
"""The possible outcomes of a behavior."""
FAILURES = frozenset({Outcome.DEVIATES, Outcome.FAILED, Outcome.UNEXPECTED_PASS, Outcome.ERROR})
"""The outcomes that make a run fail on any machine."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item that was run.

    Parameters:
        kind: the kind of job that produced it.
        id: a behavior's id, a test's node id, a stage's name, a command line.
        title: the documented fact, or a stage's purpose, in one line.
        area: the group in reports.
        since: the version that introduced it; None if not applicable.
        backports: minor releases that brought it to older majors.
    """

    kind: Kind
    id: str
    title: str = ""
    area: str = ""
    since: str | None = None
    backports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstallUsed:
    """The install on which an item ran.

    Parameters:
        version: the release, such as ``16.4``.
        source: the source, such as ``pypi``.
        bindir: the directory of its programs.
        borrowed: client programs used from other installs, such as ``psql of 18.6``.
        sha256: the checksum of the archive that it was unpacked from, in hexadecimal; empty if unknown.
    """

    version: str
    source: str
    bindir: str
    borrowed: str = ""
    sha256: str = ""

    @classmethod
    def of(cls, install: Install, borrowed: str = "") -> InstallUsed:
        """Describe an install for reports."""
        return cls.at(str(install.version), install.source, str(install.bindir), borrowed)

    @classmethod
    def at(cls, version: str, source: str, bindir: str, borrowed: str = "") -> InstallUsed:
        """Describe the install in a directory, with the checksum that the store recorded for it."""
        return cls(version, source, bindir, borrowed, _recorded_checksum(bindir))


@functools.lru_cache(maxsize=256)  # every result has its install
def _recorded_checksum(bindir: str) -> str:
    from pytest_pgfeatures.install.manifest import read_record

    record = read_record(Path(bindir).parent)
    return record.entry.sha256 if record else ""


@dataclass(frozen=True, slots=True)
class Counted:
    """Tests of one kind.

    Parameters:
        kind: the kind, such as ``isolation``.
        found: how many there are.
        run: how many were run.
    """

    kind: str
    found: int
    run: int

    def __str__(self) -> str:
        return f"{self.kind} tests: {self.run} of {self.found}"


@dataclass(frozen=True, slots=True)
class TestCase:
    """One of the tests that an item ran.

    Parameters:
        name: the test's name.
        passed: whether it passed.
        seconds: duration in seconds.
        details: the evidence, if it failed.
    """

    __test__ = False

    name: str
    passed: bool
    seconds: float = 0.0
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of one item in one cell of the matrix.

    It consists of plain values, so that xdist workers can send it, and it can be written as JSON.

    Parameters:
        item: the item that was run.
        cell: the matrix cell: ``pg17``, ``pg17-maven`` if there is another 17, ``pg14-pg18`` for a pair.
        major: the requested major; ``installs`` has the releases.
        outcome: the outcome.
        installs: the installs on which it ran: none if no server was available, two for a pair.
        ran: whether it was started on a server.
        absent: whether no server of the version was available at all.
        seconds: duration in seconds.
        summary: the reason for the outcome in one line; empty if the evidence is enough.
        capability: the missing capability, if the outcome is unavailable.
        blocked_by: the item of the same cell that did not pass, so that this one was not started.
        evidence: the evidence for the outcome.
        again: the command that runs it again in its cell; empty if unknown.
        tests: the tests that it found and ran, by kind.
        cases: the single tests that it ran, if it names them.
    """

    item: Item
    cell: str
    outcome: Outcome
    major: str = ""
    installs: tuple[InstallUsed, ...] = ()
    ran: bool = False
    absent: bool = False
    seconds: float = 0.0
    summary: str = ""
    capability: str | None = None
    blocked_by: str | None = None
    evidence: Evidence = NOTHING
    again: str = ""
    tests: tuple[Counted, ...] = ()
    cases: tuple[TestCase, ...] = ()

    @property
    def install(self) -> InstallUsed | None:
        """The install on which it ran, for a pair the old one; None if there was none."""
        return self.installs[0] if self.installs else None


@dataclass(frozen=True, slots=True)
class JobResults:
    """All results of one run of a job.

    Parameters:
        subject: the subject of the run: a command line, or an extension's name.
        installs: the cells of the matrix in order, each with its install; None if there was no server.
        results: the results in the order of reports.
        seconds: total duration in seconds.
        warnings: further messages for the user.
    """

    subject: str
    installs: Mapping[str, InstallUsed | None]
    results: tuple[Result, ...]
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()

    def get(self, id: str, cell: str) -> Result | None:
        """Return the result of an item in a cell; None if it was not requested."""
        return next((each for each in self.of_cell(cell) if each.item.id == id), None)

    def of_cell(self, cell: str) -> list[Result]:
        """Return the results of one cell."""
        return [result for result in self.results if result.cell == cell]

    def seconds_of(self, cell: str) -> float:
        """Return the sum of the durations of a cell's items, in seconds."""
        return sum(result.seconds for result in self.of_cell(cell))

    def failures(self, *, allow_missing: bool = False) -> list[Result]:
        """Return the results that make the run fail.

        Parameters:
            allow_missing: unavailable items do not make the run fail.
        """
        bad = FAILURES if allow_missing else FAILURES | {Outcome.UNAVAILABLE}
        return [result for result in self.results if result.outcome in bad]


def installs_of(results: Iterable[Result]) -> dict[str, InstallUsed | None]:
    """Return the cells of results in the order of their first results, each with its install; None if no result of
    the cell has one, or if it has two."""
    installs: dict[str, InstallUsed | None] = {}
    for result in results:
        known = installs.setdefault(result.cell, None)
        if known is None and len(result.installs) == 1:
            installs[result.cell] = result.install
    return installs


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of requested cells and of their outcomes. Nothing is left out silently.

    Parameters:
        asked: the number of requested cells.
        outcomes: the number of cells with each outcome; 0 for outcomes that did not occur.
        ran: the number of cells that were started on a server.
        absent: the number of cells without a server of their version.
    """

    asked: int
    outcomes: Counter[Outcome]
    ran: int
    absent: int

    @classmethod
    def of(cls, results: Sequence[Result], asked: int) -> Tally:
        """Count results.

        Parameters:
            asked: the number of requested cells; it exceeds the number of results if the run ended early.
        """
        return cls(
            asked=asked,
            outcomes=Counter(result.outcome for result in results),
            ran=sum(result.ran for result in results),
            absent=sum(result.absent for result in results),
        )

    @property
    def not_reached(self) -> int:
        """The number of cells without a result because the run ended early."""
        return self.asked - self.outcomes.total()
