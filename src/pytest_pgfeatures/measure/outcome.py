"""Outcomes: values, comparisons with their verdicts, and the reason if something was not measured."""

from __future__ import annotations

import enum
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.json_values import to_plain
from pytest_pgfeatures.measure.interval import Interval
from pytest_pgfeatures.measure.model import Figure, Scale

if TYPE_CHECKING:
    from collections.abc import Iterator


class ClaimVerdict(enum.StrEnum):
    """The relation of a measured ratio to the claim of the document."""

    AS_DOCUMENTED = "as documented"
    """The document's figure lies in the interval; or for no difference, the interval lies within the margin."""
    DIRECTION = "direction as documented"
    """The size differs, is not documented, or can't be judged because the builds differ."""
    UNDECIDED = "undecided here"
    OPPOSITE = "opposite"
    NOT_JUDGED = "not judged"
    """The document makes no claim; or it makes it about several rows, whose common row is judged."""


def verdict_of(interval: Interval, figure: Figure | None, *, alike: bool = True) -> ClaimVerdict:
    """Judge a ratio.

    Parameters:
        interval: the ratio.
        figure: the document's figure; None if there is none.
        alike: whether the builds of the sides are alike.
    """
    if figure is None:
        return ClaimVerdict.NOT_JUDGED
    low, high = interval.ends
    if figure.claim == "no difference":
        least, most = figure.margins
        if least <= low and high <= most:
            return ClaimVerdict.AS_DOCUMENTED if alike else ClaimVerdict.DIRECTION
        return ClaimVerdict.UNDECIDED if interval.meets(least, most) else ClaimVerdict.OPPOSITE
    if interval.meets(1, 1):
        return ClaimVerdict.UNDECIDED
    if (interval.ratio < 1) != (figure.claim == "less"):
        return ClaimVerdict.OPPOSITE
    if alike and figure.span is not None and interval.meets(*figure.span):
        return ClaimVerdict.AS_DOCUMENTED
    return ClaimVerdict.DIRECTION


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
        alike: whether the builds of the sides are alike, or the quantity does not depend on them.
    """

    quantity: str
    unit: str
    side: str
    base_value: float
    value: float
    interval: Interval
    figure: Figure | None
    verdict: ClaimVerdict
    alike: bool = True

    @property
    def rounds_needed(self) -> int | None:
        """For an undecided comparison: about how many rounds would decide it; None if no reasonable number
        would."""
        if self.verdict is not ClaimVerdict.UNDECIDED or self.figure is None:
            return None
        return self.interval.rounds_needed(self.figure.borders)

    @property
    def deviation(self) -> float | None:
        """The factor by which the ratio lies beyond the document's; None if it does not, or there is no size."""
        if self.figure is None or self.figure.span is None or self.verdict is not ClaimVerdict.DIRECTION:
            return None
        low, high = self.figure.span
        nearest = min(max(self.interval.ratio, low), high)
        return None if self.interval.meets(low, high) else self.interval.ratio / nearest


ALSO_WRITTEN: dict[type, tuple[str, ...]] = {Ratio: ("rounds_needed",), Figure: ("reported", "claim")}
"""Properties that JSON has besides the fields."""


@dataclass(frozen=True, slots=True)
class PointMeasured:
    """The outcome of one combination of parameters.

    Parameters:
        labels: the parameters.
        values: each side's values of each quantity, by round.
        comparisons: each side but the first, quantity by quantity.
        control: the first side's server compared with another one of the same install, which should make no
            difference.
        facts: what the work reported about its data.
        trouble: why there is no result; empty if there is one.
    """

    labels: Mapping[str, str]
    values: Mapping[str, Mapping[str, tuple[float, ...]]] = field(default_factory=dict)
    comparisons: tuple[Ratio, ...] = ()
    control: tuple[Ratio, ...] = ()
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
        sides: each side's name: its method, or its major.
        installs: each side's install.
        scale: ``quick`` or ``document``.
        bindirs: the directory of programs of each side's install.
        builds: how the sides' builds differ, if times depend on it; else empty.
        points: the grid; and rows for the document's claims about several points.
        scaled: the parameters and settings that differ from the document's: the value that ran, and the document's.
        seconds: the duration.
        trouble: why it was not run; empty if it was run.
        failed: whether the trouble is an error, and not a resource that is unavailable here.
    """

    id: str
    title: str
    source: str
    note: str
    sides: Mapping[str, str]
    installs: Mapping[str, str]
    scale: Scale
    points: tuple[PointMeasured, ...] = ()
    seconds: float = 0.0
    trouble: str = ""
    failed: bool = False
    builds: str = ""
    bindirs: Mapping[str, str] = field(default_factory=dict)
    scaled: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def comparisons(self) -> Iterator[tuple[PointMeasured, Ratio]]:
        """All comparisons, with their points."""
        for point in self.points:
            for comparison in point.comparisons:
                yield point, comparison

    def control(self) -> tuple[int, int]:
        """Count the ratios of a server with another one of the same install: those that exclude 1, and all."""
        ratios = [each.interval for point in self.points for each in point.control]
        unsure = [each for each in ratios if each.low is not None and not each.is_exact]
        return sum(not each.meets(1, 1) for each in unsure), len(unsure)

    def count(self, verdict: ClaimVerdict) -> int:
        """The number of comparisons with a verdict."""
        return sum(comparison.verdict is verdict for _, comparison in self.comparisons())

    def facts(self) -> Iterator[tuple[str, str, str]]:
        """Facts that the work reported about its data: the point, the name, the text."""
        for point in self.points:
            yield from ((str(point), name, text) for name, text in point.facts.items())

    def reasons(self) -> list[str]:
        """The reasons, tried out, why sizes or directions differ from the document's."""
        figures = [
            ratio.figure
            for _, ratio in self.comparisons()
            if ratio.deviation is not None or ratio.verdict is ClaimVerdict.OPPOSITE
        ]
        return list(dict.fromkeys(figure.tried for figure in figures if figure and figure.tried))

    def troubles(self) -> list[tuple[str, str]]:
        """Why points have no results: the points, then the reason that they share."""
        points: dict[str, list[str]] = {}
        for point in self.points:
            if point.trouble:
                points.setdefault(point.trouble, []).append(str(point))
        return [("; ".join(each), trouble) for trouble, each in points.items()]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, for JSON and other processes."""
        plain: dict[str, Any] = to_plain(self)
        for point, whole in zip(plain["points"], self.points, strict=True):
            for kind, ratios in (("comparisons", whole.comparisons), ("control", whole.control)):
                for comparison, of in zip(point[kind], ratios, strict=True):
                    comparison |= _also_written(of)
                    if of.figure is not None:
                        comparison["figure"] |= _also_written(of.figure)
        return plain


def _also_written(of: Ratio | Figure) -> dict[str, Any]:
    return {name: getattr(of, name) for name in ALSO_WRITTEN[type(of)]}


def median(values: tuple[float, ...]) -> float:
    """The median, which a single slow round does not change much."""
    return statistics.median(values)
