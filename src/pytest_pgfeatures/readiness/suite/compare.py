"""Compare the statements that a suite sent to two servers, and their outcomes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.suite.recorded import Recorded, SentStatement

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
        moved = sent[0][_of_any_worker(key)] == sent[1][_of_any_worker(key)]
        found = _of_both(ours, theirs, names, moved=moved) if ours else _of_new_alone(theirs, names[1])
        for kind, description, certain, state in found:
            shown = ours if ours and kind == "no error" else theirs
            yield SuiteDifference(kind, key, shown, description, certain, state)


def _of_new_alone(theirs: SentStatement, new: str) -> Iterator[tuple[Kind, str, bool, str]]:
    for state in theirs.errors.keys() - _FOLLOWS:
        yield "executions", f"{new} alone received it, and refuses it: {_said(theirs, state)}", False, state


def _of_any_worker(key: str) -> str:
    """A statement's key without the numbers in names, such as those of a schema that each parallel worker has."""
    return _NUMBER.sub("?", key)


def _by_workers(recorded: Recorded) -> Counter[str]:
    """The executions of statements that differ only in such numbers: which worker runs a test is by chance."""
    found: Counter[str] = Counter()
    for key, sent in recorded.statements.items():
        found[_of_any_worker(key)] += sent.executions
    return found


def _of_both(
    ours: SentStatement, theirs: SentStatement, names: tuple[str, str], *, moved: bool
) -> Iterator[tuple[Kind, str, bool, str]]:
    """The differences of a statement: kind, description, whether it is certain, and SQLSTATE.

    Parameters:
        moved: whether parallel workers together sent it as often.
    """
    old, new = names
    added = [state for state in theirs.errors if state not in ours.errors and state not in _FOLLOWS]
    gone = [state for state in ours.errors if state not in theirs.errors and state not in _FOLLOWS]
    for state in added:
        kind: Kind = "another error" if gone else "error"
        said = f" with another error: {_said(theirs, state)}; {old}" if gone else ""
        said = f"{new} refuses it{said}: {_said(ours, gone[0]) if gone else _said(theirs, state)}"
        yield kind, said, state not in _BY_CHANCE, state
    if gone and not added:
        yield "no error", f"{new} takes what {old} refuses: {_said(ours, gone[0])}", False, gone[0]
    for state, count in theirs.errors.items():
        if 0 < ours.errors[state] < count and ours.executions >= theirs.executions and state not in _FOLLOWS:
            times = f"{new} refuses it {count} times, {old} {ours.errors[state]} times"
            yield "error", f"{times}: {_said(theirs, state)}", False, state
    for state in theirs.warnings.keys() - ours.warnings.keys():
        yield "warning", f"a warning that {old} does not give: {_said(theirs, state)}", True, state
    if ours.plans and theirs.plans and not ours.plans.keys() & theirs.plans.keys():
        yield "plan", f"another plan: {_shown(ours.plans)} -> {_shown(theirs.plans)}", False, ""
    if ours.errors == theirs.errors and ours.executions != theirs.executions and not moved:
        times = f"sent {ours.executions} times to {old}, {theirs.executions} times to {new}"
        yield "executions", times, False, ""


def _said(sent: SentStatement, state: str) -> str:
    return f"{state} {sent.examples[state].message}"


def _shown(plans: Counter[tuple[str, ...]]) -> str:
    (shape, _), *others = plans.most_common()
    more = f" (and {len(others)} others)" if others else ""
    return ", ".join(line.strip() for line in shape) + more
