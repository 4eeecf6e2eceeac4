"""The JSON document, which other programs read."""

import json

import pytest

from pytest_pgfeatures.behaviors.result import InstallUsed, Outcome, Result, Tally
from pytest_pgfeatures.report.document import FORMAT, document, write

RESULTS = [
    Result(
        behavior="16/x",
        title="t",
        area="sql",
        since="16",
        cell="pg16",
        version="16",
        outcome=Outcome.DEVIATES,
        expected={"a": 1},
        observed=None,
        install=InstallUsed("16.4", "pypi", "/bin"),
        ran=True,
    ),
    Result(
        behavior="16/x",
        title="t",
        area="sql",
        since="16",
        cell="pg9.4",
        version="9.4",
        outcome=Outcome.ERROR,
        expected={"a": 0},
        absent=True,
        reason="can't be had",
    ),
]


def test_the_form_of_the_document():
    assert document(RESULTS, Tally.of(RESULTS, 3)) == {
        "format": FORMAT,
        "asked": 3,
        "ran": 1,
        "absent": 1,
        "as_documented": 0,
        "deviates": 1,
        "unavailable": 0,
        "error": 1,
        "cells": [
            {
                "behavior": "16/x",
                "title": "t",
                "area": "sql",
                "since": "16",
                "cell": "pg16",
                "version": "16",
                "outcome": "deviates",
                "expected": {"a": 1},
                "observed": None,
                "install": {"version": "16.4", "source": "pypi", "bindir": "/bin"},
                "ran": True,
                "absent": False,
                "reason": None,
                "capability": None,
                "conditions": {},
            },
            {
                "behavior": "16/x",
                "title": "t",
                "area": "sql",
                "since": "16",
                "cell": "pg9.4",
                "version": "9.4",
                "outcome": "error",
                "expected": {"a": 0},
                "observed": None,
                "install": None,
                "ran": False,
                "absent": True,
                "reason": "can't be had",
                "capability": None,
                "conditions": {},
            },
        ],
    }


def test_it_is_written_as_a_whole(tmp_path):
    path = tmp_path / "new" / "results.json"
    write(path, RESULTS, Tally.of(RESULTS, 2))
    assert json.loads(path.read_text())["asked"] == 2
    assert [found.name for found in path.parent.iterdir()] == ["results.json"]


def test_a_place_that_can_t_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write(tmp_path / "file" / "results.json", RESULTS, Tally.of(RESULTS, 2))


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.outcome)
def test_a_result_survives_json(result):
    assert Result.from_dict(json.loads(json.dumps(result.to_dict()))) == result
