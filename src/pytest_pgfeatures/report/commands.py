"""Shows how a command ended on each version, in the terminal and in GitHub's step summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.report.differences import difference_lines
from pytest_pgfeatures.report.github import append_to_summary
from pytest_pgfeatures.report.looks import LOOKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table

    from pytest_pgfeatures.report.differences import Rerun
    from pytest_pgfeatures.results.model import JobResults, Result

_HEADS = ("", "version", "result", "seconds", "install")


def table(run: JobResults) -> Table:
    """Return a table with one line per version, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for head in _HEADS:
        drawn.add_column(head, justify="right" if head == "seconds" else "left", overflow="fold")
    for result in run.results:
        cell, version, said, seconds, install = _cells(result)
        drawn.add_row(cell, version, Text(said, style=LOOKS[result.outcome].style), seconds, install)
    return drawn


def append_step_summary(run: JobResults, reruns: Mapping[str, Mapping[str, Rerun]] | None = None) -> None:
    """Append a table to the step's summary, if running in GitHub Actions.

    Parameters:
        reruns: the outcomes of the command's repetitions.
    """
    lines = [f"### `{run.subject}`", "", f"| {' | '.join(_HEADS).strip()} |", "|---|---|---|---:|---|"]
    for result in run.results:
        cell, version, said, seconds, install = _cells(result)
        cells = (cell, version, f"{LOOKS[result.outcome].emoji} {said}", seconds, install)
        lines.append(f"| {' | '.join(text.replace('|', '&#124;') for text in cells)} |")
    if differences := difference_lines(run.results, reruns, alone=True):
        lines += ["", *(f"- {line}" for line in differences if not line.startswith(" "))]
    append_to_summary(lines)


def _cells(result: Result) -> tuple[str, str, str, str, str]:
    install = result.install
    source = ", ".join(filter(None, (install.source, install.borrowed))) if install else "none"
    version = install.version if install else "-"
    return result.cell, version, result.summary or result.outcome, f"{result.seconds:.2f}", source
