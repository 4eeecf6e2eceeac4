"""Results: counted, and carried as plain values."""

import json

import pytest

from pytest_pgfeatures.json_values import from_plain, to_plain
from pytest_pgfeatures.results.evidence import Evidence, Location
from pytest_pgfeatures.results.model import InstallUsed, Item, JobResults, Outcome, Result, Tally
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.results.transcript import Entry

INSTALL = InstallUsed("16.4", "pypi", "/bin", borrowed="psql of 18.6")
RESULTS = [
    Result(
        item=Item("behavior", "16/x", "t", "sql", since="16"),
        cell="pg16",
        major="16",
        outcome=Outcome.DEVIATES,
        installs=(INSTALL,),
        ran=True,
        evidence=Evidence(
            expected={"a": [1, None]},
            observed=["b"],
            transcript=(Entry("main", "SELECT 1", columns=("a",), rows=(("1",),), row_count=1),),
        ),
    ),
    Result(
        item=Item("stage", "build"),
        cell="pg17",
        outcome=Outcome.FAILED,
        seconds=1.5,
        ran=True,
        summary="no semicolon",
        evidence=Evidence(details=("a", "b"), location=Location("adder.c", 3)),
    ),
    Result(
        item=Item("command", "make check"),
        cell="pg18",
        outcome=Outcome.PASSED,
        ran=True,
        evidence=Evidence(program=Finished(("make", "check"), 0, "out", "err")),
    ),
    Result(
        item=Item("test", "test_it.py::test_it[pg14-pg18]"),
        cell="pg14-pg18",
        outcome=Outcome.ERROR,
        installs=(INSTALL, InstallUsed("18.6", "maven", "/other")),
        evidence=Evidence(sections=(("Server log of pg14", "LOG:  ready"),)),
    ),
    Result(
        item=Item("stage", "build"),
        cell="pg18",
        outcome=Outcome.UNAVAILABLE,
        absent=True,
        capability="pgxs",
    ),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.item.kind)
def test_a_result_survives_json(result):
    assert from_plain(json.loads(json.dumps(to_plain(result))), Result) == result


def test_every_asked_cell_is_counted():
    tally = Tally.of(RESULTS, asked=7)
    assert (tally.ran, tally.absent, tally.not_reached) == (3, 1, 2)
    assert [tally.outcomes[outcome] for outcome in (Outcome.FAILED, Outcome.NOT_RUN)] == [1, 0]


def test_a_run_knows_its_cells_and_its_failures():
    run = JobResults("adder", {"pg17": INSTALL, "pg18": None}, tuple(RESULTS))
    assert run.get("build", "pg17") is RESULTS[1]
    assert run.get("install", "pg17") is None
    assert run.seconds_of("pg17") == 1.5
    assert run.failures(allow_missing=True) == [RESULTS[0], RESULTS[1], RESULTS[3]]
    assert run.failures() == [RESULTS[0], RESULTS[1], RESULTS[3], RESULTS[4]]


def test_a_program_says_how_it_ended():
    assert [str(Finished(("x",), status)) for status in (0, 3, -9)] == [
        "passed",
        "exit status 3",
        "killed by signal 9",
    ]
