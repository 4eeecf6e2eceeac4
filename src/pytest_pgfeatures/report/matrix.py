"""Shows the matrix of behaviors and versions in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.since import read_since, releases_with
from pytest_pgfeatures.report.differences import natural
from pytest_pgfeatures.report.looks import LOOKS, Look
from pytest_pgfeatures.report.values import shown
from pytest_pgfeatures.results.model import BEHAVIOR_OUTCOMES, Outcome, Result, Tally
from pytest_pgfeatures.version import PgMajor, as_release, read_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console, OverflowMethod, RenderableType
    from rich.text import Text

_BEFORE = "as before the change"
LOOKS_OF_STATES: dict[str, Look] = {
    _BEFORE: Look("○", "o", "green"),
    **{str(key): look for key, look in LOOKS.items()},
}
_MIN_TITLE = 60
"""The minimum width of a useful title, in columns."""


def render_matrix(
    results: Sequence[Result], tally: Tally, console: Console, *, values: bool = False
) -> Iterator[RenderableType]:
    """One row per behavior, one column per version, with a legend and the counts.

    Parameters:
        console: the console to render for; its width and encoding matter.
        values: also show the observed values of each behavior.
    """
    from rich.table import Table
    from rich.text import Text

    cells = sorted({result.cell: PgMajor(result.major) for result in results}.items(), key=_by_version)
    columns = [cell for cell, _ in cells]
    rows = by_behavior(results)
    ascii_only = console.options.ascii_only
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=False, overflow="fold")
    taken = max(map(len, rows), default=0) + sum(1 + max(map(len, _heading(cell))) for cell in columns)
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
        if first.item.area != area:
            area = first.item.area
            table.add_row(Text(area, "bold cyan"))
        marks = [_mark(row.get(cell), ascii_only) for cell in columns]
        table.add_row(id, *([first.item.title] if titled else []), *marks)
    yield table
    yield Text()
    if values:
        for id, row in rows.items():
            yield Text(id, "bold")
            yield _values(row, columns)
        yield Text()
    yield from _footer(results, tally, ascii_only)


def by_behavior(results: Sequence[Result]) -> dict[str, dict[str, Result]]:
    """Group results by behavior and cell, sorted by area, then by major and name."""
    rows: dict[str, dict[str, Result]] = {}
    for result in sorted(results, key=lambda result: (result.item.area, natural(result.item.id))):
        rows.setdefault(result.item.id, {})[result.cell] = result
    return rows


def _by_version(cell: tuple[str, PgMajor]) -> tuple[PgMajor, str]:
    return cell[1], cell[0]


def _heading(cell: str) -> list[str]:
    """Return the lines of a column heading: ``17`` above ``maven`` for ``pg17-maven``."""
    return cell.removeprefix("pg").split("-")


def state_of(result: Result) -> str:
    """Return the outcome. If it is as documented, also say whether the version predates the change."""
    if result.outcome is not Outcome.AS_DOCUMENTED or result.item.since is None:
        return result.outcome
    return result.outcome if _has_change(result, result.item.since) else _BEFORE


def _has_change(result: Result, since: str) -> bool:
    version = read_version(result.install.version if result.install else result.major)
    brought, *backports = read_since((since, *result.item.backports))
    return as_release(version) in releases_with(brought, tuple(backports))


def _mark(result: Result | None, ascii_only: bool) -> Text:
    from rich.text import Text

    if result is None:
        return Text("")
    look = LOOKS_OF_STATES[state_of(result)]
    return Text(look.in_ascii if ascii_only else look.mark, look.style)


def _values(row: dict[str, Result], columns: list[str]) -> RenderableType:
    """Return the observed values, one per line, with the versions that showed each."""
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
    return f"{result.outcome}: {result.summary}" if result.summary else shown(result.evidence.observed)


def _footer(results: Sequence[Result], tally: Tally, ascii_only: bool) -> Iterator[Text]:
    from rich.text import Text

    legend = Text()
    for state in dict.fromkeys((str(Outcome.AS_DOCUMENTED), _BEFORE, *map(state_of, results))):
        look = LOOKS_OF_STATES[state]
        legend.append(look.in_ascii if ascii_only else look.mark, look.style).append(f" {state}  ", "dim")
    yield legend
    yield from _exceptions(results)
    if one_sided := [id for id, row in by_behavior(results).items() if _is_one_sided(row.values())]:
        yield Text.assemble(("seen on one side of the change only: ", "bold"), ", ".join(one_sided))
    counts = [f"{count} {outcome}" for outcome in BEHAVIOR_OUTCOMES if (count := tally.outcomes[outcome])]
    if tally.absent:
        counts.append(f"{tally.absent} of a version that is not available")
    if tally.not_reached:
        counts.append(f"{tally.not_reached} not reached")
    yield Text(f"{tally.asked} asked: {', '.join(counts)}")


def _is_one_sided(row: Iterable[Result]) -> bool:
    """Return whether versions before and after the change were asked, and servers of only one side answered."""
    sides = [(_has_change(each, each.item.since), each.ran) for each in row if each.item.since is not None]
    return len(dict(sides)) == 2 and len({side for side, ran in sides if ran}) == 1


def _exceptions(results: Sequence[Result]) -> Iterator[Text]:
    """Yield a line for each deviation from the documentation, with the versions concerned."""
    from rich.text import Text

    found: dict[tuple[str, str], list[str]] = {}
    for row in by_behavior(results).values():
        for result in row.values():
            if result.outcome is not Outcome.AS_DOCUMENTED:
                versions = found.setdefault((LOOKS_OF_STATES[result.outcome].style, _exception(result)), [])
                versions.append(result.cell.removeprefix("pg"))
    for (style, what), versions in found.items():
        where = ", ".join(dict.fromkeys(sorted(versions, key=natural)))
        yield Text.assemble((f"{where}: ", "bold"), (what, style))


def _exception(result: Result) -> str:
    id, reason = result.item.id, result.summary.partition("\n")[0]
    if result.capability is not None:
        return f"{id} is unavailable for want of {result.capability}"
    if result.outcome is Outcome.DEVIATES:
        expected, observed = shown(result.evidence.expected), shown(result.evidence.observed)
        return f"{id}: expected {expected}, observed {observed}"
    return f"no server: {reason}" if result.absent else f"{id}: {reason}"
