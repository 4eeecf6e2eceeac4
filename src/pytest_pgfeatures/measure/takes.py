"""The cost of an experiment at the document's scale: time, files, memory."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from pytest_pgfeatures.measure.interval import LEAST_ROUNDS
from pytest_pgfeatures.measure.room import files_of

if TYPE_CHECKING:
    from pytest_pgfeatures.measure.model import Experiment, Point
    from pytest_pgfeatures.measure.outcome import Measured

_SHARED_BUFFERS = "128MB"
"""https://www.postgresql.org/docs/current/runtime-config-resource.html."""
_UNITS = {"kB": 1024, "MB": 1024**2, "GB": 1024**3}


@dataclass(frozen=True, slots=True)
class Takes:
    """The approximate cost of an experiment.

    Parameters:
        seconds: the total time; None if it is unknown.
        disk: the bytes of its files, at the point with the largest files; None if it doesn't declare them.
        memory: the bytes of its servers' shared buffers.
    """

    seconds: float | None
    disk: int | None
    memory: int


def takes(experiment: Experiment, known: Measured | None, *, rounds: int = LEAST_ROUNDS) -> Takes:
    """Estimate the cost of an experiment at the document's scale.

    Parameters:
        known: its measurements at either scale. From the quick one, time is extrapolated by the parameters:
            rows by clients by transactions.
        rounds: the requested number of rounds.
    """
    seconds = None
    if known is not None and (done := _rounds(known)):
        growth = 1.0 if known.scale == "document" else _growth(experiment)
        seconds = known.seconds / done * rounds * growth
    points = experiment.points("document")
    files = [found for point in points if (found := files_of(experiment, point)) is not None]
    own = experiment.isolation == "cluster"
    servers = len(experiment.sides) + 1 if experiment.by_version else len(experiment.sides) if own else 1
    buffers = experiment.settings_at("document").get("shared_buffers", _SHARED_BUFFERS)
    return Takes(seconds, max(files, default=None), servers * _bytes(buffers))


def _rounds(known: Measured) -> int:
    sides = [side for point in known.points for side in point.values.values()]
    return max((len(values) for side in sides for values in side.values()), default=0)


def _growth(experiment: Experiment) -> float:
    """The ratio of the document's number of steps to that of the quick scale, as the points' mean."""
    both = zip(experiment.points("quick"), experiment.points("document"), strict=True)
    return fmean(_steps(experiment, there) / _steps(experiment, here) for here, there in both)


def _steps(experiment: Experiment, point: Point) -> float:
    if experiment.steps is not None:
        return experiment.steps(**point.values)
    return math.prod(value for value in point.values.values() if isinstance(value, int) and value > 0)


def _bytes(setting: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([kMG]B)", setting).groups()  # type: ignore[union-attr]
    return int(number) * _UNITS[unit]
