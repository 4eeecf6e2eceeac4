"""Find statements that are not PostgreSQL's: scripts for other databases beside the application's own."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.trial.literals import SYNTAX_ERROR
from pytest_pgfeatures.scripts.source import encoded

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from pytest_pgfeatures.readiness.model import Query

_AT_A_WORD = re.compile(rb'syntax error at (?:or near "(?![:%{}$@?#<\[\\])|end of input)')
"""An error in a place that no template and no driver fills in."""

_OF_OTHERS = re.compile(
    r"\b(?:datetime|(?:tiny|medium)int|(?:tiny|medium|long)(?:text|blob)|n?varchar2|auto_?increment|engine\s*=)\b",
    re.IGNORECASE,
)
"""Types and options of MySQL, SQLite and Oracle, for syntax that the new server accepts, too."""


class Foreign:
    """Answers whether a statement is for another database: each server finds a syntax error in it.

    A statement that only one of them can read is the application's, unless it has types of another database.

    Parameters:
        connect: connects to the old and to the new server, for the first statement.
    """

    def __init__(self, connect: Callable[[], tuple[psycopg.Connection, psycopg.Connection]]) -> None:
        self._connect = connect
        self._known: dict[str, bool] = {}

    @functools.cached_property
    def _connections(self) -> tuple[psycopg.Connection, psycopg.Connection]:
        return self._connect()

    def __call__(self, query: Query) -> bool:
        """Whether a statement, as its file has it, is for another database. Nothing is run."""
        if query.inside is not None:
            return False
        if query.sql not in self._known:
            sql = encoded(query.sql)
            old, new = self._connections
            self._known[query.sql] = _is_misread(old, sql) and (
                _OF_OTHERS.search(query.sql) is not None or _is_misread(new, sql)
            )
        return self._known[query.sql]


def _is_misread(connection: psycopg.Connection, sql: bytes) -> bool:
    from psycopg import pq

    result = connection.pgconn.prepare(b"", sql)
    state = result.error_field(pq.DiagnosticField.SQLSTATE) or b""
    message = result.error_field(pq.DiagnosticField.MESSAGE_PRIMARY) or b""
    return state == SYNTAX_ERROR.encode() and _AT_A_WORD.match(message) is not None
