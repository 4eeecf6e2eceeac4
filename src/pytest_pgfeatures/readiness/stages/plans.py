"""The stage ``plans``: both servers plan every statement as in production, and the plans are compared.

With data instead of production's statistics, statements whose plans differ are executed, and the plans measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import psycopg

from pytest_pgfeatures.plan import Plan, diff, explain
from pytest_pgfeatures.plan.diff import Diff
from pytest_pgfeatures.plan.features import PlanFeature, features_of, leading_columns
from pytest_pgfeatures.plan.node import Node
from pytest_pgfeatures.readiness.advice import proof_of
from pytest_pgfeatures.readiness.model import (
    Finding,
    Found,
    NotLookedAt,
    Query,
    SideBySide,
    VersionPair,
    reporting,
)
from pytest_pgfeatures.readiness.running.effects import PLANNED, READING, acts_outside, begins_with
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, as_in_session
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.places import first_of, shortened, shown_at
from pytest_pgfeatures.readiness.stages.queries import has_parameters
from pytest_pgfeatures.scripts.privileges import LOADER
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.maintenance import ANALYZE, maintain_database
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.statistics.transplant import DBNAME as TRANSPLANT
from pytest_pgfeatures.statistics.transplant import transplant
from pytest_pgfeatures.version import VersionSet

_FORCES_GENERIC = VersionSet(">=12")
"""The versions that have plan_cache_mode: https://www.postgresql.org/docs/release/12.0/."""
_GENERIC = "DEALLOCATE ALL; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE pgfeatures_statement AS "
_WITH_ROWS = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'm') AND reltuples > 0 AND oid >= 16384"
_BLOCKS = ("Shared Hit", "Shared Read", "Local Hit", "Local Read", "Temp Read", "Temp Written")


class ActualCost(NamedTuple):
    """The cost of a plan's execution. The duration varies from run to run; the number of blocks hardly does."""

    blocks: int  # that it accessed, temporary files included
    milliseconds: float


class PlanDatabase(NamedTuple):
    """The database in which statements are planned."""

    dbname: str
    names: frozenset[str]
    """The relations with production's statistics; without statistics, the tables that have rows."""
    problems: tuple[str, ...]
    relations: int = 0  # with production's statistics


def database_for_plans(trial: Trial) -> PlanDatabase:
    """A copy of the application's database with production's statistics; without these, the database, analyzed."""
    _ = trial.set_up
    statistics = trial.inputs.statistics
    if statistics is None:
        maintenance = trial.both(lambda side: maintained(side, ANALYZE, trial.long))
        problems = [
            f"{version} refuses {statement}, and plans without its statistics: {failure[1].splitlines()[0]}"
            for version, ran in zip(trial.pair, maintenance, strict=True)
            for statement, failure in ran.items()
            if failure is not None
        ]
        with trial.sides[0].connect() as connection:
            filled = frozenset(name for (name,) in connection.execute(_WITH_ROWS))
        return PlanDatabase(DBNAME, filled, tuple(problems))
    for side in trial.sides:
        with side.cluster.connect() as connection:
            connection.execute(f"CREATE DATABASE {TRANSPLANT} TEMPLATE {DBNAME} OWNER {LOADER}".encode())
    results = trial.both(lambda side: transplant(side.cluster, statistics, dbname=TRANSPLANT, partial=True))
    for side in trial.sides:
        side.limit_memory(trial.clusters)  # the servers were restarted
    old, new = (dict.fromkeys(result.problems) for result in results)
    problems = [f"statistics{'' if each in new else f' on {trial.pair.old.major}'}: {each}" for each in old]
    problems += [f"statistics on {trial.pair.new.major}: {each}" for each in new if each not in old]
    names = frozenset(relation.name for relation in statistics.relations)
    return PlanDatabase(TRANSPLANT, names, tuple(problems), min(result.relations for result in results))


def maintained(
    side: Side, statements: Mapping[str, tuple[str, ...]], seconds: float
) -> dict[str, tuple[str, str] | None]:
    """Maintain a database. Return what was run, with the SQLSTATE and message if the server refuses it."""
    with side.connect() as connection, within(connection, seconds):
        return dict(maintain_database(connection, statements))


