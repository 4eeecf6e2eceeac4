"""The rule that what the old server refuses as well is no finding: the upgrade changes nothing for it.

Scripts for other databases beside the application's own are an example.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.servers.literals import SYNTAX_ERROR
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import psycopg

    from pytest_pgfeatures.readiness.model import Query

_AT_A_WORD = re.compile(r'syntax error at (?:or near "(?![:%{}$@?#<\[\\])|end of input)')
"""An error where no template and no driver fills in something."""
_BY_ITSELF = frozenset({
    "0A000", "22007", "22008", "22023", "22P02", "42611", "42803", "42809", "42P10", "42P16", "42P19", "42P20",
})  # fmt: skip
"""Errors in what a statement says: with other objects, types of parameters or rights, it would be refused, too."""


class RefusedBefore:
    """Answers whether the old server refuses a statement for what it says, whatever the database has.

    Parameters:
        connect: makes a connection to the old server, when there is a first statement.
        known: the refusals of statements that were run on it, by their text.
    """

    def __init__(
        self, connect: Callable[[], psycopg.Connection], known: Mapping[str, Refusal | None]
    ) -> None:
        self._connect = connect
        self._known = dict(known)

    @functools.cached_property
    def _connection(self) -> psycopg.Connection:
        return self._connect()

    def __call__(self, query: Query) -> bool:
        """Whether the old server refuses a statement as it stands in a file. Nothing is run."""
        if query.inside is not None:
            return False
        if query.sql not in self._known:
            self._known[query.sql] = _refusal(self._connection, encoded(query.sql))
        refusal = self._known[query.sql]
        if refusal is None:
            return False
        if refusal.sqlstate == SYNTAX_ERROR:
            return _AT_A_WORD.match(refusal.message) is not None
        return refusal.sqlstate in _BY_ITSELF


def _refusal(connection: psycopg.Connection, sql: bytes) -> Refusal | None:
    import psycopg
    from psycopg import pq

    result = connection.pgconn.prepare(b"", sql)
    if result.status != pq.ExecStatus.FATAL_ERROR:
        return None
    return Refusal.of(psycopg.errors.error_from_result(result))
