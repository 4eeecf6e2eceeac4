"""Compare what a suite sent to two servers, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.suite.outcomes import Outcomes, SuiteTest
    from pytest_pgfeatures.readiness.suite.recorded import Recorded, SentStatement, Told

Kind = Literal["error", "another error", "no error", "warning", "plan", "executions"]
_FOLLOWS = frozenset({"25P02"})
"""in_failed_sql_transaction: another statement's error has led to it."""
_BY_CHANCE = frozenset({"40001", "40P01", "55P03", "57014", "57P01", "57P03", "53300"})
"""Conflicts, timeouts and lost connections, which depend on the moment
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""


@dataclass(frozen=True, slots=True)
class SuiteDifference:
    """A statement for which something else came.

    Parameters:
        key: what the statement is known by.
        sent: the statement, with values of its parameters.
        told: the difference in words.
        certain: whether the servers were sent the same.
    """

    kind: Kind
    key: str
    sent: SentStatement
    told: str
    certain: bool
    sqlstate: str = ""


def compared(old: Recorded, new: Recorded, names: tuple[str, str]) -> Iterator[SuiteDifference]:
    """The differences between what two servers were sent and said.

    Parameters:
        names: the two versions.
    """
    for key, theirs in new.statements.items():
        ours = old.statements.get(key)
        if ours is None:
            for state in theirs.errors.keys() - _FOLLOWS:
                told = f"{names[1]} alone was sent it, and refuses it: {_said(theirs.examples[state])}"
                yield SuiteDifference("executions", key, theirs, told, False, state)
            continue
        yield from _errors(key, ours, theirs, names)
        for state in theirs.warnings.keys() - ours.warnings.keys():
            told = f"a warning that {names[0]} does not give: {_said(theirs.examples[state])}"
            yield SuiteDifference("warning", key, theirs, told, True, state)
        if ours.plans and theirs.plans and not ours.plans.keys() & theirs.plans.keys():
            told = f"another plan: {_shown(ours.plans)} -> {_shown(theirs.plans)}"
            yield SuiteDifference("plan", key, theirs, told, False)
        same_errors = ours.errors == theirs.errors
        if same_errors and ours.executions != theirs.executions:
            told = f"sent {ours.executions} times to {names[0]}, {theirs.executions} times to {names[1]}"
            yield SuiteDifference("executions", key, theirs, told, False)


def _errors(
    key: str, ours: SentStatement, theirs: SentStatement, names: tuple[str, str]
) -> Iterator[SuiteDifference]:
    added = [state for state in theirs.errors if state not in ours.errors and state not in _FOLLOWS]
    gone = [state for state in ours.errors if state not in theirs.errors and state not in _FOLLOWS]
    for state in added:
        certain = state not in _BY_CHANCE
        said = _said(theirs.examples[state])
        if gone:
            told = f"{names[1]} refuses it with another error: {said}; {names[0]}: {_said(ours.examples[gone[0]])}"
            yield SuiteDifference("another error", key, theirs, told, certain, state)
        else:
            yield SuiteDifference("error", key, theirs, f"{names[1]} refuses it: {said}", certain, state)
    if gone and not added:
        told = f"{names[1]} takes what {names[0]} refuses: {_said(ours.examples[gone[0]])}"
        yield SuiteDifference("no error", key, ours, told, False, gone[0])
    for state, count in theirs.errors.items():
        if 0 < ours.errors[state] < count and ours.executions >= theirs.executions and state not in _FOLLOWS:
            times = f"{names[1]} refuses it {count} times, {names[0]} {ours.errors[state]} times"
            told = f"{times}: {_said(theirs.examples[state])}"
            yield SuiteDifference("error", key, theirs, told, False, state)


def _said(told: Told) -> str:
    return f"{told.sqlstate} {told.message}"


def _shown(plans: Counter[tuple[str, ...]]) -> str:
    (shape, _), *others = plans.most_common()
    more = f" (and {len(others)} others)" if others else ""
    return ", ".join(line.strip() for line in shape) + more


def broken(old: Outcomes, new: Outcomes) -> dict[str, SuiteTest]:
    """The tests that passed on the old server and failed on the new one."""
    return {
        name: test
        for name, test in new.tests.items()
        if not test.passed and name in old.tests and old.tests[name].passed
    }
