"""Compare the statements that a suite sent to two servers, and their outcomes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.suite.recorded import Recorded, SentStatement, ServerMessage

Kind = Literal["error", "another error", "no error", "warning", "plan", "executions"]
_FOLLOWS = frozenset({"25P02"})
"""in_failed_sql_transaction: the consequence of another statement's error."""
_BY_CHANCE = frozenset({"40001", "40P01", "55P03", "57014", "57P01", "57P03", "53300"})
"""Conflicts, timeouts and lost connections, which depend on the moment
(https://www.postgresql.org/docs/current/errcodes-appendix.html)."""
_NUMBER = re.compile(r"\d++")


@dataclass(frozen=True, slots=True)
class SuiteDifference:
    """A statement that had different outcomes on the two servers.

    Parameters:
        key: the statement's key, see :func:`~.recorded.known_by`.
        sent: the statement, with values of its parameters.
        description: the difference in words.
        certain: whether the servers were sent the same.
    """

    kind: Kind
    key: str
    sent: SentStatement
    description: str
    certain: bool
    sqlstate: str = ""


def compared(old: Recorded, new: Recorded, names: tuple[str, str]) -> Iterator[SuiteDifference]:
    """The differences between the statements that two servers received, and between their outcomes.

    Parameters:
        names: the two versions.
    """
    sent = _by_workers(old), _by_workers(new)
    for key, theirs in new.statements.items():
        ours = old.statements.get(key)
        if ours is None:
            for state in theirs.errors.keys() - _FOLLOWS:
                description = f"{names[1]} alone received it, and refuses it: {_said(theirs.examples[state])}"
                yield SuiteDifference("executions", key, theirs, description, False, state)
            continue
        yield from _errors(key, ours, theirs, names)
        for state in theirs.warnings.keys() - ours.warnings.keys():
            description = f"a warning that {names[0]} does not give: {_said(theirs.examples[state])}"
            yield SuiteDifference("warning", key, theirs, description, True, state)
        if ours.plans and theirs.plans and not ours.plans.keys() & theirs.plans.keys():
            description = f"another plan: {_shown(ours.plans)} -> {_shown(theirs.plans)}"
            yield SuiteDifference("plan", key, theirs, description, False)
        moved = sent[0][_of_any_worker(key)] == sent[1][_of_any_worker(key)]
        if ours.errors == theirs.errors and ours.executions != theirs.executions and not moved:
            description = (
                f"sent {ours.executions} times to {names[0]}, {theirs.executions} times to {names[1]}"
            )
            yield SuiteDifference("executions", key, theirs, description, False)


def _of_any_worker(key: str) -> str:
    """A statement's key without the numbers in names, such as those of a schema that each parallel worker has."""
    return _NUMBER.sub("?", key)


def _by_workers(recorded: Recorded) -> Counter[str]:
    """The executions of statements that differ only in such numbers: which worker runs a test is by chance."""
    found: Counter[str] = Counter()
    for key, sent in recorded.statements.items():
        found[_of_any_worker(key)] += sent.executions
    return found


def _errors(
    key: str, ours: SentStatement, theirs: SentStatement, names: tuple[str, str]
) -> Iterator[SuiteDifference]:
    added = [state for state in theirs.errors if state not in ours.errors and state not in _FOLLOWS]
    gone = [state for state in ours.errors if state not in theirs.errors and state not in _FOLLOWS]
    for state in added:
        certain = state not in _BY_CHANCE
        said = _said(theirs.examples[state])
        if gone:
            before = _said(ours.examples[gone[0]])
            description = f"{names[1]} refuses it with another error: {said}; {names[0]}: {before}"
            yield SuiteDifference("another error", key, theirs, description, certain, state)
        else:
            yield SuiteDifference("error", key, theirs, f"{names[1]} refuses it: {said}", certain, state)
    if gone and not added:
        description = f"{names[1]} takes what {names[0]} refuses: {_said(ours.examples[gone[0]])}"
        yield SuiteDifference("no error", key, ours, description, False, gone[0])
    for state, count in theirs.errors.items():
        if 0 < ours.errors[state] < count and ours.executions >= theirs.executions and state not in _FOLLOWS:
            times = f"{names[1]} refuses it {count} times, {names[0]} {ours.errors[state]} times"
            description = f"{times}: {_said(theirs.examples[state])}"
            yield SuiteDifference("error", key, theirs, description, False, state)


def _said(message: ServerMessage) -> str:
    return f"{message.sqlstate} {message.message}"


def _shown(plans: Counter[tuple[str, ...]]) -> str:
    (shape, _), *others = plans.most_common()
    more = f" (and {len(others)} others)" if others else ""
    return ", ".join(line.strip() for line in shape) + more
