"""The findings of readiness as a JSON document for other programs, and for ``pgfeatures merge``, which reads it.

The classes are the format: ``make schemas`` writes the JSON Schema from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from pytest_pgfeatures.readiness.model import (
    FAIL_ON,
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
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.readiness.options import ReadinessOptions
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


class ReadinessAsked(msgspec.Struct, frozen=True, rename={"old": "from", "new": "to"}):
    """The options of a run, or of several, as :class:`ReadinessDocument` has them."""

    old: str
    new: str
    command: str
    again: Mapping[str, str] = {}
    fail_on: FailOn = "affects"
    interrupted: bool = False

    @staticmethod
    def by(
        options: ReadinessOptions, runs: Iterable[StageRun], *, interrupted: bool = False
    ) -> ReadinessAsked:
        """The options that concern the stages that ran."""
        again = {f"{run.stage} {run.pair}": options.command(run.stage) for run in runs}
        return ReadinessAsked(
            options.old, options.new, options.command(), again, options.fail_on, interrupted
        )

    @staticmethod
    def together(runs: Sequence[ReadinessAsked]) -> ReadinessAsked:
        """The options of several runs together. The strictest ``fail_on`` counts."""
        return ReadinessAsked(
            ",".join(dict.fromkeys(asked.old for asked in runs)),
            ",".join(dict.fromkeys(asked.new for asked in runs)),
            " and ".join(dict.fromkeys(asked.command for asked in runs)),
            {key: command for asked in runs for key, command in asked.again.items()},
            max((asked.fail_on for asked in runs), key=FAIL_ON.index),
            any(asked.interrupted for asked in runs),
        )


class ReadinessDocument(ReadinessAsked, frozen=True, kw_only=True):
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
        **msgspec.structs.asdict(asked),
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
    """The finding with the parts of its place, which are null if it has none."""
    values: dict[str, Any] = {
        each.name: getattr(finding, each.name, getattr(finding.place, each.name, None))
        for each in fields(FindingObject)
    }
    return FindingObject(**values)
