"""The results of experiments: in the terminal, and as JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.json_values import to_plain
from pytest_pgfeatures.measure.outcome import ClaimVerdict, Measured

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from pytest_pgfeatures.measure.interval import Interval
    from pytest_pgfeatures.measure.model import Experiment, Figure
    from pytest_pgfeatures.measure.outcome import Ratio
    from pytest_pgfeatures.measure.takes import Takes

Format = Literal["pytest-pgfeatures measurements 2"]
FORMAT: Format = "pytest-pgfeatures measurements 2"
"""The first entry of a JSON file."""
_COLORS = {
    ClaimVerdict.AS_DOCUMENTED: "green",
    ClaimVerdict.DIRECTION: "cyan",
    ClaimVerdict.OPPOSITE: "red",
    ClaimVerdict.UNDECIDED: "yellow",
    ClaimVerdict.NOT_JUDGED: "dim",
}
_BYTES = (("GB", 1024**3), ("MB", 1024**2), ("kB", 1024))


@dataclass(frozen=True, slots=True)
class Machine:
    """The properties of the machine that times depend on.

    Parameters:
        load: the average number of running processes in the last minute.
        memory: in bytes.
    """

    processors: int | None
    load: float | None
    memory: int | None
    system: str
    architecture: str
    python: str


@dataclass(frozen=True, slots=True)
class MeasureDocument:
    """The results of experiments.

    Parameters:
        control: the number of ratios of a server to another one of the same install that came out decided; empty if
            there are none.
    """

    format: Format
    machine: Machine
    control: str
    experiments: tuple[Measured, ...]


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
    """A ratio with its interval: ``0.63 [0.60, 0.66]``; without one if all rounds gave the same ratio."""
    ratio = f"{interval.ratio:.2f}"
    if interval.low is None or interval.is_exact:
        return ratio
    return f"{ratio} [{interval.low:.2f}, {interval.high:.2f}]"


def figure_text(figure: Figure | None) -> str:
    """A document's figure: its ratio or range of ratios, or its claim, with the margin."""
    if figure is None:
        return ""
    if figure.claim == "no difference":
        low, high = figure.margins
        return f"no difference: {low:.2f} to {high:.2f}"
    if isinstance(figure.ratio, tuple) and f"{figure.ratio[0]:.2f}" != f"{figure.ratio[1]:.2f}":
        return f"{figure.ratio[0]:.2f} to {figure.ratio[1]:.2f}"
    return f"{figure.reported:.2f}" if figure.reported is not None else figure.claim


def verdict_text(comparison: Ratio) -> str:
    """The verdict, with the factor by which the size differs, or for an undecided one the number of rounds
    needed."""
    verdict, interval = comparison.verdict, comparison.interval
    if verdict is ClaimVerdict.NOT_JUDGED:
        return "" if interval.low is not None else _without_interval(interval)
    if verdict is ClaimVerdict.UNDECIDED and interval.low is None:
        return f"{verdict} ({_without_interval(interval)})"
    if verdict is ClaimVerdict.UNDECIDED:
        needed = comparison.rounds_needed
        return (
            f"{verdict} ({'no difference to be seen' if needed is None else f'about {needed} rounds needed'})"
        )
    return "; ".join((str(verdict), *_why_not_more(comparison)))


def _without_interval(interval: Interval) -> str:
    return f"no interval of {interval.rounds} round{'s' if interval.rounds != 1 else ''}"


def _why_not_more(comparison: Ratio) -> Iterator[str]:
    """The difference in size, and other reasons why only the ratio's direction is shown."""
    if (factor := comparison.deviation) is not None:
        effect = "smaller" if (factor < 1) == (comparison.interval.ratio > 1) else "larger"
        yield f"{effect} effect: the ratio is {abs(factor - 1):.0%} {'below' if factor < 1 else 'above'}"
    elif comparison.verdict is ClaimVerdict.DIRECTION and comparison.alike:
        yield "no size documented"
    if not comparison.alike:
        yield "builds differ"


