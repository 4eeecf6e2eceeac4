"""Read the statements of ``--queries``: SQL files, pg_stat_statements, server logs, literals in source code."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.files import NO_READER, InputReading, SearchedText, of_each
from pytest_pgfeatures.readiness.inputs.languages import lacking, language_of
from pytest_pgfeatures.readiness.inputs.logs import is_csv_log, is_json_log, read_log, read_statistics
from pytest_pgfeatures.readiness.inputs.source_code import read_source
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.scripts.migrations import SQL_SUFFIXES

_BEGINNING = 1 << 16
_LOG_NAME = re.compile(r".*\.(?:log|csv|json|jsonlog)(?:[.-]\d+)?", re.IGNORECASE)
_LOGGED = re.compile(r"^[^\n]*LOG:  (?:duration|statement|execute|parse)\b", re.MULTILINE)
_SQL_IN_JSON = re.compile(rb'"(?:select|with|insert|update|delete)\s+\w', re.IGNORECASE)
_COUNTED = frozenset({"queryid", "calls", "userid"})
"""Columns of pg_stat_statements. An export in a directory has one of them beside ``query``."""
_VALUES = frozenset({".xml", ".ini", ".yml", ".yaml"})  # the suffixes of files whose values may be statements


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
                yield from read_log(path, name, reading.problems)
            case "export":
                yield from read_statistics(path, name, reading.problems)
            case "binary":
                raise PgFeaturesError(
                    f"{name} is no text", remedy="name SQL files, logs, exports or source code"
                )
            case _:
                yield from read_source(path, name)

    nothing = "there is no SQL file and no source code in it"
    yield from of_each(given, _why_not, reading, statements, nothing)
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
    if is_csv_log(first) or is_json_log(first):
        return "log", True
    if suffix == ".csv" or "query" in columns:
        return "export", "query" in columns and not _COUNTED.isdisjoint(columns)
    if suffix == ".json":
        counts = '"query"' in beginning and any(f'"{name}"' in beginning for name in _COUNTED)
        is_export = counts or beginning.lstrip().startswith("[")
        has_statements = counts or _SQL_IN_JSON.search(read_regular(path)) is not None
        return "export" if is_export else "source code", has_statements
    return "log", _LOGGED.search(beginning) is not None
