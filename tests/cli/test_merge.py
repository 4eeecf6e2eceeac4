"""``pgfeatures matrix`` spreads versions over machines, ``pgfeatures merge`` puts their results together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from click.testing import CliRunner, Result

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.json_values import from_plain
from pytest_pgfeatures.readiness.model import Certainty, Finding, Place, Severity, SideBySide, StageReport
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.run import StageRun, together
from pytest_pgfeatures.report.bisect_document import BisectDocument
from pytest_pgfeatures.report.document import FORMAT, extension_document, matrix_document
from pytest_pgfeatures.report.measure import measurements_json
from pytest_pgfeatures.report.readiness_document import ReadinessAsked, readiness_document
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
    assert from_plain(document["results"], list[ItemResult]) == [ran("15"), ran("16")]
    assert "SELECT 1" in all_html.read_text()
    again = invoke("merge", all_json)
    assert "2 asked: 2 as documented" in again.output


def test_what_a_run_did_not_reach_is_counted(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.json", ran("15"), asked=3), write(tmp_path / "b.json", ran("16"))]
    ended = invoke("merge", *files)
    assert "4 asked: 2 as documented, 2 not reached" in ended.output
    assert ended.exit_code == 1


def test_an_item_that_ran_twice_in_a_cell_is_an_error(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.json", ran("16", Outcome.DEVIATES)), write(tmp_path / "b.json", ran("16"))]
    ended = invoke("merge", *files, "--html", tmp_path / "all.html")
    assert ended.exit_code == 2
    assert f"{files[0]} and {files[1]} both have results of 16/x on pg16" in ended.output
    assert not (tmp_path / "all.html").exists()


def test_tests_outside_the_matrix_are_on_each_machine(tmp_path: Path) -> None:
    outside = ItemResult(item=Item("test", "test_it.py::test_it"), cell="", outcome=Outcome.UNAVAILABLE)
    files = [write(tmp_path / f"{major}.json", ran(major), outside, asked=1) for major in ("15", "16")]
    ended = invoke("merge", *files, "--json", tmp_path / "all.json")
    assert ended.exit_code == 0, ended.output
    results = json.loads((tmp_path / "all.json").read_text())["results"]
    assert [result["item"]["id"] for result in results] == ["test_it.py::test_it", "16/x", "16/x"]


def stage(major: str, outcome: Outcome = Outcome.PASSED) -> ItemResult:
    """Return the result of an extension's stage on a version."""
    return ItemResult(
        item=Item("stage", "build", "make builds it", "build"),
        cell=f"pg{major}",
        major=major,
        outcome=outcome,
        installs=(InstallUsed(f"{major}.4", "pypi", "/bin", sha256="ab" * 32),),
        ran=True,
        summary="" if outcome is Outcome.PASSED else "adder.c:9: 'nowhere' undeclared",
    )


def write_extension(path: Path, *results: ItemResult, name: str = "adder", failed: bool = False) -> Path:
    run = JobResults(name, installs_of(results), results, 1.0, ("files were written",))
    write_json(path, extension_document(run, path=f"src/{name}", failed=failed))
    return path


def test_an_extension_s_majors_are_one_matrix(tmp_path: Path) -> None:
    files = [write_extension(tmp_path / f"{major}.json", stage(major)) for major in ("18", "9.6")]
    all_json, all_html = tmp_path / "all.json", tmp_path / "all.html"
    ended = invoke("merge", *files, "--json", all_json, "--html", all_html)
    assert ended.exit_code == 0, ended.output
    assert ended.output.index("pg9.6") < ended.output.index("pg18")
    assert ended.output.count("files were written") == 1
    document = json.loads(all_json.read_text())
    assert list(document["majors"]) == ["pg9.6", "pg18"]
    assert document["seconds"] == 2
    assert from_plain(document["evidence"], list[ItemResult]) == [stage("9.6"), stage("18")]
    assert "pgfeatures extension src/adder --pg 9.6 --stage build" in all_html.read_text()
    assert invoke("merge", all_json).exit_code == 0


def test_an_extension_that_failed_on_one_machine_failed(tmp_path: Path) -> None:
    bad = write_extension(tmp_path / "17.json", stage("17", Outcome.FAILED), failed=True)
    ended = invoke("merge", write_extension(tmp_path / "18.json", stage("18")), bad)
    assert ended.exit_code == 1
    assert "adder.c:9: 'nowhere' undeclared" in ended.output


