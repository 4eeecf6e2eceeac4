"""The stage ``suite``: run the application's own tests on both servers, and compare what these received."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Place, Query, Severity
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.places import excerpt_at
from pytest_pgfeatures.readiness.suite.feeding import FILE, placed_at, sources_of
from pytest_pgfeatures.readiness.suite.recorded import Recorded, SentStatement, ServerMessage
from pytest_pgfeatures.readiness.suite.running import SuiteRuns
from pytest_pgfeatures.sqlstate import SqlState

_FOLLOWS = frozenset({"25P02"})  # in_failed_sql_transaction: the consequence of another statement's error
_BY_CHANCE = frozenset({"40001", "40P01", "55P03", "57014", "57P01", "57P03", "53300"})
"""Conflicts, timeouts and lost connections, which depend on the moment
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
_NUMBER = re.compile(r"\d++")
_JUDGED: dict[str, tuple[Severity, bool, str]] = {
    "error": ("error", True, "change the statement, or what it calls"),
    "more errors": ("error", False, "change the statement, or what it calls"),
    "another error": ("warning", True, "see whether the application looks at the error's code"),
    "no error": ("note", False, "nothing, unless something relies on the error"),
    "warning": ("warning", True, "see what the warning advises"),
    "plan": ("note", False, "see what the stage plans says of it with production's statistics"),
    "executions": ("note", False, "see whether the suite does other things there, or never the same twice"),
}
"""The kinds of differences, with their severity, whether they are certain, and advice."""


class SuiteDifference(NamedTuple):
    """A statement, by its key, that had different outcomes on servers that may have been sent the same."""

    kind: str
    key: str
    sent: SentStatement
    description: str
    sqlstate: str


def compared(old: Recorded, new: Recorded, names: tuple[str, str]) -> Iterator[SuiteDifference]:
    """The differences between the statements that two servers, of two versions, received, and their outcomes."""
    sent = _by_workers(old), _by_workers(new)
    for key, theirs in new.statements.items():
        ours = old.statements.get(key)
        moved = sent[0][_NUMBER.sub("?", key)] == sent[1][_NUMBER.sub("?", key)]
        for kind, description, state in _differences(ours, theirs, names, moved=moved):
            shown = ours if ours and kind == "no error" else theirs
            yield SuiteDifference(kind, key, shown, description, state)


def _by_workers(recorded: Recorded) -> Counter[str]:
    """The executions of statements that differ only in numbers, such as that of a parallel worker's schema."""
    found: Counter[str] = Counter()
    for key, sent in recorded.statements.items():
        found[_NUMBER.sub("?", key)] += sent.executions
    return found


def _differences(
    ours: SentStatement | None, theirs: SentStatement, names: tuple[str, str], *, moved: bool
) -> Iterator[tuple[str, str, str]]:
    """The differences of a statement, which parallel workers may together have sent as often (``moved``)."""
    old, new = names
    after = {state: _said(theirs, state) for state in theirs.errors if state not in _FOLLOWS}
    if ours is None:
        for state, said in after.items():
            yield "executions", f"{new} alone received it, and refuses it: {said}", state
        return
    gone = [state for state in ours.errors if state not in theirs.errors and state not in _FOLLOWS]
    was = _said(ours, gone[0]) if gone else ""
    for state, said in after.items():
        if ours.errors[state]:
            times = f"{new} refuses it {theirs.errors[state]} times, {old} {ours.errors[state]} times"
            if ours.errors[state] < theirs.errors[state] and ours.executions >= theirs.executions:
                yield "more errors", f"{times}: {said}", state
        elif gone:
            yield "another error", f"{new} refuses it with another error: {said}; {old}: {was}", state
        else:
            yield "error", f"{new} refuses it: {said}", state
    if gone and after.keys() <= ours.errors.keys():
        yield "no error", f"{new} takes what {old} refuses: {was}", gone[0]
    for state in theirs.warnings.keys() - ours.warnings.keys():
        yield "warning", f"a warning that {old} does not give: {_said(theirs, state)}", state
    if ours.plans and theirs.plans and not ours.plans.keys() & theirs.plans.keys():
        yield "plan", f"another plan: {_shown(ours.plans)} -> {_shown(theirs.plans)}", ""
    if ours.errors == theirs.errors and ours.executions != theirs.executions and not moved:
        yield "executions", f"sent {ours.executions} times to {old}, {theirs.executions} times to {new}", ""


