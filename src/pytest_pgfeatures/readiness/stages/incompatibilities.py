"""The stage ``incompatibilities``: find a verdict for each behavior that breaks between the two versions."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.evidence.find import find
from pytest_pgfeatures.readiness.model import BehaviorAnswer, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.trial.foreign import Foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import psycopg

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.trial.trial import PairTrial


def look(trial: PairTrial) -> StageReport:
    """Search the inputs for what breaks, and the old server's catalogs if there is a schema."""
    with contextlib.ExitStack() as stack:

        def connect() -> tuple[psycopg.Connection, psycopg.Connection]:
            old, new = (stack.enter_context(side.connect()) for side in trial.sides)
            return old, new

        foreign = Foreign(connect)
        if "schema" not in trial.inputs.application.given:
            return _report(trial, None, foreign)
        _ = trial.loaded, trial.set_up
        connection = stack.enter_context(trial.sides[0].connect())

        def rows(query: str) -> Iterable[tuple[object, ...]]:
            return connection.execute(query.encode()).fetchall()

        return _report(trial, rows, foreign)


def _report(
    trial: PairTrial,
    rows: Callable[[str], Iterable[tuple[object, ...]]] | None,
    foreign: Callable[[Query], bool],
) -> StageReport:
    found = find(trial.application, trial.pair, rows, trial.found, trial.inputs.behaviors, foreign)
    not_looked_at = tuple(
        NotLookedAt(f"{verdict.subject}: {verdict.title}", verdict.reason)
        for verdict in found.verdicts
        if verdict.answer == "not looked at"
    )
    counts = tuple(found.counts.items())
    answers = tuple(
        BehaviorAnswer(each.subject, each.items, each.title, each.answer, each.reason)
        for each in found.verdicts
    )
    return StageReport("incompatibilities", found.findings, counts, (), not_looked_at, answers)
