"""Have both servers plan statements in a database that has production's statistics, or the data that was loaded.

In one that has data, statements are executed, too, and their plans measured.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.readiness.servers.side import DBNAME, as_in_session
from pytest_pgfeatures.scripts.privileges import LOADER
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.maintenance import ANALYZE, maintain_database
from pytest_pgfeatures.server.watchdog import within
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.statistics.transplant import DBNAME as TRANSPLANT
from pytest_pgfeatures.statistics.transplant import transplant
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial
    from pytest_pgfeatures.version import PgMajor

_FORCES_GENERIC = VersionSet(">=12")
"""The versions that have plan_cache_mode: https://www.postgresql.org/docs/release/12.0/."""
_GENERIC = "DEALLOCATE ALL; SET LOCAL plan_cache_mode = force_generic_plan; PREPARE pgfeatures_statement AS "
_SECONDS = 600.0
"""The shortest time limit of ANALYZE, in seconds."""
_WITH_ROWS = """
    SELECT DISTINCT relname FROM pg_catalog.pg_class
     WHERE relkind IN ('r', 'm') AND reltuples > 0 AND relnamespace NOT IN (
           SELECT oid FROM pg_catalog.pg_namespace WHERE nspname ~ '^pg_' OR nspname = 'information_schema')
"""
_BLOCKS = (
    *("Shared Hit Blocks", "Shared Read Blocks", "Local Hit Blocks", "Local Read Blocks"),
    *("Temp Read Blocks", "Temp Written Blocks"),
)


class ActualCost(NamedTuple):
    """The actual cost of a plan.

    Parameters:
        blocks: the blocks that the statement accessed, temporary files included.
        milliseconds: the duration. It varies from run to run; the number of blocks hardly does.
    """

    blocks: int
    milliseconds: float


class PlanDatabase(NamedTuple):
    """The database in which statements are planned.

    Parameters:
        names: the relations with production's statistics; without statistics, the tables that have rows.
        relations: the number of relations with production's statistics; 0 without statistics.
    """

    dbname: str
    names: frozenset[str]
    problems: tuple[str, ...]
    relations: int = 0

    def covers(self, plan: Plan) -> bool:
        """Whether one of a plan's relations has production's statistics, or rows.

        The system's catalogs have no such statistics, production has no plans on empty tables, and what reads no
        relation costs as much in any plan.
        """
        return not self.names.isdisjoint(node.relation for node in plan if node.relation is not None)


def database_for_plans(trial: Trial) -> PlanDatabase:
    """A copy of the application's database with production's statistics, or that database with its data analyzed.

    Raises:
        StatisticsError: the statistics could not be put in place.
    """
    _ = trial.loaded, trial.set_up
    statistics = trial.inputs.statistics
    if statistics is None:
        refused = itertools.chain(*trial.both(lambda side: _analyze(side, trial.timeout)))
        with trial.sides[0].connect() as connection:
            filled = frozenset(name for (name,) in connection.execute(_WITH_ROWS))
        return PlanDatabase(DBNAME, filled, tuple(refused))
    for side in trial.sides:
        with side.cluster.connect() as connection:
            connection.execute(f"CREATE DATABASE {TRANSPLANT} TEMPLATE {DBNAME} OWNER {LOADER}".encode())
    results = trial.both(lambda side: transplant(side.cluster, statistics, dbname=TRANSPLANT, partial=True))
    for side in trial.sides:
        side.limit_memory(trial.clusters)  # the servers were restarted
    majors: dict[str, list[PgMajor]] = {}
    for side, result in zip(trial.sides, results, strict=True):
        for problem in dict.fromkeys(result.problems):
            majors.setdefault(problem, []).append(side.install.version.major)
    problems = [
        f"statistics{f' on {on[0]}' if len(on) == 1 else ''}: {problem}" for problem, on in majors.items()
    ]
    names = frozenset(relation.name for relation in statistics.relations)
    return PlanDatabase(TRANSPLANT, names, tuple(problems), min(result.relations for result in results))


def _analyze(side: Side, timeout: float) -> list[str]:
    """Analyze the application's database. Return what the server refuses."""
    with side.connect() as connection, within(connection, max(timeout, _SECONDS)):
        return [
            f"{side.install.version} refuses {statement}, and plans without its statistics:"
            f" {failure[1].splitlines()[0]}"
            for statement, failure in maintain_database(connection, ANALYZE)
            if failure is not None
        ]


def plan_all(
    trial: Trial, dbname: str, statements: Sequence[tuple[Query, Parsed]]
) -> tuple[list[Plan | Refusal], list[Plan | Refusal]]:
    """The plans of both servers, for unknown values of the parameters.

    Parameters:
        statements: statements that both servers accept, with the old one's answer about their parameters.
    """
    generic = all(side.install.version in _FORCES_GENERIC for side in trial.sides)

    def plan(connection: psycopg.Connection, statement: tuple[Query, Parsed]) -> Plan:
        query, types = statement[0], statement[1].parameters
        as_in_session(connection, query)
        if not types or not generic:
            return explain(connection, _with_unknown(query.sql, types) if types else query.sql)
        connection.execute(encoded(_GENERIC + query.sql), prepare=False)
        return explain(connection, f"EXECUTE pgfeatures_statement({', '.join('NULL' for _ in types)})")

    return trial.each(statements, plan, dbname=dbname, stage="plans")


def _with_unknown(sql: str, types: Sequence[str]) -> str:
    """A statement in which a value that the planner can't know replaces each parameter.

    No server before 12 can be made to plan for unknown values, and a plan for one value is not valid for others.
    """
    return "".join(
        f"((SELECT NULL::{types[int(token.text[1:]) - 1]})::{types[int(token.text[1:]) - 1]})"
        if token.kind == "parameter"
        else token.text
        for token in tokens(sql)
    )


def measured(connection: psycopg.Connection, query: Query) -> ActualCost:
    """Execute a statement.

    Raises:
        psycopg.Error: it fails, or writes.
    """
    as_in_session(connection, query)
    connection.execute("SET TRANSACTION READ ONLY")
    for _ in range(2):  # the first run fills caches
        plan = explain(connection, query.sql, analyze=True, buffers=True, timing=False)
    blocks = sum(int(root.data.get(key, 0)) for root in plan.roots for key in _BLOCKS)
    time = next(plan.summary[key] for key in ("Execution Time", "Total Runtime") if key in plan.summary)
    return ActualCost(blocks, float(time))
