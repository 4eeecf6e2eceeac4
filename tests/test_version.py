"""Majors, releases and sets of them."""

from __future__ import annotations

import copy
import doctest
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pgfeatures import literals, version
from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version import (
    MAJORS,
    PgMajor,
    PgVersion,
    VersionSet,
    as_release,
    places,
    read_version,
    release,
    sets,
)

# --- what versions there are -------------------------------------------------------------------------------

OLD = st.sampled_from(places.OLD_MAJORS).map(lambda numbers: f"{numbers[0]}.{numbers[1]}")
NEW = st.one_of(st.integers(10, 25), st.integers(10, 9999)).map(str)
MAJOR_TEXTS = st.one_of(st.sampled_from([str(major) for major in MAJORS]), OLD, NEW)
STAGES = st.one_of(
    st.just("devel"),
    st.builds("{}{}".format, st.sampled_from(["alpha", "beta", "rc"]), st.integers(1, 99)),
)


@st.composite
def release_texts(draw: st.DrawFn) -> str:
    major = draw(MAJOR_TEXTS)
    if draw(st.booleans()):
        return major + draw(STAGES)
    limit = 99 if "." in major else 9999
    return f"{major}.{draw(st.one_of(st.integers(0, 3), st.integers(0, limit)))}"


MAJOR = MAJOR_TEXTS.map(PgMajor)
RELEASE = release_texts().map(PgVersion)
EITHER = st.one_of(MAJOR, RELEASE)


@st.composite
def set_texts(draw: st.DrawFn) -> str:
    """A part of a set that holds something, unless it is empty by nature (``<6.0``)."""
    form = draw(
        st.sampled_from(["{}", "=={}", ">={}", ">{}", "<={}", "<{}", "!={}", "{}..{}", "all", "none"])
    )
    if form != "{}..{}":
        return form.format(draw(EITHER))
    ends = sorted((draw(EITHER), draw(EITHER)), key=lambda end: VersionSet(end).places)
    return form.format(*ends)


SET = st.lists(set_texts(), min_size=1, max_size=4).map(",".join).map(VersionSet)


def by_what_postgresql_says(one: PgVersion) -> tuple[Any, ...]:
    """How releases follow each other, without the places that are under test."""
    name = one.stage.rstrip("0123456789")
    stages = ("devel", "alpha", "beta", "rc", "")
    return one.num, stages.index(name), int(one.stage[len(name) :] or 0)


# --- each type ---------------------------------------------------------------------------------------------


@given(MAJOR, MAJOR)
def test_majors_have_a_total_order(one: PgMajor, other: PgMajor) -> None:
    check_order(one, other, one.num, other.num)


@given(RELEASE, RELEASE)
def test_releases_have_a_total_order(one: PgVersion, other: PgVersion) -> None:
    check_order(one, other, by_what_postgresql_says(one), by_what_postgresql_says(other))


def check_order(one: Any, other: Any, key: Any, other_key: Any) -> None:
    assert (one < other, one <= other) == (key < other_key, key <= other_key)
    assert (one > other, one >= other) == (key > other_key, key >= other_key)
    assert (one == other, one != other) == (key == other_key, key != other_key)
    if one == other:
        assert hash(one) == hash(other)
        assert str(one) == str(other)


@given(EITHER)
def test_a_version_is_read_as_it_is_written(one: PgMajor | PgVersion) -> None:
    assert read_version(str(one)) == one == type(one)(f" {one} ")
    assert eval(repr(one), {"PgMajor": PgMajor, "PgVersion": PgVersion}) == one
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), read_version(one)):
        assert (again, hash(again), type(again)) == (one, hash(one), type(one))


@given(RELEASE)
def test_a_release_knows_its_major_and_number(one: PgVersion) -> None:
    assert str(one).startswith(str(one.major))
    assert one.major.num <= one.num < one.major.num + 10000
    if not one.stage:
        assert PgVersion.from_num(one.num) == one


@given(MAJOR, RELEASE)
def test_a_major_and_a_release_are_never_equal_and_not_compared(major: PgMajor, one: PgVersion) -> None:
    assert major != one
    assert major not in {one}
    for other in (major, str(one), one.num, 16.2):
        with pytest.raises(VersionError, match="can't compare"):
            assert one < other  # type: ignore[operator]
        with pytest.raises(VersionError, match="can't compare"):
            assert other <= one  # type: ignore[operator]


@given(EITHER)
def test_a_version_never_equals_text_or_a_number(one: PgMajor | PgVersion) -> None:
    assert one != str(one)
    assert one != one.num
    assert one != "latest"
    assert str(one) not in {one: 1}
    assert one.num not in {one: 1}


