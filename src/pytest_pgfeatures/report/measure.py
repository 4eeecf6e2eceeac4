"""The results of experiments: in the terminal, and as JSON."""

from __future__ import annotations

import json
import os
import platform
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.measure.outcome import ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from pytest_pgfeatures.measure.interval import Interval
    from pytest_pgfeatures.measure.model import Experiment, Figure
    from pytest_pgfeatures.measure.outcome import Measured, Ratio

FORMAT = "pytest-pgfeatures measurements 1"
"""The first entry of a JSON file."""
_COLORS = {
    ClaimVerdict.AS_DOCUMENTED: "green",
    ClaimVerdict.OPPOSITE: "red",
    ClaimVerdict.UNDECIDED: "yellow",
    ClaimVerdict.NO_CLAIM: "dim",
}
_BYTES = (("GB", 1024**3), ("MB", 1024**2), ("kB", 1024))


def shown(value: float, unit: str) -> str:
    """A value with its unit: ``12.3 ms``, ``4.1 MB``, ``3``."""
    if unit == "s":
        return f"{value:.3g} s" if value >= 1 else f"{value * 1000:.3g} ms"
    if unit == "bytes":
        for name, size in _BYTES:
            if value >= size:
                return f"{value / size:.3g} {name}"
        return f"{value:.0f} bytes"
    number = f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
    return f"{number} {unit}"


def interval_text(interval: Interval) -> str:
    """A ratio with its interval: ``0.63 [0.60, 0.66]``; without one where all rounds gave the same."""
    ratio = f"{interval.ratio:.2f}"
    return ratio if interval.low == interval.high else f"{ratio} [{interval.low:.2f}, {interval.high:.2f}]"


def figure_text(figure: Figure | None) -> str:
    """A document's figure: its ratio, or what it claims."""
    if figure is None:
        return ""
    return f"{figure.reported:.2f}" if figure.reported is not None else figure.claim


def verdict_text(comparison: Ratio) -> str:
    """The verdict, with what would be needed if there is none."""
    if comparison.verdict is not ClaimVerdict.UNDECIDED:
        return "" if comparison.verdict is ClaimVerdict.NO_CLAIM else str(comparison.verdict)
    if (needed := comparison.needed) is None:
        return f"{comparison.verdict} (no difference to be seen)"
    return f"{comparison.verdict} (about {needed} rounds needed)"


def render_measured(measured: Measured) -> Iterator[RenderableType]:
    """Render an experiment for a rich console: a heading, a table, facts and trouble."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    yield Text.assemble((measured.id, "bold cyan"), f"  {measured.title}  ", (measured.source, "dim"))
    comparisons = list(measured.comparisons())
    if comparisons:
        base = next(iter(measured.sides.values()))
        table = Table(box=None, padding=(0, 1), pad_edge=False)
        for name in (*dict.fromkeys(name for point in measured.points for name in point.labels), ""):
            table.add_column(name, overflow="fold")
        for name in (base, "side", "ratio", "document"):
            table.add_column(name, justify="right", overflow="fold")
        table.add_column("", overflow="fold")
        for point, comparison in comparisons:
            table.add_row(
                *point.labels.values(),
                comparison.quantity,
                shown(comparison.base_value, comparison.unit),
                f"{measured.sides[comparison.side]}: {shown(comparison.value, comparison.unit)}",
                interval_text(comparison.interval),
                figure_text(comparison.figure),
                Text(verdict_text(comparison), _COLORS[comparison.verdict]),
            )
        yield Padding(table, (0, 0, 0, 2))
    for point in measured.points:
        for name, text in point.facts.items():
            yield Text(f"  {f'{point}: ' if point.labels else ''}{name}: {text}", "dim")
    for points, trouble in measured.troubles():
        yield Padding(Text(f"{points}: {trouble}" if points else trouble, "yellow"), (0, 0, 0, 2))
    if measured.builds and comparisons:
        yield Padding(Text(measured.builds, "yellow"), (0, 0, 0, 2))
    if measured.note and comparisons:
        yield Padding(Text(measured.note, "dim"), (0, 0, 0, 2))
    if measured.trouble:
        yield Text(f"  {measured.trouble}", "red" if measured.failed else "yellow")
    yield Text("")


def render_summary(all_of_them: Sequence[Measured]) -> RenderableType:
    """Render how many comparisons have which verdict."""
    from rich.text import Text

    text = Text(f"{len(all_of_them)} experiment{'s' if len(all_of_them) != 1 else ''}: ")
    counts = {verdict: sum(each.count(verdict) for each in all_of_them) for verdict in ClaimVerdict}
    parts = [(f"{count} {verdict}", _COLORS[verdict]) for verdict, count in counts.items() if count]
    unavailable = sum(bool(each.trouble) and not each.failed for each in all_of_them)
    failed = sum(each.failed for each in all_of_them)
    parts += [(f"{unavailable} unavailable", "yellow")] if unavailable else []
    parts += [(f"{failed} failed", "red")] if failed else []
    for number, (part, style) in enumerate(parts):
        text.append(", " if number else "").append(part, style)
    return text


def render_list(experiments: Sequence[Experiment]) -> RenderableType:
    """Render a list of experiments."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), pad_edge=False)
    for name in ("id", "title", "sides", "source"):
        table.add_column(name)
    for each in experiments:
        table.add_row(each.id, each.title, ", ".join(side.name for side in each.sides), each.source)
    return table


def measurements_object(all_of_them: Sequence[Measured]) -> dict[str, Any]:
    """The results as plain objects, for JSON."""
    return {
        "format": FORMAT,
        "machine": machine(),
        "experiments": [measured.to_dict() for measured in all_of_them],
    }


def measurements_json(all_of_them: Sequence[Measured]) -> str:
    """The results as JSON."""
    return json.dumps(measurements_object(all_of_them), indent=1, ensure_ascii=False) + "\n"


def machine() -> dict[str, Any]:
    """The properties of the machine that times depend on: processors, load, memory, system."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else None
    return {
        "processors": os.cpu_count(),
        "load": load,
        "memory": memory,
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def machine_text() -> str:
    """The machine in a line: ``2 processors, load 0.3, 24 GB, Linux 6.1``."""
    facts = machine()
    load = "" if facts["load"] is None else f", load {facts['load']:.1f}"
    memory = "" if facts["memory"] is None else f", {facts['memory'] / 1024**3:.0f} GB"
    return f"{facts['processors']} processors{load}{memory}, {facts['system']}"
