"""The matrix of a page: a row for each item, a column for each cell of the run, and the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.page.evidence import Texts, steps
from pytest_pgfeatures.page.rerun import rerun_command
from pytest_pgfeatures.page.write import Section, render
from pytest_pgfeatures.report.differences import name_without_cell, natural
from pytest_pgfeatures.report.matrix import LOOKS_OF_STATES, state_of
from pytest_pgfeatures.report.values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pytest_pgfeatures.results.model import InstallUsed, JobResults, Result


def matrix_section(
    run: JobResults, title: str = "Matrix", command: Callable[[Result], str] | None = None
) -> Section:
    """Return the section with the matrix of a run.

    Parameters:
        run: behaviors, tests, stages or commands, in any mixture. A test outside the matrix has the column
            ``no version``.
        title: the heading.
        command: returns the command that repeats an item in its cell; None for the default of the run's kind.
    """
    command = command or (lambda result: rerun_command(result, run))
    html = render("matrix.html", caption=_caption(run.results))
    return Section("matrix", title, html, _data(run, command))


def _caption(results: Sequence[Result]) -> str:
    kinds = dict.fromkeys(f"{result.item.kind}s" for result in results)
    return f"{' and '.join(kinds).capitalize() or 'Nothing'} by version."


def _data(run: JobResults, command: Callable[[Result], str]) -> dict[str, Any]:
    """Return the data for the page's script: each text once, and numbers in place of texts."""
    cells = sorted({*run.installs, *(result.cell for result in run.results)}, key=natural)
    texts, states, installs = Texts(), Texts(), _Installs()
    rows: dict[tuple[str, str, str], dict[str, Result]] = {}
    for result in run.results:
        key = (_area(result), result.item.kind, name_without_cell(result))
        rows.setdefault(key, {})[result.cell] = result
    plain_rows = [
        _row(key, row, cells, command, texts, states, installs)
        for key, row in sorted(rows.items(), key=_order)
    ]
    return {
        "columns": [_column(cell, run.installs.get(cell), installs) for cell in cells],
        "states": [{"name": state, "mark": LOOKS_OF_STATES[state].mark} for state in states.all()],
        "installs": installs.all(),
        "rows": plain_rows,
        "texts": texts.all(),
    }


def _area(result: Result) -> str:
    """Return the group of rows: a behavior's area, a test's file."""
    if result.item.kind == "test":
        return result.item.id.partition("::")[0]
    return result.item.area


def _order(row: tuple[tuple[str, str, str], object]) -> tuple[object, ...]:
    (area, kind, name), _ = row
    return (
        (kind, area, natural(name) if kind == "behavior" else ()) if kind in ("behavior", "test") else (kind,)
    )


def _column(cell: str, install: InstallUsed | None, installs: _Installs) -> dict[str, Any]:
    heading = cell.removeprefix("pg").replace("-pg", "-").split("-") if cell else ["no version"]
    if len(heading) == 2 and all(part.replace(".", "").isdigit() for part in heading):
        heading = [" → ".join(heading)]  # from one version to another
    return {"cell": cell, "heading": heading, "install": installs.number(install) if install else None}


def _row(
    key: tuple[str, str, str],
    row: dict[str, Result],
    cells: Sequence[str],
    command: Callable[[Result], str],
    texts: Texts,
    states: Texts,
    installs: _Installs,
) -> dict[str, Any]:
    area, _, name = key
    first = next(iter(row.values())).item
    transcripts = {
        column: row[cell].evidence.transcript
        for column, cell in enumerate(cells)
        if cell in row and row[cell].evidence.transcript
    }
    return {
        "id": name,
        "title": first.title,
        "area": area,
        "cells": [
            _cell(row[cell], command, texts, states, installs) if cell in row else None for cell in cells
        ],
        "steps": steps(transcripts, texts),
    }


def _cell(
    result: Result, command: Callable[[Result], str], texts: Texts, states: Texts, installs: _Installs
) -> dict[str, Any]:
    """Return a cell's values; those that are empty are left out."""
    evidence = result.evidence
    judged = result.item.kind == "behavior"
    values: dict[str, Any] = {
        "state": states.number(state_of(result)),
        "seconds": round(result.seconds, 3),
        "installs": [installs.number(install) for install in result.installs],
        "again": texts.number(command(result)),
    }
    said = {
        "summary": "; ".join(filter(None, (result.summary, *map(str, result.tests)))),
        "expected": shown(evidence.expected) if judged else "",
        "observed": shown(evidence.observed) if judged and result.ran else "",
        "location": f"{evidence.location.file}:{evidence.location.line}" if evidence.location else "",
        "details": "\n".join(evidence.details),
        "program": f"{evidence.program}\n{evidence.program.output}{evidence.program.errors}".strip()
        if evidence.program
        else "",
    }
    values |= {name: texts.number(text) for name, text in said.items() if text}
    if evidence.sections:
        values["sections"] = [[texts.number(title), texts.number(text)] for title, text in evidence.sections]
    return values


class _Installs:
    """The installs of a page, each once."""

    def __init__(self) -> None:
        self._numbers: dict[InstallUsed, int] = {}

    def number(self, install: InstallUsed) -> int:
        """Return the number of an install."""
        return self._numbers.setdefault(install, len(self._numbers))

    def all(self) -> list[dict[str, str]]:
        """Return the installs in the order of their numbers."""
        return [
            {
                "version": install.version,
                "source": ", ".join(filter(None, (install.source, install.borrowed))),
                "bindir": install.bindir,
                "sha256": install.sha256,
            }
            for install in self._numbers
        ]


def counts_of(results: Iterable[Result], asked: int) -> list[tuple[str, int]]:
    """Return the counts for the top of the page: asked, ran, absent, not reached, and each outcome that occurs.

    Parameters:
        asked: the number of requested cells; it exceeds the number of results if the run ended early.
    """
    from pytest_pgfeatures.results.model import Tally

    tally = Tally.of(list(results), asked)
    counts = [("asked", tally.asked), ("ran", tally.ran), ("absent", tally.absent)]
    if tally.not_reached:
        counts.append(("not reached", tally.not_reached))
    return counts + [(str(outcome), count) for outcome, count in sorted(tally.outcomes.items())]
