"""How an extension's stages went on each major: for the terminal, as JSON, as JUnit XML, for GitHub Actions."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from pytest_pgfeatures.extension.model import (
    FAILED,
    KNOWN,
    NONE,
    NOT_RUN,
    PASSED,
    STAGES,
    UNAVAILABLE,
    UNEXPECTED,
)
from pytest_pgfeatures.report.commands import STEP_SUMMARY
from pytest_pgfeatures.report.junit import clean

if TYPE_CHECKING:
    from rich.table import Table

    from pytest_pgfeatures.extension.model import Report, Result

ANNOTATIONS = "GITHUB_ACTIONS"
"""The variable by which GitHub Actions says that it reads annotations from what is printed."""
STYLES = {
    PASSED: "green",
    FAILED: "bold red",
    KNOWN: "yellow",
    UNEXPECTED: "bold red",
    UNAVAILABLE: "magenta",
    NOT_RUN: "dim",
    NONE: "dim",
}
MARKS = {
    PASSED: "✅",
    FAILED: "❌",
    KNOWN: "⚠️",
    UNEXPECTED: "❌",
    UNAVAILABLE: "❔",
    NOT_RUN: "",
    NONE: "",
}
_SHOWN = {NONE: "-"}


def table(report: Report) -> Table:
    """Stages by majors, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    drawn.add_column("")
    for cell in report.installs:
        drawn.add_column(cell)
    for stage in _stages(report):
        row = []
        for cell in report.installs:
            result = report.get(stage, cell)
            outcome = result.outcome if result else NOT_RUN
            row.append(Text(_SHOWN.get(outcome, outcome), style=STYLES[outcome]))
        drawn.add_row(stage, *row)
    drawn.add_row(
        "version", *(str(install.version) if install else "-" for install in report.installs.values())
    )
    drawn.add_row("install", *(install.source if install else "-" for install in report.installs.values()))
    drawn.add_row("seconds", *(f"{seconds(report, cell):.1f}" for cell in report.installs))
    return drawn


def seconds(report: Report, cell: str) -> float:
    """How long a major's stages took, one after the other."""
    return sum(result.seconds for result in report.results if result.cell == cell)


def explained(report: Report, *, verbose: bool = False) -> list[Result]:
    """The results that need words: all that did not pass, but for what there is nothing of."""
    quiet = set() if verbose else {PASSED, NONE, NOT_RUN}
    return [result for result in report.results if result.outcome not in quiet]


def as_json(report: Report) -> dict[str, Any]:
    """The report as plain values; its form has a number, ``format``."""
    return {
        "format": 1,
        "subject": report.subject,
        "seconds": round(report.seconds, 3),
        "majors": {
            cell: {
                "version": str(install.version) if install else None,
                "source": install.source if install else None,
                "bindir": str(install.bindir) if install else None,
                "seconds": round(seconds(report, cell), 3),
            }
            for cell, install in report.installs.items()
        },
        "results": [
            {
                "stage": result.stage,
                "major": result.cell,
                "outcome": result.outcome,
                "seconds": round(result.seconds, 3),
                "summary": result.summary,
                "details": list(result.details),
                "file": result.file,
                "line": result.line,
                "capability": result.capability,
            }
            for result in report.results
        ],
        "warnings": list(report.warnings),
    }


def write_json(path: Path, report: Report) -> None:
    """Write the report as JSON.

    Raises:
        OSError: the file can't be written.
    """
    path.write_text(json.dumps(as_json(report), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_junit(path: Path, report: Report) -> None:
    """Write the report as JUnit XML: a suite for each major, a test case for each stage.

    Raises:
        OSError: the file can't be written.
    """
    root = ElementTree.Element("testsuites")
    for cell in report.installs:
        results = [result for result in report.results if result.cell == cell]
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=f"{report.subject} {cell}",
            tests=str(len(results)),
            failures=str(sum(result.outcome in (FAILED, UNEXPECTED) for result in results)),
            errors=str(sum(result.outcome == UNAVAILABLE for result in results)),
            skipped=str(sum(result.outcome in (KNOWN, NOT_RUN, NONE) for result in results)),
            time=f"{seconds(report, cell):.3f}",
        )
        for result in results:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=f"{report.subject}.{cell}",
                name=result.stage,
                time=f"{result.seconds:.3f}",
            )
            if result.outcome != PASSED:
                kind = {FAILED: "failure", UNEXPECTED: "failure", UNAVAILABLE: "error"}.get(
                    result.outcome, "skipped"
                )
                message = f"{result.outcome}: {result.summary}"
                said = ElementTree.SubElement(case, kind, message=clean(message))
                said.text = clean("\n".join(result.details))
    path.write_bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def annotation_lines(report: Report, directory: Path | None) -> list[str]:
    """What GitHub Actions shows beside the sources: a line for each failure, and for what is unavailable.

    Parameters:
        directory: the sources; files are named relative to the working directory.
    """
    lines = []
    for result in explained(report):
        kind = "error" if result.outcome in (FAILED, UNEXPECTED) else "warning"
        where = {"title": f"{report.subject} {result.stage} on {result.cell}: {result.outcome}"}
        if result.file and directory is not None:
            file = Path(os.path.relpath(directory / result.file))
            where = {"file": str(file), "line": str(result.line), **where}
        properties = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in where.items())
        text = "\n".join((result.summary, *result.details[:20]))
        lines.append(f"::{kind} {properties}::{_escaped(text)}")
    return lines


def _escaped(text: str, more: str = "") -> str:
    """As GitHub's workflow commands take it."""
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def append_step_summary(report: Report) -> None:
    """Append the matrix, and what failed, to the step's summary, when we run in GitHub Actions."""
    named = os.environ.get(STEP_SUMMARY)
    if not named:
        return
    lines = [f"### `{report.subject}`", "", f"| | {' | '.join(report.installs)} |"]
    lines.append("|---|" + "---|" * len(report.installs))
    for stage in _stages(report):
        row = []
        for cell in report.installs:
            result = report.get(stage, cell)
            outcome = result.outcome if result else NOT_RUN
            row.append(f"{MARKS[outcome]} {_SHOWN.get(outcome, outcome)}".strip())
        lines.append(f"| {stage} | {' | '.join(row)} |")
    for result in explained(report):
        fence = "````"
        lines += ["", f"**{result.stage} on {result.cell}**: {result.outcome}: {result.summary}"]
        lines += ["", fence, *result.details, fence] if result.details else []
    with Path(named).open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n\n")


def _stages(report: Report) -> list[str]:
    asked = {result.stage for result in report.results}
    return [stage.name for stage in STAGES if stage.name in asked]
