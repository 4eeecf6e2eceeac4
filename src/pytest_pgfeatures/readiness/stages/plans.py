"""The stage ``plans``: both servers plan every statement as in production, and the plans are compared.

With data instead of production's statistics, statements whose plans differ are executed, and the plans measured.
"""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import NamedTuple

import psycopg

from pytest_pgfeatures.plan import Plan, diff, explain
from pytest_pgfeatures.plan.diff import Diff
from pytest_pgfeatures.plan.features import features_of, leading_columns
from pytest_pgfeatures.plan.node import Node
from pytest_pgfeatures.readiness.advice import proof_of
from pytest_pgfeatures.readiness.model import Finding, Found, NotLookedAt, Query, SideBySide
from pytest_pgfeatures.readiness.running.effects import PLANNED, READING, acts_outside, begins_with
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.servers.side import DBNAME, Side, as_in_session
from pytest_pgfeatures.readiness.servers.trial import Trial
from pytest_pgfeatures.readiness.stages.places import shown_at
from pytest_pgfeatures.readiness.stages.queries import has_parameters
from pytest_pgfeatures.readiness.wording import first_of, shortened
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
_OF_PAGES = "SELECT relname FROM pg_class WHERE relkind IN ('r', 'm') AND relpages > 1 AND oid >= 16384"
_BLOCKS = ("Shared Hit", "Shared Read", "Local Hit", "Local Read", "Temp Read", "Temp Written")


def _database(trial: Trial) -> Generator[str, None, tuple[str, frozenset[str], int]]:
    """Return a copy of the application's database with production's statistics, the relations that have these, and
    their number; without statistics, the database, analyzed, and its tables of more than one page."""
    _ = trial.set_up
    if (statistics := trial.inputs.statistics) is None:
        maintenance = trial.both(lambda side: maintained(side, ANALYZE, trial.long))
        for version, ran in zip(trial.pair, maintenance, strict=True):
            for statement, failure in ran.items():
                if failure is not None:
                    said = failure[1].splitlines()[0]
                    yield f"{version} refuses {statement}, and plans without its statistics: {said}"
        with trial.sides[0].connect() as connection:
            return DBNAME, frozenset(name for (name,) in connection.execute(_OF_PAGES)), 0
    for side in trial.sides:
        with side.cluster.connect() as connection:
            connection.execute(f"CREATE DATABASE {TRANSPLANT} TEMPLATE {DBNAME} OWNER {LOADER}".encode())
    results = trial.both(lambda side: transplant(side.cluster, statistics, dbname=TRANSPLANT, partial=True))
    for side in trial.sides:
        side.limit_memory(trial.clusters)  # the servers were restarted
    old, new = (dict.fromkeys(result.problems) for result in results)
    yield from (f"statistics{'' if each in new else f' on {trial.pair.old.major}'}: {each}" for each in old)
    yield from (f"statistics on {trial.pair.new.major}: {each}" for each in new if each not in old)
    names = frozenset(relation.name for relation in statistics.relations)
    return TRANSPLANT, names, min(result.relations for result in results)


def maintained(
    side: Side, statements: Mapping[str, tuple[str, ...]], seconds: float
) -> dict[str, tuple[str, str] | None]:
    """Maintain a database. Return what was run, with the SQLSTATE and message if the server refuses it."""
    with side.connect() as connection, within(connection, seconds):
        return dict(maintain_database(connection, statements))


def _planned(connection: psycopg.Connection, statement: tuple[Query, Parsed], *, generic: bool) -> Plan:
    """The plan for unknown values of the parameters, whose types the old server has found."""
    query, types = statement[0], statement[1].parameters
    as_in_session(connection, query)
    if types and generic:
        connection.execute(encoded(_GENERIC + query.sql), prepare=False)
        return explain(connection, f"EXECUTE pgfeatures_statement({', '.join('NULL' for _ in types)})")
    # no server before 12 can be made to plan for unknown values, and a plan for one is not valid for others
    unknown = {f"${at}": f"((SELECT NULL::{type_})::{type_})" for at, type_ in enumerate(types, 1)}
    parts = (unknown[each.text] if each.kind == "parameter" else each.text for each in tokens(query.sql))
    return explain(connection, "".join(parts))


