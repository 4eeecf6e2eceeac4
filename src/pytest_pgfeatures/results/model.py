"""One result: an item, where it ran, its outcome, its evidence.

Behaviors, tests of a matrix, stages of an extension and commands all produce these, and every report reads them.
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.results.evidence import NOTHING, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pgfeatures.install import Install

Kind = Literal["behavior", "test", "stage", "command"]


class Outcome(enum.StrEnum):
    """The outcomes that an item can have."""

    AS_DOCUMENTED = "as documented"
    """A behavior: what was observed is what is documented."""
    DEVIATES = "deviates"
    PASSED = "passed"
    """A test, a stage, a command."""
    FAILED = "failed"
    KNOWN_FAILURE = "known failure"
    """It failed, and the user had said so."""
    UNEXPECTED_PASS = "unexpected pass"
    """It passed, and the user had said that it fails."""
    UNAVAILABLE = "unavailable"
    """No install of the version has a capability that it needs."""
    ERROR = "error"
    """Nothing was found out: a setup step failed, or no server of the version could be had."""
    NOT_RUN = "not run"
    """What it depends on did not pass, or it skipped itself."""
    NOTHING_TO_DO = "none"
    """There is nothing of that kind: no regression tests, no later major."""


BEHAVIOR_OUTCOMES = (Outcome.AS_DOCUMENTED, Outcome.DEVIATES, Outcome.UNAVAILABLE, Outcome.ERROR)
"""The outcomes that a behavior can have."""
FAILURES = frozenset({Outcome.DEVIATES, Outcome.FAILED, Outcome.UNEXPECTED_PASS, Outcome.ERROR})
"""The outcomes for which a run fails, whatever the machine has."""


@dataclass(frozen=True, slots=True)
class Item:
    """What was run.

    Parameters:
        kind: what produced it.
        id: a behavior's id, a test's node id, a stage's name, a command line.
        title: the documented fact, or what a stage does, in one line.
        area: what reports group it by.
        since: the version that brought it; None if there is none.
    """

    kind: Kind
    id: str
    title: str = ""
    area: str = ""
    since: str | None = None


@dataclass(frozen=True, slots=True)
class InstallUsed:
    """An install that an item ran on.

    Parameters:
        version: such as ``16.4``.
        source: such as ``pypi``.
        bindir: where its programs are.
        borrowed: client programs of other installs that it was run with, such as ``psql of 18.6``.
    """

    version: str
    source: str
    bindir: str
    borrowed: str = ""

    @classmethod
    def of(cls, install: Install, borrowed: str = "") -> InstallUsed:
        """What a report says of an install."""
        return cls(str(install.version), install.source, str(install.bindir), borrowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came out of one item in one cell of the matrix.

    It is made of plain values, so that it can travel from an xdist worker, and into JSON.

    Parameters:
        item: what was run.
        cell: where: ``pg17``, or ``pg17-maven`` beside another 17, or ``pg14-pg18`` for a pair.
        major: the major that the cell asks for; ``installs`` have the releases.
        outcome: how it ended.
        installs: what it ran on: none if no server could be had, two for a pair.
        ran: whether it was started on a server.
        absent: whether no server of the version could be had at all.
        seconds: how long it took.
        summary: in one line, why it is as it is; empty if the evidence says it all.
        capability: the missing one, if it is unavailable.
        evidence: what shows it.
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
    evidence: Evidence = NOTHING

    @property
    def install(self) -> InstallUsed | None:
        """The install it ran on, the old one of a pair; None if there was none."""
        return self.installs[0] if self.installs else None

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "item": asdict(self.item),
            "cell": self.cell,
            "outcome": str(self.outcome),
            "major": self.major,
            "installs": [asdict(install) for install in self.installs],
            "ran": self.ran,
            "absent": self.absent,
            "seconds": self.seconds,
            "summary": self.summary,
            "capability": self.capability,
            "evidence": self.evidence.to_dict(),
        }

    @classmethod
    def from_dict(cls, result: Mapping[str, Any]) -> Result:
        """The inverse of :meth:`to_dict`."""
        return cls(
            **{
                **result,
                "item": Item(**result["item"]),
                "outcome": Outcome(result["outcome"]),
                "installs": tuple(InstallUsed(**install) for install in result["installs"]),
                "evidence": Evidence.from_dict(result["evidence"]),
            }
        )


@dataclass(frozen=True, slots=True)
class JobResults:
    """All results of one run of a job.

    Parameters:
        subject: what it was run for: a command line, an extension's name.
        installs: the cells of the matrix in its order, each with what it ran on; None if there was no server.
        results: in the order in which reports show them.
        seconds: from start to end.
        warnings: what else there is to say.
    """

    subject: str
    installs: Mapping[str, InstallUsed | None]
    results: tuple[Result, ...]
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()

    def get(self, id: str, cell: str) -> Result | None:
        """The result of an item in a cell; None if it was not asked for."""
        return next((each for each in self.of_cell(cell) if each.item.id == id), None)

    def of_cell(self, cell: str) -> list[Result]:
        """The results of one cell."""
        return [result for result in self.results if result.cell == cell]

    def seconds_of(self, cell: str) -> float:
        """How long a cell's items took, one after the other."""
        return sum(result.seconds for result in self.of_cell(cell))

    def failures(self, *, allow_missing: bool = False) -> list[Result]:
        """The results for which the run fails.

        Parameters:
            allow_missing: what is unavailable does not fail it.
        """
        bad = FAILURES if allow_missing else FAILURES | {Outcome.UNAVAILABLE}
        return [result for result in self.results if result.outcome in bad]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells were asked for, and what became of them. Nothing is left out silently.

    Parameters:
        asked: how many were to be run.
        outcomes: how many had each outcome; 0 for all others.
        ran: how many were started on a server.
        absent: how many had no server of their version.
    """

    asked: int
    outcomes: Counter[Outcome]
    ran: int
    absent: int

    @classmethod
    def of(cls, results: Sequence[Result], asked: int) -> Tally:
        """Count results.

        Parameters:
            asked: how many cells were to be run; more than there are results if the run ended early.
        """
        return cls(
            asked=asked,
            outcomes=Counter(result.outcome for result in results),
            ran=sum(result.ran for result in results),
            absent=sum(result.absent for result in results),
        )

    @property
    def not_reached(self) -> int:
        """Those of which nothing is known, since the run ended before them."""
        return self.asked - self.outcomes.total()


def of_kind(results: Iterable[Result], kind: Kind) -> list[Result]:
    """The results of one kind."""
    return [result for result in results if result.item.kind == kind]