def test_what_does_not_go_together(tmp_path: Path) -> None:
    one = write_extension(tmp_path / "17.json", stage("17"))
    other = write_extension(tmp_path / "other.json", stage("18"), name="other")
    behaviors = write(tmp_path / "behaviors.json", ran("16"))
    measured = tmp_path / "measured.json"
    measured.write_text(measurements_json([]))
    for second, said in (
        (one, "both have results of build on pg17"),
        (other, f"{one} has results of the extension adder, and {other} of other"),
        (behaviors, f"{one} has results of extension, and {behaviors} of verify or pytest"),
        (measured, f"{measured} has results of measure: they depend on the machine"),
    ):
        ended = invoke("merge", one, second, "--json", tmp_path / "all.json")
        assert ended.exit_code == 2
        assert said in ended.output
        assert not (tmp_path / "all.json").exists()


def test_an_extension_s_results_of_a_release_that_wrote_no_evidence(tmp_path: Path) -> None:
    path = write_extension(tmp_path / "17.json", stage("17"))
    path.write_text(json.dumps({**json.loads(path.read_text()), "evidence": None}))
    ended = invoke("merge", path)
    assert ended.exit_code == 2
    assert (
        f"{path} has no results as this version writes them: $.evidence: expected array, got null"
        in ended.output
    )


def finding(severity: Severity = "error", certainty: Certainty = "affects", line: int = 3) -> Finding:
    return Finding(
        "queries",
        severity,
        certainty,
        "the server refuses it",
        "write it otherwise",
        place=Place("a.sql", line),
        comparison=SideBySide("plans", ("14.1", "16.1"), (("Sort", "|", "Incremental Sort"),)),
    )


def write_readiness_document(
    path: Path,
    old: str,
    new: str,
    *found: Finding,
    accepted: bool = False,
    fail_on: str = "affects",
    interrupted: bool = False,
    error: str = "",
) -> Path:
    """Return the JSON of ``pgfeatures readiness`` for a pair for which one stage ran."""
    installs = (("pypi", f"/opt/{old}/bin"), ("pypi", f"/opt/{new}/bin"))
    versions = (f"{old}.1", f"{new}.1")
    report = StageReport("queries", found, counts=(("statements", 7),))
    run = StageRun("queries", f"{old}-{new}", versions, report, 1.0, error, installs=installs)
    options = ReadinessOptions(old, new, queries=("a.sql",), database="password=xyzzy42", fail_on=fail_on)
    asked = ReadinessAsked.by(options, (run,), interrupted=interrupted)
    write_json(path, readiness_document(together((run,), lambda _: accepted), asked))
    return path


def test_the_pairs_of_readiness_are_one_report(tmp_path: Path) -> None:
    first = write_readiness_document(tmp_path / "a.json", "14", "16", finding())
    second = write_readiness_document(
        tmp_path / "b.json", "16", "18", finding(), finding("note", "may affect", line=5)
    )
    all_json, all_html = tmp_path / "all.json", tmp_path / "all.html"
    ended = invoke("merge", second, first, "--json", all_json, "--html", all_html)
    assert ended.exit_code == 1
    assert "What breaks (1)" in ended.output  # found in both, told once
    assert "Notes (1)" in ended.output
    document = json.loads(all_json.read_text())
    assert document["looked_at"] == {"queries 14-16": {"statements": 7}, "queries 16-18": {"statements": 7}}
    assert (document["from"], document["to"]) == ("16,14", "18,16")
    page = all_html.read_text()
    assert "Incremental Sort" in page
    assert "--from 14 --to 16 --queries a.sql" in page
    assert "xyzzy42" not in page + all_json.read_text() + first.read_text()
    assert invoke("merge", all_json).exit_code == 1


def test_the_strictest_fail_on_counts(tmp_path: Path) -> None:
    lax = write_readiness_document(tmp_path / "a.json", "14", "16", finding(), fail_on="never")
    possible = finding(certainty="may affect", line=5)
    strict = write_readiness_document(tmp_path / "b.json", "16", "18", possible, fail_on="may")
    assert invoke("merge", lax).exit_code == 0
    assert invoke("merge", lax, strict).exit_code == 1


def test_a_finding_is_accepted_if_each_baseline_accepts_it(tmp_path: Path) -> None:
    first = write_readiness_document(tmp_path / "a.json", "14", "16", finding(), accepted=True)
    second = write_readiness_document(tmp_path / "b.json", "16", "18", finding(), accepted=True)
    third = write_readiness_document(tmp_path / "c.json", "18", "19", finding())
    ended = invoke("merge", first, second)
    assert ended.exit_code == 0
    assert "1 findings are accepted" in ended.output
    assert invoke("merge", first, second, third).exit_code == 1


