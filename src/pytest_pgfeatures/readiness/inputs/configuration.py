"""The settings of ``--config``: a ``postgresql.conf`` with its includes, other programs' files, or a directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.files import NO_READER, found, report_unread
from pytest_pgfeatures.readiness.inputs.server_parameters import READERS, read_server_parameters
from pytest_pgfeatures.readiness.model import Place, SettingUse
from pytest_pgfeatures.settings_file import setting_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.readiness.model import Problems

_MAIN, _AUTO = "postgresql.conf", "postgresql.auto.conf"
_OTHERS = {"pg_hba.conf": "--hba reads them", "pg_ident.conf": "--ident reads them"}


def read_configuration(given: str, problems: Problems) -> Iterator[SettingUse]:
    """Each line of the file and of the files that it includes; of a directory, those of each file, once.

    Raises:
        PgFeaturesError: a file can't be read, or one of its lines is not a setting.
    """
    read: set[Path] = set()
    files = list(found(given, "config", _why_not, problems))
    for path, name in sorted(files, key=lambda each: (each[0].name == _AUTO, each[0].name != _MAIN)):
        if path.resolve() in read:
            continue
        try:
            if path.suffix.lower() in READERS:
                yield from read_server_parameters(path, name)
                continue
            lines = list(setting_lines(path))
        except PgFeaturesError as error:
            if str(path) == given:
                raise
            report_unread(problems, "config", given, path, error)
            continue
        for line in lines:
            read.add(line.file.resolve())
            place = Place(str(line.file), line.line, line.column)
            yield SettingUse(line.name, line.value, "file", place, line.text.strip())
    if not files:
        problems.not_read("config", f"--config {given}: there is no configuration in it")


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    return _OTHERS.get(path.name, "" if path.suffix.lower() in (".conf", *READERS) else NO_READER)