def plan_all(
    trial: Trial, dbname: str, statements: Sequence[tuple[Query, Parsed]]
) -> tuple[list[Plan | Refusal], list[Plan | Refusal]]:
    """The plans of both servers, for unknown values of the parameters, whose types the old server has found."""
    generic = trial.pair.old in _FORCES_GENERIC and trial.pair.new in _FORCES_GENERIC

    def plan(connection: psycopg.Connection, statement: tuple[Query, Parsed]) -> Plan:
        query, types = statement[0], statement[1].parameters
        as_in_session(connection, query)
        if types and generic:
            connection.execute(encoded(_GENERIC + query.sql), prepare=False)
            return explain(connection, f"EXECUTE pgfeatures_statement({', '.join('NULL' for _ in types)})")
        # no server before 12 can be made to plan for unknown values, and a plan for one is not valid for others
        unknown = {f"${at}": f"((SELECT NULL::{type_})::{type_})" for at, type_ in enumerate(types, 1)}
        parts = (unknown[each.text] if each.kind == "parameter" else each.text for each in tokens(query.sql))
        return explain(connection, "".join(parts))

    return trial.each(statements, plan, dbname=dbname, stage="plans")


def measured(connection: psycopg.Connection, query: Query) -> ActualCost:
    """Execute a statement that only reads."""
    as_in_session(connection, query)
    connection.execute("SET TRANSACTION READ ONLY")
    for _ in range(2):  # the first run fills caches
        plan = explain(connection, query.sql, analyze=True, buffers=True, timing=False)
    blocks = sum(int(root.data.get(f"{kind} Blocks", 0)) for root in plan.roots for kind in _BLOCKS)
    time = next(plan.summary[key] for key in ("Execution Time", "Total Runtime") if key in plan.summary)
    return ActualCost(blocks, float(time))


_TIE = 0.01
"""Costs that differ by less than this fraction are the same: the planner might have chosen either plan."""
_SHOWN = 6
_LONGEST = 120  # the number of lines and changes that are kept, so that a page of many statements stays small
_WIDEST = 300
_FASTER = (
    "run it with real data on both versions; "
    "see whether statistics, an index or a setting of the planner helps"
)


class ComparedPlans(NamedTuple):
    """One statement, planned by both servers, with the costs if the plans were executed."""

    query: Query
    old: Plan
    new: Plan
    changes: Diff
    measured: tuple[ActualCost, ActualCost] | None = None

    @property
    def costs(self) -> tuple[float, float]:
        """The estimated total costs of both plans."""
        old, new = (sum(float(root["Total Cost"]) for root in plan.roots) for plan in (self.old, self.new))
        return old, new

    @property
    def estimated(self) -> float:
        """The estimated cost on the new server as a multiple of the old one's."""
        return _growth(*self.costs)

    @property
    def growth(self) -> float:
        """The multiple of the measured cost; if it was not measured, of the estimated one."""
        return _growth(*(each.blocks for each in self.measured)) if self.measured else self.estimated

    @property
    def ties(self) -> bool:
        return abs(self.estimated - 1) <= _TIE


def _growth(before: float, after: float) -> float:
    return after / before if before else 1.0 if not after else 1e9


@reporting("plans")
def look(trial: Trial) -> Iterator[Found]:
    """Have both servers explain every statement, and rank the plans that differ by the growth of their cost."""
    where = database_for_plans(trial)
    yield from where.problems
    accepted = [
        (query, before)
        for query, before, after in zip(trial.statements, *trial.answers, strict=True)
        if query.kind != "expression"  # the plan of one is that of the statement that has it
        and begins_with(PLANNED, query.sql)
        and not (before.refusal or after.refusal)
    ]
    compared: list[ComparedPlans] = []
    elsewhere = 0
    for (query, _), before, after in zip(accepted, *plan_all(trial, where.dbname, accepted), strict=True):
        if isinstance(before, Refusal) or isinstance(after, Refusal):
            refusal = next(each for each in (before, after) if isinstance(each, Refusal))
            yield NotLookedAt(query.place().where, f"no plan: {refusal.message}")
        elif where.names.isdisjoint(node.relation for node in before):
            elsewhere += 1  # production has no plans on empty tables, and no statistics of the system's
        else:
            compared.append(ComparedPlans(query, before, after, diff(before, after)))
    differing = [each for each in compared if each.changes]
    if not where.relations:
        differing = _measured(trial, where.dbname, differing, dict(accepted))
    differing.sort(key=lambda each: -each.growth)
    grown = [each for each in compared if not each.changes and each.estimated > 1 + _TIE]
    yield "statements planned", len(compared)
    yield "plans that differ", len(differing)
    yield "of these with costs that tie", sum(each.ties for each in differing)
    yield "of these executed and measured", sum(each.measured is not None for each in differing)
    yield "equal plans whose cost grows", len(grown)
    yield "only on the system's relations or tables without rows", elsewhere
    yield "relations of production's size", where.relations
    with trial.sides[1].connect(where.dbname) as connection:
        leading = leading_columns(connection)
    for each in differing:
        proof = ""
        # no command can plan with production's statistics, or for unknown values
        if not (where.relations or each.query.inside or has_parameters(each.query.sql)):
            # without costs: ANALYZE takes samples of large tables, so that they differ between any two servers
            sql = f"ANALYZE; EXPLAIN (COSTS OFF) {each.query.sql.strip().rstrip(';')}"
            proof = proof_of(trial, sql, trial.inputs.loaded)
        yield _finding(trial, each, proof, leading)