def test_comparing_with_anything_else_is_pythons_type_error() -> None:
    with pytest.raises(TypeError, match="not supported"):
        assert PgVersion("16.2") < None  # type: ignore[operator]
    with pytest.raises(TypeError, match="not supported"):
        assert PgMajor("16") >= object()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kind", "value", "problem", "remedy"),
    [
        (PgMajor, "16.2", "'16.2' is a release, not a major", "16"),
        (PgMajor, "9.6.24", "'9.6.24' is a release, not a major", "9.6"),
        (PgMajor, "19rc1", "'19rc1' is a release, not a major", "19"),
        (PgVersion, "16", "'16' is a major, not a release", 'PgMajor("16")'),
        (PgVersion, 16, "16 is a major, not a release", 'PgMajor("16")'),
        (PgVersion, "9.6", "'9.6' is a major, not a release", 'PgMajor("9.6")'),
        (read_version, "9", "'9' does not name a PostgreSQL major", "9.6"),
        (read_version, 9, "9 does not name a PostgreSQL major", "9.6"),
        (read_version, "9.7", "there is no PostgreSQL 9.7", "followed by 10"),
        (read_version, "1.0", "there is no PostgreSQL 1.0", "9.6"),
        (read_version, "9.6.100", "there is no PostgreSQL 9.6.100", "9.6.24"),
        (read_version, "16.2.1", "'16.2.1' is not a PostgreSQL version", "two numbers"),
        (read_version, "16.2rc1", "'16.2rc1' is not a PostgreSQL version", "19rc1"),
        (read_version, "16.10000", "'16.10000' is not a PostgreSQL version", "16.2"),
        (read_version, "16.99999", "'16.99999' is not a PostgreSQL version", "16.2"),
        (read_version, "10000", "'10000' is not a PostgreSQL version", "16.2"),
        (read_version, "016", "'016' is not a PostgreSQL version", "16.2"),
        (read_version, "16.02", "'16.02' is not a PostgreSQL version", "16.2"),
        (read_version, "１６", "'１６' is not a PostgreSQL version", "16.2"),
        (read_version, "19rc", "'19rc' is not a PostgreSQL version", "19rc1"),
        (read_version, "19rc100", "'19rc100' is not a PostgreSQL version", "19rc1"),
        (read_version, "", "'' is not a PostgreSQL version", "16.2"),
        (read_version, "latest", "'latest' is not a PostgreSQL version", "16.2"),
        (read_version, 9.6, "9.6 is not a PostgreSQL version", "16.2"),
        (read_version, True, "True is not a PostgreSQL version", "16.2"),
        (read_version, None, "None is not a PostgreSQL version", "16.2"),
        (read_version, -16, "-16 is not a PostgreSQL version", "16.2"),
        (read_version, "1" * 5000, f"'{'1' * 49}... (5002 characters) is not a PostgreSQL version", "16.2"),
        (VersionSet, "16." + "1" * 5000, f"'16.{'1' * 46}... (5005 characters) is not", "16.2"),
        (VersionSet, 16, "16 is not a set of versions", '">=16"'),
        (VersionSet, None, "None is not a set of versions", '">=16"'),
        (VersionSet, (), "() is not a set of versions", '">=16"'),
        (VersionSet, "latest", "'latest' is not a PostgreSQL version", "16.2"),
        (VersionSet, "14,,16", "in '14,,16': '' is not a PostgreSQL version", "16.2"),
        (VersionSet, "18..14", "'18..14' runs backwards", "14..18"),
        (VersionSet, "1 6", "'1 6' is not a PostgreSQL version", "16.2"),
        (
            VersionSet,
            ">=16.2.1, 14",
            "in '>=16.2.1, 14': '16.2.1' is not a PostgreSQL version",
            "two numbers",
        ),
    ],
)
def test_what_is_no_version_is_an_error_with_a_remedy(
    kind: Any, value: object, problem: str, remedy: str
) -> None:
    with pytest.raises(VersionError) as caught:
        kind(value)
    assert problem in caught.value.problem
    assert remedy in (caught.value.remedy or "")


@pytest.mark.parametrize("kind", [PgMajor, PgVersion, VersionSet, read_version])
def test_a_number_too_long_to_be_written_is_an_error(kind: Any) -> None:
    with pytest.raises(VersionError, match="a very large number is not a"):
        kind(10**5000)


@pytest.mark.parametrize("num", [-1, 0, 95, 90799, 99999, 100_000_000, 10**100])
def test_a_number_that_no_release_has_is_an_error(num: int) -> None:
    with pytest.raises(VersionError):
        PgVersion.from_num(num)


