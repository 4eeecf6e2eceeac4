"""Read exports of pg_stat_statements: CSV with a header, and JSON.

https://www.postgresql.org/docs/current/pgstatstatements.html
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.distinct import Distinct
from pytest_pgfeatures.readiness.inputs.lines import lines_of
from pytest_pgfeatures.readiness.model import Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_QUERY = re.compile(r'"query"\s*+:\s*+("(?>(?:[^"\\]++|\\.)*)")')
_HIDDEN = "<insufficient privilege>"
_LONGEST_FIELD = 1 << 24


def read_statistics_csv(path: Path, name: str) -> Iterator[Query]:
    """The statements of a CSV export, from its column ``query``.

    Raises:
        PgFeaturesError: it has no such column, or isn't CSV.
    """
    distinct = Distinct()
    csv.field_size_limit(_LONGEST_FIELD)
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        rows = csv.reader(lines_of(file, name))
        head = next(rows, [])
        if "query" not in head:
            raise PgFeaturesError(
                f"{name} has no column query",
                remedy="export pg_stat_statements with its header: COPY ... CSV HEADER",
            )
        at = head.index("query")
        line = rows.line_num
        try:
            for row in rows:
                first, line = line + 1, rows.line_num
                if len(row) <= at or row[at] == _HIDDEN:
                    continue
                first += sum(field.count("\n") for field in row[:at])
                if distinct.is_new(row[at]):
                    yield _query(row[at], name, first)
        except csv.Error as error:
            raise PgFeaturesError(f"{name}:{rows.line_num} is no CSV: {error}") from None


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


def _query(sql: str, name: str, first: int) -> Query:
    return Query(sql, "statistics", name, tuple(range(first, first + sql.count("\n") + 1)))
