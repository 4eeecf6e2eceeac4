"""The stage ``upgrade``: really upgrade a server of the old version, by each method that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.running.upgrade_methods import (
    CHECK,
    DUMP,
    Fault,
    Passed,
    upgrade_by_all,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    faults = [each for each in outcomes if isinstance(each, Fault)]
    lacking = tuple(each for each in outcomes if isinstance(each, NotLookedAt))
    script = next((each.script for each in passed), "")
    return StageReport(
        "upgrade", tuple(_findings(trial, faults)), counts, not_looked_at=lacking, afterwards=script
    )


def _findings(trial: Trial, faults: Sequence[Fault]) -> Iterator[Finding]:
    """One finding for a fault that several methods show."""
    by_fault: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        by_fault.setdefault((fault.object, fault.message), []).append(fault)
    for (name, message), found in by_fault.items():
        by = ", ".join(fault.way for fault in found)
        yield Finding(
            "upgrade", "error", "affects",
            f"after {by}: {message}" if name else message, found[0].remedy,
            object=name or (by if by == CHECK else f"upgrade by {by}"), sqlstate=found[0].sqlstate,
            proof=f"pgfeatures readiness --from {trial.requests[0]} --to {trial.requests[1]} --stage upgrade"
            + "".join(f" --schema {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.schema))
            + "".join(f" --data {file}" for file in dict.fromkeys(s.query.file for s in trial.inputs.data)),
        )  # fmt: skip