def test_a_major_stands_for_its_newest_release() -> None:
    assert as_release(PgMajor("16")) > PgVersion("16.2") == as_release(PgVersion("16.2"))
    assert as_release(PgMajor("9.6")) == PgVersion("9.6.99")
    assert [major for major in MAJORS if as_release(major).major != major] == []


# --- sets --------------------------------------------------------------------------------------------------


@given(SET)
def test_a_set_is_read_as_it_is_written(one: VersionSet) -> None:
    assert VersionSet(str(one)) == one == VersionSet(one)
    assert hash(VersionSet(str(one))) == hash(one)
    assert eval(repr(one), {"VersionSet": VersionSet}) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert bool(one) is (str(one) != "none")


@given(SET, SET, RELEASE)
def test_sets_combine_as_sets_do(one: VersionSet, other: VersionSet, found: PgVersion) -> None:
    assert (found in one | other) is (found in one or found in other)
    assert (found in one & other) is (found in one and found in other)
    assert (found in ~one) is (found not in one)
    assert ~~one == one
    assert one & ~one == VersionSet("none")
    assert one | ~one == VersionSet("all")
    assert VersionSet.union([one, other]) == one | other
    assert VersionSet.union(one.parts) == one


@given(RELEASE, RELEASE)
def test_ranges_hold_what_the_order_says(one: PgVersion, end: PgVersion) -> None:
    assert (one in VersionSet(f">={end}")) is (one >= end)
    assert (one in VersionSet(f">{end}")) is (one > end)
    assert (one in VersionSet(f"<={end}")) is (one <= end)
    assert (one in VersionSet(f"<{end}")) is (one < end)
    assert (one in VersionSet(f"!={end}")) is (one != end)
    assert (one in VersionSet(str(end))) is (one == end) is (one in VersionSet(end))
    assert VersionSet(one).only == one


@given(RELEASE, MAJOR)
def test_ranges_of_majors_hold_all_of_their_releases(one: PgVersion, end: PgMajor) -> None:
    assert (one in VersionSet(f">={end}")) is (one.major >= end)
    assert (one in VersionSet(f">{end}")) is (one.major > end)
    assert (one in VersionSet(f"<={end}")) is (one.major <= end)
    assert (one in VersionSet(f"<{end}")) is (one.major < end)
    assert (one in VersionSet(str(end))) is (one.major == end) is (one in VersionSet(end))


@given(SET, MAJOR)
def test_a_set_covers_a_major_or_has_some_of_it(one: VersionSet, major: PgMajor) -> None:
    assert one.covers(major) is (not VersionSet(major) & ~one)
    assert (major in list(one.majors([major]))) is bool(VersionSet(major) & one)


@given(SET)
def test_a_set_s_beginning(one: VersionSet) -> None:
    first = one.first
    if first is None:
        assert one == VersionSet("none")
        return
    assert not one & VersionSet(f"<{first}")
    assert one & VersionSet(first)


@given(RELEASE)
def test_every_place_has_one_release(one: PgVersion) -> None:
    assert places.at(one.place) == (str(one.major), str(one))
    if one.place > places.START:
        before = PgVersion(places.at(one.place - 1)[1])
        assert before < one
        assert not VersionSet(f">{before}") & VersionSet(f"<{one}")


def test_what_is_in_a_set_is_a_release() -> None:
    for other in (PgMajor("16"), "16.2", "latest", 16, 160002, None):
        with pytest.raises(VersionError, match="is not a release"):
            assert other in VersionSet("16")  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("14, 16 ..18", "14,16..18"),
        ("14..15,16..18", "14..18"),
        ("9.6,10", "9.6..10"),
        (" >= 16 ", ">=16"),
        ("<=9.6", "<10"),
        (">16.2", ">=16.3"),
        ("!=15", "<15,>=16"),
        ("16,!=16", "all"),
        ("none", "none"),
        ("none,14", "14"),
        ("19rc1", "19rc1"),
        ("16.2..18", "16.2..18"),
        ("16.2..16", "16.2..16.9999"),
        ("9.3.0..9.3.14", "9.3.0..9.3.14"),
    ],
)
def test_one_set_is_written_in_one_way(text: str, written: str) -> None:
    assert str(VersionSet(text)) == written


def test_majors_are_those_with_a_release_in_it() -> None:
    assert [str(major) for major in VersionSet("9.6,15.3..17.1").majors()] == ["9.6", "15", "16", "17"]
    assert list(VersionSet("none").majors()) == []


# --- docstrings --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "module", [version, release, sets, places, literals], ids=lambda module: module.__name__
)
def test_the_examples_in_docstrings_hold(module: Any) -> None:
    found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not found.failed
    assert found.attempted or module in (sets, places)
