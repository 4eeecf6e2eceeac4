"""The stage ``plans``: both servers plan every statement as in production, and the plans are compared.

With data instead of production's statistics, statements whose plans differ are executed, and the plans measured.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.plan import diff
from pytest_pgfeatures.readiness.model import Finding, NotLookedAt, StageReport
from pytest_pgfeatures.readiness.proofs import with_data
from pytest_pgfeatures.readiness.servers.loading import Refusal, without_comments
from pytest_pgfeatures.readiness.stages.places import excerpt_at
from pytest_pgfeatures.readiness.stages.plan_causes import causes_of, leading_columns
from pytest_pgfeatures.readiness.stages.plan_comparison import ComparedPlans, comparison_of
from pytest_pgfeatures.readiness.stages.plan_measuring import can_be_measured, measure_all
from pytest_pgfeatures.readiness.stages.planning import (
    PlanDatabase,
    database_for_plans,
    plan_all,
)
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.trial import Trial

_PLANNED = re.compile(r"(?:select|insert|update|delete|merge|values|with|table)\b", re.IGNORECASE)
TIE = 0.01
"""Costs that differ by less than this fraction are the same: the planner might have chosen either plan."""
_SHOWN = 6


def look(trial: Trial) -> StageReport:
    """Have both servers explain every statement, and rank the plans that differ by the growth of their cost."""
    queries = [query for query in trial.statements if _PLANNED.match(without_comments(query.sql))]
    where = database_for_plans(trial)
    parsed = trial.parsed(queries)
    accepted = [
        (query, before)
        for query, before, after in zip(queries, *parsed, strict=True)
        if before.refusal is None and after.refusal is None
    ]
    old, new = plan_all(trial, where.dbname, accepted)
    compared: list[ComparedPlans] = []
    not_looked_at: list[NotLookedAt] = []
    elsewhere = 0
    for (query, _), before, after in zip(accepted, old, new, strict=True):
        if isinstance(before, Refusal) or isinstance(after, Refusal):
            refusal = before if isinstance(before, Refusal) else after
            assert isinstance(refusal, Refusal)
            place = query.place(0)
            not_looked_at.append(NotLookedAt(f"{place.file}:{place.line}", f"no plan: {refusal.message}"))
            continue
        if not where.covers(before.plan):
            elsewhere += 1
            continue
        compared.append(ComparedPlans(query, before, after, diff(before.plan, after.plan)))
    differing = [each for each in compared if each.changes]
    if not where.relations:
        differing = _measured(trial, where.dbname, differing, dict(accepted))
    differing.sort(key=lambda each: -each.growth)
    tied = sum(_ties(each) for each in differing)
    counts = (
        ("statements planned", len(compared)),
        ("plans that differ", len(differing)),
        ("of these with costs that tie", tied),
        ("of these executed and measured", sum(each.measured is not None for each in differing)),
        (
            "equal plans whose cost grows",
            sum(not each.changes and each.estimated > 1 + TIE for each in compared),
        ),
        ("only on the system's relations or tables without rows", elsewhere),
        ("relations of production's size", where.relations),
    )
    with trial.sides[1].connect(where.dbname) as connection:
        leading = leading_columns(connection)
    findings = tuple(_finding(trial, each, _proof(trial, each.query, where), leading) for each in differing)
    return StageReport("plans", findings, counts, where.problems, tuple(not_looked_at))


def _measured(
    trial: Trial, dbname: str, differing: Sequence[ComparedPlans], parsed: Mapping[Query, Parsed]
) -> list[ComparedPlans]:
    chosen = [each for each in differing if can_be_measured(each.query, parsed[each.query])]
    measured = zip(*measure_all(trial, dbname, [each.query for each in chosen]), strict=True)
    found = {
        each.query: (old, new)
        for each, (old, new) in zip(chosen, measured, strict=True)
        if old is not None and new is not None
    }
    return [each._replace(measured=found.get(each.query)) for each in differing]


def _ties(each: ComparedPlans) -> bool:
    return abs(each.estimated - 1) <= TIE


def _proof(trial: Trial, query: Query, where: PlanDatabase) -> str:
    """A command that shows both plans.

    No command can plan with production's statistics, or for unknown values. Costs are left out: those of
    large tables differ between any two servers, because ANALYZE takes samples.
    """
    if where.relations or query.inside or any(token.kind == "parameter" for token in tokens(query.sql)):
        return ""
    return with_data(trial, f"ANALYZE; EXPLAIN (COSTS OFF) {query.sql.strip().rstrip(';')}")


def _finding(trial: Trial, each: ComparedPlans, proof: str, leading: Mapping[str, str]) -> Finding:
    old, new = trial.pair.old.major, trial.pair.new.major
    costs = f"{each.old.cost:.2f} on {old}, {each.new.cost:.2f} on {new}"
    if each.measured is not None:
        before, after = each.measured
        head = (
            f"another plan: {before.blocks} blocks accessed on {old}, {after.blocks} on {new}"
            f" ({before.milliseconds:.2f} and {after.milliseconds:.2f} ms, estimated costs {costs})"
        )
    elif _ties(each):
        head = f"another plan, whose estimated cost ties: {costs}"
    elif each.estimated > 1:
        head = f"another plan, and its estimated cost grows {each.estimated:.2f} times: {costs}"
    else:
        head = f"another plan, and its estimated cost falls to {each.estimated:.0%}: {costs}"
    changes = [
        f"{change.kind} {change.what}" if change.kind in ("added", "removed") else change.what
        for change in each.changes.changes
    ]
    summary = "; ".join(changes[:_SHOWN]) + (
        f"; and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    )
    causes = causes_of(each.old.plan, each.new.plan, trial.pair, leading)
    because = "".join(f" [{cause.text}]" for cause in causes)
    grows = each.growth > 1 + TIE
    return Finding(
        "plans",
        "warning" if grows else "note",
        "may affect",
        f"{head}: {summary}{because}",
        "run it with real data on both versions; see whether statistics, an index or a setting of the planner helps"
        if grows
        else "nothing, unless it takes longer with real data",
        behavior=next((cause.behavior for cause in causes if cause.behavior), None),
        place=each.query.place(len(each.query.sql) - len(each.query.sql.lstrip())),
        object=each.query.inside,
        excerpt=excerpt_at(each.query.sql),
        proof=proof,
        weight=each.growth if each.growth != float("inf") else 1e9,
        comparison=comparison_of(each, causes, trial.pair),
    )
