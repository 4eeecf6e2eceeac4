"""The strategies' promises, checked with the models."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import (
    input_strings,
    integer_literals,
    literals_that_differ,
    malformed_numeric_literals,
    numeric_literals,
    overflowing_numeric_literals,
    read_input,
    read_numeric,
    shapes,
)
from pytest_pgfeatures.literals.inputs import INPUT_TYPES
from pytest_pgfeatures.version import MAJORS

few = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
seek = settings(
    max_examples=700,
    database=None,
    derandomize=True,
    deadline=None,
    # Explaining an example would try others, and find() returns the last one tried.
    phases=(Phase.generate, Phase.shrink),
)


@pytest.mark.parametrize("version", [str(major) for major in MAJORS])
def test_numeric_literals_are_one_token_of_their_version(version: str) -> None:
    @few
    @given(numeric_literals(version=version))
    def check(text: str) -> None:
        reading = read_numeric(text, version)
        assert reading.label is None
        assert reading.sqlstate is None

    check()


@pytest.mark.parametrize("version", ["9.5.4", *(str(major) for major in MAJORS)])
def test_overflowing_literals_are_one_token_whose_value_is_an_error(version: str) -> None:
    @few
    @given(overflowing_numeric_literals(version=version))
    def check(text: str) -> None:
        reading = read_numeric(text, version)
        assert reading.label is None
        assert reading.sqlstate in ("22003", "22P02")

    check()


@pytest.mark.parametrize("base", [2, 8, 10, 16])
def test_integer_literals_keep_their_base(base: int) -> None:
    @few
    @given(integer_literals(base))
    def check(text: str) -> None:
        plain = text.replace("_", "")
        assert read_numeric(text, 16).value == int(plain, base)

    check()


def test_a_base_that_the_version_has_not_is_refused() -> None:
    with pytest.raises(LiteralError, match="base 16"):
        integer_literals(16, version=15)


@few
@given(malformed_numeric_literals())
def test_malformed_literals_are_clean_on_no_major(text: str) -> None:
    for major in MAJORS:
        reading = read_numeric(text, major)
        assert reading.sqlstate is not None or reading.label is not None


PAIRS = [(str(old), str(new)) for old, new in pairwise(MAJORS) if str(old) != "16"]


@pytest.mark.parametrize("between", [*PAIRS, ("9.3", "19"), ("16", "14"), ("16", "18"), ("9.5.4", "9.5.5")])
def test_literals_that_differ_do(between: tuple[str, str]) -> None:
    @few
    @given(literals_that_differ(between))
    def check(text: str) -> None:
        one, other = (read_numeric(text, version) for version in between)
        assert one != other

    check()


def test_versions_that_read_alike_have_no_literals_that_differ() -> None:
    with pytest.raises(LiteralError, match="alike"):
        literals_that_differ((16, 17))


def reads_as(text: str, type: str, version: int) -> str | None:
    """The SQLSTATE, ``00000`` for a number, or ``None`` for what the model does not tell."""
    try:
        return read_input(text, type, version).sqlstate or "00000"
    except LiteralError:
        return None


@pytest.mark.parametrize("type", INPUT_TYPES)
def test_input_strings_have_good_and_bad_ones(type: str) -> None:
    good = find(input_strings(type), lambda text: reads_as(text, type, 14) == "00000", settings=seek)
    bad = find(
        input_strings(type), lambda text: reads_as(text, type, 14) in ("22P02", "42601"), settings=seek
    )
    assert (len(good), len(bad)) <= (1, 5)


# Boundaries are found because they are there, and examples shrink to the shortest text that shows the point.
@pytest.mark.parametrize(
    ("kind", "shortest"),
    [("integer", "0"), ("bigint", "2147483648"), ("numeric", "0.")],
)
def test_numeric_literals_shrink_to_the_shortest(kind: str, shortest: str) -> None:
    def is_kind(text: str) -> bool:
        reading = read_numeric(text, 16)
        return kind in (reading.type, reading.sqlstate)

    assert len(find(numeric_literals(version=16), is_kind, settings=seek)) == len(shortest)


def test_the_limits_of_numeric_are_among_its_literals() -> None:
    for wanted in ("1e131071", "1e-16383"):
        assert find(numeric_literals(version=16), lambda text, wanted=wanted: text == wanted, settings=seek)
    assert find(overflowing_numeric_literals(version=16), lambda text: True, settings=seek) == "1e131072"


@pytest.mark.parametrize("base", [2, 8, 10, 16])
def test_the_limits_of_integers_and_their_neighbors_are_in_every_base(base: int) -> None:
    texts = shapes.limits(base).texts
    for power in (15, 31, 63):
        for step in (-1, 0, 1):
            assert shapes.written(2**power + step, base) in texts
    drawn = find(integer_literals(base), lambda text: read_numeric(text, 16).value == 2**63, settings=seek)
    assert drawn == shapes.PREFIXES[base][0] + shapes.written(2**63, base)


@pytest.mark.thorough
def test_a_number_of_131072_digits_is_found() -> None:
    longer = settings(seek, max_examples=3000)  # one in a hundred is so long
    text = find(numeric_literals(version=14), lambda text: len(text) >= 131072, settings=longer)
    assert len(text) in (131072, 131074)  # the digits, and perhaps a point and another one
    assert read_numeric(text, 14).type == "numeric"


@pytest.mark.parametrize(
    ("between", "shortest"),
    [((14, 15), 2), ((15, 16), 3), ((14, 16), 2), ((17, 18), 11), (("9.5.4", "9.6"), 6), ((18, 19), 8)],
)
def test_literals_that_differ_shrink_to_the_shortest(between: tuple[object, object], shortest: int) -> None:
    def differ(text: str) -> bool:
        return read_numeric(text, between[0]) != read_numeric(text, between[1])  # type: ignore[arg-type]

    found = find(literals_that_differ(between), differ, settings=seek)  # type: ignore[arg-type]
    assert len(found) == shortest


@few
@given(st.data())
def test_a_sample_of_a_shape_is_a_text_of_its_strategy(data: st.DataObject) -> None:
    shape = shapes.spaced_integer(16)
    text = shapes.sample(shape, data.draw(st.randoms(use_true_random=False)))
    assert text[:2] in shapes.PREFIXES[16]
    assert read_numeric(text, 16).sqlstate is None
