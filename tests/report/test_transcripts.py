"""Transcripts of several versions, side by side."""

import io

from rich.console import Console

from pytest_pgfeatures.report.transcripts import aligned, side_by_side
from pytest_pgfeatures.results.transcript import Entry


def entry(statement, answer):
    return Entry("main", statement, status=answer)


def printed(transcripts, width=80):
    console = Console(file=io.StringIO(), width=width, record=True)
    for part in side_by_side(transcripts, console):
        console.print(part)
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_equal_answers_are_shown_once():
    lines = printed({"15": [entry("SELECT 1", "SELECT 1")], "16": [entry("SELECT 1", "SELECT 1")]})
    assert lines == ["main> SELECT 1", "SELECT 1"]


def test_different_answers_stand_beside_each_other():
    transcripts = {
        version: [entry("SHOW x", "old" if version < "16" else "new")] for version in ("14", "15", "16")
    }
    assert printed(transcripts) == ["main> SHOW x", "14 15   16", "old     new"]


def test_answers_that_don_t_fit_stand_below_each_other():
    transcripts = {"15": [entry("SHOW x", "a" * 30)], "16": [entry("SHOW x", "b" * 30)]}
    assert printed(transcripts, width=40) == ["main> SHOW x", "15", "a" * 30, "16", "b" * 30]


def test_a_statement_that_only_some_were_asked_stands_in_its_place():
    transcripts = {
        "15": [entry("A", "1"), entry("C", "3")],
        "16": [entry("A", "1"), entry("B", "2"), entry("C", "3")],
        "17": [entry("A", "1"), entry("B", "2"), entry("C", "3"), entry("D", "4")],
    }
    steps = aligned(transcripts)
    assert [statement for (_, statement), _ in steps] == ["A", "B", "C", "D"]
    assert [sorted(answers) for _, answers in steps] == [
        ["15", "16", "17"],
        ["16", "17"],
        ["15", "16", "17"],
        ["17"],
    ]
    assert "(not asked)" in " ".join(printed(transcripts))


def test_statements_and_answers_that_differ_by_the_run_only_stand_side_by_side():
    def dumped(version, said):
        run = f"/tmp/pytest-of-me/pytest-{version}/dump_pg{version}0"
        return [entry(f"$ pg_dump -Z lz4 -f {run}/out test_{version}_1", f'{said} "{run}/out"')]

    transcripts = {"15": dumped(15, "bad"), "16": dumped(16, "good"), "17": dumped(17, "good")}
    ((step, answers),) = aligned(transcripts)
    assert step == ("main", "$ pg_dump -Z lz4 -f …/out test_…")
    assert sorted(answers) == ["15", "16", "17"]
    assert printed(transcripts)[1:] == ["15            16 17", 'bad "…/out"   good "…/out"']
    alone = aligned({"15": transcripts["15"]})
    assert alone[0][0][1].startswith("$ pg_dump -Z lz4 -f /tmp/pytest-of-me/")
