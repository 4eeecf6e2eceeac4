"""The findings of readiness as a JSON document for other programs, and for ``pgfeatures merge``, which reads it.

The classes are the format: ``make schemas`` writes the JSON Schema from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import msgspec

from pytest_pgfeatures.readiness.model import (
    BehaviorVerdict,
    Certainty,
    FailOn,
    Finding,
    NotLookedAt,
    PassedOver,
    Severity,
    SideBySide,
    StageName,
)
from pytest_pgfeatures.readiness.run import StageRun

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.asked import ReadinessAsked
    from pytest_pgfeatures.readiness.run import Readiness

FORMAT: Literal[1] = 1
ANSWERS = ("affects", "may affect", "does not", "not looked at")


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingObject:
    """A finding that the baseline does not accept.

    Parameters:
        items: keys of entries of the release notes.
        comparison: the plans or the answers of both servers, side by side; null if the stage compares neither.
    """

    stage: StageName
    severity: Severity
    certainty: Certainty
    items: tuple[str, ...]
    behavior: str | None
    file: str | None
    line: int | None
    column: int | None
    object: str | None
    excerpt: str
    message: str
    remedy: str
    proof: str
    sqlstate: str | None
    comparison: SideBySide | None


class ReadinessDocument(msgspec.Struct, frozen=True, kw_only=True, rename={"old": "from", "new": "to"}):
    """The findings of a run.

    Parameters:
        format: increased if the form changes incompatibly.
        command: the command that ran, without passwords.
        again: by stage and pair, the command that repeats it.
        interrupted: whether stages are missing because the run was interrupted.
        counts: the number of behaviors, by answer.
        looked_at: by stage and pair, the numbers of items that were looked at.
        accepted: the number of findings that the baseline accepts.
        files_not_looked_at: files of given directories that no reader of the option takes, by suffix.
        afterwards: the script to run after the upgrade; empty without the stage ``upgrade``.
        accepted_findings: the findings that the baseline accepts, for ``pgfeatures merge``.
        runs: the report of each stage for each pair of versions, for ``pgfeatures merge``.
    """

    format: Literal[1]
    old: str
    new: str
    command: str
    again: Mapping[str, str]
    fail_on: FailOn
    interrupted: bool
    counts: Mapping[str, int]
    looked_at: Mapping[str, Mapping[str, int]]
    accepted: int
    findings: tuple[FindingObject, ...]
    behaviors: tuple[BehaviorVerdict, ...]
    not_looked_at: tuple[NotLookedAt, ...]
    files_not_looked_at: tuple[PassedOver, ...] = ()
    problems: tuple[str, ...]
    afterwards: str
    accepted_findings: tuple[Finding, ...]
    runs: tuple[StageRun, ...]


def readiness_document(found: Readiness, asked: ReadinessAsked) -> ReadinessDocument:
    """Return the findings for ``--json``, and each stage's report for ``pgfeatures merge``."""
    answers: Counter[str] = Counter(each.answer for each in found.answers)
    return ReadinessDocument(
        format=FORMAT,
        old=asked.old,
        new=asked.new,
        command=asked.command,
        again=asked.again,
        fail_on=asked.fail_on,
        interrupted=asked.interrupted,
        counts={answer: answers[answer] for answer in ANSWERS},
        looked_at={f"{run.stage} {run.pair}": dict(run.report.counts) for run in found.runs},
        accepted=len(found.accepted),
        findings=tuple(map(_object, found.findings)),
        behaviors=found.answers,
        not_looked_at=found.not_looked_at,
        files_not_looked_at=found.passed_over,
        problems=found.problems,
        afterwards=found.afterwards,
        accepted_findings=found.accepted,
        runs=tuple(replace(run, report=replace(run.report, executed=())) for run in found.runs),
    )


def _object(finding: Finding) -> FindingObject:
    place = finding.place
    return FindingObject(
        stage=finding.stage,
        severity=finding.severity,
        certainty=finding.certainty,
        items=finding.items,
        behavior=finding.behavior,
        file=place.file if place else None,
        line=place.line if place else None,
        column=place.column if place else None,
        object=finding.object,
        excerpt=finding.excerpt,
        message=finding.message,
        remedy=finding.remedy,
        proof=finding.proof,
        sqlstate=finding.sqlstate,
        comparison=finding.comparison,
    )
