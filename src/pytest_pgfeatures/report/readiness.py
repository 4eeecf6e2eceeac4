"""Report the findings of ``pgfeatures readiness`` in the terminal, in JSON, in JUnit XML and in GitHub Actions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.report.github import annotation, append_to_summary
from pytest_pgfeatures.report.junit import Suite
from pytest_pgfeatures.report.looks import LOOKS
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

    from pytest_pgfeatures.readiness.model import Finding
    from pytest_pgfeatures.readiness.run import Readiness, StageRun

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
_NOTES_SHOWN = 5
_MISSES_SHOWN = 5
_INDENT = "    "
_ALIKE = 4
"""The number of further places from which on equal findings are shown as one."""
HEADS = {"What breaks": "bold red", "What may break": "red", "What may change": "yellow", "Notes": "cyan"}
"""The heads of findings, with their styles."""
_HEADS_OF_POSSIBLE = {"error": "What may break", "warning": "What may change", "note": "Notes"}


def by_head(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return the findings below their heads: certain ones as what breaks, the rest by severity."""
    below: dict[str, list[Finding]] = {head: [] for head in HEADS}
    for finding in findings:
        certain = finding.certainty == "affects"
        below["What breaks" if certain else _HEADS_OF_POSSIBLE[finding.severity]].append(finding)
    return {head: findings for head, findings in below.items() if findings}


def inputs_not_read(run: StageRun) -> str:
    """Return how many inputs of a stage were not read: ``1 input not read``."""
    count = len(run.unread)
    return f"{count} input{'' if count == 1 else 's'} not read"


def results(found: Readiness) -> list[Result]:
    """Return a result for each stage and pair."""
    reported = {_key(finding) for finding in found.findings}
    return [_result(run, reported) for run in found.runs]


def _key(finding: Finding) -> tuple[object, ...]:
    """The fields that identify the finding, without those that explain it."""
    return finding.stage, finding.certainty, finding.place, finding.object, finding.message


def _result(run: StageRun, reported: set[tuple[object, ...]]) -> Result:
    findings = [finding for finding in run.report.findings if _key(finding) in reported]
    certain = sum(finding.certainty == "affects" for finding in findings)
    if run.error:
        outcome, summary = Outcome.ERROR, run.error.split("\n")[0]
    elif run.nothing:
        outcome, summary = Outcome.NOTHING_TO_DO, "no input that it looks at"
    else:
        outcome = Outcome.FAILED if certain else Outcome.PASSED
        summary = f"{certain} certain, {len(findings) - certain} possible" if findings else ""
    if run.unread and not run.error:
        outcome = Outcome.ERROR
        summary = "; ".join(filter(None, (summary, inputs_not_read(run))))
    return Result(
        item=Item("stage", run.stage),
        cell=run.pair,
        outcome=outcome,
        major=run.versions[1],
        installs=tuple(
            InstallUsed.at(version, source, bindir)
            for version, (source, bindir) in zip(run.versions, run.installs, strict=False)
        ),
        ran=not run.nothing,
        seconds=run.seconds,
        summary=summary,
        evidence=Evidence(
            details=(*run.unread, *(f"{where(finding)}: {finding.message}" for finding in findings))
        ),
    )


def render(found: Readiness, *, verbose: bool = False) -> Iterator[RenderableType]:
    """Return the report for a rich console: the findings by severity, the problems, and the table of stages.

    Parameters:
        verbose: whether to show all notes, and everything that was not looked at.
    """
    from rich.rule import Rule
    from rich.text import Text

    for head, findings in by_head(found.findings).items():
        yield Rule(Text(f"{head} ({len(findings)})", HEADS[head]), align="left", style="dim")
        brief = head == "Notes" and not verbose
        shown = findings[:_NOTES_SHOWN] if brief else findings
        for finding, others in [(each, ()) for each in shown] if brief or verbose else _alike(shown):
            yield _drawn(finding, others, brief=brief)
        if brief and len(findings) > _NOTES_SHOWN:
            yield Text(f"  and {len(findings) - _NOTES_SHOWN} more; -v shows them", "dim")
    missed = [f"{each.what}: {each.why}" for each in found.not_looked_at]
    more = 0 if verbose else max(len(missed) - _MISSES_SHOWN, 0)
    sections = {
        "Problems": found.problems,
        "Files not looked at": passed_over_lines(found),
        f"Not looked at ({len(missed)})": missed[: len(missed) - more],
        "To run after the upgrade (it was run here)": list(filter(None, [found.afterwards.rstrip()])),
    }
    for head, lines in sections.items():
        if lines:
            yield Rule(head, align="left", style="dim")
            yield from map(Text, lines)
        if more and head.startswith("Not looked at"):
            yield Text(f"and {more} more; -v shows them", "dim")
    if found.accepted:
        yield Text(f"{len(found.accepted)} findings are accepted by the baseline", "dim")
    yield Rule(style="dim")
    yield table(found)
    yield Text(_totals(found, "\n"))


def passed_over_lines(found: Readiness) -> list[str]:
    """Return the files of given directories that were not read, by suffix: a line for each option and reason."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for each in found.passed_over:
        said = f"{each.suffix} ({each.count})" if each.suffix else f"without a suffix ({each.count})"
        lines.setdefault((each.option, each.directory, each.why), []).append(said)
    return [
        f"--{option} {directory}: {', '.join(said)}: {why}"
        for (option, directory, why), said in lines.items()
    ]


def by_cause(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Return the findings; equal ones of several places together, and one without a place alone."""
    causes: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        same = (finding.stage, finding.message, finding.remedy, finding.certainty, finding.behavior)
        causes.setdefault(same if finding.place else (finding,), []).append(finding)
    return list(causes.values())


