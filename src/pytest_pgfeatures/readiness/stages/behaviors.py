"""The stage ``incompatibilities``: whether each behavior that breaks something concerns the application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.incompatibilities import find
from pytest_pgfeatures.readiness.model import BehaviorAnswer, NotLookedAt, StageReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.trial import PairTrial

ANSWERS = ("affects", "may affect", "does not", "not looked at")


def look(trial: PairTrial, others: Sequence[Finding]) -> StageReport:
    """Ask of each behavior whether it concerns the application.

    Parameters:
        others: what the other stages found.
    """
    application = trial.application

    def ask(query: str) -> Iterable[tuple[object, ...]]:
        with trial.sides[0].connect() as connection:
            return connection.execute(query.encode()).fetchall()

    found = find(application, trial.pair, ask if trial.inputs.loads else None, others)
    answers = tuple(
        BehaviorAnswer(each.subject, each.items, each.title, each.answer, each.reason) for each in found.verdicts
    )
    missed = tuple(
        NotLookedAt(each.behavior, each.reason) for each in answers if each.answer == ANSWERS[-1]
    )
    counts = tuple((answer, sum(each.answer == answer for each in answers)) for answer in ANSWERS)
    return StageReport(
        "incompatibilities", found.findings, counts, not_looked_at=missed, answers=answers, explained=found.explained
    )
