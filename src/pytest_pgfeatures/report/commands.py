"""How a command ended on each version: for the terminal, and for GitHub's step summary."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from pytest_pgfeatures.commands.run import Ran

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable in which GitHub Actions names the file of a step's summary."""


def table(runs: Sequence[Ran]) -> Table:
    """A line for each version, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("", "version", "result", "seconds", "install"):
        drawn.add_column(head, justify="right" if head == "seconds" else "left", overflow="fold")
    for run in runs:
        result = Text(said(run), style="green" if run.passed else "red")
        drawn.add_row(run.cell, _version(run), result, f"{run.seconds:.2f}", _install(run))
    return drawn


def said(run: Ran) -> str:
    """The result in words."""
    if run.status is None:
        return run.trouble.splitlines()[0]
    if run.status < 0:
        return f"killed by signal {-run.status}"
    return "passed" if run.passed else f"exit status {run.status}"


def _version(run: Ran) -> str:
    return str(run.install.version) if run.install else "-"


def _install(run: Ran) -> str:
    if run.install is None:
        return "none"
    return f"{run.install.source}, {run.borrowed}" if run.borrowed else run.install.source


def append_step_summary(command: str, runs: Sequence[Ran]) -> None:
    """Append a table to the step's summary, when we run in GitHub Actions."""
    named = os.environ.get(STEP_SUMMARY)
    if not named:
        return
    lines = [f"### `{command}`", "", "| | version | result | seconds | install |", "|---|---|---|---:|---|"]
    for run in runs:
        mark = "✅" if run.passed else "❌"
        cells = (run.cell, _version(run), f"{mark} {said(run)}", f"{run.seconds:.2f}", _install(run))
        lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    with Path(named).open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n\n")
