"""Read the statements of ``--queries``: SQL files, pg_stat_statements, server logs, literals in source code."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.files import NO_READER, found, report_unread
from pytest_pgfeatures.readiness.inputs.languages import lacking, language_of
from pytest_pgfeatures.readiness.inputs.logs import is_csv_log, is_json_log, read_log
from pytest_pgfeatures.readiness.inputs.source_code import read_ini, read_source
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.inputs.statistics import read_statistics_csv, read_statistics_json
from pytest_pgfeatures.readiness.inputs.xml_files import read_xml
from pytest_pgfeatures.scripts.migrations import SQL_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.model import Problems, Query

_BEGINNING = 1 << 16
_LOG_NAME = re.compile(r".*\.(?:log|csv|json|jsonlog)(?:[.-]\d+)?", re.IGNORECASE)
_LOGGED = re.compile(r"^[^\n]*LOG:  (?:duration|statement|execute|parse)\b", re.MULTILINE)
_COUNTED = frozenset({"queryid", "calls", "userid"})
"""Columns of pg_stat_statements. An export in a directory has one of them beside ``query``."""
_READERS: Mapping[str, Callable[[Path, str], Iterator[Query]]] = {".xml": read_xml, ".ini": read_ini}
"""By suffix, the readers of formats without a grammar of tree-sitter."""


class Statements(NamedTuple):
    """The statements in the files of ``--queries``.

    Parameters:
        literals: string literals of source code that may be statements.
        commands: psql's meta-commands, by file: its text without everything else.
    """

    queries: list[Query]
    literals: list[Query]
    commands: list[tuple[str, str]]


def read_queries(
    given: Sequence[str],
    resolver: Callable[[], Resolver],
    problems: Problems,
    loaded: Collection[Path] = (),
) -> Statements:
    """The statements of all arguments of ``--queries``.

    A file that can't be read is reported as a problem, and the others are still read.

    Parameters:
        loaded: files of the schema and the data, which are not read again where a directory has them, too.
    """
    queries: list[Query] = []
    literals: list[Query] = []
    reader = SqlReader("query", resolver, placeholders=True, problems=problems)
    reader.already.update(loaded)
    for argument in given:
        some = False
        for path, name in found(argument, "queries", _why_not, problems):
            some = True
            if path.resolve() in reader.already and (str(path) != argument or path.resolve() not in loaded):
                continue
            try:
                read_texts = read_source if language_of(path) else _READERS.get(path.suffix.lower())
                if read_texts is not None:
                    literals.extend(read_texts(path, name))
                else:
                    queries.extend(_statements(path, name, reader, problems))
            except (PgFeaturesError, OSError) as error:
                report_unread(problems, "queries", argument, path, error)
        if not some:
            line = f"--queries {argument}: there is no SQL file and no source code in it"
            problems.not_read("queries", line)
    return Statements(queries, literals, [(file, _lines(said)) for file, said in reader.commands.items()])


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    language = language_of(path)
    if language is not None:
        return lacking(language)
    if path.suffix.lower() in _READERS or _has_statements(path):
        return ""
    return (
        "they are no logs or exports of pg_stat_statements" if _LOG_NAME.fullmatch(path.name) else NO_READER
    )


def _has_statements(path: Path) -> bool:
    """Whether a file of a directory is SQL, a server log, or an export of pg_stat_statements."""
    if path.suffix.lower() in SQL_SUFFIXES:
        return True
    if not _LOG_NAME.fullmatch(path.name):
        return False
    try:
        beginning = read_regular(path, _BEGINNING).decode("utf-8", "replace").lstrip("\ufeff")
    except OSError:
        return True  # reading the file reports why it can't be read
    first = beginning.partition("\n")[0]
    if is_csv_log(first) or is_json_log(first) or _LOGGED.search(beginning):
        return True
    columns = set(next(csv.reader([first]), []))
    exported = '"query"' in beginning and any(f'"{name}"' in beginning for name in _COUNTED)
    return (
        exported if ".json" in path.name.lower() else "query" in columns and not _COUNTED.isdisjoint(columns)
    )


def _statements(path: Path, name: str, reader: SqlReader, problems: list[str]) -> Iterator[Query]:
    suffix = path.suffix.lower()
    beginning = read_regular(path, _BEGINNING)
    first = beginning.split(b"\n", 1)[0].decode("utf-8", "replace").lstrip("\ufeff")
    if suffix in SQL_SUFFIXES:
        yield from (each.query for each in reader.file(path, name))
    elif b"\0" in beginning:
        raise PgFeaturesError(f"{name} is no text", remedy="name SQL files, logs, exports or source code")
    elif is_csv_log(first) or is_json_log(first):
        yield from read_log(path, name, problems)
    elif suffix == ".csv" or "query" in next(csv.reader([first]), []):
        yield from read_statistics_csv(path, name)
    elif suffix == ".json":
        yield from read_statistics_json(path, name)
    else:
        yield from read_log(path, name, problems)


def _lines(commands: Mapping[int, str]) -> str:
    """Meta-commands as a text in which they keep their lines."""
    return "\n".join(commands.get(number, "") for number in range(1, max(commands) + 1))
