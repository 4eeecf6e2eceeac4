"""Ask both servers for the value of a call whose arguments are all constants."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.servers.loading import Refusal, tried
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager, ExitStack

    import psycopg

    from pytest_pgfeatures.readiness.statements.context import StatementContext

_VOLATILITY = """
    SELECT p.provolatile::text FROM pg_proc p
     WHERE p.oid = %s::regprocedure AND NOT EXISTS (SELECT 1 FROM pg_aggregate a WHERE a.aggfnoid = p.oid)
"""
"""The value of an aggregate depends on the rows, too."""
_VALUE = "SELECT pg_typeof(value)::oid, value::text FROM (SELECT {}) AS called (value)"
_NO_CONSTANTS = frozenset({"select", "default"})


def _constant_call(context: StatementContext, at: int) -> tuple[str, str] | None:
    """The text of a call and the signature of its function; None unless all its arguments are constants.

    Parameters:
        at: the last word of the function's name.
    """
    reading, tree = context.reading, context.tree
    signature = context.analyzed.functions.get(context.begin(at))
    closing = reading.closing(at + 1) if reading.keyword(at + 1) == "(" else at
    inside = range(at + 2, min(closing, len(reading.tokens)))
    if not signature or not inside or closing >= len(reading.tokens):
        return None
    called = {each.at for some in tree.calls.values() for each in some if not each.casts}
    if any(
        each in called
        or each in tree.columns
        or reading.tokens[each].kind == "parameter"
        or reading.keyword(each) in _NO_CONSTANTS
        for each in inside
    ):
        return None
    return reading.query.sql[context.begin(at) : reading.tokens[closing].end], signature


def same_values(
    connect: Sequence[Callable[[], AbstractContextManager[psycopg.Connection]]],
    stack: ExitStack,
    timeout: float,
) -> Callable[[StatementContext, int], bool]:
    """A function that tells whether both servers return the same for the call at a token, because its arguments
    are constants. They are not asked for volatile functions and aggregates.

    Parameters:
        connect: connects to a server each, when there is a first call.
        stack: closes the connections.
        timeout: the time that a call may take, in seconds.
    """

    @functools.cache
    def begun(number: int) -> tuple[psycopg.Connection, Watchdog]:
        connection = stack.enter_context(connect[number]())
        return connection, stack.enter_context(Watchdog(connection, timeout))

    def answer(number: int, sql: str, *given: str) -> list[tuple[object, ...]] | Refusal:
        connection, watchdog = begun(number)

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

    def is_same(context: StatementContext, at: int) -> bool:
        call = _constant_call(context, at)
        return call is not None and asked(*call)

    return is_same
