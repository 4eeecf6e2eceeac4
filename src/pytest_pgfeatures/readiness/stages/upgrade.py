"""The stage ``upgrade``: really upgrade a server of the old version, by each method that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.running.upgrade_methods import CHECK, DUMP, Fault, Passed, upgrade_by_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.readiness.servers.trial import Trial


def look(trial: Trial) -> StageReport:
    """Upgrade a server with the application's schema and data, and examine the results."""
    outcomes = list(upgrade_by_all(trial))
    passed = sorted(
        (each for each in outcomes if isinstance(each, Passed)), key=lambda each: each.way == DUMP
    )
    counts = (
        ("methods that succeeded", len(passed)),
        ("tables compared", max((each.tables for each in passed), default=0)),
    )
    lacking = tuple(each for each in outcomes if isinstance(each, NotLookedAt))
    script = next((each.script for each in passed), "")
    faults: dict[tuple[str, str], list[Fault]] = {}
    for each in outcomes:
        if isinstance(each, Fault):
            faults.setdefault((each.object, each.message), []).append(each)
    findings = tuple(_finding(trial, *fault, found) for fault, found in faults.items())
    return StageReport("upgrade", findings, counts, not_looked_at=lacking, afterwards=script)


def _finding(trial: Trial, name: str, message: str, found: Sequence[Fault]) -> Finding:
    """The finding about a fault that some methods show."""
    by = ", ".join(fault.way for fault in found)
    proof = f"pgfeatures readiness --from {trial.requests[0]} --to {trial.requests[1]} --stage upgrade"
    proof += "".join(f" --schema {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.schema))
    proof += "".join(f" --data {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.data))
    return Finding(
        "upgrade", "error", "affects",
        f"after {by}: {message}" if name else message, found[0].remedy, proof=proof,
        object=name or (by if by == CHECK else f"upgrade by {by}"), sqlstate=found[0].sqlstate,
    )  # fmt: skip
