"""A directory of migrations: its files in the order in which they are applied, without those that revert others."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SQL_SUFFIXES = frozenset({".sql", ".psql", ".ddl", ".pgsql"})
_NOT_ENTERED = frozenset(
    {"node_modules", "__pycache__", "vendor", "venv", "site-packages", "dist", "build", "target", "testdata"}
)
"""Directories to skip, because their files are third-party or generated."""
_NUMBER = re.compile(r"(\d+)")
_REVERTING = re.compile(r"(?:^|[._-])(?:down|rollback|undo|revert)(?:[._-]|$)|^U\d", re.IGNORECASE)
"""Files that revert migrations: golang-migrate's ``1_x.down.sql``, Flyway's ``U1__x.sql``."""
_DOWN = re.compile(
    r"^--\s*(?:\+goose\s+down|\+migrate\s+down|migrate:down|-- down --|@down)\b", re.IGNORECASE | re.MULTILINE
)
"""The beginning of the part that reverts a migration: goose, sql-migrate, dbmate."""


def files_below(directory: Path, skipped: Callable[[Path], object] = lambda _: None) -> Iterator[Path]:
    """The files of a directory, and of those below it, in the order in which migrations are applied.

    Parameters:
        skipped: is called with each directory that is not entered.
    """
    for top, directories, names in os.walk(directory):
        others = [name for name in directories if name.startswith(".") or name in _NOT_ENTERED]
        for name in others:
            skipped(Path(top) / name)
        directories[:] = sorted(set(directories).difference(others), key=natural)
        yield from (Path(top) / name for name in sorted(names, key=natural))


def migrations(directory: Path) -> Iterator[Path]:
    """The files of a directory, and of those below it, that are applied, in this order."""
    for path in files_below(directory):
        if path.suffix.lower() in SQL_SUFFIXES and not reverts(path) and path.is_file():
            yield path


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts names with numbers by value: ``V2__b`` before ``V10__a``."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in _NUMBER.split(name) if part]


def reverts(path: Path) -> bool:
    """Whether a file reverts another one."""
    return _REVERTING.search(path.stem) is not None


def applied(text: str) -> str:
    """The part of a migration that is applied; the rest reverts it."""
    down = _DOWN.search(text)
    return text[: down.start()] if down else text