def test_a_stage_that_could_not_look_or_did_not_run_is_not_green(tmp_path: Path) -> None:
    good = write_readiness_document(tmp_path / "a.json", "14", "16")
    error = write_readiness_document(tmp_path / "b.json", "16", "18", error="no server")
    cut = write_readiness_document(tmp_path / "c.json", "18", "19", interrupted=True)
    assert invoke("merge", good).exit_code == 0
    assert "both have results of queries 14-16" in invoke("merge", good, good).output
    ended = invoke("merge", good, error)
    assert ended.exit_code == 2
    assert "queries 16-18: no server" in ended.output
    ended = invoke("merge", good, cut)
    assert ended.exit_code == 2
    assert "some stages did not run" in ended.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "can't read"),
        ("no JSON", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ("[]", "has no results of verify or pytest"),
        ('{"format": 1, "cells": []}', "has no results of verify or pytest"),
        (
            f'{{"format": {FORMAT + 1}, "command": "x", "cells": [], "results": []}}',
            f"has format {FORMAT + 1}, and this version",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "cells": [], "asked": 1, "seconds": 1, "results": [{{}}]}}',
            "$.results[0]: object missing required field item",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "cells": [], "asked": 1, "seconds": 1, "results": 7}}',
            "$.results: expected array, got integer",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "cells": [], "asked": "\\ud800", "seconds": 1, "results": []}}',
            "no Unicode",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "cells": [], "results": [], "\\ud800": 1}}',
            "no Unicode",
        ),
        (
            f'{{"format": {FORMAT}, "command": "x", "cells": [{{"behavior": "a", "version": 7}}], "results": []}}',
            "$.cells[0].version: expected string, got integer",
        ),
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


@pytest.mark.parametrize("format", [FORMAT - 1, FORMAT + 1])
@pytest.mark.parametrize("kind", ["verify", "extension", "readiness"])
def test_results_in_an_earlier_or_later_format_are_refused(tmp_path: Path, kind: str, format: int) -> None:
    if kind == "verify":
        path = write(tmp_path / "a.json", ran("15"))
    elif kind == "extension":
        path = write_extension(tmp_path / "a.json", stage("15"))
    else:
        path = write_readiness_document(tmp_path / "a.json", "14", "16", finding())
    assert invoke("merge", path).exit_code in (0, 1)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": format}))
    ended = invoke("merge", path)
    assert ended.exit_code == 2
    assert f"{path} has format {format}, and this version reads format {FORMAT}" in ended.output
    assert "with one release of pytest-pgfeatures" in ended.output


def test_documents_that_no_verb_reads_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "delta.json"
    assert invoke("delta", "17", "18", "--json", path).exit_code == 0
    ended = invoke("merge", path)
    assert ended.exit_code == 2
    assert f"{path} has no results of verify or pytest, extension, readiness in it" in ended.output
    write_json(path, BisectDocument((), (), (), {}))
    assert f"{path} has no results of" in invoke("merge", path).output


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


def test_installs_of_one_major_are_one_job() -> None:
    ended = invoke("matrix", "--pg", "pypi:17,maven:17,18")
    assert json.loads(ended.output)["include"] == [
        {"name": "pg17", "pg": "pypi:17,maven:17"},
        {"name": "pg18", "pg": "18"},
    ]
    ended = invoke("matrix", "--pg", "pypi:17,maven:17,18", "--format", "gitlab")
    job = yaml.safe_load(ended.output)[".pgfeatures"]
    assert job == {"parallel": {"matrix": [{"PG": ["pypi:17,maven:17", "18"]}]}}


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


def test_a_run_that_ended_before_its_first_result(tmp_path: Path) -> None:
    ended = invoke("merge", write(tmp_path / "a.json", asked=3), "--html", tmp_path / "all.html")
    assert (ended.exit_code, ended.exception.__class__) == (1, SystemExit)
    assert "3 asked: 3 not reached" in ended.output


def test_bytes_that_are_no_text_are_shown_as_escape_sequences(tmp_path: Path) -> None:
    bad = ran("15", Outcome.DEVIATES, summary="a file named \udcff")
    ended = invoke("merge", write(tmp_path / "a.json", bad), "--html", tmp_path / "all.html")
    assert ended.exit_code == 1
    assert r"a file named \udcff" in (tmp_path / "all.html").read_text()


def test_a_transcript_whose_rows_have_no_columns_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", ran("15"))
    document = json.loads(path.read_text())
    document["results"][0]["evidence"]["transcript"][0]["rows"] = [["1", "2"]]
    path.write_text(json.dumps(document))
    ended = invoke("merge", path)
    assert ended.exit_code == 2
    assert "$.results[0].evidence.transcript[0]: a row has more or fewer values" in ended.output


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        ({"fail_on": "often"}, 2, "$.fail_on: invalid enum value 'often'"),
        ({"again": {}}, 1, "What breaks (1)"),
    ],
)
def test_findings_that_were_edited(tmp_path: Path, change: dict[str, object], status: int, said: str) -> None:
    path = write_readiness_document(tmp_path / "a.json", "14", "16", finding())
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    ended = invoke("merge", path, "--html", tmp_path / "all.html")
    assert ended.exit_code == status
    assert said in ended.output
