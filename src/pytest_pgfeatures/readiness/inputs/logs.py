"""Read the statements in server logs in the formats stderr, CSV and JSON, including those from auto_explain, and in
exports of pg_stat_statements: CSV with a header, and JSON.

A log is read line by line. Of several statements that differ only in constants, one is kept.

https://www.postgresql.org/docs/current/runtime-config-logging.html
https://www.postgresql.org/docs/current/pgstatstatements.html
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.files import MOST, Distinct, check_length, lines_of, rows_of_csv
from pytest_pgfeatures.readiness.inputs.sql_files import each_statement
from pytest_pgfeatures.readiness.model import Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STATEMENT = re.compile(
    r"(?:duration: [0-9.]++ ms  )?(?:statement|(?:execute|parse) [^:\n]*+): (?P<sql>.*)", re.DOTALL
)
_EXPLAINED = re.compile(r"duration: [0-9.]++ ms  plan:\s*+(?P<plan>.*)", re.DOTALL)
_TEXT_OF_PLAN = re.compile(r"Query Text: (?P<sql>.*)", re.DOTALL)
_JSON_OF_PLAN = re.compile(r'"Query Text"\s*+:\s*+(?P<sql>"(?>(?:[^"\\]++|\\.)*)")')
_OTHER_TEXT_OF_PLAN = re.compile(r"(?:<Query-Text>|Query Text: \")(?P<sql>[^<\"]*+)")
_NODE = re.compile(r"^\s*+[A-Z][\w ]*+.*\(cost=", re.MULTILINE)
_SEVERITY = re.compile(
    r"(?P<severity>LOG|DEBUG[1-5]?|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY|LOCATION)"
    r":  (?P<message>.*)",
    re.DOTALL,
)
_PARAMETERS = re.compile(r"parameters: (?P<values>.*)", re.DOTALL | re.IGNORECASE)
"""Since 16, the server capitalizes it."""
_VALUE = re.compile(r"\$\d++ = (NULL|'((?>(?:[^']++|'')*))'(\.\.\.)?)")
_MESSAGE = 13
"""The index of the message's field in a CSV log."""
_SEVERITY_FIELD = 11
_FIELDS = 23
_BEGINNING = 1 << 12
_LOOKED_AT = 200
"""The number of lines that are read to recognize a log's format."""

_QUERY = re.compile(r'"query"\s*+:\s*+("(?>(?:[^"\\]++|\\.)*)")')
HIDDEN = "<insufficient privilege>"


def is_csv_log(first_line: str) -> bool:
    """Whether a file that begins with this line is a server log in CSV."""
    fields = next(csv.reader([first_line[:_BEGINNING]]), [])
    return len(fields) > _MESSAGE and first_line[:4].isdigit() and fields[_SEVERITY_FIELD].isupper()


def is_json_log(first_line: str) -> bool:
    """Whether a file that begins with this line is a server log in JSON."""
    return first_line.startswith("{") and '"error_severity"' in first_line


def read_log(path: Path, name: str, problems: list[str]) -> Iterator[Query]:
    """The statements of a log.

    Raises:
        PgFeaturesError: the file is not a log in a known format.
    """
    distinct = Distinct()
    first = next(lines_of(path, name), "")
    read = _of_csv if is_csv_log(first) else _of_json if is_json_log(first) else _of_stderr
    for line, message, detail in read(path, name):
        plan = plan_in(message)
        sql = statement_in(message) if plan is None else statement_of(plan)
        if sql is not None and sql.strip() and distinct.is_new(sql):
            count = sql.count("\n") + 1
            lines = (line,) * count if read is _of_json else tuple(range(line, line + count))
            yield from each_statement(Query(sql, "log", name, lines, values=values_in(detail)))
    if distinct.left_out:
        problems.append(f"{name} has more than {MOST} different statements; the others were left out")


def statement_in(message: str) -> str | None:
    """The statement in a message of log_statement or log_min_duration_statement."""
    match = _STATEMENT.match(message)
    return match["sql"] if match else None


def plan_in(message: str) -> str | None:
    """The plan in a message of auto_explain, with its statement."""
    match = _EXPLAINED.match(message)
    return match["plan"] if match else None


def statement_of(plan: str) -> str | None:
    """The statement in a plan of auto_explain, in any format."""
    if found := _JSON_OF_PLAN.search(plan):
        return str(json.loads(found["sql"], strict=False))
    if found := _TEXT_OF_PLAN.match(plan):
        node = _NODE.search(found["sql"])
        return found["sql"][: node.start()] if node else found["sql"]
    found = _OTHER_TEXT_OF_PLAN.search(plan)
    return found["sql"] if found else None


def values_in(detail: str) -> tuple[str | None, ...]:
    """The parameters' values in a DETAIL; none if one of them is cut off (log_parameter_max_length)."""
    match = _PARAMETERS.match(detail)
    if match is None:
        return ()
    found = _VALUE.findall(match["values"])
    if any(cut for _, _, cut in found):
        return ()
    return tuple(None if text == "NULL" else quoted.replace("''", "'") for text, quoted, _ in found)


def _of_stderr(path: Path, name: str) -> Iterator[tuple[int, str, str]]:
    """The messages of the server, each with its line and DETAIL. Continuation lines begin with a tab."""
    begun, length, message, detail, some = 0, 0, list[str](), list[str](), False
    current: list[str] | None = None
    for number, line in enumerate(lines_of(path, name), 1):
        if line.startswith("\t"):
            if current is not None:
                length += len(line)
                check_length(length, name)
                current.append(line[1:].rstrip("\n"))
            continue
        match = _SEVERITY.search(line)
        if match is None and number > _LOOKED_AT and not some:
            break
        some = some or match is not None
        said = [match["message"].rstrip("\n")] if match is not None else []
        if match is not None and match["severity"] == "DETAIL" and message:
            detail = current = said
            continue
        if message:
            yield begun, "\n".join(message), "\n".join(detail)
        message, detail = said if match is not None and match["severity"] == "LOG" else [], []
        begun, length, current = number, len(line), message or None
    if message:
        yield begun, "\n".join(message), "\n".join(detail)
    if not some:
        raise PgFeaturesError(
            f"{name} is no server log: no line has a severity such as LOG:",
            remedy="name a log that PostgreSQL wrote, in the format of stderr, csvlog or jsonlog",
        )


def _of_csv(path: Path, name: str) -> Iterator[tuple[int, str, str]]:
    for line, row in rows_of_log(path, name):
        if row[_SEVERITY_FIELD] == "LOG":
            yield line, row[_MESSAGE], row[_MESSAGE + 1]


def rows_of_log(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a log in CSV, each with its number; those that were cut off are left out.

    https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG
    """
    return ((line, row) for line, row in rows_of_csv(path, name) if len(row) >= _FIELDS)


def _of_json(path: Path, name: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(lines_of(path, name), 1):
        try:
            found = json.loads(line)
        except ValueError:
            if not line.strip():
                continue
            raise PgFeaturesError(f"{name}:{number} is no JSON", remedy="name a log of jsonlog") from None
        if isinstance(found, dict) and found.get("error_severity") == "LOG":
            yield number, str(found.get("message", "")), str(found.get("detail", ""))


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
        if len(row) > at and row[at] != HIDDEN and distinct.is_new(row[at]):
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
        if sql != HIDDEN and distinct.is_new(sql):
            yield Query(sql, "statistics", name, (line,) * (sql.count("\n") + 1))
    if not some:
        raise PgFeaturesError(
            f"{name} has no statements of pg_stat_statements",
            remedy='write them as JSON objects with a member "query", or name a server log in JSON',
        )
