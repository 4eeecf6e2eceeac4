"""Compares the sides of an experiment: each row's ratio, and a verdict for each claim of the document."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, replace
from statistics import geometric_mean
from typing import TYPE_CHECKING

from pytest_pgfeatures.measure.interval import Ratios, step_down
from pytest_pgfeatures.measure.outcome import ClaimVerdict, PointMeasured, Ratio, median, verdict_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.measure.model import Experiment, Figure, Point

CONTROL = "control"
"""The name of the side that has the same install as the first one."""
TIMES = frozenset({"s", "tps"})
"""The units that depend on how a server was compiled."""
Values = dict[str, dict[str, list[float]]]
"""By side and quantity, one value for each round."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A quantity of a side at a point."""

    place: int
    side: str
    quantity: str
    figure: Figure | None
    ratios: Ratios
    ratio: Ratio


def compared(
    experiment: Experiment, measured: Sequence[tuple[Point, Values]], *, alike: bool
) -> tuple[list[tuple[Ratio, ...]], list[PointMeasured]]:
    """Compare the sides at each point, and judge what the document claims.

    A claim about several points is judged by their geometric mean, in a row of its own. The claims of one
    experiment are judged with Holm's correction for their number.

    Parameters:
        measured: the points, each with its values.
        alike: whether the builds of the sides don't differ.

    Returns:
        the ratios of each point; and the rows of claims about several points.
    """
    rows = [row for place, one in enumerate(measured) for row in _rows(experiment, place, *one, alike=alike)]
    claims: dict[tuple[object, ...], list[_Row]] = defaultdict(list)
    for row in rows:
        if row.figure is not None:
            claims[row.quantity, row.side, row.figure.table or id(row.figure)].append(row)
    judged = [_Claim.of(each) for each in claims.values()]
    errors = step_down([claim.ratios.error(claim.figure.borders) for claim in judged])
    verdicts: dict[int, Ratio] = {}
    together: list[PointMeasured] = []
    for claim, error in zip(judged, errors, strict=True):
        interval = claim.ratios.interval(error)
        verdict = verdict_of(interval, claim.figure, alike=claim.rows[0].ratio.alike)
        found = replace(claim.rows[0].ratio, interval=interval, figure=claim.figure, verdict=verdict)
        if len(claim.rows) == 1:
            verdicts[id(claim.rows[0])] = found
            continue
        found = replace(
            found,
            base_value=geometric_mean([row.ratio.base_value for row in claim.rows]),
            value=geometric_mean([row.ratio.value for row in claim.rows]),
        )
        labels = _labels([measured[row.place][0].labels for row in claim.rows])
        together.append(PointMeasured(labels, comparisons=(found,)))
    points: list[list[Ratio]] = [[] for _ in measured]
    for row in rows:
        points[row.place].append(verdicts.get(id(row), row.ratio))
    return [tuple(ratios) for ratios in points], together


def controlled(experiment: Experiment, values: Values) -> tuple[Ratio, ...]:
    """The ratios of the control, if there is one."""
    if CONTROL not in values:
        return ()
    side = experiment.base.name
    return tuple(
        _ratio(quantity, unit, side, values[side][quantity], values[CONTROL][quantity])
        for quantity, unit in experiment.quantities.items()
    )


@dataclass(frozen=True, slots=True)
class _Claim:
    """A document's claim about one row, or several."""

    figure: Figure
    rows: Sequence[_Row]
    ratios: Ratios

    @classmethod
    def of(cls, rows: Sequence[_Row]) -> _Claim:
        figures = [row.figure for row in rows if row.figure is not None]
        return cls(_common(figures), rows, Ratios.as_one([row.ratios for row in rows]))


def _common(figures: Sequence[Figure]) -> Figure:
    """The figure of a table: the geometric mean of its rows'."""
    first = figures[0]
    if len(set(map(id, figures))) == 1:
        return first
    spans = [figure.span for figure in figures if figure.span is not None]
    if len(spans) < len(figures):
        return replace(first, text=first.table, ratio=None, values=None, at={})
    low, high = (geometric_mean(ends) for ends in zip(*spans, strict=True))
    return replace(first, text=first.table, ratio=(low, high), values=None, at={})


def _labels(rows: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The labels that several points share, and the number of values of each other parameter."""
    values = {name: list(dict.fromkeys(labels[name] for labels in rows)) for name in rows[0]}
    return {name: each[0] if len(each) == 1 else f"all {len(each)}" for name, each in values.items()}


def _rows(experiment: Experiment, place: int, point: Point, values: Values, *, alike: bool) -> Iterator[_Row]:
    for side, (quantity, unit) in itertools.product(experiment.sides[1:], experiment.quantities.items()):
        base, own = values[experiment.base.name][quantity], values[side.name][quantity]
        figure = experiment.figure(quantity, side.name, point.names)
        ratio = _ratio(quantity, unit, side.name, base, own)
        ratio = replace(ratio, figure=figure, alike=alike or unit not in TIMES)
        yield _Row(place, side.name, quantity, figure, Ratios(base, own), ratio)


def _ratio(quantity: str, unit: str, side: str, base: Sequence[float], own: Sequence[float]) -> Ratio:
    return Ratio(
        quantity=quantity,
        unit=unit,
        side=side,
        base_value=median(tuple(base)),
        value=median(tuple(own)),
        interval=Ratios(base, own).interval(),
        figure=None,
        verdict=ClaimVerdict.NOT_JUDGED,
    )


def mean_of_turns(turns: Sequence[float]) -> float:
    """A round's value: the geometric mean of its turns, because ratios are taken of it."""
    return turns[0] if len(set(turns)) == 1 else math.exp(math.fsum(map(math.log, turns)) / len(turns))
