"""Ask both servers for the value of a call whose arguments are all constants."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.servers.loading import Refusal, tried
from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.server.watchdog import Watchdog

_VOLATILITY = """
    SELECT p.provolatile::text FROM pg_proc p
     WHERE p.oid = %s::regprocedure AND NOT EXISTS (SELECT 1 FROM pg_aggregate a WHERE a.aggfnoid = p.oid)
"""
"""The value of an aggregate depends on the rows, too."""
_VALUE = "SELECT pg_typeof(value)::oid, value::text FROM (SELECT {}) AS called (value)"


def _constant_call(context: StatementContext, at: int) -> tuple[str, str] | None:
    """The text of a call and the signature of its function; None if it has a subquery. What is no constant in it,
    such as a column, the servers don't find.

    Parameters:
        at: the last word of the function's name.
    """
    reading, begin = context.reading, context.begin(at)
    signature = context.analyzed.functions.get(begin)
    closing = reading.closing(at + 1) if signature and reading.keyword(at + 1) == "(" else at
    inside = range(at + 2, closing)
    if not signature or not inside or closing >= len(reading.tokens):
        return None
    if any(reading.keyword(each) == "select" for each in inside):
        return None
    return reading.query.sql[begin : reading.tokens[closing].end], signature


def same_values(
    watched: Callable[[int], tuple[psycopg.Connection, Watchdog]],
) -> Callable[[StatementContext, int], bool]:
    """A function that tells whether both servers return the same for the call at a token, because its arguments
    are constants. They are not asked for volatile functions and aggregates.

    Parameters:
        watched: connects to the old server, 0, or to the new one, 1.
    """

    def answer(number: int, sql: str, *given: str) -> list[tuple[object, ...]] | Refusal:
        connection, watchdog = watched(number)

        def ask() -> list[tuple[object, ...]]:
            with watchdog.statement(), connection.transaction(force_rollback=True):
                return connection.execute(encoded(sql), given or None).fetchall()

        return tried(connection, ask)

    @functools.cache
    def asked(sql: str, signature: str) -> bool:
        if answer(0, _VOLATILITY, signature) not in ([("i",)], [("s",)]):
            return False
        old, new = (answer(number, _VALUE.format(sql)) for number in (0, 1))
        return not isinstance(old, Refusal) and old == new

    return lambda context, at: (call := _constant_call(context, at)) is not None and asked(*call)
