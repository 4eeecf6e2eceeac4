"""Prints the table of a matrix of tests, with one line per cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.report.differences import natural
from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.results.model import Result

_HEADS = ("cell", "version", "asked", "passed", "failed", "unavailable", "install")
_FIGURES = range(2, 6)
"""The right-aligned columns."""


def summary_table(results: Sequence[Result], width: int) -> list[str]:
    """Return the table: a header, and for each cell, the oldest first, the count of each outcome, and the install.

    Parameters:
        results: results of tests.
        width: width of the terminal, in columns.
    """
    rows: list[tuple[str, ...]] = [_HEADS]
    for cell in sorted({result.cell for result in results}, key=natural):
        rows += _rows(cell, [result for result in results if result.cell == cell])
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS) - 1)]
    room = width - sum(widths) - 2 * len(widths) - 1
    return ["  ".join((*_padded(row, widths), _shortened(row[-1], room))) for row in rows]


def unavailable_lines(results: Sequence[Result]) -> list[str]:
    """Return the reason for each unavailable test."""
    return [
        f"unavailable: {result.item.id}: {result.summary}"
        for result in results
        if result.outcome is Outcome.UNAVAILABLE
    ]


def _rows(cell: str, results: Sequence[Result]) -> list[tuple[str, ...]]:
    outcomes = [result.outcome for result in results]
    counts = (
        len(outcomes),
        outcomes.count(Outcome.PASSED),
        sum(outcome in FAILURES for outcome in outcomes),
        outcomes.count(Outcome.UNAVAILABLE),
    )
    used = list(dict.fromkeys(install for result in results for install in result.installs))
    installs = [(install.version, f"{install.source}: {install.bindir}") for install in used]
    first, *others = installs or [("none", "-")]
    rows = [(cell, first[0], *map(str, counts), first[1])]
    return rows + [("", version, *("" for _ in counts), install) for version, install in others]


def _padded(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    cells = zip(row, widths, strict=False)
    return [
        text.rjust(width) if column in _FIGURES else text.ljust(width)
        for column, (text, width) in enumerate(cells)
    ]


def _shortened(install: str, room: int) -> str:
    """Return ``SOURCE: DIRECTORY``, keeping only the end of the directory if it does not fit."""
    source, _, directory = install.partition(": ")
    room -= len(source) + 2
    return install if len(directory) <= room or room < 12 else f"{source}: …{directory[1 - room :]}"
