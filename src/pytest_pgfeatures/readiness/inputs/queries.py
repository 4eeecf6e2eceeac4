"""Read the statements of ``--queries``: SQL files, source code, server logs, and exports of pg_stat_statements.

https://www.postgresql.org/docs/current/runtime-config-logging.html
https://www.postgresql.org/docs/current/pgstatstatements.html
"""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import LIMIT, largest_input, read_regular, read_regular_text
from pytest_pgfeatures.readiness.inputs.files import NO_READER, InputReading, SearchedText, of_each
from pytest_pgfeatures.readiness.inputs.languages import lacking, language_of
from pytest_pgfeatures.readiness.inputs.source_code import read_source
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader, each_statement
from pytest_pgfeatures.readiness.inputs.texts import place_in
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.scripts.migrations import SQL_SUFFIXES

Logged = Iterator[tuple[int, str, str]]  # the messages of a server, each with its line and DETAIL
_BEGINNING = 1 << 16  # the number of characters that are read to recognize a format
_LOG_NAME = re.compile(r".*\.(?:log|csv|json|jsonlog)(?:[.-]\d+)?", re.IGNORECASE)
_LOGGED = re.compile(r"^[^\n]*LOG:  (?:duration|statement|execute|parse)\b", re.MULTILINE)
_SQL_IN_JSON = re.compile(rb'"(?:select|with|insert|update|delete)\s+\w', re.IGNORECASE)
_COUNTED = frozenset({"queryid", "calls", "userid"})
"""Columns of pg_stat_statements. An export in a directory has one of them beside ``query``."""
_VALUES = frozenset({".xml", ".ini", ".yml", ".yaml"})  # the suffixes of files whose values may be statements
_SENT = re.compile(
    r"(?:duration: [0-9.]++ ms  )?(?:plan:\s*+(?P<plan>.*)|(?:statement|(?:execute|parse) [^:\n]*+): (?P<sql>.*))",
    re.DOTALL,
)
_JSON_OF_PLAN = re.compile(r'"Query Text"\s*+:\s*+(?P<sql>"(?>(?:[^"\\]++|\\.)*)")')
_OTHER_TEXT_OF_PLAN = re.compile(r"(?:<Query-Text>|Query Text: \")(?P<sql>[^<\"]*+)")
_NODE = re.compile(r"^[^\S\n]*+[A-Z][\w ]*+.*\(cost=", re.MULTILINE)
_SEVERITY = re.compile(
    r"(?P<severity>LOG|DEBUG[1-5]?|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY|LOCATION)"
    r":  (?P<message>.*)",
    re.DOTALL,
)
_PARAMETERS = re.compile(r"parameters: (?P<values>.*)", re.DOTALL | re.IGNORECASE)
"""Since 16, the server capitalizes it."""
_VALUE = re.compile(r"\$\d++ = (NULL|'((?>(?:[^']++|'')*))'(\.\.\.)?)")
_SEVERITY_FIELD, _MESSAGE, _FIELDS = 11, 13, 23  # indexes of fields of a CSV log, and their number
_LOOKED_AT = 200  # the number of lines that are read until one has to have a severity
_QUERY = re.compile(r'"query"\s*+:\s*+("(?>(?:[^"\\]++|\\.)*)")')
HIDDEN = "<insufficient privilege>"
_CONSTANT = re.compile(r"'[^']*+'|\b\d++(?:\.\d++)?\b|\$\d++")
_SPACE = re.compile(r"\s++")
_MOST = 100_000  # the maximum number of different statements to keep from one file


def read_queries(given: str, reading: InputReading) -> Iterator[Query | SearchedText]:
    """The statements, and literals that may be some, of one argument of ``--queries``; meta-commands by file."""
    reader = SqlReader("query", reading.resolver, problems=reading.problems)
    reading.already |= reading.loaded
    reader.already = reading.already

    def statements(path: Path, name: str) -> Iterator[Query]:
        named = path.resolve() in reading.loaded and path == Path(given)
        if path.resolve() in reading.already and not named:
            return
        match _format(path)[0]:
            case "sql":
                yield from (each.query for each in reader.file(path, name))
            case "log":
                yield from _distinct(read_log(path, name), reading.problems)
            case "export":
                read = _in_json if path.suffix.lower() == ".json" else _in_csv
                yield from _distinct(read(path, name), reading.problems)
            case "binary":
                raise PgFeaturesError(f"{name} is no text", remedy="name SQL, logs, exports or source code")
            case _:
                yield from read_source(path, name)

    yield from of_each(given, _why_not, reading, statements, "there is no SQL file and no source code in it")
    for file, said in reader.commands.items():
        yield SearchedText(file, "\n".join(said.get(number, "") for number in range(1, max(said) + 1)))


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    if language := language_of(path):
        return lacking(language)
    if path.suffix.lower() not in SQL_SUFFIXES | _VALUES and not _LOG_NAME.fullmatch(path.name):
        return NO_READER
    try:
        return "" if _format(path)[1] else "they are no logs or exports of pg_stat_statements"
    except OSError:
        return ""  # reading the file reports why it can't be read


