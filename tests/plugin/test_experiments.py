"""Experiments in a user's own test file."""

from __future__ import annotations

import json
import re

pytest_plugins = ["pytester"]

SOURCE = """
from pytest_pgfeatures import Figure, experiment

@experiment(
    "ours/lookup", title="An index finds a row sooner", methods=("scan", "index"), pg="18",
    parameters={"rows": [20000]}, figures=Figure("we expect it", claims="less"),
)
def test_lookup(bench, rows):
    bench.sql(f"CREATE TABLE t AS SELECT g FROM generate_series(1, {rows}) g")
    if bench.side == "index":
        bench.sql("CREATE INDEX ON t (g)")
    while True:
        assert bench.seconds("SELECT * FROM t WHERE g = 77") > 0
        yield 2.0 if bench.side == "scan" else 1.0  # how fast it is on a busy machine is not tested

@experiment("ours/slower", title="Never true", methods=("a", "b"), pg="18", figures=Figure("less", claims="less"))
def test_slower(bench):
    while True:
        yield 1.0 if bench.side == "a" else 2.0

@experiment("ours/broken", title="It fails", methods=("a", "b"), pg="18")
def test_broken(bench):
    yield bench.seconds("SELECT nothing")

def test_other():
    pass
"""


def test_experiments_run_as_tests_and_only_errors_fail(run, pytester):
    done = run(SOURCE, "--pg-rounds=3", "--pg-benchmark-json=times.json", "--pg-html=all.html", "-n2")
    done.assert_outcomes(passed=3, failed=1)
    page = (pytester.path / "all.html").read_text()
    assert "ours/lookup: An index finds a row sooner" in page
    assert "data:image/svg+xml;base64," in page
    assert re.search(r"pytest test_it.py::\w*slower\w* [^<]*--pg-rounds=3", page)
    output = done.stdout.str()
    assert 'column "nothing" does not exist' in output
    assert "PostgreSQL experiments" in output
    assert "direction as documented" in output
    assert "opposite" in output
    found = json.loads((pytester.path / "times.json").read_text())
    names = {each["name"] for each in found["benchmarks"]}
    assert names == {
        "ours/lookup[20000-scan-time]",
        "ours/lookup[20000-index-time]",
        "ours/slower[a-time]",
        "ours/slower[b-time]",
    }


def test_a_full_disk_is_told(run):
    done = run("def test_nothing(): pass", "--pg-benchmark-json=/dev/full")
    done.stdout.fnmatch_lines(["times could not be written: *No space left on device*"])
    assert done.ret == 3


def test_an_experiment_is_selected_by_its_id(run):
    run(SOURCE, "-k", "ours/slower").assert_outcomes(passed=1, deselected=3)


def test_a_file_that_cannot_be_written_is_told_before_tests_run(run):
    done = run(SOURCE, "--pg-benchmark-json=test_it.py/times.json")
    assert done.ret == 4
    assert "can't write test_it.py/times.json: Not a directory" in done.stderr.str()
