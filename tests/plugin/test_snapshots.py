"""Plans as files beside the tests: one for each group of majors that agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.snapshots import _parted, _regroup
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ["pytester"]

TESTS = """
import pytest
from pytest_pgfeatures import parse_plan

@pytest.mark.parametrize("major", ["pg14", "pg18"])  # as the matrix has them in ids
def test_report(major, plan_snapshot):
    plan = "Seq Scan on t  (cost=0.00..35.50 rows=2550 width=4)"
    if major in {sorting}:
        plan = "Sort  (cost=1.00..2.00 rows=2550 width=4)\\n  Sort Key: a\\n  ->  " + plan
    assert parse_plan(plan) == plan_snapshot

def test_without_a_server(plan_snapshot):
    assert "any text" == plan_snapshot
"""


def test_majors_that_agree_share_a_file_that_the_flag_updates(pytester: pytest.Pytester):
    """As docs/plans.md shows it with servers."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_it=TESTS.format(sorting=[]))
    missing = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    missing.assert_outcomes(failed=3)
    missing.stdout.fnmatch_lines(["*Snapshot 'test_report[[]pg14[]]' does not exist!"])
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--snapshot-update").assert_outcomes(passed=3)
    place = pytester.path / "__plans__" / "test_it"
    assert files(place) == {
        "test_report.14,18.plan": "Seq Scan on t\n",
        "test_without_a_server.plan": "any text\n",
    }
    pytester.makepyfile(test_it=TESTS.format(sorting=["pg18"]))
    failing = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    failing.assert_outcomes(failed=1, passed=2)
    failing.stdout.fnmatch_lines(["E*Seq Scan on t*", "E*Sort*"])
    assert len(files(place)) == 2
    update = ("-p", "no:cacheprovider", "--snapshot-update", "-k", "pg18")
    pytester.runpytest_inprocess(*update).assert_outcomes(passed=1, deselected=2)
    assert files(place) == {
        "test_report.14.plan": "Seq Scan on t\n",
        "test_report.18.plan": "Sort\n  Sort Key: a\n  ->  Seq Scan on t\n",
        "test_without_a_server.plan": "any text\n",
    }


BASELINE = """
import pytest
from pytest_pgfeatures import parse_plan

@pytest.mark.parametrize("major", ["pg14", "pg18"])
def test_report(major, plan_snapshot):
    plan = "Seq Scan on t  (cost=0.00..35.50 rows=2550 width=4)"
    if major in {sorting}:
        plan = "Sort  (cost=1.00..2.00 rows=2550 width=4)\\n  Sort Key: a\\n  ->  " + plan
    assert parse_plan(plan) == plan_snapshot(baseline={baseline!r})
    assert "any text" == plan_snapshot
"""


def test_a_baseline_is_compared_with_on_another_version(pytester: pytest.Pytester):
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_it=BASELINE.format(sorting=[], baseline="14"))
    update = ("-p", "no:cacheprovider", "--snapshot-update")
    pytester.runpytest_inprocess(*update, "-k", "pg14").assert_outcomes(passed=1, deselected=1)
    place = pytester.path / "__plans__" / "test_it"
    kept = {"test_report.14.plan": "Seq Scan on t\n", "test_report.1.14.plan": "any text\n"}
    assert files(place) == kept
    pytester.runpytest_inprocess(*update, "-k", "pg18").assert_outcomes(passed=1, deselected=1)
    kept = {"test_report.14.plan": "Seq Scan on t\n", "test_report.1.14,18.plan": "any text\n"}
    assert files(place) == kept
    pytester.makepyfile(test_it=BASELINE.format(sorting=["pg18"], baseline="14"))
    for options in (("-p", "no:cacheprovider"), update, (*update, "--snapshot-update-new-only")):
        result = pytester.runpytest_inprocess(*options)
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines(["E*> Sort", "E*Seq Scan on t * Seq Scan on t*", "E*added: Sort*"])
        result.stdout.no_fnmatch_line("*does not exist*")
        assert files(place) == kept


def test_a_baseline_without_a_snapshot_says_which_there_are(pytester: pytest.Pytester):
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(test_it=BASELINE.format(sorting=[], baseline="14"))
    update = ("-p", "no:cacheprovider", "--snapshot-update", "-k", "pg14")
    pytester.runpytest_inprocess(*update).assert_outcomes(passed=1, deselected=1)
    pytester.makepyfile(test_it=BASELINE.format(sorting=[], baseline="15.2"))
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "E*there is no snapshot of test_report for the baseline 15; there are: 14",
            "E*what to do: pytest --pg 15 --snapshot-update",
        ]
    )
    pytester.makepyfile(test_it=BASELINE.format(sorting=[], baseline="fifteen"))
    pytester.runpytest_inprocess("-p", "no:cacheprovider").stdout.fnmatch_lines(
        ["E*VersionError: 'fifteen' is not a PostgreSQL version*"]
    )


def files(place: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in place.iterdir()}


NAMES = {
    "test_x[pg16]": ("test_x", "16"),
    "test_x[pg9.6-joins]": ("test_x[joins]", "9.6"),
    "test_x[joins-pg17-maven].1": ("test_x[joins].1", "17"),
    "Class.test_x[pg16.2]": ("Class.test_x", "16"),
    "test_x[page]": ("test_x[page]", None),
    "test_x": ("test_x", None),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_major_in_a_name(name: str):
    assert _parted(name) == NAMES[name]


def test_majors_change_groups(tmp_path: Path):
    for major, text in [("14", "a"), ("15", "a"), ("17", "a"), ("16", "a"), ("18", "b")]:
        _regroup(tmp_path, "test_x", VersionSet(major), text)
    _regroup(tmp_path, "test_x_too", VersionSet("14"), "other")
    _regroup(tmp_path, "test_x[y]", VersionSet("14"), "other")
    _regroup(tmp_path, "test_x.1", VersionSet("15"), "other")
    _regroup(tmp_path, "test_x.12", VersionSet("15"), "other")
    others = {"test_x_too.14.plan": "other", "test_x[y].14.plan": "other"}
    others |= {"test_x.1.15.plan": "other", "test_x.12.15.plan": "other"}
    assert files(tmp_path) == others | {"test_x.14..17.plan": "a", "test_x.18.plan": "b"}
    _regroup(tmp_path, "test_x", VersionSet("17"), "b")
    assert files(tmp_path) == others | {"test_x.14..16.plan": "a", "test_x.17..18.plan": "b"}
    _regroup(tmp_path, "test_x", VersionSet("15"), "c")
    assert files(tmp_path) == others | {
        "test_x.14,16.plan": "a",
        "test_x.15.plan": "c",
        "test_x.17..18.plan": "b",
    }
    _regroup(tmp_path, "test_x", VersionSet("15"), "b")
    assert files(tmp_path) == others | {"test_x.14,16.plan": "a", "test_x.15,17..18.plan": "b"}
    _regroup(tmp_path, "test_x", VersionSet("15"), "b")
    assert len(files(tmp_path)) == 6
