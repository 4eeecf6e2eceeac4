"""The stage ``suite``: run the application's own tests on both servers, and compare the statements that they
send."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, Place, StageReport
from pytest_pgfeatures.readiness.stages.places import excerpt_at
from pytest_pgfeatures.readiness.suite.compare import compared
from pytest_pgfeatures.readiness.suite.feeding import FILE, placed_at, sources_of
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.model import Query, Severity
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.readiness.suite.compare import Kind, SuiteDifference
    from pytest_pgfeatures.readiness.suite.running import SuiteRuns

_JUDGED: dict[Kind, tuple[Severity, str]] = {
    "error": ("error", "change the statement, or what it calls"),
    "another error": ("warning", "see whether the application looks at the error's code"),
    "no error": ("note", "nothing, unless something relies on the error"),
    "warning": ("warning", "see what the warning advises"),
    "plan": ("note", "see what the stage plans says of it with production's statistics"),
    "executions": ("note", "see whether the suite does other things there, or never does the same twice"),
}


def look(trial: Trial) -> StageReport:
    """Compare the suite's statements on both servers, the servers' answers, and the results of its tests.

    Raises:
        PgFeaturesError: the suite could not run, or sent nothing.
    """
    runs = trial.suite
    if runs is None or isinstance(runs, PgFeaturesError):
        raise runs or PgFeaturesError("no suite is given", remedy="name its command: --run 'pytest tests/'")
    old, new = runs.old.recorded, runs.new.recorded
    sources = sources_of(trial.files)
    differences = list(compared(old, new, (str(trial.pair.old), str(trial.pair.new))))
    proof = f"pgfeatures run --pg {trial.versions} --compare -- sh -c {shlex.quote(trial.command)}"
    found = [*_broken(trial, runs), *(_finding(each, sources.get(each.key)) for each in differences)]
    findings = [replace(each, proof=proof) for each in found]
    left = [each for each in trial.inputs.data if each.query.file == FILE]
    counts = (
        ("statements", len(old.statements)),
        (f"received by {trial.pair.old.major} alone", len(old.statements.keys() - new.statements.keys())),
        (f"received by {trial.pair.new.major} alone", len(new.statements.keys() - old.statements.keys())),
        ("sent", old.executions),
        ("databases", len(old.databases)),
        ("in no file given", len(old.statements.keys() - sources.keys())),
        ("tests with a result", len(runs.old.outcomes.tests)),
        ("of them failed on both", runs.failed_on_both),
        ("tables with rows at the end", sum(each.reads for each in left)),
        ("INSERTs into others", sum(each.query.sql.startswith("DO ") for each in left)),
    )
    unseen = NotLookedAt(
        "the plans of the suite's statements", "the installs have no auto_explain on both sides"
    )
    return StageReport(
        "suite", tuple(findings), counts, tuple(_problems(trial, runs)),
        () if old.planned and new.planned else (unseen,),
    )  # fmt: skip


def _broken(trial: Trial, runs: SuiteRuns) -> Iterator[Finding]:
    for name, (test, fails_again) in runs.broken.items():
        once = "" if fails_again else "; in a second run it passed"
        place = Place(test.file, test.line + 1) if test.file else None
        yield Finding(
            "suite", "error", "affects" if fails_again else "may affect",
            f"the test {name} passes on {trial.pair.old} and fails on {trial.pair.new}{once}: {test.said}",
            "see what the test expects", place=place, object=None if place else f"test {name}",
        )  # fmt: skip


def _finding(each: SuiteDifference, source: Query | None) -> Finding:
    example = each.sent.examples.get(each.sqlstate)
    sql, at = (example.sql, example.position) if example else (each.sent.sql, 0)
    place = placed_at(source, sql).place(at - 1 if at else None) if source else None
    excerpt = excerpt_at(each.sent.sql, None)
    severity, advice = _JUDGED[each.kind]
    values = ", ".join(f"${at} = {value}" for at, value in enumerate(each.sent.values, 1))
    return Finding(
        "suite", severity, "affects" if each.certain else "may affect",
        f"{each.description}{f', with {values}' if values and each.sqlstate else ''}", advice,
        place=place, object=None if place else f"statement {excerpt}", excerpt=excerpt,
        sqlstate=SqlState(each.sqlstate) if each.sqlstate else None,
    )  # fmt: skip


def _problems(trial: Trial, runs: SuiteRuns) -> Iterator[str]:
    for version, run in ((trial.pair.old, runs.old), (trial.pair.new, runs.new)):
        if run.status:
            last = f": {run.output[-1]}" if run.output else ""
            yield f"the suite ended with status {run.status} on {version}{last}"
        if run.recorded.left_out:
            yield f"{run.recorded.left_out} statements on {version} were left out: too many are different"
        yield from (f"{line} ({version})" for line in run.outcomes.unread)
    if not runs.old.outcomes.tests:
        yield "the suite wrote no JUnit file, so its tests are not compared: have it write {junit}"