def _measured(
    trial: Trial, dbname: str, differing: Sequence[ComparedPlans], parsed: Mapping[Query, Parsed]
) -> list[ComparedPlans]:
    """The statements, with the costs of those that only read and need no parameters, executed."""
    chosen = [
        query
        for query in (each.query for each in differing)
        if not parsed[query].parameters and query.inside is None
        and begins_with(READING, query.sql) and not acts_outside(parsed[query])
    ]  # fmt: skip
    found = {
        query: (old, new)
        for query, old, new in zip(chosen, *trial.each(chosen, measured, dbname=dbname), strict=True)
        if not isinstance(old, Refusal) and not isinstance(new, Refusal)
    }
    return [each._replace(measured=found.get(each.query)) for each in differing]


def _finding(trial: Trial, each: ComparedPlans, proof: str, leading: Mapping[str, str]) -> Finding:
    old, new = trial.pair.old.major, trial.pair.new.major
    costs = f"{each.costs[0]:.2f} on {old}, {each.costs[1]:.2f} on {new}"
    if each.measured is not None:
        before, after = each.measured
        head = (
            f"another plan: {before.blocks} blocks accessed on {old}, {after.blocks} on {new}"
            f" ({before.milliseconds:.2f} and {after.milliseconds:.2f} ms, estimated costs {costs})"
        )
    elif each.ties:
        head = f"another plan, whose estimated cost ties: {costs}"
    elif each.estimated > 1:
        head = f"another plan, and its estimated cost grows {each.estimated:.2f} times: {costs}"
    else:
        head = f"another plan, and its estimated cost falls to {each.estimated:.0%}: {costs}"
    changes = [
        f"{change.kind} {change.what}" if change.kind in ("added", "removed") else change.what
        for change in each.changes.changes
    ]
    changes = first_of(changes, _SHOWN)
    causes = features_of(each.old, each.new, trial.pair, leading)
    because = "".join(f" [{cause.text}]" for cause in causes)
    grows = each.growth > 1 + _TIE
    return Finding(
        "plans", "warning" if grows else "note", "may affect", f"{head}: {'; '.join(changes)}{because}",
        _FASTER if grows else "nothing, unless it takes longer with real data",
        behavior=next((cause.behavior for cause in causes if cause.behavior), None),
        object=each.query.inside, proof=proof, weight=each.growth,
        comparison=_comparison_of(each, causes, trial.pair), **shown_at(each.query),
    )  # fmt: skip


def _comparison_of(compared: ComparedPlans, causes: Sequence[PlanFeature], pair: VersionPair) -> SideBySide:
    """The plan trees, the costs, the blocks if the plans were executed, and the causes of the difference."""
    both = compared.changes
    rows = [
        (_with_cost(left, before), sign, _with_cost(right, after))
        for (left, sign, right), (before, after) in zip(both.rows, both.nodes, strict=True)
    ]
    if len(rows) > _LONGEST:
        more = f"... ({len(rows) - _LONGEST} more lines)"
        rows[_LONGEST:] = [(more, " ", more)]
    changes = first_of([shortened(str(each), _WIDEST) for each in both.changes], _LONGEST, "... ({} more)")
    old, new = (f"{cost:.2f}" for cost in compared.costs)
    figures = [("estimated cost", old, new)]
    if compared.measured is not None:
        before, after = compared.measured
        figures.append(("blocks accessed", str(before.blocks), str(after.blocks)))
        figures.append(("milliseconds", f"{before.milliseconds:.2f}", f"{after.milliseconds:.2f}"))
    shown_causes = tuple((cause.text, cause.behavior or "") for cause in causes)
    versions = str(pair.old), str(pair.new)
    return SideBySide("plans", versions, tuple(rows), tuple(figures), tuple(changes), shown_causes)


def _with_cost(line: str, node: Node | None) -> str:
    if node is None:
        return ""
    figures = f"(cost={node['Startup Cost']:.2f}..{node['Total Cost']:.2f} rows={node['Plan Rows']})"
    return f"{shortened(line, _WIDEST)}  {figures}"
