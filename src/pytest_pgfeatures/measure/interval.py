"""The ratio of two sides, with its interval.

Each round gives one ratio. Each round has its own servers, so that rounds are independent: the variance
between rounds includes the differences between servers, and all others. The estimate is the rounds' geometric
mean, which treats a ratio and its inverse alike; the interval is Student's, of the ratios' logarithms.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.measure.student import outside, quantile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ERROR = 0.05
"""The fraction of intervals that miss the true ratio, and of tables with a claim decided wrongly."""
LEAST_ROUNDS = 5
"""The minimum number of rounds. With fewer, there is no interval: that of 3 would be twice as wide as that of
5, and that of 2 seven times."""
_EQUAL = 1e-12
_MOST_NEEDED = 10_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio, with the interval that contains the true one.

    Parameters:
        ratio: the geometric mean of the rounds' ratios.
        low: the interval's lower end; None if there are too few rounds for an interval.
        high: its upper end.
        rounds: the number of rounds.
        error: the probability that the true ratio lies outside.
    """

    ratio: float
    low: float | None
    high: float | None
    rounds: int
    error: float = ERROR

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends of the interval; from 0 to infinity if there is none."""
        return (0.0, math.inf) if self.low is None or self.high is None else (self.low, self.high)

    @property
    def is_exact(self) -> bool:
        """Whether all rounds gave the same ratio, as sizes do."""
        return self.low is not None and self.low == self.high

    def meets(self, low: float, high: float) -> bool:
        """Whether it contains a ratio from ``low`` to ``high``."""
        return self.ends[0] <= high and low <= self.ends[1]

    def rounds_needed(self, borders: Iterable[float] = (1.0,)) -> int | None:
        """About how many rounds would decide it if the ratio stayed the same.

        An interval shrinks with the square root of the number of rounds.

        Parameters:
            borders: the ratios that the interval must not contain.

        Returns:
            None if no reasonable number would, because the ratio is too close to one of them.
        """
        if self.low is None or self.high is None:
            return LEAST_ROUNDS
        distance = min(abs(math.log(self.ratio / border)) for border in borders)
        half = math.log(self.high / self.low) / 2
        needed = self.rounds * (half / distance) ** 2 if distance else math.inf
        return math.ceil(needed) + 1 if needed < _MOST_NEEDED else None


class Ratios:
    """The ratios of a side to the base, by round.

    Parameters:
        base: the base's value in each round, greater than zero.
        side: the side's value in the same rounds.

    Raises:
        ValueError: there is no round; or the sides have different numbers of rounds; or a value is not positive.
    """

    def __init__(self, base: Sequence[float], side: Sequence[float]) -> None:
        if not base or len(base) != len(side) or min(*base, *side) <= 0:
            raise ValueError(f"no ratio can be taken of {base!r} and {side!r}")
        self.logs = [math.log(b) - math.log(a) for a, b in zip(base, side, strict=True)]

    @classmethod
    def as_one(cls, rows: Sequence[Ratios]) -> Ratios:
        """The ratios of several rows: their geometric mean in each round that all of them have."""
        found = cls.__new__(cls)
        found.logs = [statistics.fmean(row) for row in zip(*(each.logs for each in rows), strict=False)]
        return found

    def interval(self, error: float = ERROR) -> Interval:
        """The interval that misses the true ratio with the probability ``error``."""
        center, count = statistics.fmean(self.logs), len(self.logs)
        ratio = math.exp(center)
        if self._exact:
            return Interval(ratio, ratio, ratio, count, error)
        if count < LEAST_ROUNDS:
            return Interval(ratio, None, None, count, error)
        half = quantile(error, count - 1) * self._deviation
        return Interval(ratio, math.exp(center - half), math.exp(center + half), count, error)

    def error(self, borders: Iterable[float]) -> float:
        """The smallest error of an interval that contains none of the borders."""
        distance = min(abs(statistics.fmean(self.logs) - math.log(border)) for border in borders)
        if self._exact:
            return 0.0 if distance > _EQUAL else 1.0
        if len(self.logs) < LEAST_ROUNDS:
            return 1.0
        return outside(distance / self._deviation, len(self.logs) - 1)

    @property
    def _exact(self) -> bool:
        """Whether there is only one round, which does not show whether the next would give the same."""
        return len(self.logs) > 1 and max(self.logs) - min(self.logs) < _EQUAL

    @property
    def _deviation(self) -> float:
        """The mean's standard deviation."""
        return statistics.stdev(self.logs) / math.sqrt(len(self.logs))


def step_down(errors: Sequence[float], error: float = ERROR) -> list[float]:
    """The error with which each of several claims is judged, so that the probability of any wrong decision is
    at most ``error``.

    Sture Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6,
    1979.

    Parameters:
        errors: for each claim, the smallest error of an interval that decides it.
    """
    found = [error] * len(errors)
    left = len(errors)
    for place in sorted(range(len(errors)), key=errors.__getitem__):
        found[place] = error / left
        left -= errors[place] <= found[place] and left > 1
    return found
