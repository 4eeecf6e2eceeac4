"""The ratio of two sides, its interval, and what follows from it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.measure.interval import Interval, interval_of
from pytest_pgfeatures.measure.outcome import ClaimVerdict, verdict_of

TIMES = st.floats(min_value=1e-6, max_value=1e6)
ROUNDS = st.lists(st.tuples(TIMES, TIMES), min_size=1, max_size=8)


few = settings(max_examples=15, deadline=None)


def both(rounds):
    return [base for base, _ in rounds], [side for _, side in rounds]


@few
@given(ROUNDS)
def test_the_interval_has_the_ratio_and_lies_within_the_rounds(rounds):
    base, side = both(rounds)
    found = interval_of(base, side)
    ratios = [b / a for a, b in rounds]
    assert found.low <= found.ratio <= found.high
    assert min(ratios) * 0.999999 <= found.low
    assert found.high <= max(ratios) * 1.000001
    assert found.rounds == len(rounds)


@few
@given(ROUNDS)
def test_the_same_values_give_the_same_interval(rounds):
    assert interval_of(*both(rounds)) == interval_of(*both(rounds))


@few
@given(ROUNDS)
def test_exchanging_the_sides_inverts_the_ratio(rounds):
    base, side = both(rounds)
    assert interval_of(side, base).ratio == pytest.approx(1 / interval_of(base, side).ratio)


@few
@given(ROUNDS, st.floats(min_value=0.01, max_value=100))
def test_a_machine_of_another_speed_changes_nothing(rounds, factor):
    base, side = both(rounds)
    slower = interval_of([value * factor for value in base], [value * factor for value in side])
    found = interval_of(base, side)
    assert (slower.ratio, slower.low, slower.high) == pytest.approx((found.ratio, found.low, found.high))


def test_rounds_of_one_ratio_give_an_interval_without_width():
    found = interval_of([1, 2, 3], [2, 4, 6])
    assert (found.low, found.high) == (found.ratio, found.ratio)
    assert found.ratio == pytest.approx(2)


@pytest.mark.parametrize("rounds", [3, 6])
def test_about_95_of_100_intervals_have_the_true_ratio(rounds):
    source, hits, trials = random.Random(95), 0, 80
    for _ in range(trials):
        base = [math.exp(source.gauss(0, 0.3)) for _ in range(rounds)]
        side = [value * 0.8 * math.exp(source.gauss(0, 0.1)) for value in base]
        found = interval_of(base, side)
        hits += found.low <= 0.8 <= found.high
    assert hits / trials >= {3: 0.70, 6: 0.90}[rounds]
    assert hits < trials  # an interval that has everything would say nothing


@pytest.mark.parametrize(("base", "side"), [([], []), ([1], [1, 2]), ([0], [1]), ([1], [-1])])
def test_what_has_no_ratio_is_refused(base, side):
    with pytest.raises(ValueError, match="no ratio"):
        interval_of(base, side)


@pytest.mark.parametrize(
    ("low", "high", "claim", "verdict"),
    [
        (0.5, 0.9, "less", ClaimVerdict.AS_DOCUMENTED),
        (1.1, 1.9, "less", ClaimVerdict.OPPOSITE),
        (1.1, 1.9, "more", ClaimVerdict.AS_DOCUMENTED),
        (0.5, 0.9, "more", ClaimVerdict.OPPOSITE),
        (0.9, 1.1, "less", ClaimVerdict.UNDECIDED),
        (0.9, 1.0, "less", ClaimVerdict.UNDECIDED),
        (0.5, 0.9, "no difference", ClaimVerdict.NO_CLAIM),
        (0.5, 0.9, None, ClaimVerdict.NO_CLAIM),
    ],
)
def test_a_verdict_needs_an_interval_without_1(low, high, claim, verdict):
    assert verdict_of(Interval((low + high) / 2, low, high, 5), claim) is verdict


def test_twice_as_far_from_1_needs_a_quarter_of_the_rounds():
    near = Interval(math.exp(0.1), math.exp(-0.1), math.exp(0.3), 10)
    far = Interval(math.exp(0.2), math.exp(0.0), math.exp(0.4), 10)
    assert near.rounds_needed() in (41, 42)
    assert far.rounds_needed() in (11, 12)


def test_a_ratio_of_1_needs_more_rounds_than_anybody_runs():
    assert Interval(1.0, 0.9, 1.1, 5).rounds_needed() is None
    assert Interval(1.00001, 0.9, 1.1, 5).rounds_needed() is None
