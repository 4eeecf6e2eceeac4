"""Shows an extension's results on each major in the terminal, as JUnit suites and in GitHub Actions."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_pgfeatures.report.github import annotation, append_to_summary
from pytest_pgfeatures.report.junit import Suite
from pytest_pgfeatures.report.looks import LOOKS
from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from rich.table import Table

    from pytest_pgfeatures.results.model import JobResults, Result

_QUIET = frozenset({Outcome.PASSED, Outcome.NOTHING_TO_DO, Outcome.NOT_RUN})
_LINES_OF_AN_ANNOTATION = 20


def table(run: JobResults) -> Table:
    """Return a table of stages by majors, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    drawn.add_column("")
    for cell in run.installs:
        drawn.add_column(cell)
    for stage in _stages(run):
        outcomes = [_outcome(run, stage, cell) for cell in run.installs]
        drawn.add_row(stage, *(Text(_said(outcome), LOOKS[outcome].style) for outcome in outcomes))
    installs = run.installs.values()
    drawn.add_row("version", *(install.version if install else "-" for install in installs))
    drawn.add_row("install", *(install.source if install else "-" for install in installs))
    drawn.add_row("seconds", *(f"{run.seconds_of(cell):.1f}" for cell in run.installs))
    return drawn


def explained(run: JobResults, *, verbose: bool = False) -> list[Result]:
    """Return the results to explain: those that did not pass, except where there was nothing to do.

    Parameters:
        verbose: return all results.
    """
    return [result for result in run.results if verbose or result.outcome not in _QUIET]


def suites(run: JobResults) -> list[Suite]:
    """Return a JUnit suite for each major, with a test case for each stage."""
    return [Suite(f"{run.subject} {cell}", run.of_cell(cell), f"{run.subject}.") for cell in run.installs]


def annotation_lines(run: JobResults, directory: Path | None) -> list[str]:
    """Return the annotations that GitHub Actions shows beside the sources: a line per failed or unavailable stage.

    Parameters:
        directory: the directory of the sources. The annotations name files relative to the working directory.
    """
    lines = []
    for result in explained(run):
        where = {"title": f"{run.subject} {result.item.id} on {result.cell}: {result.outcome}"}
        if (location := result.evidence.location) is not None and directory is not None:
            where = {"file": os.path.relpath(directory / location.file), "line": str(location.line), **where}
        text = "\n".join((result.summary, *result.evidence.details[:_LINES_OF_AN_ANNOTATION]))
        lines.append(annotation("error" if result.outcome in FAILURES else "warning", text, where))
    return lines


def append_step_summary(run: JobResults) -> None:
    """Append the matrix and the failures to the step's summary, if running in GitHub Actions."""
    lines = [f"### `{run.subject}`", "", f"| | {' | '.join(run.installs)} |"]
    lines.append("|---|" + "---|" * len(run.installs))
    for stage in _stages(run):
        outcomes = [_outcome(run, stage, cell) for cell in run.installs]
        row = [f"{LOOKS[outcome].emoji} {_said(outcome)}".strip() for outcome in outcomes]
        lines.append(f"| {stage} | {' | '.join(row)} |")
    for result in explained(run):
        fence = "````"
        lines += ["", f"**{result.item.id} on {result.cell}**: {result.outcome}: {result.summary}"]
        if result.evidence.details:
            lines += ["", fence, *result.evidence.details, fence]
    append_to_summary(lines)


def _stages(run: JobResults) -> list[str]:
    return list(dict.fromkeys(result.item.id for result in run.results))


def _outcome(run: JobResults, stage: str, cell: str) -> Outcome:
    result = run.get(stage, cell)
    return result.outcome if result else Outcome.NOT_RUN


def _said(outcome: Outcome) -> str:
    return "-" if outcome is Outcome.NOTHING_TO_DO else outcome
