"""What came out of a behavior on one cluster."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.behaviors.model import Behavior, Plain, plain, same
from pytest_pgfeatures.behaviors.transcript import Entry
from pytest_pgfeatures.version import VersionSet, as_release, read_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.version import PgVersion


class Outcome(enum.StrEnum):
    """The four outcomes that a behavior can have."""

    AS_DOCUMENTED = "as documented"
    DEVIATES = "deviates"
    UNAVAILABLE = "unavailable"
    """No install of the version has a capability that the behavior needs."""
    ERROR = "error"
    """Nothing was observed: a setup step failed, or no server of the version could be had."""


@dataclass(frozen=True, slots=True)
class InstallUsed:
    """Which install a behavior ran on."""

    version: str
    source: str
    bindir: str

    @classmethod
    def of(cls, install: Install) -> InstallUsed:
        """What a report says of an install."""
        return cls(str(install.version), install.source, str(install.bindir))


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of one behavior on one cell of the matrix.

    Everything in it is made of plain values, so that it can travel from an xdist worker and into JSON.
    """

    behavior: str
    """The behavior's id."""
    title: str
    area: str
    since: str | None
    """The version that brought it, or None."""
    cell: str
    """The cell of the matrix, as in the ids of tests: ``pg17``, or ``pg17-maven`` beside another 17."""
    version: str
    """The major that the cell asks for; ``install`` has the release."""
    outcome: Outcome
    expected: Plain = None
    observed: Plain = None
    """None as well if nothing was observed: see ``ran``."""
    install: InstallUsed | None = None
    """None if no server could be had."""
    ran: bool = False
    """Whether the observing function was called."""
    absent: bool = False
    """Whether no server of the version could be had at all."""
    reason: str | None = None
    """Why it is unavailable or an error."""
    capability: str | None = None
    """The missing one, if unavailable."""
    transcript: tuple[Entry, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the version has the change, rather than being from before it."""
        if self.since is None:
            return True
        version = read_version(self.install.version if self.install else self.version)
        return as_release(version) in VersionSet(f">={self.since}")

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "behavior": self.behavior,
            "title": self.title,
            "area": self.area,
            "since": self.since,
            "cell": self.cell,
            "version": self.version,
            "outcome": str(self.outcome),
            "expected": self.expected,
            "observed": self.observed,
            "install": asdict(self.install) if self.install else None,
            "ran": self.ran,
            "absent": self.absent,
            "reason": self.reason,
            "capability": self.capability,
            "transcript": [entry.to_dict() for entry in self.transcript],
        }

    @classmethod
    def from_dict(cls, result: Mapping[str, Any]) -> Result:
        """The inverse of :meth:`to_dict`."""
        return cls(
            **{
                **result,
                "outcome": Outcome(result["outcome"]),
                "install": InstallUsed(**result["install"]) if result["install"] else None,
                "transcript": tuple(map(Entry.from_dict, result["transcript"])),
            }
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many cells were asked for, and what became of them. Nothing is left out silently."""

    asked: int
    outcomes: Mapping[Outcome, int]
    ran: int
    """Those whose observing function was called on a server."""
    absent: int
    """Those for which no server of the version could be had."""

    @classmethod
    def of(cls, results: Sequence[Result], asked: int) -> Tally:
        """Count results.

        Parameters:
            asked: how many cells were to be run; more than there are results if the run ended early.
        """
        outcomes = Counter(result.outcome for result in results)
        return cls(
            asked=asked,
            outcomes={outcome: outcomes[outcome] for outcome in Outcome},
            ran=sum(result.ran for result in results),
            absent=sum(result.absent for result in results),
        )

    @property
    def not_reached(self) -> int:
        """Those of which nothing is known, since the run ended before them."""
        return self.asked - sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was observed beside what was expected."""

    observed: Plain
    expected: Plain

    @property
    def outcome(self) -> Outcome:
        """``as documented`` if they are equal."""
        return Outcome.AS_DOCUMENTED if same(self.observed, self.expected) else Outcome.DEVIATES


def judge(behavior: Behavior, version: PgVersion, returned: object) -> Judgement:
    """Compare what an observing function returned with what its behavior expects.

    Parameters:
        version: the server's.

    Raises:
        BehaviorError: what it returned can't be an observation.
    """
    return Judgement(plain(returned, behavior.id), behavior.expect(version))