def _executed(connection: psycopg.Connection, query: Query) -> tuple[int, float]:
    """Execute a statement that only reads. Return the number of blocks that it accessed, and the milliseconds."""
    as_in_session(connection, query)
    connection.execute("SET TRANSACTION READ ONLY")
    for _ in range(2):  # the first run fills caches
        plan = explain(connection, query.sql, analyze=True, buffers=True, timing=False)
    blocks = sum(int(root.data.get(f"{kind} Blocks", 0)) for root in plan.roots for kind in _BLOCKS)
    time = next(plan.summary[key] for key in ("Execution Time", "Total Runtime") if key in plan.summary)
    return blocks, float(time)


_TIE = 0.01
"""Costs that differ by less than this fraction are the same: the planner might have chosen either plan."""
_SHOWN = 6
_LONGEST = 120  # the number of lines and changes that are kept, so that a page of many statements stays small
_WIDEST = 300
_FASTER = "run it on both versions with real data; see whether statistics, an index or planner settings help"


class ComparedPlans(NamedTuple):
    """One statement, planned by both servers."""

    query: Query
    parsed: Parsed
    old: Plan
    new: Plan
    changes: Diff
    costs: tuple[float, float]  # the estimated total ones
    measured: tuple[tuple[int, float], tuple[int, float]] | None = None  # if it was executed; see _executed

    @property
    def growth(self) -> float:
        """The multiple of the measured cost; if it was not measured, of the estimated one."""
        return _growth(*(blocks for blocks, _ in self.measured) if self.measured else self.costs)


def _growth(before: float, after: float) -> float:
    """The cost on the new server as a multiple of the old one's."""
    return after / before if before else 1.0 if not after else 1e9


def look(trial: Trial) -> Iterator[Found]:
    """Have both servers explain every statement, and rank the plans that differ by the growth of their cost."""
    dbname, names, relations = yield from _database(trial)
    accepted = [
        (query, before)
        for query, before, after in zip(trial.statements, *trial.answers, strict=True)
        if query.kind != "expression"  # the plan of one is that of the statement that has it
        and begins_with(PLANNED, query.sql)
        and not (before.refusal or after.refusal)
    ]
    plan = functools.partial(_planned, generic=all(version in _FORCES_GENERIC for version in trial.pair))
    plans = trial.each(accepted, plan, dbname=dbname, stage="plans")
    compared: list[ComparedPlans] = []
    elsewhere = 0
    for (query, parsed), before, after in zip(accepted, *plans, strict=True):
        if isinstance(before, Refusal) or isinstance(after, Refusal):
            refusal = next(each for each in (before, after) if isinstance(each, Refusal))
            yield NotLookedAt(query.place().where, f"no plan: {refusal.message}")
        elif names.isdisjoint(node.relation for node in before):
            elsewhere += 1  # production has other plans on tables as small, and no statistics of the system's
        else:
            old, new = (sum(float(root["Total Cost"]) for root in plan.roots) for plan in (before, after))
            compared.append(ComparedPlans(query, parsed, before, after, diff(before, after), (old, new)))
    differing = [each for each in compared if each.changes]
    if not relations:
        differing = _measured(trial, dbname, differing)
    differing.sort(key=lambda each: -each.growth)
    grown = sum(not each.changes and _growth(*each.costs) > 1 + _TIE for each in compared)
    yield "statements planned", len(compared)
    yield "plans that differ", len(differing)
    yield "of these with costs that tie", sum(abs(_growth(*each.costs) - 1) <= _TIE for each in differing)
    yield "of these executed and measured", sum(each.measured is not None for each in differing)
    yield "equal plans whose cost grows", grown
    yield "only on the system's relations or tables of one page", elsewhere
    yield "relations of production's size", relations
    with trial.sides[1].connect(dbname) as connection:
        leading = leading_columns(connection)
    for each in differing:
        # no command can plan with production's statistics, or for unknown values
        is_proved = not (relations or each.query.inside or has_parameters(each.query.sql))
        yield _finding(trial, each, leading, is_proved=is_proved)


