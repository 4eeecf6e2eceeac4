"""The settings of ``--config``: a ``postgresql.conf`` with its includes, other programs' files, or a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.files import NO_READER, of_each, written
from pytest_pgfeatures.readiness.inputs.server_parameters import READERS, read_server_parameters
from pytest_pgfeatures.readiness.inputs.templates import without_expressions, written_by
from pytest_pgfeatures.readiness.model import Place, SettingUse
from pytest_pgfeatures.settings_file import setting_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.readiness.inputs.reading import InputReading

_MAIN, _AUTO = "postgresql.conf", "postgresql.auto.conf"
_OTHERS = {"pg_hba.conf": "--hba reads them", "pg_ident.conf": "--ident reads them"}


def read_configuration(given: str, reading: InputReading) -> Iterator[SettingUse]:
    """Each line of the file and of the files that it includes; of a directory, those of each file, once."""
    read: set[Path] = set()

    def settings(path: Path, name: str) -> Iterator[SettingUse]:
        if path.resolve() in read:
            return
        if written_by(path).suffix.lower() in READERS:
            yield from read_server_parameters(path, name)
            return
        if path != written_by(path):
            yield from _of_template(path, name)
            return
        for line in list(setting_lines(path)):
            read.add(line.file.resolve())
            place = Place(str(line.file), line.line, line.column)
            yield SettingUse(line.name, line.value, "file", place, line.text.strip())

    yield from of_each(
        given, "config", _why_not, reading.problems, settings, "there is no configuration in it", _order
    )


def _order(path: Path) -> tuple[bool, bool]:
    """A key for reading ``postgresql.conf`` first, and what ALTER SYSTEM writes last."""
    return path.name == _AUTO, path.name != _MAIN


def _of_template(path: Path, name: str) -> Iterator[SettingUse]:
    """The settings of a template of ``postgresql.conf``."""
    text = written(path, name).decode("utf-8", "replace")
    as_written = text.split("\n")
    for line in setting_lines(path, without_expressions(text)):
        said = as_written[line.line - 1]
        place = Place(str(path), line.line, line.column)
        yield SettingUse(line.name, line.value, "file", place, said.strip(), is_known=said == line.text)


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    path = written_by(path)
    return _OTHERS.get(path.name, "" if path.suffix.lower() in (".conf", *READERS) else NO_READER)
