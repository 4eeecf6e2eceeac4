"""Student's t distribution, for intervals and errors of few rounds.

The finite sums are those of Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
"""

from __future__ import annotations

import functools
import math


def outside(t: float, freedom: int) -> float:
    """The probability of a value further from 0 than ``t``, on either side.

    Parameters:
        t: not negative.
        freedom: degrees of freedom, 1 or more.
    """
    if math.isinf(t):
        return 0.0
    angle = math.atan(t / math.sqrt(freedom))
    odd = freedom % 2
    term = total = math.cos(angle) if odd else 1.0
    for number in range(3 if odd else 2, freedom - 1, 2):
        term *= (number - 1) / number * math.cos(angle) ** 2
        total += term
    if not odd:
        return max(0.0, 1 - math.sin(angle) * total)
    return max(0.0, 1 - 2 / math.pi * (angle + (math.sin(angle) * total if freedom > 1 else 0)))


@functools.cache
def quantile(error: float, freedom: int) -> float:
    """The ``t`` such that values are further from 0 with the probability ``error``.

    Parameters:
        error: between 0 and 1.
        freedom: degrees of freedom, 1 or more.
    """
    low, high = 0.0, 1.0
    while outside(high, freedom) > error:
        low, high = high, high * 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if outside(middle, freedom) > error else (low, middle)
    return high
