"""Outcomes: values, comparisons with their verdicts, and the reason if something was not measured."""

from __future__ import annotations

import dataclasses
import enum
import statistics
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.measure.interval import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pgfeatures.measure.model import Claim, Figure


class ClaimVerdict(enum.StrEnum):
    """The relation of a measured ratio to the claim of the document."""

    AS_DOCUMENTED = "as documented"
    OPPOSITE = "opposite"
    UNDECIDED = "undecided here"
    NO_CLAIM = "no claim"


def verdict_of(interval: Interval, claim: Claim | None) -> ClaimVerdict:
    """Judge a ratio: its interval must exclude 1 to be decided."""
    if claim in (None, "no difference"):
        return ClaimVerdict.NO_CLAIM
    if interval.has_one:
        return ClaimVerdict.UNDECIDED
    return ClaimVerdict.AS_DOCUMENTED if (interval.ratio < 1) == (claim == "less") else ClaimVerdict.OPPOSITE


@dataclass(frozen=True, slots=True)
class Ratio:
    """One quantity of one side, compared with the first side.

    Parameters:
        quantity: its name.
        unit: its unit.
        side: the side's name.
        base_value: the median of the first side's values.
        value: the median of the side's values.
        interval: the ratio.
        figure: the document's figure; None if it has none.
        verdict: how the ratio relates to it.
    """

    quantity: str
    unit: str
    side: str
    base_value: float
    value: float
    interval: Interval
    figure: Figure | None
    verdict: ClaimVerdict

    @property
    def needed(self) -> int | None:
        """For an undecided one: about how many rounds would decide it, or None if no reasonable number would."""
        return self.interval.rounds_needed() if self.verdict is ClaimVerdict.UNDECIDED else None


@dataclass(frozen=True, slots=True)
class PointMeasured:
    """The outcome of one combination of parameters.

    Parameters:
        labels: the parameters.
        values: each side's values of each quantity, by round.
        comparisons: each side but the first, quantity by quantity.
        facts: what the work told of its data.
        trouble: why there is no result; empty if there is one.
    """

    labels: Mapping[str, str]
    values: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)
    comparisons: tuple[Ratio, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""

    def __str__(self) -> str:
        return ", ".join(f"{name} {label}" for name, label in self.labels.items())


@dataclass(frozen=True, slots=True)
class Measured:
    """The outcome of one experiment.

    Parameters:
        id: the experiment's.
        title: the experiment's.
        source: the experiment's.
        note: the experiment's.
        sides: what each side is called: its method, or its major.
        installs: what each side ran on.
        scale: ``quick`` or ``document``.
        bindirs: the directory of programs of each side's install.
        builds: how differently the sides were compiled, if times depend on it; else empty.
        points: the grid.
        seconds: how long it took.
        trouble: why it was not run; empty if it was.
    """

    id: str
    title: str
    source: str
    note: str
    sides: Mapping[str, str]
    installs: Mapping[str, str]
    scale: str
    points: tuple[PointMeasured, ...] = ()
    seconds: float = 0.0
    trouble: str = ""
    failed: bool = False
    """Whether the trouble is an error, and not something that can't be had here."""
    builds: str = ""
    bindirs: Mapping[str, str] = field(default_factory=dict)

    def comparisons(self) -> Iterator[tuple[PointMeasured, Ratio]]:
        """All comparisons, with their points."""
        for point in self.points:
            for comparison in point.comparisons:
                yield point, comparison

    def count(self, verdict: ClaimVerdict) -> int:
        """The number of comparisons with a verdict."""
        return sum(comparison.verdict is verdict for _, comparison in self.comparisons())

    def troubles(self) -> list[tuple[str, str]]:
        """Why points have no results: the points, then the reason that they share."""
        points: dict[str, list[str]] = {}
        for point in self.points:
            if point.trouble:
                points.setdefault(point.trouble, []).append(str(point))
        return [("; ".join(each), trouble) for trouble, each in points.items()]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON and other processes."""
        plain = dataclasses.asdict(self)
        for point, whole in zip(plain["points"], self.points, strict=True):
            for comparison, of in zip(point["comparisons"], whole.comparisons, strict=True):
                comparison["verdict"] = str(of.verdict)
                comparison["rounds_needed"] = of.needed
                if of.figure is not None:
                    comparison["figure"] |= {"reported": of.figure.reported, "claim": of.figure.claim}
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Measured:
        """The result that :meth:`to_dict` gave."""
        points = tuple(
            PointMeasured(
                **point
                | {
                    "values": {
                        side: {name: tuple(values) for name, values in quantities.items()}
                        for side, quantities in point["values"].items()
                    },
                    "comparisons": tuple(map(_comparison, point["comparisons"])),
                }
            )
            for point in plain["points"]
        )
        return cls(**{**plain, "points": points})


def _comparison(plain: Mapping[str, Any]) -> Ratio:
    from pytest_pgfeatures.measure.model import Figure

    fields = {name: value for name, value in plain.items() if name != "rounds_needed"}
    figure = plain["figure"] and {
        name: value for name, value in plain["figure"].items() if name not in ("reported", "claim")
    }
    if figure and figure["values"]:
        figure["values"] = tuple(figure["values"])
    return Ratio(
        **fields
        | {
            "interval": Interval(**plain["interval"]),
            "figure": Figure(**figure) if figure else None,
            "verdict": ClaimVerdict(plain["verdict"]),
        }
    )


def median(values: tuple[float, ...]) -> float:
    """The median, which a single slow round does not move."""
    return statistics.median(values)
