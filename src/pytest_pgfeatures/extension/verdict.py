"""Decide which results make a run of ``pgfeatures extension`` fail."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_pgfeatures.results.model import FAILURES, Outcome

if TYPE_CHECKING:
    from pytest_pgfeatures.results.model import JobResults, Result

_NO = frozenset({"", "0", "false"})


def strict_by_default() -> bool:
    """Whether this runs in CI, which sets the variable ``CI``."""
    return os.environ.get("CI", "").lower() not in _NO


def failing(run: JobResults, *, allow_missing: bool, strict: bool) -> list[Result]:
    """The results that make a run fail.

    Stages that were not run because of a known failure always count, because they aren't declared as failing.

    Parameters:
        allow_missing: whether to ignore unavailable stages.
        strict: whether tests and objects count that exist but were not run.
    """
    bad = FAILURES if allow_missing else FAILURES | {Outcome.UNAVAILABLE}
    return [
        result
        for result in run.results
        if result.outcome in bad or (strict and was_left_out(result)) or _is_hidden(run, result)
    ]


def was_left_out(result: Result) -> bool:
    """Whether something that exists was not run, although no earlier stage failed."""
    return result.outcome is Outcome.NOT_RUN and result.blocked_by is None


def left_out(run: JobResults) -> list[Result]:
    """The objects that exist but were not run, and the stages that were not run as a whole."""
    found = [result for result in run.results if was_left_out(result)]
    by_object = {(result.item.area, result.cell) for result in found if result.item.id != result.item.area}
    return [
        result
        for result in found
        if result.item.id != result.item.area or (result.item.area, result.cell) not in by_object
    ]


def _is_hidden(run: JobResults, result: Result) -> bool:
    if result.outcome is not Outcome.NOT_RUN or result.blocked_by is None:
        return False
    before = run.get(result.blocked_by, result.cell)
    return before is not None and before.outcome is Outcome.KNOWN_FAILURE
