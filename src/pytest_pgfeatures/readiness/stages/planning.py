"""Have both servers plan statements in a database that has production's statistics, or the data that was loaded."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.readiness.inputs.production import statistics_of
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.session import as_in_session
from pytest_pgfeatures.readiness.servers.side import DBNAME
from pytest_pgfeatures.scripts.privileges import LOADER
from pytest_pgfeatures.server.maintenance import analyze_database
from pytest_pgfeatures.server.watchdog import Watchdog, within
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.statistics.transplant import DBNAME as TRANSPLANT
from pytest_pgfeatures.statistics.transplant import transplant
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

_FORCES_GENERIC = VersionSet(">=12")
"""The versions that have plan_cache_mode: https://www.postgresql.org/docs/release/12.0/."""
_NAME = "pgfeatures_statement"
_SECONDS = 600.0
"""The shortest time limit of ANALYZE, in seconds."""
_WITH_ROWS = """
    SELECT DISTINCT relname FROM pg_catalog.pg_class
     WHERE relkind IN ('r', 'm') AND reltuples > 0 AND relnamespace NOT IN (
           SELECT oid FROM pg_catalog.pg_namespace WHERE nspname ~ '^pg_' OR nspname = 'information_schema')
"""


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, and its estimated cost."""

    plan: Plan

    @property
    def cost(self) -> float:
        """The estimated total cost of all its queries."""
        return sum(float(root["Total Cost"]) for root in self.plan.roots)


class PlanDatabase(NamedTuple):
    """The database in which statements are planned.

    Parameters:
        relations: the number of relations with production's statistics; 0 without statistics.
        names: the relations with statistics; without statistics, the tables that have rows.
    """

    dbname: str
    relations: int = 0
    problems: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    def covers(self, plan: Plan) -> bool:
        """Whether one of a plan's relations has production's statistics, or rows.

        The system's catalogs have no such statistics, and production has no plans on empty tables.
        """
        used = {node.relation for node in plan if node.relation is not None}
        return not used or not self.names.isdisjoint(used)


def database_for_plans(trial: Trial) -> PlanDatabase:
    """A copy of the application's database with production's statistics, or that database with its data analyzed.

    Raises:
        StatisticsError: the statistics could not be read or put in place.
    """
    _ = trial.loaded, trial.set_up
    production = trial.inputs.production
    if production.statistics is None and not production.error:

        def analyze(side: Side) -> list[str]:
            version = side.install.version
            with side.connect() as connection, within(connection, max(trial.timeout, _SECONDS)):
                return [
                    f"{version} refuses {statement}, and plans without its statistics: {failure[1].splitlines()[0]}"
                    for statement, failure in analyze_database(connection)
                    if failure is not None
                ]

        refused = itertools.chain(*trial.both(analyze))
        with trial.sides[0].connect() as connection:
            filled = frozenset(name for (name,) in connection.execute(_WITH_ROWS))
        return PlanDatabase(DBNAME, problems=tuple(refused), names=filled)
    statistics = statistics_of(production)
    for side in trial.sides:
        with side.cluster.connect() as connection:
            connection.execute(f"CREATE DATABASE {TRANSPLANT} TEMPLATE {DBNAME} OWNER {LOADER}".encode())
    old, new = trial.both(lambda side: transplant(side.cluster, statistics, dbname=TRANSPLANT, partial=True))
    for side in trial.sides:
        side.limit_memory(trial.clusters)  # the servers were restarted
    names = frozenset(relation.name for relation in statistics.relations)
    problems = []
    for problem in dict.fromkeys((*old.problems, *new.problems)):
        sides = [
            str(side.install.version.major)
            for side, result in zip(trial.sides, (old, new), strict=True)
            if problem in result.problems
        ]
        problems.append(
            f"statistics: {problem}" if len(sides) == 2 else f"statistics on {sides[0]}: {problem}"
        )
    return PlanDatabase(TRANSPLANT, min(old.relations, new.relations), tuple(problems), names)


def plan_all(
    trial: Trial, dbname: str, statements: Sequence[tuple[Query, Parsed]]
) -> tuple[list[Planned | Refusal], list[Planned | Refusal]]:
    """The plans of both servers, for unknown values of the parameters.

    Parameters:
        statements: statements that both servers accept, with the old one's answer about their parameters.
    """
    generic = all(side.install.version in _FORCES_GENERIC for side in trial.sides)

    def plan(side: Side) -> list[Planned | Refusal]:
        found: list[Planned | Refusal] = []
        with side.connect(dbname) as connection, Watchdog(connection, trial.timeout) as watchdog:
            if generic:
                connection.execute("SET plan_cache_mode = force_generic_plan")
            for number, (query, parsed) in enumerate(statements, 1):
                with watchdog.statement():
                    planned = _plan(connection, query, parsed, generic=generic)
                found.append(planned.known_to(watchdog) if isinstance(planned, Refusal) else planned)
                if side is trial.sides[0]:
                    trial.progress("plans", number, len(statements))
        return found

    return trial.both(plan)


def _plan(
    connection: psycopg.Connection, query: Query, parsed: Parsed, *, generic: bool
) -> Planned | Refusal:
    try:
        with connection.transaction(force_rollback=True):
            as_in_session(connection, query)
            if not parsed.parameters:
                return Planned(explain(connection, query.sql))
            if not generic:
                return Planned(explain(connection, _with_unknown(query.sql, parsed.parameters)))
            connection.execute(f"PREPARE {_NAME} AS {query.sql}".encode("utf-8", "surrogateescape"))
            nulls = ", ".join("NULL" for _ in parsed.parameters)
            return Planned(explain(connection, f"EXECUTE {_NAME}({nulls})"))
    except psycopg.Error as error:
        if connection.closed:
            raise
        return Refusal.of(error)
    finally:
        if generic and parsed.parameters and not connection.closed:
            connection.execute("DEALLOCATE ALL")


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
