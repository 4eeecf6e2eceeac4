"""Read exports of pg_stat_statements: CSV with a header, and JSON.

https://www.postgresql.org/docs/current/pgstatstatements.html
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.distinct import Distinct
from pytest_pgfeatures.readiness.inputs.lines import rows_of_csv
from pytest_pgfeatures.readiness.model import Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_QUERY = re.compile(r'"query"\s*+:\s*+("(?>(?:[^"\\]++|\\.)*)")')
_HIDDEN = "<insufficient privilege>"


def read_statistics_csv(path: Path, name: str) -> Iterator[Query]:
    """The statements of a CSV export, from its column ``query``.

    Raises:
        PgFeaturesError: it has no such column, or isn't CSV.
    """
    distinct = Distinct()
    rows = rows_of_csv(path, name)
    _, head = next(rows, (0, []))
    if "query" not in head:
        raise PgFeaturesError(
            f"{name} has no column query",
            remedy="export pg_stat_statements with its header: COPY ... CSV HEADER",
        )
    at = head.index("query")
    for line, row in rows:
        if len(row) > at and row[at] != _HIDDEN and distinct.is_new(row[at]):
            first = line + sum(field.count("\n") for field in row[:at])
            yield Query(row[at], "statistics", name, tuple(range(first, first + row[at].count("\n") + 1)))


def read_statistics_json(path: Path, name: str) -> Iterator[Query]:
    """The statements of a JSON export: the members ``query`` of its objects.

    Raises:
        PgFeaturesError: it isn't JSON, or has no such member.
    """
    text = read_regular_text(path, errors="surrogateescape")
    distinct = Distinct()
    line, at, some = 1, 0, False
    for match in _QUERY.finditer(text):
        line += text.count("\n", at, match.start(1))
        at, some = match.start(1), True
        try:
            sql = json.loads(match[1], strict=False)
        except ValueError:
            continue
        if sql != _HIDDEN and distinct.is_new(sql):
            yield Query(sql, "statistics", name, (line,) * (sql.count("\n") + 1))
    if not some:
        raise PgFeaturesError(
            f"{name} has no statements of pg_stat_statements",
            remedy='write them as JSON objects with a member "query", or name a server log in JSON',
        )
