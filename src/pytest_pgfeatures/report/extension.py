"""Shows an extension's results on each major in the terminal, as JUnit suites and in GitHub Actions."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.report.github import annotation, append_to_summary
from pytest_pgfeatures.report.junit import Suite
from pytest_pgfeatures.report.looks import LOOKS
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.table import Table

    from pytest_pgfeatures.results.model import JobResults, Result

_QUIET = frozenset({Outcome.PASSED, Outcome.NOTHING_TO_DO})
_OBJECTS = 8
"""The maximum number of objects of a stage that are shown one by one."""
_UNRUN = 2
"""The maximum number of objects of a stage that were not run and have rows of their own in the matrix."""
_LINES_OF_AN_ANNOTATION = 20


def table(run: JobResults) -> Table:
    """Return a table of stages by majors, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    drawn.add_column("")
    for cell in run.installs:
        drawn.add_column(cell)
    for title, outcomes in _rows(run):
        said = (Text("", "") if each is None else Text(_said(each), LOOKS[each].style) for each in outcomes)
        drawn.add_row(Text(title), *said)
    for title, counts in _tests(run):
        drawn.add_row(title, *counts)
    installs = run.installs.values()
    drawn.add_row("version", *(install.version if install else "-" for install in installs))
    drawn.add_row("install", *(install.source if install else "-" for install in installs))
    drawn.add_row("seconds", *(f"{run.seconds_of(cell):.1f}" for cell in run.installs))
    return drawn


@dataclass(frozen=True, slots=True)
class Block:
    """One message for equal results.

    Parameters:
        title: the stage, the cells and the outcome.
        lines: the summary, the objects and the evidence.
        results: the results that it explains.
    """

    title: str
    lines: tuple[str, ...]
    results: tuple[Result, ...]


def compiler_warnings(run: JobResults) -> Table | None:
    """Return a table of the compiler's warnings that a major has and the one before it in the matrix lacks; None
    if there are none."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table("new in", "compiler warning", box=None, pad_edge=False, header_style="bold")
    before: set[str] | None = None
    for cell in run.installs:
        result = run.get("build", cell)
        if result is None or result.outcome is not Outcome.PASSED:
            continue
        found = [line for _, text in result.evidence.sections for line in text.splitlines()]
        for line in found:
            if before is not None and line not in before:
                drawn.add_row(cell, Text(line))
        before = set(found)
    return drawn if drawn.row_count else None


def explained(run: JobResults, *, verbose: bool = False) -> list[Block]:
    """Return the messages about results that did not pass, except for those with nothing to do.

    Results of the same stage that have the same evidence are explained together.

    Parameters:
        verbose: explain all results.
    """
    alike: dict[tuple[object, ...], list[Result]] = {}
    for result in run.results:
        if verbose or _is_said(run, result):
            details = result.evidence.details
            evidence = (details, result.evidence.location) if details else (result.summary,)
            alike.setdefault((result.item.area, result.outcome, *evidence), []).append(result)
    return [_block(results) for results in alike.values()]


def _is_said(run: JobResults, result: Result) -> bool:
    if result.item.id == result.item.area and any(
        other.item.area == result.item.area
        and other.item.id != result.item.id
        and other.outcome is result.outcome
        for other in run.of_cell(result.cell)
    ):
        return False  # the messages about its objects say it
    return result.outcome not in _QUIET and result.blocked_by is None


def _block(results: list[Result]) -> Block:
    first = results[0]
    cells = list(dict.fromkeys(result.cell for result in results))
    summaries = list(dict.fromkeys(result.summary for result in results))
    objects = list(dict.fromkeys(filter(None, map(_object, results))))
    title = objects[0] if len(objects) == 1 else ""
    lines = [*summaries[:_OBJECTS], *_more(len(summaries))]
    if len(objects) > 1:
        lines += [f"  {name}" for name in objects[:_OBJECTS]] + _more(len(objects))
    name = f"{first.item.area} {title}".rstrip()
    heading = f"{name} on {', '.join(cells)}: {first.outcome}"
    return Block(heading, (*lines, *first.evidence.details), tuple(results))


def _more(count: int) -> list[str]:
    return [f"  ... {count - _OBJECTS} more"] if count > _OBJECTS else []


def _object(result: Result) -> str:
    return result.item.id.removeprefix(result.item.area).lstrip()


def suites(run: JobResults) -> list[Suite]:
    """Return a JUnit suite for each major, with a test case for each stage, each object that did not pass, and each
    test of pg_regress."""
    return [
        Suite(
            f"{run.subject} {cell}",
            [each for result in run.of_cell(cell) for each in _with_cases(result)],
            f"{run.subject}.",
        )
        for cell in run.installs
    ]


def _with_cases(result: Result) -> Iterator[Result]:
    """A stage, and the tests that it ran. Its time excludes theirs, so that the sum is right."""
    yield replace(result, seconds=max(0.0, result.seconds - sum(each.seconds for each in result.cases)))
    for each in result.cases:
        yield replace(
            result,
            item=replace(result.item, id=f"{result.item.id} {each.name}"),
            outcome=Outcome.PASSED if each.passed else result.outcome,
            seconds=each.seconds,
            summary="",
            evidence=Evidence(details=each.details),
            tests=(),
            cases=(),
        )


def annotation_lines(run: JobResults, directory: Path | None) -> list[str]:
    """Return the annotations that GitHub Actions shows beside the sources: one line for each kind of trouble.

    Parameters:
        directory: the directory of the sources. The annotations name files relative to the working directory.
    """
    lines = []
    for block in explained(run):
        result = block.results[0]
        where = {"title": f"{run.subject} {block.title}"}
        if (location := result.evidence.location) is not None and directory is not None:
            where = {"file": os.path.relpath(directory / location.file), "line": str(location.line), **where}
        text = "\n".join(block.lines[: _LINES_OF_AN_ANNOTATION + 1])
        lines.append(annotation("error" if result.outcome in FAILURES else "warning", text, where))
    return lines


def append_step_summary(run: JobResults) -> None:
    """Append the matrix and the failures to the step's summary, if running in GitHub Actions."""
    lines = [f"### `{run.subject}`", "", f"| | {' | '.join(run.installs)} |"]
    lines.append("|---|" + "---|" * len(run.installs))
    for title, outcomes in _rows(run):
        row = ["" if each is None else f"{LOOKS[each].emoji} {_said(each)}".strip() for each in outcomes]
        lines.append(f"| {title} | {' | '.join(row)} |")
    lines += [f"| {title} | {' | '.join(counts)} |" for title, counts in _tests(run)]
    for block in explained(run):
        fence = "````"
        lines += ["", f"**{block.title}**", "", fence, *block.lines, fence]
    append_to_summary(lines)


