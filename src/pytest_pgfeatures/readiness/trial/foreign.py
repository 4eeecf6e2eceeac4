"""Tell which statements are none of PostgreSQL: scripts for other databases beside the application's own."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.trial.literals import SYNTAX_ERROR
from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query

_AT_A_WORD = re.compile(rb'syntax error at (?:or near "(?![:%{}$@?#<\[\\])|end of input)')
"""An error where no template and no driver fills in something."""


class Foreign:
    """Answers whether a statement is for another database: each server finds a syntax error in it.

    A statement that only one of them can read is the application's.

    Parameters:
        connect: makes a connection to each server, when there is a first statement.
    """

    def __init__(self, connect: Callable[[], Sequence[psycopg.Connection]]) -> None:
        self._connect = connect
        self._known: dict[str, bool] = {}

    @functools.cached_property
    def _connections(self) -> Sequence[psycopg.Connection]:
        return self._connect()

    def __call__(self, query: Query) -> bool:
        """Whether a statement as it stands in a file is for another database. Nothing is run."""
        if query.inside is not None:
            return False
        if query.sql not in self._known:
            sql = encoded(query.sql)
            self._known[query.sql] = all(_is_misread(each, sql) for each in self._connections)
        return self._known[query.sql]


def _is_misread(connection: psycopg.Connection, sql: bytes) -> bool:
    from psycopg import pq

    result = connection.pgconn.prepare(b"", sql)
    state = result.error_field(pq.DiagnosticField.SQLSTATE) or b""
    message = result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY) or b""
    return state == SYNTAX_ERROR.encode() and _AT_A_WORD.match(message) is not None
