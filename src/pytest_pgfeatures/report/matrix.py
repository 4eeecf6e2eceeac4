"""The behavior x version matrix in the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.result import Outcome, Result, Tally
from pytest_pgfeatures.report.values import shown
from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, OverflowMethod, RenderableType
    from rich.text import Text

_CHANGED, _BEFORE = "changed", "before"
_MARKS: dict[str, tuple[str, str, str, str]] = {
    # what it says: mark, mark in ASCII, style, legend
    _CHANGED: ("●", "#", "green", "as documented"),
    _BEFORE: ("○", "o", "green", "as before the change"),
    Outcome.DEVIATES: ("✗", "X", "bold red", "deviates"),
    Outcome.UNAVAILABLE: ("–", "-", "yellow", "unavailable"),
    Outcome.ERROR: ("!", "!", "bold magenta", "error"),
}
_MIN_TITLE = 60
"""Columns that a title needs to say anything."""


def render_matrix(
    results: Sequence[Result], tally: Tally, console: Console, *, values: bool = False
) -> Iterator[RenderableType]:
    """One row per behavior, one column per version, with a legend and the counts.

    Parameters:
        console: what it is rendered for; its width and encoding count.
        values: add under each behavior what was observed where.
    """
    from rich.table import Table
    from rich.text import Text

    cells = sorted({result.cell: PgMajor(result.version) for result in results}.items(), key=_by_version)
    columns = [cell for cell, _ in cells]
    rows = by_behavior(results)
    ascii_only = console.options.ascii_only
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=False, overflow="fold")
    taken = max(map(len, rows)) + sum(1 + max(map(len, _heading(cell))) for cell in columns)
    titled = console.width - taken - 3 >= _MIN_TITLE
    if titled:
        overflow: OverflowMethod = "crop" if ascii_only else "ellipsis"
        table.add_column(style="dim", no_wrap=True, overflow=overflow, max_width=console.width - taken - 3)
    for _ in columns:
        table.add_column(justify="right")
    head = [Text("\n".join(_heading(cell)), "bold") for cell in columns]
    table.add_row(Text("behavior", "bold"), *([""] if titled else []), *head)
    area = None
    for id, row in rows.items():
        first = next(iter(row.values()))
        if first.area != area:
            area = first.area
            table.add_row(Text(area, "bold cyan"))
        marks = [_mark(row.get(cell), ascii_only) for cell in columns]
        table.add_row(id, *([first.title] if titled else []), *marks)
    yield table
    yield Text()
    if values:
        for id, row in rows.items():
            yield Text(id, "bold")
            yield _values(row, columns)
        yield Text()
    yield from _footer(results, tally, ascii_only)


def by_behavior(results: Sequence[Result]) -> dict[str, dict[str, Result]]:
    """The results by behavior and cell: areas together, behaviors in the order of majors and names."""
    rows: dict[str, dict[str, Result]] = {}
    for result in sorted(results, key=lambda result: (result.area, _natural(result.behavior))):
        rows.setdefault(result.behavior, {})[result.cell] = result
    return rows


def _natural(id: str) -> list[tuple[int, str]]:
    """Sorts ``9.6/x`` before ``16/x``."""
    return [(int(part or -1), rest) for part, rest in re.findall(r"(\d*)(\D*)", id)]


def _by_version(cell: tuple[str, PgMajor]) -> tuple[PgMajor, str]:
    return cell[1], cell[0]


def _heading(cell: str) -> list[str]:
    """``pg17-maven`` as ``17`` above ``maven``."""
    return cell.removeprefix("pg").split("-")


def _state(result: Result) -> str:
    if result.outcome is Outcome.AS_DOCUMENTED:
        return _CHANGED if result.changed else _BEFORE
    return result.outcome


def _mark(result: Result | None, ascii_only: bool) -> Text:
    from rich.text import Text

    if result is None:
        return Text("")
    mark, in_ascii, style, _ = _MARKS[_state(result)]
    return Text(in_ascii if ascii_only else mark, style)


def _values(row: dict[str, Result], columns: list[str]) -> RenderableType:
    """What was observed: one line per value, with the versions that showed it."""
    from rich.table import Table
    from rich.text import Text

    found: dict[str, list[str]] = {}
    for cell in columns:
        if cell in row:
            found.setdefault(_seen(row[cell]), []).append(cell.removeprefix("pg"))
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for what, where in found.items():
        table.add_row("  " + " ".join(where), Text(what))
    return table


def _seen(result: Result) -> str:
    return shown(result.observed) if result.reason is None else f"{result.outcome}: {result.reason}"


def _footer(results: Sequence[Result], tally: Tally, ascii_only: bool) -> Iterator[Text]:
    from rich.text import Text

    legend = Text()
    for state in dict.fromkeys((_CHANGED, _BEFORE, *map(_state, results))):
        mark, in_ascii, style, meaning = _MARKS[state]
        legend.append(in_ascii if ascii_only else mark, style).append(f" {meaning}  ", "dim")
    yield legend
    yield from _exceptions(results)
    counts = [f"{count} {outcome}" for outcome, count in tally.outcomes.items() if count]
    if tally.absent:
        counts.append(f"{tally.absent} of a version that can't be had")
    if tally.not_reached:
        counts.append(f"{tally.not_reached} not reached")
    yield Text(f"{tally.asked} asked: {', '.join(counts)}")


def _exceptions(results: Sequence[Result]) -> Iterator[Text]:
    """One line for each thing that is not as documented, with the versions it is about."""
    from rich.text import Text

    found: dict[tuple[str, str], list[str]] = {}
    for row in by_behavior(results).values():
        for result in row.values():
            if result.outcome is not Outcome.AS_DOCUMENTED:
                versions = found.setdefault((_MARKS[result.outcome][2], _exception(result)), [])
                versions.append(result.cell.removeprefix("pg"))
    for (style, what), versions in found.items():
        where = ", ".join(dict.fromkeys(sorted(versions, key=_natural)))
        yield Text.assemble((f"{where}: ", "bold"), (what, style))


def _exception(result: Result) -> str:
    reason = str(result.reason).partition("\n")[0]
    if result.capability is not None:
        return f"{result.behavior} is unavailable for want of {result.capability}"
    if result.outcome is Outcome.DEVIATES:
        return f"{result.behavior}: expected {shown(result.expected)}, observed {shown(result.observed)}"
    return f"no server: {reason}" if result.absent else f"{result.behavior}: {reason}"
