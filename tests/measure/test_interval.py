"""The ratio of two sides, its interval, and what follows from it."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.measure.interval import ERROR, Interval, Ratios, step_down
from pytest_pgfeatures.measure.student import outside, quantile

TIMES = st.floats(min_value=1e-6, max_value=1e6)
ROUNDS = st.lists(st.tuples(TIMES, TIMES), min_size=5, max_size=12)


few = settings(max_examples=15, deadline=None)


def both(rounds):
    return [base for base, _ in rounds], [side for _, side in rounds]


def interval_of(base, side, error=ERROR):
    return Ratios(base, side).interval(error)


@few
@given(ROUNDS)
def test_the_interval_has_the_ratio(rounds):
    found = interval_of(*both(rounds))
    assert found.low <= found.ratio <= found.high
    assert found.rounds == len(rounds)


@few
@given(ROUNDS)
def test_exchanging_the_sides_inverts_the_interval(rounds):
    base, side = both(rounds)
    found, other = interval_of(base, side), interval_of(side, base)
    assert (other.ratio, other.low, other.high) == pytest.approx(
        (1 / found.ratio, 1 / found.high, 1 / found.low)
    )


@few
@given(ROUNDS, st.floats(min_value=0.01, max_value=100))
def test_a_machine_of_another_speed_changes_nothing(rounds, factor):
    base, side = both(rounds)
    slower = interval_of([value * factor for value in base], [value * factor for value in side])
    found = interval_of(base, side)
    assert (slower.ratio, slower.low, slower.high) == pytest.approx((found.ratio, found.low, found.high))


def test_rounds_of_one_ratio_give_an_interval_without_width():
    found = interval_of([1, 2], [2, 4])
    assert found.is_exact
    assert (found.low, found.ratio, found.high) == (found.ratio, pytest.approx(2), found.ratio)


@pytest.mark.parametrize(("rounds", "known"), [(1, False), (4, False), (5, True)])
def test_fewer_than_five_rounds_give_no_interval(rounds, known):
    ratios = Ratios([1.0] * rounds, [1.5 + number / 10 for number in range(rounds)])
    assert (ratios.interval().low is not None) == known
    assert (ratios.error([1.0]) < 1) == known
    assert ratios.interval().meets(0.01, 0.02) == (not known)  # it may be anywhere


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423)]
)
def test_quantiles_are_those_of_the_tables(freedom, t):
    assert quantile(0.05, freedom) == pytest.approx(t, abs=0.0001)
    assert outside(t, freedom) == pytest.approx(0.05, abs=0.00002)
    assert outside(0, freedom) == pytest.approx(1)
    assert outside(math.inf, freedom) == 0


NOISES = {
    "normal": lambda source: source.gauss(0, 0.1),
    "a busy second now and then": lambda source: source.gauss(0, 0.05) + (source.random() < 0.1) * 0.5,
    "steps of servers": lambda source: source.choice((-0.05, 0.0, 0.05)) + source.gauss(0, 0.01),
}


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("rounds", [5, 10])
def test_at_most_five_of_a_hundred_controls_are_decided(kind, rounds):
    source, noise, decided, trials = random.Random(95), NOISES[kind], 0, 3000
    for _ in range(trials):
        base = [math.exp(noise(source)) for _ in range(rounds)]
        side = [math.exp(noise(source)) for _ in range(rounds)]
        decided += not interval_of(base, side).meets(1, 1)
    assert 0 < decided / trials < 0.06  # sampling alone moves it by 0.008


def test_rounds_on_one_server_would_decide_too_often():
    """The reason why rounds have servers of their own."""
    source, decided, trials = random.Random(16), {"one server": 0, "own servers": 0}, 500

    def server():
        return source.gauss(0, 0.03)

    for _ in range(trials):
        one = [server(), server()]
        for kind in decided:
            rounds = [[server(), server()] if kind == "own servers" else one for _ in range(5)]
            base, side = ([math.exp(each[at] + source.gauss(0, 0.02)) for each in rounds] for at in (0, 1))
            decided[kind] += not interval_of(base, side).meets(1, 1)
    assert decided["one server"] / trials > 0.3
    assert decided["own servers"] / trials < 0.08


@pytest.mark.parametrize(("base", "side"), [([], []), ([1], [1, 2]), ([0], [1]), ([1], [-1])])
def test_what_has_no_ratio_is_refused(base, side):
    with pytest.raises(ValueError, match="no ratio"):
        Ratios(base, side)


def test_several_rows_are_their_geometric_mean_in_each_round():
    rows = [Ratios([1.0] * 5, [2.0, 2.2, 1.8, 2.1, 1.9]), Ratios([1.0] * 6, [0.5, 0.5, 0.6, 0.4, 0.5, 9.0])]
    found = Ratios.as_one(rows)
    assert found.logs == pytest.approx(
        [statistics.fmean(pair) for pair in zip(rows[0].logs, rows[1].logs[:5], strict=True)]
    )
    assert found.interval().rounds == 5


@few
@given(st.lists(st.floats(min_value=0.0, max_value=1.0), min_size=1, max_size=40))
def test_a_claim_is_decided_where_holms_procedure_decides_it(errors):
    found = step_down(errors)
    decided, going = set(), True
    for place, (error, index) in enumerate(sorted((error, index) for index, error in enumerate(errors))):
        going = going and error <= 0.05 / (len(errors) - place)
        decided |= {index} if going else set()
    assert {index for index, error in enumerate(errors) if error <= found[index]} == decided


def test_of_many_equal_rows_one_in_twenty_tables_has_a_decided_one():
    source, wrong, tables = random.Random(17), 0, 300
    for _ in range(tables):
        rows = [
            Ratios([math.exp(source.gauss(0, 0.1)) for _ in range(5)], [1.0] * 5).error([1.0])
            for _ in range(37)
        ]
        levels = step_down(rows)
        wrong += any(error <= level for error, level in zip(rows, levels, strict=True))
    assert wrong / tables < 0.09


@pytest.mark.parametrize("borders", [(1.0,), (0.9, 1.1)])
@pytest.mark.parametrize("center", [1.02, 1.08, 1.3])
def test_the_error_is_that_of_the_interval_that_touches_a_border(borders, center):
    ratios = Ratios([1.0] * 6, [center * factor for factor in (0.97, 0.99, 1.0, 1.0, 1.02, 1.03)])
    error = ratios.error(borders)
    found = ratios.interval(error)
    assert min(abs(end - border) for end in (found.low, found.high) for border in borders) < 1e-6


def test_twice_as_far_from_1_needs_a_quarter_of_the_rounds():
    near = Interval(math.exp(0.1), math.exp(-0.1), math.exp(0.3), 10)
    far = Interval(math.exp(0.2), math.exp(0.0), math.exp(0.4), 10)
    assert near.rounds_needed() in (41, 42)
    assert far.rounds_needed() in (11, 12)


def test_a_ratio_of_1_needs_more_rounds_than_anybody_runs():
    assert Interval(1.0, 0.9, 1.1, 5).rounds_needed() is None
    assert Interval(1.00001, 0.9, 1.1, 5).rounds_needed() is None
