"""Read files of any size line by line, with a limit on a line's memory, and each kind of statement once."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import LIMIT, largest_input

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST_FIELD = 1 << 24
_CONSTANT = re.compile(r"'[^']*+'|\b\d++(?:\.\d++)?\b|\$\d++")
_SPACE = re.compile(r"\s++")
MOST = 100_000
"""The maximum number of different statements to keep from one file."""


def lines_of(path: Path, name: str, newline: str | None = None) -> Iterator[str]:
    """The lines of a file.

    Parameters:
        name: the file's, for the error.
        newline: see :func:`open`.

    Raises:
        PgFeaturesError: a line is longer than input files may be.
    """
    most = largest_input()
    with path.open(encoding="utf-8", errors="surrogateescape", newline=newline) as file:
        while line := file.readline(most + 1):
            check_length(len(line), name)
            yield line


def check_length(characters: int, name: str) -> None:
    """Check the length of a line, or of a message of several lines.

    Raises:
        PgFeaturesError: it is longer than input files may be.
    """
    if characters > (most := largest_input()):
        raise PgFeaturesError(
            f"{name} has a line or a message of more than {most >> 20} MB",
            remedy=f"name a file without it, or set {LIMIT}={2 * most >> 20} in the environment to raise the limit",
        )


def rows_of_csv(path: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file in CSV, each with the number of its first line.

    Raises:
        PgFeaturesError: it is no CSV, or has a line that is too long.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.reader(lines_of(path, name, newline=""))
    line = 0
    try:
        for row in rows:
            first, line = line + 1, rows.line_num
            yield first, row
    except csv.Error as error:
        raise PgFeaturesError(f"{name}:{rows.line_num} is no CSV: {error}") from None


class Distinct:
    """Finds out whether a statement is new. It stores a hash of each statement, not the text."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.left_out = 0

    def is_new(self, sql: str) -> bool:
        """Whether this is the first statement of its kind. Constants don't matter."""
        key = hash(_SPACE.sub(" ", _CONSTANT.sub("?", sql)))
        if key in self._seen:
            return False
        if len(self._seen) >= MOST:
            self.left_out += 1
            return False
        self._seen.add(key)
        return True
