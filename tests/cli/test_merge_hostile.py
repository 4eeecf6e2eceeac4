"""``pgfeatures merge`` of files in which somebody changed a value: any value, to anything."""

from __future__ import annotations

import copy
import io
import itertools
import json
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.files import write_json
from pytest_pgfeatures.readiness.model import (
    BehaviorVerdict,
    Finding,
    NotLookedAt,
    PassedOver,
    Place,
    SideBySide,
    StageReport,
)
from pytest_pgfeatures.readiness.options import ReadinessOptions
from pytest_pgfeatures.readiness.run import StageRun, together
from pytest_pgfeatures.report.document import extension_document, matrix_document
from pytest_pgfeatures.report.readiness_document import ReadinessAsked, readiness_document
from pytest_pgfeatures.results.evidence import Evidence, Location
from pytest_pgfeatures.results.model import (
    Counted,
    InstallUsed,
    Item,
    JobResults,
    Outcome,
    Result,
    Tally,
    TestCase,
    installs_of,
)
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.results.transcript import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VALUES = ("zzz", -1, None, [], {}, True, 10**30, float("inf"), "\ud800")
INSTALLS = (InstallUsed("16.4", "pypi", "/bin", borrowed="psql of 18.6", sha256="ab" * 32),)


def results() -> JobResults:
    """A behavior, and a stage that failed, with all evidence that there is."""
    entry = Entry("main", "SELECT 1", columns=("a",), rows=(("1",),), row_count=1)
    plan = Entry("main", "EXPLAIN SELECT 1", plan="Result")
    error = Entry("other", "SELECT 1/0", sqlstate="22012", error="division by zero")
    both = (
        Result(
            item=Item("behavior", "16/x", "the title", "sql", since="16", backports=("15.2",)),
            cell="pg16",
            major="16",
            outcome=Outcome.DEVIATES,
            installs=INSTALLS,
            ran=True,
            evidence=Evidence({"a": [1]}, ["42601"], (entry, plan, error)),
        ),
        Result(
            item=Item("stage", "installcheck", "its tests", "installcheck"),
            cell="pg16",
            major="16",
            outcome=Outcome.FAILED,
            installs=INSTALLS,
            ran=True,
            summary="1 of 2 failed",
            evidence=Evidence(
                details=("-a",),
                sections=(("Server log", "LOG"),),
                program=Finished(("make",), 2, "out"),
                location=Location("a.sql", 3),
            ),
            tests=(Counted("regress", 2, 2),),
            cases=(TestCase("a", False, 0.5, ("-a",)),),
        ),
    )
    return JobResults("adder", installs_of(both), both, 1.0, ("a warning",))


def readiness() -> Any:
    """One stage that found something, with all that a stage tells."""
    compared = SideBySide(
        "plans", ("14.1", "16.1"), (("Sort", "|", "Result"),), (("cost", "1", "2"),), ("a",)
    )
    found = Finding(
        "queries", "error", "affects", "refused", "write it", place=Place("a.sql", 3), comparison=compared
    )
    report = StageReport(
        "queries",
        (found,),
        (("statements", 7),),
        ("a problem",),
        (NotLookedAt("a", "b"),),
        (BehaviorVerdict("16/x", ("16.1",), "t", "affects", "r"),),
        "SELECT 1;\n",
    )
    passed = (PassedOver("queries", "db", ".x", 2, "no reader"),)
    run = StageRun("queries", "14-16", ("14.1", "16.1"), report, 1.0, passed_over=passed)
    asked = ReadinessAsked.by(ReadinessOptions("14", "16", queries=("a.sql",)), (run,))
    return readiness_document(together((run,), lambda _: False), asked)


DOCUMENTS = {
    "verify": lambda: matrix_document(results(), Tally.of(results().results[:1], 2)),
    "extension": lambda: extension_document(results(), path="src/adder", failed=True),
    "readiness": readiness,
}


def places(value: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths to all values below a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*above, key)
        yield from places(each, (*above, key))


def merge(path: Path) -> None:
    """Run it as a process does, whose streams take any character."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        pgfeatures.main(
            ["merge", str(path), "--html", f"{path}.html", "--json", f"{path.with_suffix('')}-all.json"]
        )


@pytest.mark.parametrize(
    "kind",
    ["verify", *(pytest.param(kind, marks=pytest.mark.thorough) for kind in ("extension", "readiness"))],
)
def test_a_changed_value_is_an_error_or_harmless(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_json(path, DOCUMENTS[kind]())
    whole = json.loads(path.read_text())
    turns = itertools.product(range(3), enumerate(places(whole)))  # each place with three of the values
    tried = [(place, VALUES[(number + 4 * turn) % len(VALUES)]) for turn, (number, place) in turns]
    assert len(tried) > 100
    for (*above, last), value in tried:
        changed = copy.deepcopy(whole)
        inner = changed
        for key in above:
            inner = inner[key]
        inner[last] = value
        path.write_text(json.dumps(changed))
        with pytest.raises(SystemExit) as ended:
            merge(path)
        assert ended.value.code in (None, 0, 1, 2), (above, last, value)