def _format(path: Path) -> tuple[str, bool]:
    """The format of a file by its suffix and beginning, and whether it certainly has statements."""
    suffix = path.suffix.lower()
    if suffix in SQL_SUFFIXES:
        return "sql", True
    if suffix in _VALUES or language_of(path):
        return "source code", True
    beginning = read_regular(path, _BEGINNING).decode("utf-8", "replace").lstrip("\ufeff")
    first = beginning.partition("\n")[0]
    if "\0" in beginning:
        return "binary", False
    columns = set(next(csv.reader([first]), []))
    if _reader_of(first) is not _of_stderr:
        return "log", True
    if suffix == ".csv" or "query" in columns:
        return "export", "query" in columns and not _COUNTED.isdisjoint(columns)
    if suffix == ".json":
        counts = '"query"' in beginning and any(f'"{name}"' in beginning for name in _COUNTED)
        is_export = counts or beginning.lstrip().startswith("[")
        has_statements = counts or _SQL_IN_JSON.search(read_regular(path)) is not None
        return "export" if is_export else "source code", has_statements
    return "log", _LOGGED.search(beginning) is not None


def read_log(path: Path, name: str) -> Iterator[Query]:
    """The statements of a log."""
    read = _reader_of(next(_lines_of(path, name), ""))
    for line, message, detail in read(path, name):
        sql, _ = sent_in(message)
        if sql is not None and sql.strip():
            count = sql.count("\n") + 1
            lines = (line,) * count if read is _of_json else tuple(range(line, line + count))
            yield Query(sql, "log", name, lines, values=values_in(detail))


def _lines_of(path: Path, name: str, newline: str | None = None) -> Iterator[str]:
    """The lines of a file, of which none may be longer than input files."""
    most = largest_input()
    with path.open(encoding="utf-8", errors="surrogateescape", newline=newline) as file:
        while line := file.readline(most + 1):
            _check_length(len(line), name)
            yield line


def _check_length(characters: int, name: str) -> None:
    """Check the length of a line, or of a message of several lines."""
    if characters > (most := largest_input()):
        raise PgFeaturesError(
            f"{name} has a line or a message of more than {most >> 20} MB",
            remedy=f"name a file without it, or set {LIMIT}={2 * most >> 20} in the environment to raise the limit",
        )


