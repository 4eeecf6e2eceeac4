"""The settings of ``--config``: a ``postgresql.conf`` with its includes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import Place, SettingUse
from pytest_pgfeatures.settings_file import setting_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_configuration(given: str) -> Iterator[SettingUse]:
    """Each line of the file and of the files that it includes.

    Raises:
        PgFeaturesError: a file can't be read, or one of its lines is not a setting.
    """
    for line in setting_lines(Path(given)):
        place = Place(str(line.file), line.line, line.column)
        yield SettingUse(line.name, line.value, "file", place, line.text.strip())
