"""Draws experiments with matplotlib: each ratio with its interval, beside the document's."""

from __future__ import annotations

import importlib.util
import io
import itertools
import math
import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.measure.model import file_name
from pytest_pgfeatures.measure.outcome import ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.measure.outcome import Measured, PointMeasured, Ratio

_COLORS = {
    ClaimVerdict.AS_DOCUMENTED: "#2a7f4f",
    ClaimVerdict.DIRECTION: "#2e7d9a",
    ClaimVerdict.OPPOSITE: "#b3261e",
    ClaimVerdict.UNDECIDED: "#b07900",
    ClaimVerdict.NOT_JUDGED: "#5f6b7a",
}
_DOCUMENT = "#1f4e9c"
_DARK = {
    "#ffffff": "#14171b",
    "#000000": "#9aa5b3",
    "#888888": "#8a94a1",
    "#2a7f4f": "#54c274",
    "#2e7d9a": "#5db5d8",
    "#b3261e": "#ff7b78",
    "#b07900": "#e0b04c",
    "#5f6b7a": "#9aa5b3",
    _DOCUMENT: "#7fb4f5",
}
"""The color for dark pages, for each color of a plot."""
_TICKS = (
    (0.001, 0.01, 0.1, 1, 10, 100, 1000),
    (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100),
    (0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4),
    (*(round(0.3 + step / 10, 1) for step in range(28)),),
    (*(round(0.3 + step / 20, 2) for step in range(35)),),
    (*(round(0.5 + step / 50, 2) for step in range(51)),),
    (*(round(0.8 + step / 100, 2) for step in range(41)),),
)
"""The marks of an axis of ratios, by their distance."""
_ROOM = 0.085
"""The space of a mark, as a fraction of the axis."""
_STYLE: Any = {
    "svg.fonttype": "none",  # text remains text: small, and searchable
    "svg.hashsalt": "pgfeatures",
    "font.size": 9.0,
    "font.family": "sans-serif",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_plots(directory: Path) -> None:
    """Check that plots can be drawn and written, before anything runs.

    Raises:
        ExtraMissingError: there is no matplotlib.
        PgFeaturesError: the directory can't be created or written.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise ExtraMissingError("--plot", "matplotlib", "plots")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / ".pgfeatures-probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise PgFeaturesError(
            f"can't write plots to {directory}: {error.strerror}",
            remedy="name a directory that can be made and written",
        ) from error


def draw_all(
    all_of_them: Sequence[Measured], directory: Path, formats: Sequence[str] = ("svg", "png")
) -> None:
    """Draw each experiment that has results, as ``ID.svg`` and ``ID.png``."""
    for measured in all_of_them:
        if any(True for _ in measured.comparisons()):
            for format in formats:
                write_atomically(directory / f"{file_name(measured.id)}.{format}", draw(measured, format))


def draw(measured: Measured, format: str = "svg") -> bytes:
    """Draw an experiment.

    Parameters:
        format: ``svg`` or ``png``.

    Raises:
        ExtraMissingError: there is no matplotlib.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ExtraMissingError("a plot", "matplotlib", "plots") from error
    rows = [row for row in measured.comparisons() if not _says_nothing(row[1])] or list(
        measured.comparisons()
    )
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.0, 1.3 + 0.24 * len(rows)), layout="constrained")
        axes = figure.subplots()
        _draw_rows(axes, measured, rows)
        base = next(iter(measured.sides.values()))
        figure.suptitle(measured.title, fontsize=10, x=0.02, ha="left")
        axes.set_xlabel(f"ratio to {base}, with its 95% interval")
        content = io.BytesIO()
        metadata: dict[str, Any] = {"Date": None, "Creator": None} if format == "svg" else {"Software": None}
        figure.savefig(content, format=format, dpi=110, metadata=metadata)
    if format == "svg":
        return re.sub(r"[ \t]+\n", "\n", _with_dark(content.getvalue().decode())).encode()
    return content.getvalue()


def _with_dark(svg: str) -> str:
    """A drawing whose colors follow the reader's preference, as those of the page do."""
    rules = ["text { fill: #e4e7eb }"] + [
        f'[style*="{use}: {color}"] {{ {use}: {dark} !important }}'
        for color, dark in _DARK.items()
        for use in ("fill", "stroke")
        if f"{use}: {color}" in svg
    ]
    style = "@media (prefers-color-scheme: dark) {\n" + "\n".join(rules) + "\n}\n"
    return svg.replace("</style>", f"\n{style}</style>", 1)


def _says_nothing(ratio: Ratio) -> bool:
    """Whether two sizes are equal, and the document claims nothing else: a plot of many points leaves such
    ratios out."""
    return ratio.verdict is ClaimVerdict.NOT_JUDGED and ratio.interval.is_exact and ratio.interval.ratio == 1


def _draw_rows(axes: Any, measured: Measured, rows: Sequence[tuple[PointMeasured, Ratio]]) -> None:
    from matplotlib.ticker import NullFormatter, ScalarFormatter

    document = False
    for place, (_, comparison) in enumerate(rows):
        interval, color = comparison.interval, _COLORS[comparison.verdict]
        ends = None
        if interval.low is not None and interval.high is not None:
            ends = [[interval.ratio - interval.low], [interval.high - interval.ratio]]
        axes.errorbar([interval.ratio], [place], xerr=ends, fmt="o", color=color, capsize=3, markersize=5)
        if comparison.figure is not None and comparison.figure.reported is not None:
            document = True
            axes.plot(
                [comparison.figure.reported], [place], marker="D", color="none", markeredgecolor=_DOCUMENT
            )
    axes.axvline(1, color="#888888", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(ScalarFormatter())
    axes.xaxis.set_minor_formatter(NullFormatter())
    low, high = axes.get_xlim()
    axes.set_xticks(ticks(low, high))
    axes.set_yticks(range(len(rows)), [_label(measured, *row) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    shown = [(_COLORS[verdict], str(verdict), "o") for verdict in dict.fromkeys(c.verdict for _, c in rows)]
    shown += [(_DOCUMENT, "the document's", "D")] if document else []
    for color, text, marker in shown:
        hollow = {"color": "none", "markeredgecolor": color} if marker == "D" else {"color": color}
        axes.plot([], [], marker=marker, linestyle="", label=text, **hollow)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8)


def ticks(low: float, high: float) -> list[float]:
    """Return the marks between two ratios on a logarithmic axis: as many as fit beside each other."""
    nearest = math.log(high / low) * _ROOM
    found: list[float] = []
    for marks in _TICKS:
        here = [tick for tick in marks if low <= tick <= high]
        apart = [math.log(right / left) for left, right in itertools.pairwise(here)]
        if len(here) > len(found) and min(apart, default=nearest) >= nearest:
            found = here
    return found


def _label(measured: Measured, point: PointMeasured, comparison: Ratio) -> str:
    quantities = {other.quantity for other in point.comparisons}
    parts = [str(point)] if point.labels else []
    if len(measured.sides) > 2 or not parts:
        parts.append(measured.sides[comparison.side])
    if len(quantities) > 1:
        parts.append(comparison.quantity)
    return ", ".join(parts)