def _said(sent: SentStatement, state: str) -> str:
    return f"{state} {sent.examples[state].message}"


def _shown(plans: Counter[tuple[str, ...]]) -> str:
    (shape, _), *others = plans.most_common()
    return ", ".join(line.strip() for line in shape) + (f" (and {len(others)} others)" if others else "")


def look(trial: Trial) -> Iterator[Found]:
    """Compare the suite's statements on both servers, the servers' answers, and the results of its tests."""
    runs = trial.suite
    if runs is None or isinstance(runs, PgFeaturesError):
        raise runs or PgFeaturesError("no suite is given", remedy="name its command: --run 'pytest tests/'")
    old, new = runs.old.recorded, runs.new.recorded
    sources = sources_of(trial.files)
    proof = f"pgfeatures run --pg {trial.versions} --compare -- sh -c {shlex.quote(trial.options.run)}"
    yield from _broken(trial, runs, proof)
    for each in compared(old, new, (str(trial.pair.old), str(trial.pair.new))):
        yield _finding(each, sources.get(each.key), proof)
    left = [each for each in trial.inputs.data if each.query.file == FILE]
    yield "statements", len(old.statements)
    yield f"received by {trial.pair.old.major} alone", len(old.statements.keys() - new.statements.keys())
    yield f"received by {trial.pair.new.major} alone", len(new.statements.keys() - old.statements.keys())
    yield "sent", old.executions
    yield "databases", len(old.databases)
    yield "in no file given", len(old.statements.keys() - sources.keys())
    yield "tests with a result", len(runs.old.tests)
    yield "of them failed on both", len(runs.old.failed & runs.new.failed)
    yield "tables with rows at the end", sum(each.reads for each in left)
    yield "INSERTs into others", sum(each.query.sql.startswith("DO ") for each in left)
    yield from _problems(trial, runs)
    if not (old.planned and new.planned):
        why = "the installs have no auto_explain on both sides"
        yield NotLookedAt("the plans of the suite's statements", why)


def _broken(trial: Trial, runs: SuiteRuns, proof: str) -> Iterator[Finding]:
    again = runs.repeated
    for name in runs.broken:
        test = runs.new.tests[name]
        fails_again = again is None or name not in again.tests or name in again.failed
        once = "" if fails_again else "; in a second run it passed"
        place = Place(test.file, test.line + 1) if test.file else None
        yield Finding(
            "suite", "error", "affects" if fails_again else "may affect",
            f"the test {name} passes on {trial.pair.old} and fails on {trial.pair.new}{once}: {test.said}",
            "see what the test expects", place=place, object=None if place else f"test {name}", proof=proof,
        )  # fmt: skip


def _finding(each: SuiteDifference, source: Query | None, proof: str) -> Finding:
    said = each.sent.examples.get(each.sqlstate, ServerMessage("", each.sent.sql))
    place = placed_at(source, said.sql).place(said.position) if source else None
    excerpt = excerpt_at(each.sent.sql)
    severity, certain, advice = _JUDGED[each.kind]
    values = ", ".join(f"${at} = {value}" for at, value in enumerate(each.sent.values, 1))
    return Finding(
        "suite", severity, "affects" if certain and each.sqlstate not in _BY_CHANCE else "may affect",
        f"{each.description}{f', with {values}' if values and each.sqlstate else ''}", advice,
        place=place, object=None if place else f"statement {excerpt}", excerpt=excerpt,
        proof=proof, sqlstate=SqlState(each.sqlstate) if each.sqlstate else None,
    )  # fmt: skip


def _problems(trial: Trial, runs: SuiteRuns) -> Iterator[str]:
    for version, run in ((trial.pair.old, runs.old), (trial.pair.new, runs.new)):
        if run.status:
            yield ": ".join((f"the suite ended with status {run.status} on {version}", *run.output[-1:]))
        if run.recorded.left_out:
            yield f"{run.recorded.left_out} statements on {version} were left out: too many are different"
        yield from (f"{line} ({version})" for line in run.unread)
    if not runs.old.tests:
        yield "the suite wrote no JUnit file, so its tests are not compared: have it write {junit}"
