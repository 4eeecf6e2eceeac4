"""Read the statements in server logs in the formats stderr, CSV and JSON, including those from auto_explain.

A log is read line by line. Of several statements that differ only in constants, one is kept.

https://www.postgresql.org/docs/current/runtime-config-logging.html
"""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.distinct import MOST, Distinct
from pytest_pgfeatures.readiness.inputs.lines import check_length, lines_of, rows_of_csv
from pytest_pgfeatures.readiness.inputs.several import each_statement
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
_FIELDS = 23
_LOOKED_AT = 200
"""The number of lines that are read to recognize a log's format."""


def is_csv_log(first_line: str) -> bool:
    """Whether a file that begins with this line is a server log in CSV."""
    try:
        fields = next(csv.reader([first_line]), [])
        return len(fields) > _MESSAGE and first_line[:4].isdigit() and fields[_MESSAGE - 2].isupper()
    except csv.Error:
        return False


def is_json_log(first_line: str) -> bool:
    """Whether a file that begins with this line is a server log in JSON."""
    try:
        found = json.loads(first_line)
    except ValueError:
        return False
    return isinstance(found, dict) and "error_severity" in found


def read_log(path: Path, name: str, problems: list[str]) -> Iterator[Query]:
    """The statements of a log.

    Raises:
        PgFeaturesError: the file is not a log in a known format.
    """
    distinct = Distinct()
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        first = next(lines_of(file, name), "")
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
    if not message.startswith(("duration: ", "statement: ", "execute ", "parse ")):
        return None
    match = _STATEMENT.match(message)
    return match["sql"] if match else None


def plan_in(message: str) -> str | None:
    """The plan in a message of auto_explain, with its statement."""
    match = _EXPLAINED.match(message) if message.startswith("duration: ") else None
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
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(lines_of(file, name), 1):
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
        if row[11] == "LOG":
            yield line, row[_MESSAGE], row[_MESSAGE + 1]


def rows_of_log(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a log in CSV, each with its number; those that were cut off are left out.

    https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG
    """
    return ((line, row) for line, row in rows_of_csv(path, name) if len(row) >= _FIELDS)


def _of_json(path: Path, name: str) -> Iterator[tuple[int, str, str]]:
    with path.open(encoding="utf-8", errors="surrogateescape") as file:
        for number, line in enumerate(lines_of(file, name), 1):
            try:
                found = json.loads(line)
            except ValueError:
                if not line.strip():
                    continue
                raise PgFeaturesError(f"{name}:{number} is no JSON", remedy="name a log of jsonlog") from None
            if isinstance(found, dict) and found.get("error_severity") == "LOG":
                yield number, str(found.get("message", "")), str(found.get("detail", ""))
