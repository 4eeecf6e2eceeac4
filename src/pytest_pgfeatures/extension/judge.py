"""Run one stage, and judge its outcome."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError, StartTimeoutError
from pytest_pgfeatures.extension.model import STAGES, Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.results.evidence import Evidence, Location
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.extension.model import Object
    from pytest_pgfeatures.install import Install

COMPILED = "compiler warnings"
"""The section of the evidence with the compiler's warnings."""
_ITEMS = {stage.name: Item("stage", stage.name, stage.meaning, stage.name) for stage in STAGES}
_APART = frozenset(stage.name for stage in STAGES if stage.objects_apart)
_EXPECTED = (StageError, LackingError, NothingToDoError, PgFeaturesError, psycopg.Error, OSError)
"""Exceptions that fail a stage, but not the whole run. OSError: the disk is full, or a file can't be read."""


def unstarted(stage: str, cell: str, major: str, blocked_by: Result | None = None) -> Result:
    """The result of a stage that has not been started.

    Parameters:
        stage: the stage's name.
        cell: the cell's id.
        major: the major that the cell asks for.
        blocked_by: the result that prevents the start.
    """
    result = Result(item=_ITEMS[stage], cell=cell, major=major, outcome=Outcome.NOT_RUN)
    if blocked_by is None:
        return result
    return replace(
        result,
        summary=f"{blocked_by.item.id}: {blocked_by.outcome}",
        blocked_by=blocked_by.blocked_by or blocked_by.item.id,
    )


def unavailable(result: Result, error: PgFeaturesError) -> Result:
    """The result of a stage for which there is no install."""
    return replace(
        result,
        outcome=Outcome.UNAVAILABLE,
        summary=error.problem,
        absent=True,
        evidence=Evidence(details=error.details),
    )


def judged(
    result: Result, install: Install, call: Callable[[], Done]
) -> tuple[list[Result], tuple[str, ...]]:
    """Run a stage.

    Parameters:
        result: the result that :func:`unstarted` returned.
        install: the install that the stage runs on.
        call: runs the stage. Returns what it did, or raises an exception of :mod:`.model` if the stage does not
            pass.

    Returns:
        the stage's result, followed by the results of the objects that failed or were not run; and the warnings.
    """
    result = replace(result, installs=(InstallUsed.of(install),), ran=True)
    started = time.monotonic()
    try:
        done = call()
    except _EXPECTED as error:
        return [replace(_ended(result, error), seconds=time.monotonic() - started)], ()
    result = replace(result, seconds=time.monotonic() - started)
    objects = [
        *(_object(result, object, Outcome.FAILED) for object in done.failed),
        *(_object(result, object, Outcome.NOT_RUN) for object in done.not_run),
        *(_object(result, object, Outcome.NOTHING_TO_DO) for object in done.excluded),
    ]
    return [_summed_up(result, done), *objects], done.warnings


def _object(stage: Result, object: Object, outcome: Outcome) -> Result:
    return replace(
        stage,
        item=replace(stage.item, id=f"{stage.item.id} {object.id}"),
        outcome=outcome,
        ran=outcome is Outcome.FAILED,
        seconds=0.0,
        summary=object.summary,
        evidence=Evidence(details=object.details),
    )


def _summed_up(stage: Result, done: Done) -> Result:
    """The result of the stage as a whole."""
    summary = done.summary
    if done.failed and stage.item.id not in _APART:
        outcome = Outcome.FAILED
        summary = "; ".join(object.summary for object in done.failed)
    elif summary and _complete(done):
        outcome = Outcome.PASSED
    else:
        outcome = Outcome.NOT_RUN
        reasons = dict.fromkeys(object.summary for object in done.not_run)
        summary = "; ".join(filter(None, (summary, *reasons)))
    if done.compiled:
        stage = replace(stage, evidence=Evidence(sections=((COMPILED, "\n".join(done.compiled)),)))
    ran = outcome is not Outcome.NOT_RUN or any(each.run for each in done.tests)
    return replace(stage, outcome=outcome, ran=ran, summary=summary, tests=done.tests, cases=done.cases)


def _complete(done: Done) -> bool:
    """Whether each existing test was run; a stage without tests is complete."""
    return not done.tests or (
        any(each.run for each in done.tests) and all(each.run >= each.found for each in done.tests)
    )


def _ended(result: Result, error: Exception) -> Result:
    if isinstance(error, NothingToDoError):
        return replace(result, outcome=Outcome.NOTHING_TO_DO, summary=str(error))
    if isinstance(error, (StageError, LackingError)):
        result = replace(result, tests=error.tests, cases=error.cases)
    if isinstance(error, LackingError):
        return replace(
            result,
            outcome=Outcome.UNAVAILABLE,
            summary=error.summary,
            capability=error.capability,
            evidence=Evidence(details=error.details),
        )
    if isinstance(error, StartTimeoutError):
        return replace(
            result,
            outcome=Outcome.UNAVAILABLE,
            summary=f"{error.problem}: the machine is too slow, or a preloaded library waits",
            capability="time",
            evidence=Evidence(details=error.details),
        )
    result = replace(result, outcome=Outcome.FAILED)
    if isinstance(error, StageError):
        location = Location(error.file, error.line) if error.file and error.line else None
        return replace(
            result,
            summary=error.summary,
            evidence=Evidence(details=error.details, location=location),
        )
    if isinstance(error, PgFeaturesError):
        remedy = (f"what to do: {error.remedy}",) if error.remedy else ()
        return replace(result, summary=error.problem, evidence=Evidence(details=(*error.details, *remedy)))
    lines = str(error).splitlines() or [type(error).__name__]
    return replace(result, summary=lines[0], evidence=Evidence(details=tuple(lines)))
