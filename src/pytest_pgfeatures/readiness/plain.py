"""Convert the runs of stages to plain values, to pass them between processes, and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.model import (
    BehaviorAnswer,
    Executed,
    Finding,
    NotLookedAt,
    PassedOver,
    Place,
    SideBySide,
    StageReport,
)
from pytest_pgfeatures.readiness.run import StageRun

if TYPE_CHECKING:
    from collections.abc import Mapping


def plain(run: StageRun) -> dict[str, Any]:
    """Convert a run to values that JSON supports."""
    return asdict(run)


def of_plain(values: Mapping[str, Any]) -> StageRun:
    """Convert the values of :func:`plain` back, after a trip through JSON."""
    report = values["report"]
    return StageRun(
        **{
            **values,
            "versions": tuple(values["versions"]),
            "installs": tuple((source, bindir) for source, bindir in values["installs"]),
            "unread": tuple(values.get("unread", ())),
            "passed_over": tuple(PassedOver(**each) for each in values.get("passed_over", ())),
            "report": StageReport(
                report["stage"],
                tuple(finding_of_plain(finding) for finding in report["findings"]),
                tuple((name, count) for name, count in report["counts"]),
                tuple(report["problems"]),
                tuple(NotLookedAt(**each) for each in report["not_looked_at"]),
                tuple(
                    BehaviorAnswer(**{**each, "items": tuple(each["items"])}) for each in report["answers"]
                ),
                report["afterwards"],
                tuple(_executed(each) for each in report["executed"]),
                tuple((name, file, line) for name, file, line in report["named"]),
            ),
        }
    )


def _executed(values: Mapping[str, Any]) -> Executed:
    return Executed(
        Place(**values["place"]),
        values["sql"],
        tuple(values["values"]),
        values["same"],
        tuple(values["indexes"]),
    )


def finding_of_plain(values: Mapping[str, Any]) -> Finding:
    """Convert a finding's fields back, after a trip through JSON."""
    place, compared = values["place"], values["comparison"]
    return Finding(
        **{
            **values,
            "items": tuple(values["items"]),
            "place": Place(**place) if place else None,
            "comparison": _comparison(compared) if compared else None,
        }
    )


def _comparison(values: Mapping[str, Any]) -> SideBySide:
    return SideBySide(
        values["kind"],
        tuple(values["versions"]),
        tuple((old, sign, new) for old, sign, new in values["rows"]),
        tuple((name, old, new) for name, old, new in values["figures"]),
        tuple(values["changes"]),
        tuple((text, behavior) for text, behavior in values["causes"]),
    )
