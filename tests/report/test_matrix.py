"""The matrix as text, of any width and encoding."""

import io

import pytest
from rich.console import Console

from pytest_pgfeatures.report.matrix import render_matrix
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result, Tally


def result(
    behavior,
    version,
    outcome=Outcome.AS_DOCUMENTED,
    *,
    cell=None,
    area="sql",
    title=None,
    since="16",
    backports=(),
    release=None,
    expected=None,
    observed=None,
    **fields,
):
    return Result(
        item=Item("behavior", behavior, title or f"What {behavior} is about", area, since, backports),
        cell=cell or f"pg{version}",
        major=version,
        outcome=outcome,
        installs=(InstallUsed(release or f"{version}.4", "path", "/bin"),),
        evidence=Evidence(expected, observed),
        **{"ran": outcome in (Outcome.AS_DOCUMENTED, Outcome.DEVIATES), **fields},
    )


def text(results, *, asked=None, width=48, values=False, encoding="utf-8"):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, width=width, color_system=None)
    tally = Tally.of(results, len(results) if asked is None else asked)
    for part in render_matrix(results, tally, console, values=values):
        console.print(part)
    file.seek(0)
    return file.read()


def row(printed, behavior):
    (found,) = (line for line in printed.splitlines() if line.startswith(f"{behavior} "))
    return found.split()[1:]


def test_a_behavior_is_a_row_and_a_version_a_column():
    results = [result("16/x", version) for version in ("18", "9.6", "15", "16")]
    printed = text(results)
    assert printed.splitlines()[0].split() == ["behavior", "9.6", "15", "16", "18"]
    assert row(printed, "16/x") == ["○", "○", "●", "●"]


def test_each_outcome_has_a_mark_and_is_explained():
    results = [
        result("16/x", "15", Outcome.DEVIATES, expected="a", observed="b"),
        result("16/x", "16", Outcome.UNAVAILABLE, capability="icu"),
        result("16/x", "17", Outcome.ERROR, ran=True, summary="the server refused: SELEC"),
        result("16/x", "18", Outcome.ERROR, absent=True, summary="PostgreSQL 18 is not available\nmore"),
    ]
    printed = text(results)
    assert row(printed, "16/x") == ["✗", "–", "!", "!"]
    assert "15: 16/x: expected a, observed b" in printed
    assert "16: 16/x is unavailable for want of icu" in printed
    assert "17: 16/x: the server refused: SELEC" in printed
    assert "18: no server: PostgreSQL 18 is not available\n" in printed
    assert "4 asked: 1 deviates, 1 unavailable, 2 error, 1 of a version that is not available" in " ".join(
        printed.split()
    )


def test_what_was_not_reached_is_counted():
    assert "5 asked: 1 as documented, 4 not reached" in text([result("16/x", "16")], asked=5)


@pytest.mark.parametrize(
    ("since", "release", "mark"),
    [
        ("16.5", "16.4", "○"),
        ("16.5", "16.5", "●"),
        ("19", "19rc1", "●"),
        ("19", "18.6", "○"),
        (None, "9.3", "●"),
    ],
)
def test_the_release_decides_whether_the_change_is_there(since, release, mark):
    major = release.partition(".")[0].removesuffix("rc1")
    changed = result("16/x", "9.3" if major == "9" else major, since=since, release=release)
    assert row(text([changed]), "16/x") == [mark]


@pytest.mark.parametrize(("release", "mark"), [("16.9", "○"), ("16.10", "●"), ("17.5", "○"), ("18.0", "●")])
def test_a_minor_release_may_have_the_change_of_a_later_major(release, mark):
    major = release.partition(".")[0]
    changed = result("18/x", major, since="18", backports=("17.6", "16.10"), release=release)
    assert row(text([changed]), "18/x") == [mark]


@pytest.mark.parametrize(
    ("old", "new", "one_sided"),
    [
        (Outcome.UNAVAILABLE, Outcome.AS_DOCUMENTED, True),
        (Outcome.AS_DOCUMENTED, Outcome.ERROR, True),
        (Outcome.AS_DOCUMENTED, Outcome.DEVIATES, False),
        (Outcome.UNAVAILABLE, Outcome.UNAVAILABLE, False),
        (None, Outcome.AS_DOCUMENTED, False),
    ],
)
def test_what_was_seen_on_one_side_of_the_change_only_is_said(old, new, one_sided):
    asked = {"15": old, "16": new}
    results = [result("16/x", major, outcome) for major, outcome in asked.items() if outcome is not None]
    assert ("seen on one side of the change only: 16/x" in text(results)) == one_sided


def test_two_installs_of_one_major_are_two_columns():
    results = [result("16/x", "17", cell=f"pg17-{source}") for source in ("pypi", "maven")]
    lines = text(results).splitlines()
    assert lines[0].split() == ["behavior", "17", "17"]
    assert lines[1].split() == ["maven", "pypi"]


def test_a_cell_without_a_result_is_empty():
    results = [result("16/x", "15"), result("16/x", "16"), result("16/y", "16")]
    assert row(text(results), "16/y") == ["●"]


def test_behaviors_are_grouped_by_area_and_sorted_by_major():
    results = [
        result("16/b", "16", area="sql"),
        result("9.4/a", "16", area="sql"),
        result("14/c", "16", area="io"),
    ]
    printed = text(results)
    order = [printed.index(found) for found in ("\nio", "14/c", "\nsql", "9.4/a", "16/b")]
    assert order == sorted(order)


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_it_keeps_within_the_width_with_thirteen_versions(width):
    versions = ["9.3", "9.5", "9.6", *map(str, range(10, 20))]
    results = [
        result("16/a-behavior-with-quite-a-long-name", version, title="a title " * 20) for version in versions
    ]
    printed = text(results, width=width)
    assert max(map(len, printed.splitlines())) <= width
    assert sum(printed.count(mark) for mark in "○●") == 13 + 2


def test_titles_are_shown_where_there_is_room():
    assert "What 16/x is about" in text([result("16/x", "16")], width=100)
    assert "What 16/x is about" not in text([result("16/x", "16")], width=60)


def test_a_list_among_the_values_is_not_taken_for_markup():
    printed = text([result("16/x", "16", observed=[None, "c1"])], values=True)
    assert '16  [null, "c1"]' in printed


def test_it_can_be_printed_in_ascii():
    results = [result("16/x", "15"), result("16/x", "16"), result("16/y", "16", Outcome.DEVIATES)]
    printed = text(results, encoding="ascii")
    assert printed.isascii()
    assert row(printed, "16/x") == ["o", "#"]
    assert row(printed, "16/y") == ["X"]


def test_values_are_shown_on_request_with_the_versions_that_showed_them():
    results = [
        result("16/x", "14", observed="a"),
        result("16/x", "15", observed="a"),
        result("16/x", "16", observed={"n": 1}),
        result("16/x", "17", Outcome.UNAVAILABLE, capability="icu", summary="none has icu"),
    ]
    lines = [line.split() for line in text(results, values=True).splitlines()]
    assert ["14", "15", "a"] in lines
    assert ["16", '{"n":', "1}"] in lines
    assert ["17", "unavailable:", "none", "has", "icu"] in lines