def _measured(trial: Trial, dbname: str, differing: Sequence[ComparedPlans]) -> list[ComparedPlans]:
    """The statements, with the costs of those that only read and need no parameters, executed."""
    chosen = [
        each.query
        for each in differing
        if not (each.parsed.parameters or each.query.inside or acts_outside(each.parsed))
        and begins_with(READING, each.query.sql)
    ]
    found = {
        query: (old, new)
        for query, old, new in zip(chosen, *trial.each(chosen, _executed, dbname=dbname), strict=True)
        if not isinstance(old, Refusal) and not isinstance(new, Refusal)
    }
    return [each._replace(measured=found.get(each.query)) for each in differing]


def _finding(trial: Trial, each: ComparedPlans, leading: Mapping[str, str], *, is_proved: bool) -> Finding:
    """The finding about plans that differ, with the trees, the costs, and the causes of the difference."""
    old, new = trial.pair.old.major, trial.pair.new.major
    cheaper, dearer = (f"{cost:.2f}" for cost in each.costs)
    figures = [("estimated cost", cheaper, dearer)]
    costs = f"{cheaper} on {old}, {dearer} on {new}"
    if each.measured is not None:
        (before, was), (after, is_) = ((str(blocks), f"{time:.2f}") for blocks, time in each.measured)
        figures += [("blocks accessed", before, after), ("milliseconds", was, is_)]
        said = f"{before} blocks accessed on {old}, {after} on {new} ({was} and {is_} ms, estimated costs {costs})"
        head = f"another plan: {said}"
    else:
        times = _growth(*each.costs)
        how = "ties" if times >= 1 - _TIE else f"falls to {times:.0%}"
        how = f"grows {times:.2f} times" if times > 1 + _TIE else how
        head = f"another plan, and its estimated cost {how}: {costs}"
    changes = each.changes.changes
    words = [f"{one.kind} {one.what}" if one.kind in ("added", "removed") else one.what for one in changes]
    causes = features_of(each.old, each.new, trial.pair, leading)
    because = "".join(f" [{cause.text}]" for cause in causes)
    grows = each.growth > 1 + _TIE
    comparison = SideBySide(
        "plans", (str(trial.pair.old), str(trial.pair.new)), tuple(_rows(each.changes)), tuple(figures),
        tuple(first_of([shortened(str(one), _WIDEST) for one in changes], _LONGEST, "... ({} more)")),
        tuple((cause.text, cause.behavior or "") for cause in causes),
    )  # fmt: skip
    # without costs: ANALYZE takes samples of large tables, so that they differ between any two servers
    sql = f"ANALYZE; EXPLAIN (COSTS OFF) {each.query.sql.strip().rstrip(';')}"
    return Finding(
        "plans", "warning" if grows else "note", "may affect",
        f"{head}: {'; '.join(first_of(words, _SHOWN))}{because}",
        _FASTER if grows else "nothing, unless it takes longer with real data",
        behavior=next((cause.behavior for cause in causes if cause.behavior), None),
        object=each.query.inside, proof=proof_of(trial, sql, trial.inputs.loaded) if is_proved else "",
        weight=each.growth, comparison=comparison, **shown_at(each.query),
    )  # fmt: skip


def _rows(both: Diff) -> Iterator[tuple[str, str, str]]:
    """The trees of both plans side by side, with the costs."""
    for (left, sign, right), (before, after) in zip(both.rows[:_LONGEST], both.nodes[:_LONGEST], strict=True):
        yield _with_cost(left, before), sign, _with_cost(right, after)
    if len(both.rows) > _LONGEST:
        more = f"... ({len(both.rows) - _LONGEST} more lines)"
        yield more, " ", more


def _with_cost(line: str, node: Node | None) -> str:
    if node is None:
        return ""
    figures = f"(cost={node['Startup Cost']:.2f}..{node['Total Cost']:.2f} rows={node['Plan Rows']})"
    return f"{shortened(line, _WIDEST)}  {figures}"