def _rows_of_csv(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file in CSV, each with the number of its first line."""
    csv.field_size_limit(1 << 24)
    rows = csv.reader(_lines_of(path, name, newline=""))
    line = 0
    try:
        for row in rows:
            first, line = line + 1, rows.line_num
            yield first, row
    except csv.Error as error:
        raise PgFeaturesError(f"{name}:{rows.line_num} is no CSV: {error}") from None


def _reader_of(first_line: str) -> Callable[[Path, str], Logged]:
    """The function that reads a server log that begins with this line."""
    if first_line.startswith("{") and '"error_severity"' in first_line:
        return _of_json
    fields = next(csv.reader([first_line[:_BEGINNING]]), [])
    is_csv = len(fields) > _MESSAGE and first_line[:4].isdigit() and fields[_SEVERITY_FIELD].isupper()
    return _of_csv if is_csv else _of_stderr


def _distinct(queries: Iterator[Query], problems: list[str]) -> Iterator[Query]:
    """The first of statements that differ only in constants. A hash of each is stored, not the text."""
    seen: set[int] = set()
    for query in queries:
        key = hash(_SPACE.sub(" ", _CONSTANT.sub("?", query.sql)))
        if key in seen or query.sql == HIDDEN:
            continue
        if len(seen) == _MOST:
            problems.append(f"{query.file} has more than {_MOST} different statements; others are left out")
            return
        seen.add(key)
        yield from each_statement(query)


def sent_in(message: str) -> tuple[str | None, str | None]:
    """The statement in a message of log_statement, log_min_duration_statement or auto_explain, and its plan."""
    match = _SENT.match(message)
    plan = match and match["plan"]
    if match is None or plan is None:
        return match and match["sql"], None
    if found := _JSON_OF_PLAN.search(plan):
        return str(json.loads(found["sql"], strict=False)), plan
    if plan.startswith("Query Text: "):
        return _NODE.split(plan.removeprefix("Query Text: "), maxsplit=1)[0], plan
    found = _OTHER_TEXT_OF_PLAN.search(plan)
    return found and found["sql"], plan


def values_in(detail: str) -> tuple[str | None, ...]:
    """The parameters' values in a DETAIL; none if one of them is cut off (log_parameter_max_length)."""
    match = _PARAMETERS.match(detail)
    found = _VALUE.findall(match["values"]) if match else []
    if any(cut for _, _, cut in found):
        return ()
    return tuple(None if text == "NULL" else quoted.replace("''", "'") for text, quoted, _ in found)


def _of_stderr(path: Path, name: str) -> Logged:
    """The messages of the server, each with its line and DETAIL. Continuation lines begin with a tab."""
    begun, length, some = 0, 0, False
    said: dict[str, list[str]] = {}
    current: list[str] = []
    for number, line in enumerate(itertools.chain(_lines_of(path, name), [""]), 1):
        if line.startswith("\t"):
            length += len(line)
            _check_length(length, name)
            current.append(line[1:])
            continue
        match = _SEVERITY.search(line)
        some = some or match is not None
        if not some and number > _LOOKED_AT:
            break
        severity, current = (match["severity"], [match["message"]]) if match else ("", [])
        if severity == "DETAIL" and "LOG" in said:
            said[severity] = current
            continue
        if "LOG" in said:
            message, detail = ("".join(said.get(each, ())).removesuffix("\n") for each in ("LOG", "DETAIL"))
            yield begun, message, detail
        begun, length, said = number, len(line), {severity: current}
    if not some:
        raise PgFeaturesError(
            f"{name} is no server log: no line has a severity such as LOG:",
            remedy="name a log that PostgreSQL wrote, in the format of stderr, csvlog or jsonlog",
        )


def _of_csv(path: Path, name: str) -> Logged:
    for line, row in rows_of_log(path, name):
        if row[_SEVERITY_FIELD] == "LOG":
            yield line, row[_MESSAGE], row[_MESSAGE + 1]


def rows_of_log(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """The lines of a log in CSV, each with its number; those that were cut off are left out."""
    return ((line, row) for line, row in _rows_of_csv(path, name) if len(row) >= _FIELDS)


def _of_json(path: Path, name: str) -> Logged:
    for number, line in enumerate(_lines_of(path, name), 1):
        try:
            found = json.loads(line)
        except ValueError:
            if not line.strip():
                continue
            raise PgFeaturesError(f"{name}:{number} is no JSON", remedy="name a log of jsonlog") from None
        if isinstance(found, dict) and found.get("error_severity") == "LOG":
            yield number, str(found.get("message", "")), str(found.get("detail", ""))


def _in_csv(path: Path, name: str) -> Iterator[Query]:
    rows = _rows_of_csv(path, name)
    _, head = next(rows, (0, []))
    if "query" not in head:
        raise PgFeaturesError(
            f"{name} has no column query",
            remedy="export pg_stat_statements with its header: COPY ... CSV HEADER",
        )
    at = head.index("query")
    for line, row in rows:
        if len(row) > at:
            first = line + sum(field.count("\n") for field in row[:at])
            yield Query(row[at], "statistics", name, tuple(range(first, first + row[at].count("\n") + 1)))


def _in_json(path: Path, name: str) -> Iterator[Query]:
    text = read_regular_text(path, errors="surrogateescape")
    found = list(_QUERY.finditer(text))
    if not found:
        raise PgFeaturesError(
            f"{name} has no statements of pg_stat_statements",
            remedy='write them as JSON objects with a member "query", or name a server log in JSON',
        )
    for match in found:
        with contextlib.suppress(ValueError):
            sql = json.loads(match[1], strict=False)
            line, _ = place_in(text, match.start(1))
            yield Query(sql, "statistics", name, (line,) * (sql.count("\n") + 1))
