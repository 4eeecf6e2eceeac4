"""The ratio of two sides, with its interval.

Each round gives one ratio, of values that were measured one right after the other. Their geometric mean is the
estimate, as a ratio and its inverse are then treated alike. The interval is a bootstrap interval of percentiles,
widened for few rounds as Tim Hesterberg proposes ("What Teachers Should Know About the Bootstrap", The American
Statistician 69, 2015, expanded percentile interval). Random numbers are seeded, so that the same values give the
same interval.
"""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 4000
_SEED = 16
_NORMAL = statistics.NormalDist()
# Student's t: the 97.5% quantiles for 1, 2, ... degrees of freedom
_T: tuple[float, ...]
_T = (
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
)
_T += (
    2.120,
    2.110,
    2.101,
    2.093,
    2.086,
    2.080,
    2.074,
    2.069,
    2.064,
    2.060,
    2.056,
    2.052,
    2.048,
    2.045,
    2.042,
)
_MOST_NEEDED = 10_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A ratio, with the interval that has the true one in 95 of 100 cases.

    Parameters:
        ratio: the geometric mean of the rounds' ratios.
        low: the interval's lower end.
        high: its upper end.
        rounds: how many rounds it is of.
    """

    ratio: float
    low: float
    high: float
    rounds: int

    @property
    def width(self) -> float:
        """The interval's width, as a part of the ratio."""
        return (self.high - self.low) / self.ratio

    @property
    def has_one(self) -> bool:
        """Whether the sides may be equal, as far as these rounds show."""
        return self.low <= 1 <= self.high

    def rounds_needed(self) -> int | None:
        """About how many rounds would exclude 1 if the ratio stayed what it is.

        An interval shrinks with the square root of the number of rounds.

        Returns:
            None if no reasonable number would, as the ratio is too close to 1.
        """
        distance = abs(math.log(self.ratio))
        half = max(math.log(self.high / self.ratio), math.log(self.ratio / self.low))
        needed = self.rounds * (half / distance) ** 2 if distance else math.inf
        return math.ceil(needed) + 1 if needed < _MOST_NEEDED else None


def interval_of(base: Sequence[float], side: Sequence[float]) -> Interval:
    """The ratio of a side to the base.

    Parameters:
        base: the base's value in each round, greater than zero.
        side: the side's value in the same rounds.

    Raises:
        ValueError: there is no round; or the sides have different numbers of rounds; or a value is not positive.
    """
    if not base or len(base) != len(side) or min(*base, *side) <= 0:
        raise ValueError(f"no ratio can be taken of {base!r} and {side!r}")
    logs = [math.log(b) - math.log(a) for a, b in zip(base, side, strict=True)]
    center, count = statistics.fmean(logs), len(logs)
    if max(logs) - min(logs) < 1e-12:  # a size, say: the same in each round
        ratio = math.exp(center)
        return Interval(ratio, ratio, ratio, count)
    pick = random.Random(_SEED).choices
    means = sorted(statistics.fmean(pick(logs, k=count)) for _ in range(RESAMPLES))
    tail = _NORMAL.cdf(-math.sqrt(count / (count - 1)) * _T[min(count - 1, len(_T)) - 1])
    at = min(int(tail * RESAMPLES), RESAMPLES // 2)
    low, high = min(means[at], center), max(means[-1 - at], center)
    return Interval(math.exp(center), math.exp(low), math.exp(high), count)
