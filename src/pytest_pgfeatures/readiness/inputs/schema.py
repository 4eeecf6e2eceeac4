"""Read the statements of ``--schema``: dumps in any format, SQL files, directories of migrations in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.files import NO_READER, found
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.scripts.archive import is_archive
from pytest_pgfeatures.scripts.migrations import SQL_SUFFIXES, applied, reverts
from pytest_pgfeatures.scripts.source import read_script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.inputs.reading import InputReading
    from pytest_pgfeatures.readiness.inputs.sql_files import Loadable

_DUMPED_BY = re.compile(r"^-- Dumped from database version (\d+(?:\.\d+)*)", re.MULTILINE)


def read_schema(given: str, reading: InputReading) -> Iterator[Loadable]:
    """The statements of one argument of ``--schema``.

    A file of a directory that an earlier one included is not read again.

    Raises:
        ScriptError: a file isn't SQL.
        PgFeaturesError: there is no such file.
    """
    return _read(given, "schema", reading, reading.variables)


def read_data(given: str, reading: InputReading) -> Iterator[Loadable]:
    """The statements of one argument of ``--data``; see :func:`read_schema`."""
    return _read(given, "data", reading)


def _read(
    given: str,
    kind: Literal["schema", "data"],
    reading: InputReading,
    variables: dict[str, str] | None = None,
) -> Iterator[Loadable]:
    reader = SqlReader(kind, reading.resolver, problems=reading.problems, variables=variables)
    path = Path(given)
    if path.exists() and is_archive(path):
        yield from reader.file(path, given)
        return
    for file, name in found(given, kind, _why_not, reading.problems):
        if file.resolve() in reader.already:
            continue
        yield from reader.text(applied(read_script(file, reading.resolver)), name, file.parent)


def dumped_from(given: str) -> str | None:
    """The version of the server that a plain dump comes from; None if the dump does not name it."""
    path = Path(given)
    if not path.is_file():
        return None
    match = _DUMPED_BY.search(read_regular(path, 4096).decode("utf-8", "replace"))
    return match[1] if match else None


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is a migration."""
    if path.suffix.lower() not in SQL_SUFFIXES:
        return NO_READER
    return "they revert others" if reverts(path) else ""
