"""The JSON document, which other programs read."""

import json
import os

import pytest

from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.json_values import to_plain
from pytest_pgfeatures.report.document import FORMAT, extension_document, matrix_document
from pytest_pgfeatures.results.evidence import Evidence, Location
from pytest_pgfeatures.results.model import InstallUsed, Item, JobResults, Outcome, Result, Tally

ITEM = Item("behavior", "16/x", "t", "sql", since="16")
RESULTS = [
    Result(
        item=ITEM,
        cell="pg16",
        major="16",
        outcome=Outcome.DEVIATES,
        installs=(InstallUsed("16.4", "pypi", "/bin"),),
        ran=True,
        evidence=Evidence(expected={"a": 1}, observed=None),
    ),
    Result(
        item=ITEM,
        cell="pg9.4",
        major="9.4",
        outcome=Outcome.ERROR,
        absent=True,
        summary="is not available",
        evidence=Evidence(expected={"a": 0}),
    ),
]
STAGES = JobResults(
    "adder",
    {"pg16": InstallUsed("16.4", "pypi", "/bin"), "pg17": None},
    (
        Result(
            item=Item("stage", "build", "make builds it", "build"),
            cell="pg16",
            major="16",
            outcome=Outcome.FAILED,
            installs=(InstallUsed("16.4", "pypi", "/bin"),),
            ran=True,
            seconds=1.23456,
            summary="adder.c:9: 'nowhere' undeclared",
            evidence=Evidence(details=("one", "two"), location=Location("adder.c", 9)),
        ),
        Result(
            item=Item("stage", "build", "make builds it", "build"),
            cell="pg17",
            major="17",
            outcome=Outcome.UNAVAILABLE,
            absent=True,
            summary="PostgreSQL 17 is not available",
            capability="pgxs",
        ),
    ),
    seconds=2.0,
    warnings=("files were written",),
)


def written(value):
    """Values as JSON has them."""
    return json.loads(json.dumps(to_plain(value)))


def test_the_form_of_the_document():
    said = ("pypi could not be asked: offline",)
    run = JobResults("pgfeatures verify", {}, tuple(RESULTS), seconds=1.23456, warnings=said)
    assert written(matrix_document(run, Tally.of(RESULTS, 3))) == {
        "format": FORMAT,
        "command": "pgfeatures verify",
        "seconds": 1.235,
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
                "backports": [],
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
                "backports": [],
                "cell": "pg9.4",
                "version": "9.4",
                "outcome": "error",
                "expected": {"a": 0},
                "observed": None,
                "install": None,
                "ran": False,
                "absent": True,
                "reason": "is not available",
                "capability": None,
                "conditions": {},
            },
        ],
        "warnings": ["pypi could not be asked: offline"],
        "results": written(RESULTS),
    }


def test_the_form_of_an_extension_s_document():
    assert written(extension_document(STAGES, path="src/adder", failed=True)) == {
        "format": FORMAT,
        "subject": "adder",
        "path": "src/adder",
        "failed": True,
        "seconds": 2.0,
        "majors": {
            "pg16": {"version": "16.4", "source": "pypi", "bindir": "/bin", "seconds": 1.235},
            "pg17": {"version": None, "source": None, "bindir": None, "seconds": 0},
        },
        "results": [
            {
                "stage": "build",
                "object": None,
                "major": "pg16",
                "outcome": "failed",
                "seconds": 1.235,
                "summary": "adder.c:9: 'nowhere' undeclared",
                "tests": [],
                "details": ["one", "two"],
                "compiler_warnings": [],
                "file": "adder.c",
                "line": 9,
                "capability": None,
                "blocked_by": None,
            },
            {
                "stage": "build",
                "object": None,
                "major": "pg17",
                "outcome": "unavailable",
                "seconds": 0.0,
                "summary": "PostgreSQL 17 is not available",
                "tests": [],
                "details": [],
                "compiler_warnings": [],
                "file": None,
                "line": None,
                "capability": "pgxs",
                "blocked_by": None,
            },
        ],
        "evidence": written(STAGES.results),
        "warnings": ["files were written"],
    }


def test_it_is_written_as_a_whole(tmp_path):
    path = tmp_path / "new" / "results.json"
    write_json(path, {"asked": 2})
    assert json.loads(path.read_text()) == {"asked": 2}
    assert [found.name for found in path.parent.iterdir()] == ["results.json"]


def test_a_document_that_can_t_be_written_leaves_the_one_before(tmp_path):
    path = tmp_path / "results.json"
    path.write_text("before")
    with pytest.raises(TypeError):
        write_json(path, {"outcome": object()})
    assert path.read_text() == "before"


def test_a_place_that_can_t_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write_json(tmp_path / "file" / "results.json", {})


def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_json(pipe, [1])
        assert json.loads(os.read(reader, 100)) == [1]
    finally:
        os.close(reader)
    (tmp_path / "file").write_text("")
    link.symlink_to(tmp_path / "file")
    write_json(link, [2])
    assert link.is_symlink()
    assert json.loads((tmp_path / "file").read_text()) == [2]