def control_text(all_of_them: Iterable[Measured]) -> str:
    """A text about the ratios of a server with itself that came out decided; empty if there are none."""
    counts = [measured.control() for measured in all_of_them]
    decided, every = sum(one for one, _ in counts), sum(of for _, of in counts)
    if not every:
        return ""
    return (
        f"A/A control: of {every} ratio{'s' if every != 1 else ''} of a server to another of the same install,"
        f" {decided} ({decided / every:.0%}) {'was' if decided == 1 else 'were'} decided; 5% are expected"
    )


def scaled_text(measured: Measured) -> str:
    """A text about the sizes that were smaller than in the document; empty if none was."""
    return "; ".join(
        f"{name} {here}, the document's {there}" for name, (here, there) in measured.scaled.items()
    )


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
        parts = list(dict.fromkeys(name for point in measured.points for name in point.labels))
        for name in (*parts, ""):
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
    for where, name, text in measured.facts():
        yield Text(f"  {f'{where}: ' if where else ''}{name}: {text}", "dim")
    for points, trouble in measured.troubles():
        yield Padding(Text(f"{points}: {trouble}" if points else trouble, "yellow"), (0, 0, 0, 2))
    for text, style in _below(measured) if comparisons else ():
        yield Padding(Text(text, style), (0, 0, 0, 2))
    if measured.trouble:
        yield Text(f"  {measured.trouble}", "red" if measured.failed else "yellow")
    yield Text("")


def _below(measured: Measured) -> Iterator[tuple[str, str]]:
    """The lines below a table."""
    if measured.builds:
        yield measured.builds, "yellow"
    if measured.scaled:
        yield f"Smaller here: {scaled_text(measured)}", "dim"
    yield from ((f"Tried out: {reason}", "") for reason in measured.reasons())
    if measured.note:
        yield measured.note, "dim"


def render_summary(all_of_them: Sequence[Measured]) -> RenderableType:
    """Render the number of comparisons with each verdict."""
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
    if control := control_text(all_of_them):
        text.append(f"\n{control}", "dim")
    return text


def render_list(experiments: Sequence[Experiment], takes: Sequence[Takes] = ()) -> RenderableType:
    """Render a list of experiments.

    Parameters:
        takes: the cost of each at the document's scale, if requested.
    """
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), pad_edge=False)
    for name in ("id", *(("time", "disk", "memory") if takes else ()), "title", "sides", "source"):
        table.add_column(name, no_wrap=name in ("time", "disk", "memory"))
    for place, each in enumerate(experiments):
        amounts = takes_texts(takes[place]) if takes else ()
        table.add_row(each.id, *amounts, each.title, ", ".join(side.name for side in each.sides), each.source)
    return table


def takes_texts(takes: Takes) -> tuple[str, str, str]:
    """The time, files and memory that an experiment takes; ``?`` for unknown values."""
    seconds = takes.seconds
    time = (
        "?" if seconds is None else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
    )
    return (
        "1 min" if time == "0 min" else time,
        "?" if takes.disk is None else shown(takes.disk, "bytes"),
        shown(takes.memory, "bytes"),
    )


def measurements_object(all_of_them: Sequence[Measured]) -> dict[str, Any]:
    """The results as plain objects, for JSON."""
    document = MeasureDocument(FORMAT, machine(), control_text(all_of_them), ())
    return {**to_plain(document), "experiments": [measured.to_dict() for measured in all_of_them]}


def measurements_json(all_of_them: Sequence[Measured]) -> str:
    """The results as JSON."""
    return json.dumps(measurements_object(all_of_them), indent=1, ensure_ascii=False) + "\n"


def machine() -> Machine:
    """The properties of the machine on which times depend: processors, load, memory, system."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else None
    system = f"{platform.system()} {platform.release()}"
    return Machine(os.cpu_count(), load, memory, system, platform.machine(), platform.python_version())


def machine_text() -> str:
    """The machine in a line: ``2 processors, load 0.3, 24 GB, Linux 6.1``."""
    facts = machine()
    load = "" if facts.load is None else f", load {facts.load:.1f}"
    memory = "" if facts.memory is None else f", {facts.memory / 1024**3:.0f} GB"
    return f"{facts.processors} processors{load}{memory}, {facts.system}"
