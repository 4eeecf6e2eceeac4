"""Execute statements whose plans differ, in a database that has data, and measure both plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import psycopg

from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.readiness.running.effects import OUTSIDE, begins_as_query
from pytest_pgfeatures.readiness.servers.session import as_in_session
from pytest_pgfeatures.server.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.parsing import Parsed
    from pytest_pgfeatures.readiness.servers.side import Side
    from pytest_pgfeatures.readiness.servers.trial import Trial

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


def can_be_measured(query: Query, parsed: Parsed) -> bool:
    """Whether a statement only reads, and needs no parameters."""
    return (
        not parsed.parameters
        and query.inside is None
        and begins_as_query(query.sql)
        and OUTSIDE.search(query.sql) is None
    )


def measure_all(
    trial: Trial, dbname: str, queries: Sequence[Query]
) -> tuple[list[ActualCost | None], list[ActualCost | None]]:
    """Execute statements on both servers, in read-only transactions that are rolled back.

    Returns:
        for each server, the costs of each statement; None if it failed, wrote, or took too long.
    """

    def measure(side: Side) -> list[ActualCost | None]:
        found: list[ActualCost | None] = []
        with side.connect(dbname) as connection, Watchdog(connection, trial.timeout) as watchdog:
            for query in queries:
                with watchdog.statement():
                    found.append(_measured(connection, query))
        return found

    return trial.both(measure)


def _measured(connection: psycopg.Connection, query: Query) -> ActualCost | None:
    try:
        with connection.transaction(force_rollback=True):
            as_in_session(connection, query)
            connection.execute("SET TRANSACTION READ ONLY")
            for _ in range(2):  # the first run fills caches
                plan = explain(connection, query.sql, analyze=True, buffers=True, timing=False)
            return ActualCost(_blocks(plan), _milliseconds(plan))
    except psycopg.Error:
        if connection.closed:
            raise
        return None


def _milliseconds(plan: Plan) -> float:
    return float(
        next(plan.summary[key] for key in ("Execution Time", "Total Runtime") if key in plan.summary)
    )


def _blocks(plan: Plan) -> int:
    return sum(int(root.data.get(key, 0)) for root in plan.roots for key in _BLOCKS)