def _rows(run: JobResults) -> Iterator[tuple[str, list[Outcome | None]]]:
    """The rows of the matrix: each stage, and below it the objects that failed or were not run."""
    by_stage: dict[str, dict[str, None]] = {}
    found: dict[tuple[str, str], Outcome] = {}
    for result in run.results:
        by_stage.setdefault(result.item.area, {}).setdefault(result.item.id)
        found[result.item.id, result.cell] = result.outcome
    for stage, ids in by_stage.items():
        yield stage, [found.get((stage, cell), Outcome.NOT_RUN) for cell in run.installs]
        objects = [id for id in ids if id != stage]
        unrun = [
            id
            for id in objects
            if {found.get((id, cell)) for cell in run.installs} <= {None, Outcome.NOT_RUN}
        ]
        if len(unrun) > _UNRUN:
            objects = [id for id in objects if id not in unrun]
            cells = [any((id, cell) in found for id in unrun) for cell in run.installs]
            yield f"  {len(unrun)} objects", [Outcome.NOT_RUN if any_ else None for any_ in cells]
        for id in objects[:_OBJECTS]:
            yield f"  {id.removeprefix(stage).lstrip()}", [found.get((id, cell)) for cell in run.installs]
        if len(objects) > _OBJECTS:
            yield f"  ... {len(objects) - _OBJECTS} more", [None for _ in run.installs]


def _tests(run: JobResults) -> Iterator[tuple[str, list[str]]]:
    """Yield a row for each kind of test, with the number of tests that were run, by major."""
    counts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for result in run.results:
        for each in result.tests:  # several stages may run tests of one kind
            counts[each.kind][result.cell].update(run=each.run, found=each.found)
    for kind, by_cell in counts.items():
        found = [by_cell[cell] for cell in run.installs]
        yield f"{kind} tests", [f"{count['run']} of {count['found']}" if count else "-" for count in found]


def _said(outcome: Outcome) -> str:
    return "-" if outcome is Outcome.NOTHING_TO_DO else outcome
