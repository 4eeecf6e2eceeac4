"""Split a text with several statements into one query for each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.model import Query


def each_statement(query: Query) -> Iterator[Query]:
    """The statements of a text; the query itself if it is a single statement."""
    if ";" not in query.sql.rstrip().rstrip(";"):
        yield query
        return
    found = statements(query.sql, psql=False)
    if len(found) < 2:
        yield query
        return
    for statement in found:
        line = query.sql.count("\n", 0, statement.start)
        last = line + statement.sql.count("\n") + 1
        columns = list(query.columns[line:last])
        if columns:
            columns[0] += statement.start - (query.sql.rfind("\n", 0, statement.start) + 1)
        yield replace(query, sql=statement.sql, lines=query.lines[line:last], columns=tuple(columns))
