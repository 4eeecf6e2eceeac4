"""Results as JSON documents for other programs, and for ``pgfeatures merge``, which reads them.

The classes are the formats: ``make schemas`` writes the JSON Schemas from them. An incompatible change to a format
increases ``format`` by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.report.matrix import by_behavior
from pytest_pgfeatures.report.values import conditions
from pytest_pgfeatures.results.evidence import Plain
from pytest_pgfeatures.results.model import Counted, Outcome, Result

if TYPE_CHECKING:
    from pytest_pgfeatures.results.model import InstallUsed, JobResults, Tally

FORMAT: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class ServerObject:
    """The install of a server."""

    version: str
    source: str
    bindir: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BehaviorObject:
    """A behavior on a version, without its evidence.

    Parameters:
        backports: minor releases that brought it to older majors.
        conditions: the names of the conditions of SQLSTATEs in the values.
        absent: whether no server of the version was available.
    """

    behavior: str
    title: str
    area: str
    since: str | None
    backports: tuple[str, ...] = ()
    cell: str
    version: str
    outcome: Outcome
    expected: Plain
    observed: Plain
    conditions: Mapping[str, str]
    install: ServerObject | None
    ran: bool
    absent: bool
    reason: str | None
    capability: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixDocument:
    """The results of behaviors and tests.

    Parameters:
        format: increased if the form changes incompatibly.
        command: the command that ran.
        cells: behaviors, without their evidence.
        warnings: messages about the run, such as a registry that could not be asked, and why.
        results: behaviors and tests, with their evidence.
    """

    format: Literal[1]
    command: str
    seconds: float
    asked: int
    ran: int
    absent: int
    as_documented: int
    deviates: int
    unavailable: int
    error: int
    cells: tuple[BehaviorObject, ...]
    warnings: tuple[str, ...] = ()
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class CommandDocument:
    """The results of a command, by version.

    Parameters:
        format: increased if the form changes incompatibly.
        command: the command line.
    """

    format: Literal[1]
    command: str
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class MajorObject:
    """The install of a cell; null if there was no server."""

    version: str | None
    source: str | None
    bindir: str | None
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StageObject:
    """The result of a stage.

    Parameters:
        tests: for a stage that runs an extension's tests, how many it found and ran, by kind.
    """

    stage: str
    object: str | None
    major: str
    outcome: Outcome
    seconds: float
    summary: str
    tests: tuple[Counted, ...]
    details: tuple[str, ...]
    compiler_warnings: tuple[str, ...]
    file: str | None
    line: int | None
    capability: str | None
    blocked_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtensionDocument:
    """The results of an extension's stages.

    Parameters:
        format: increased if the form changes incompatibly.
        path: the extension's directory or name, as the user gave it.
        failed: whether the run failed, by the options that it had.
        evidence: the same results with their evidence, for ``pgfeatures merge``.
    """

    format: Literal[1]
    subject: str
    path: str
    failed: bool
    seconds: float
    majors: Mapping[str, MajorObject]
    results: tuple[StageObject, ...]
    evidence: tuple[Result, ...]
    warnings: tuple[str, ...]


def matrix_document(run: JobResults, tally: Tally) -> MatrixDocument:
    """Return the results of behaviors and tests, for ``--pg-json`` and ``pgfeatures verify --json``.

    Parameters:
        run: all results.
        tally: the counts of its behaviors.
    """
    behaviors = [result for result in run.results if result.item.kind == "behavior"]
    return MatrixDocument(
        format=FORMAT,
        command=run.subject,
        seconds=round(run.seconds, 3),
        asked=tally.asked,
        ran=tally.ran,
        absent=tally.absent,
        as_documented=tally.outcomes[Outcome.AS_DOCUMENTED],
        deviates=tally.outcomes[Outcome.DEVIATES],
        unavailable=tally.outcomes[Outcome.UNAVAILABLE],
        error=tally.outcomes[Outcome.ERROR],
        cells=tuple(_behavior(result) for row in by_behavior(behaviors).values() for result in row.values()),
        warnings=run.warnings,
        results=run.results,
    )


def command_document(run: JobResults) -> CommandDocument:
    """Return how a command ended on each version, for ``pgfeatures run --json``."""
    return CommandDocument(FORMAT, run.subject, run.results)


def extension_document(run: JobResults, *, path: str, failed: bool) -> ExtensionDocument:
    """Return the results of an extension's stages, for ``pgfeatures extension --json``.

    Parameters:
        run: all results.
        path: the extension's directory or name, as the user gave it.
        failed: whether the run failed, by its options.
    """
    return ExtensionDocument(
        format=FORMAT,
        subject=run.subject,
        path=path,
        failed=failed,
        seconds=round(run.seconds, 3),
        majors={
            cell: MajorObject(
                install.version if install else None,
                install.source if install else None,
                install.bindir if install else None,
                round(run.seconds_of(cell), 3),
            )
            for cell, install in run.installs.items()
        },
        results=tuple(map(_stage, run.results)),
        evidence=run.results,
        warnings=run.warnings,
    )


def _behavior(result: Result) -> BehaviorObject:
    return BehaviorObject(
        behavior=result.item.id,
        title=result.item.title,
        area=result.item.area,
        since=result.item.since,
        backports=result.item.backports,
        cell=result.cell,
        version=result.major,
        outcome=result.outcome,
        expected=result.evidence.expected,
        observed=result.evidence.observed,
        conditions=conditions(result.evidence.expected, result.evidence.observed),
        install=_install(result.install),
        ran=result.ran,
        absent=result.absent,
        reason=result.summary or None,
        capability=result.capability,
    )


def _stage(result: Result) -> StageObject:
    location = result.evidence.location
    return StageObject(
        stage=result.item.area,
        object=result.item.id.removeprefix(result.item.area).lstrip() or None,
        major=result.cell,
        outcome=result.outcome,
        seconds=round(result.seconds, 3),
        summary=result.summary,
        tests=result.tests,
        details=result.evidence.details,
        compiler_warnings=tuple(line for _, text in result.evidence.sections for line in text.splitlines()),
        file=location.file if location else None,
        line=location.line if location else None,
        capability=result.capability,
        blocked_by=result.blocked_by,
    )


def _install(install: InstallUsed | None) -> ServerObject | None:
    return ServerObject(install.version, install.source, install.bindir) if install else None