def _alike(findings: list[Finding]) -> Iterator[tuple[Finding, tuple[Finding, ...]]]:
    """Yield the findings; of several with the same cause the first, with the others."""
    for first, *others in by_cause(findings):
        if len(others) < _ALIKE:
            yield from ((each, ()) for each in (first, *others))
        else:
            yield first, tuple(others)


def _drawn(finding: Finding, others: tuple[Finding, ...] = (), *, brief: bool = False) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    drawn = Text.assemble((where(finding), "bold"), ": ", finding.message)
    if finding.items or finding.behavior:
        drawn.append(f"  [{', '.join(filter(None, (*finding.items, finding.behavior)))}]", "dim")
    if brief:
        return drawn
    lines = [Text(finding.excerpt, "cyan")] if finding.excerpt else []
    if others:
        places = [f"{each.place.file}:{each.place.line}" for each in others if each.place]
        more = f", and {len(places) - _ALIKE} more; -v shows each" if len(places) > _ALIKE else ""
        lines.append(Text(f"also at {', '.join(places[:_ALIKE])}{more}"))
    if finding.certainty != "affects":
        lines.append(Text("may affect: a person has to check", "dim"))
    lines.append(Text(f"what to do: {finding.remedy}"))
    if finding.proof:
        lines.append(Text(f"proof: {finding.proof}", "dim"))
    return Group(drawn, *map(_Indented, lines))


@dataclass
class _Indented:
    """A text whose lines are all indented, however they wrap."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        for line in self.text.wrap(console, options.max_width - len(_INDENT)):
            line.rstrip()
            yield Text(_INDENT).append_text(line)


def where(finding: Finding) -> str:
    """Return the place of a finding: file, line and column, and the object."""
    place = finding.place
    at = f"{place.file}:{place.line}:{place.column}" if place else finding.object or finding.stage
    return f"{at} ({finding.object})" if place and finding.object else at


def table(found: Readiness) -> Table:
    """Return a table of stages by pairs, for a rich console."""
    from rich.table import Table
    from rich.text import Text

    known = {
        (run.stage, run.pair): (run, result) for run, result in zip(found.runs, results(found), strict=True)
    }
    versions = {run.pair: " -> ".join(run.versions) for run in found.runs}
    pairs = list(versions)
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for head in ("", *pairs):
        drawn.add_column(head)
    for stage in dict.fromkeys(run.stage for run in found.runs):
        cells = (known.get((stage, pair)) for pair in pairs)
        drawn.add_row(
            stage,
            *(Text(_said(*cell), LOOKS[cell[1].outcome].style) if cell else Text("-") for cell in cells),
        )
    drawn.add_row("versions", *versions.values())
    seconds = (sum(run.seconds for run in found.runs if run.pair == pair) for pair in pairs)
    drawn.add_row("seconds", *(f"{each:.1f}" for each in seconds))
    return drawn


def _said(run: StageRun, result: Result) -> str:
    if run.error or run.nothing:
        return "could not look" if run.error else "-"
    return result.summary or ("nothing else found" if run.report.findings else "nothing found")


def _totals(found: Readiness, separator: str = "; ") -> str:
    by = Counter(finding.certainty for finding in found.findings)
    looked = []
    for run in found.runs:
        if counts := ", ".join(f"{count} {name}" for name, count in run.report.counts if count):
            looked.append(f"{run.stage} {run.pair}: {counts}")
    head = f"{by['affects']} affect the application, {by['may affect']} may. Looked at:"
    return f"{head}{separator.lstrip(';')}{separator.join(looked)}" if looked else f"{head} nothing"


def suites(found: Readiness) -> list[Suite]:
    """Return a JUnit suite for each pair, with a test case for each stage."""
    all_results = results(found)
    return [
        Suite(f"readiness {pair}", [result for result in all_results if result.cell == pair], "readiness.")
        for pair in dict.fromkeys(run.pair for run in found.runs)
    ]


def annotation_lines(found: Readiness) -> list[str]:
    """Return the annotations that GitHub Actions shows beside the files: one for each finding with a place."""
    lines = []
    for finding, place in ((each, each.place) for each in found.findings if each.place):
        properties = {
            "file": place.file,
            "line": str(place.line),
            "col": str(place.column),
            "title": f"readiness: {finding.certainty}",
        }
        text = f"{finding.message}\n{finding.remedy}"
        lines.append(annotation(_LEVELS[finding.severity], text, properties))
    return lines


def append_step_summary(found: Readiness) -> None:
    """Append the findings to the step's summary, if running in GitHub Actions."""
    lines = ["### `pgfeatures readiness`", "", _totals(found), ""]
    if found.findings:
        lines += ["| severity | where | what | what to do |", "|---|---|---|---|"]
    for finding in found.findings:
        cells = (finding.severity, where(finding), finding.message, finding.remedy)
        lines.append(
            "| " + " | ".join(" ".join(cell.replace("|", "&#124;").split()) for cell in cells) + " |"
        )
    append_to_summary(lines)
