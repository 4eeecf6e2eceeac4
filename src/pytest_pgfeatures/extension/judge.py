"""Run one stage, and judge how it ended."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.extension.model import STAGES, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.results.evidence import Evidence, Location
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_pgfeatures.extension.options import KnownFailure
    from pytest_pgfeatures.install import Install

_ITEMS = {stage.name: Item("stage", stage.name, stage.meaning) for stage in STAGES}
_EXPECTED = (StageError, LackingError, NothingToDoError, PgFeaturesError, psycopg.Error, OSError)
"""Exceptions that fail a stage, but not the whole run. OSError: the disk is full, or a file can't be read."""


def unstarted(stage: str, cell: str, major: str, why: str = "") -> Result:
    """The result of a stage that has not been started.

    Parameters:
        stage: its name.
        cell: the cell's id.
        major: the major that the cell asks for.
        why: it is not run.
    """
    return Result(item=_ITEMS[stage], cell=cell, major=major, outcome=Outcome.NOT_RUN, summary=why)


def unavailable(result: Result, error: PgFeaturesError) -> Result:
    """The result of a stage that has no install."""
    return replace(
        result,
        outcome=Outcome.UNAVAILABLE,
        summary=error.problem,
        absent=True,
        evidence=Evidence(details=error.details),
    )


def judged(result: Result, install: Install, call: Callable[[], str]) -> Result:
    """Run a stage, and return its result.

    Parameters:
        result: as :func:`unstarted` made it.
        install: what it runs on.
        call: returns what it did, in a line, or raises what :mod:`.model` has for a stage that does not pass.
    """
    result = replace(result, installs=(InstallUsed.of(install),), ran=True)
    started = time.monotonic()
    try:
        said = call()
    except _EXPECTED as error:
        return replace(_ended(result, error), seconds=time.monotonic() - started)
    return replace(result, outcome=Outcome.PASSED, summary=said, seconds=time.monotonic() - started)


def _ended(result: Result, error: Exception) -> Result:
    if isinstance(error, NothingToDoError):
        return replace(result, outcome=Outcome.NOTHING_TO_DO, summary=str(error))
    if isinstance(error, LackingError):
        return replace(
            result,
            outcome=Outcome.UNAVAILABLE,
            summary=error.summary,
            capability=error.capability,
            evidence=Evidence(details=error.details),
        )
    result = replace(result, outcome=Outcome.FAILED)
    if isinstance(error, StageError):
        location = Location(error.file, error.line) if error.file and error.line else None
        return replace(
            result, summary=error.summary, evidence=Evidence(details=error.details, location=location)
        )
    if isinstance(error, PgFeaturesError):
        remedy = (f"what to do: {error.remedy}",) if error.remedy else ()
        return replace(result, summary=error.problem, evidence=Evidence(details=(*error.details, *remedy)))
    lines = str(error).splitlines() or [type(error).__name__]
    return replace(result, summary=lines[0], evidence=Evidence(details=tuple(lines)))


def with_known(result: Result, install: Install, known_failures: Iterable[KnownFailure]) -> Result:
    """The result, with known failures taken into account."""
    for known in known_failures:
        if known.stage == result.item.id and install.version in known.pg:
            if result.outcome is Outcome.FAILED:
                summary = f"{known.reason} ({result.summary})"
                return replace(result, outcome=Outcome.KNOWN_FAILURE, summary=summary)
            if result.outcome in (Outcome.PASSED, Outcome.NOTHING_TO_DO):
                summary = f"it passed, and was to fail: {known.reason}"
                return replace(result, outcome=Outcome.UNEXPECTED_PASS, summary=summary)
    return result
