"""The rule that what both servers answer alike is no finding: what the old one refuses as well, and equal values of
calls with constants."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.servers.literals import SYNTAX_ERROR
from pytest_pgfeatures.readiness.servers.loading import Refusal, checked, refused, undone
from pytest_pgfeatures.readiness.servers.parsing import is_definition
from pytest_pgfeatures.readiness.statements.context import StatementContext
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog

_AT_A_WORD = re.compile(r'syntax error at (?:or near "(?![:%{}$@?#<\[\\])|end of input)')
"""An error where no template and no driver fills in something."""
_BY_ITSELF = frozenset({
    "0A000", "22007", "22008", "22023", "22P02", "42611", "42803", "42809", "42P10", "42P16", "42P19", "42P20",
})  # fmt: skip
"""Errors in what a statement says: with other objects, types of parameters or rights, it would be refused, too."""
_SHOWN = 5


def is_refused_by_both(sql: str, before: Refusal | None, after: Refusal | None) -> bool:
    """Whether both servers refuse a statement, and the new one for no further reason: it does not reject the text,
    and it lacks an object or a privilege if the old one does, or a conversion in place of a function."""
    if before is None or after is None:
        return False
    # the text of the statement, not that of a script or function that it runs; 0A000: it is not supported
    by_text = [
        each.position is not None and each.position < len(sql) and each.sqlstate in (SYNTAX_ERROR, "0A000")
        for each in (before, after)
    ]
    if any(by_text):
        return by_text != [False, True]
    if after.is_limit or after.sqlstate == NOT_ALLOWED:
        return True
    lacks = after.lacks_object or after.sqlstate == "42846"  # cannot_coerce
    return before.sqlstate != NOT_ALLOWED and (lacks or not before.lacks_object)


def said_once(refused: Iterable[tuple[Place, str]]) -> Iterator[tuple[str, str]]:
    """For each reason why statements are refused, their places, and the reason."""
    places: dict[str, dict[str, None]] = {}
    for place, why in refused:
        places.setdefault(why, {})[place.where] = None
    for why, found in places.items():
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        yield f"{', '.join([*found][:_SHOWN])}{more}", why


def without_objects(
    statements: Iterable[tuple[Query, Refusal | None, Refusal | None]],
) -> dict[tuple[str, int], str]:
    """By the lines of definitions that both servers refuse because no input has an object: what they say. Only the
    definitions' text shows what of them changes."""
    return {
        (query.file, line): before.message
        for query, before, after in statements
        if before is not None and before.lacks_object and is_refused_by_both(query.sql, before, after)
        and is_definition(query)
        for line in query.lines
    }  # fmt: skip


def refused_before(old: Watchdog, known: Mapping[str, Refusal | None]) -> Callable[[Query], bool]:
    """The question whether the old server refuses a statement of a file for what it says, whatever the database
    has. Nothing is run; the refusals of texts that were run are known."""

    @functools.cache
    def refusal_of(sql: str) -> Refusal | None:
        server = old.connection.pgconn
        return refused(old, lambda: checked(old.connection, [server.prepare(b"", encoded(sql))]))

    def ask(query: Query) -> bool:
        if query.inside is not None:
            return False
        refusal = known[query.sql] if query.sql in known else refusal_of(query.sql)
        if refusal is not None and refusal.sqlstate == SYNTAX_ERROR:
            return _AT_A_WORD.match(refusal.message) is not None
        return refusal is not None and refusal.sqlstate in _BY_ITSELF

    return ask


_VOLATILITY = """
    SELECT p.provolatile::text FROM pg_proc p
     WHERE p.oid = %s::regprocedure AND NOT EXISTS (SELECT 1 FROM pg_aggregate a WHERE a.aggfnoid = p.oid)
"""
"""The value of an aggregate depends on the rows, too."""
_VALUE = "SELECT pg_typeof(value)::oid, value::text FROM (SELECT {}) AS called (value)"


def same_values(old: Watchdog, new: Watchdog) -> Callable[[StatementContext, int], bool]:
    """The question whether both servers return the same for the call at a token, because its arguments are
    constants: they find no column. Calls of volatile functions and aggregates, and with queries, are not run."""

    def answer(watchdog: Watchdog, sql: str, *given: str) -> list[tuple[object, ...]] | Refusal:
        return undone(watchdog, lambda connection: connection.execute(encoded(sql), given or None).fetchall())

    @functools.cache
    def asked(sql: str, signature: str) -> bool:
        if answer(old, _VOLATILITY, signature) not in ([("i",)], [("s",)]):
            return False
        before, after = (answer(each, _VALUE.format(sql)) for each in (old, new))
        return not isinstance(before, Refusal) and before == after

    def ask(context: StatementContext, at: int) -> bool:
        begin = context.begin(at)
        chosen = context.analyzed.calls.get(begin)
        signature = chosen.signature if chosen else ""
        closing = context.closing(at + 1) if signature and context.keyword(at + 1) == "(" else at
        words = [context.keyword(each) for each in range(at + 2, closing)]
        if not signature or not words or "select" in words or closing >= len(context.tokens):
            return False
        return asked(context.query.sql[begin : context.tokens[closing].end], signature)

    return ask
