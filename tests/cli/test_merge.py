"""``pgfeatures matrix`` spreads versions over machines, ``pgfeatures merge`` puts their results together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from click.testing import CliRunner, Result

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.report.document import FORMAT, matrix_document, write_json
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, Item, JobResults, Outcome, Tally, installs_of
from pytest_pgfeatures.results.model import Result as ItemResult
from pytest_pgfeatures.results.transcript import Entry

if TYPE_CHECKING:
    from pathlib import Path


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(pgfeatures, [str(argument) for argument in arguments])


def ran(major: str, outcome: Outcome = Outcome.AS_DOCUMENTED, summary: str = "") -> ItemResult:
    """A behavior's result on a version."""
    return ItemResult(
        item=Item("behavior", "16/x", "the title", "sql", since="16"),
        cell=f"pg{major}",
        major=major,
        outcome=outcome,
        installs=(InstallUsed(f"{major}.4", "pypi", "/bin"),),
        ran=True,
        summary=summary,
        evidence=Evidence(1, 1, (Entry("main", "SELECT 1", columns=("a",), rows=(("1",),), row_count=1),)),
    )


def write(path: Path, *results: ItemResult, asked: int | None = None) -> Path:
    run = JobResults("pgfeatures verify", installs_of(results), results, 1.0)
    write_json(path, matrix_document(run, Tally.of(results, asked or len(results))))
    return path


def test_results_of_two_machines_are_one_matrix(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{major}.json", ran(major)) for major in ("15", "16")]
    all_json, all_html = tmp_path / "all.json", tmp_path / "all.html"
    ended = invoke("merge", *files, "--json", all_json, "--html", all_html)
    assert ended.exit_code == 0, ended.output
    assert "2 asked: 2 as documented" in ended.output
    document = json.loads(all_json.read_text())
    assert [cell["cell"] for cell in document["cells"]] == ["pg15", "pg16"]
    assert list(map(ItemResult.from_dict, document["results"])) == [ran("15"), ran("16")]
    assert "SELECT 1" in all_html.read_text()
    again = invoke("merge", all_json)
    assert "2 asked: 2 as documented" in again.output


def test_what_a_run_did_not_reach_is_counted(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.json", ran("15"), asked=3), write(tmp_path / "b.json", ran("16"))]
    assert "4 asked: 2 as documented, 2 not reached" in invoke("merge", *files).output


def test_of_an_item_that_ran_twice_the_last_file_s_result_counts(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.json", ran("16", Outcome.DEVIATES)), write(tmp_path / "b.json", ran("16"))]
    ended = invoke("merge", *files)
    assert ended.exit_code == 0
    assert "1 results are in more than one file" in ended.output
    assert invoke("merge", *reversed(files)).exit_code == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "can't read"),
        ("no JSON", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no results of verify or pytest"),
        ('{"format": 1, "cells": []}', "has no results of verify or pytest"),
        (
            f'{{"format": {FORMAT + 1}, "command": "x", "results": []}}',
            f"has format {FORMAT + 1}, and this version",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "asked": 1, "seconds": 1, "results": [{{}}]}}',
            "KeyError: 'item'",
        ),
        (f'{{"format": {FORMAT}, "command": "x", "asked": 1, "seconds": 1, "results": 7}}', "TypeError"),
    ],
)
def test_files_that_are_no_results_are_named_and_nothing_is_written(
    tmp_path: Path, content: str | None, said: str
) -> None:
    good, bad = write(tmp_path / "good.json", ran("15")), tmp_path / "bad.json"
    if content is not None:
        bad.write_text(content)
    ended = invoke("merge", good, bad, "--html", tmp_path / "all.html", "--json", tmp_path / "all.json")
    assert ended.exit_code == 2
    assert f"{bad}" in ended.output
    assert said in ended.output
    assert "Traceback" not in ended.output
    assert not list(tmp_path.glob("all.*"))


def test_the_matrix_of_jobs_for_github() -> None:
    ended = invoke("matrix", "--pg", "14..15,maven:17")
    assert json.loads(ended.output) == {
        "include": [
            {"name": "pg14", "pg": "14"},
            {"name": "pg15", "pg": "15"},
            {"name": "pg17", "pg": "maven:17"},
        ]
    }
    assert ended.output.count("\n") == 1  # it is the value of one output of a step


def test_the_matrix_of_jobs_for_gitlab() -> None:
    ended = invoke("matrix", "--pg", "14,maven:17", "--format", "gitlab")
    job = yaml.safe_load(ended.output)[".pgfeatures"]
    assert job == {"parallel": {"matrix": [{"PG": ["14", "maven:17"]}]}}


def test_versions_that_are_none() -> None:
    ended = invoke("matrix", "--pg", "14..x")
    assert ended.exit_code == 2
    assert "14..x" in ended.output


@pytest.mark.parametrize("option", ["--json", "--html"])
def test_no_room_for_the_file(tmp_path: Path, option: str) -> None:
    ended = invoke("merge", write(tmp_path / "a.json", ran("15")), option, "/dev/full")
    assert ended.exit_code == 2
    assert "can't write /dev/full: No space left on device" in ended.output


def test_a_place_that_can_t_be_written_is_said_first(tmp_path: Path) -> None:
    ended = invoke("merge", tmp_path / "nowhere.json", "--html", tmp_path / "no" / "all.html")
    assert ended.exit_code == 2
    assert f"can't write {tmp_path}/no/all.html" in ended.output
