"""Find the statements that a suite sent in the application's files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.suite.recorded import known_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.readiness.model import Place, Query


class Sources:
    """The statements of the application's files, by their keys.

    Parameters:
        queries: the files' statements; of several with the same key, the first counts.
    """

    def __init__(self, queries: Iterable[Query]) -> None:
        self._known: dict[str, Query] = {}
        for query in queries:
            self._known.setdefault(known_by(query.sql), query)

    def place(self, key: str, sql: str, position: int = 0) -> Place | None:
        """The place of a statement in the files.

        Parameters:
            sql: as it was sent.
            position: a character of it, from 1; 0 for its first.
        """
        query = self._known.get(key)
        if query is None:
            return None
        at = position - 1 if position else len(sql) - len(sql.lstrip())
        return placed_at(query, sql).place(at)

    def find(self, key: str) -> Query | None:
        """The statement in the files that has a key."""
        return self._known.get(key)


def placed_at(query: Query, sql: str) -> Query:
    """A statement as the suite sent it, at the place of one in the files. Its lines are the files', if it has
    as many."""
    lines = sql.count("\n") + 1
    if query.sql.count("\n") + 1 == lines:
        return replace(query, sql=sql, kind="log", names=(), values=())
    return replace(
        query, sql=sql, kind="log", lines=(query.lines[0],) * lines, columns=(), names=(), values=()
    )
