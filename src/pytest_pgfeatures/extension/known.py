"""Known failures: stages, or objects of stages, that a project declares as failing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.results.evidence import NOTHING
from pytest_pgfeatures.results.model import Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.version import VersionSet

_BAD = (Outcome.FAILED, Outcome.NOT_RUN)


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """A failure that is expected.

    Parameters:
        stage: one of :data:`~pytest_pgfeatures.extension.model.STAGE_NAMES`.
        pg: the versions on which it is expected.
        reason: why it fails.
        object: the object that fails, such as ``table:public.cache``; empty for the stage as a whole.
    """

    stage: str
    pg: VersionSet
    reason: str
    object: str = ""


def with_known(
    results: Sequence[Result], install: Install, known_failures: Iterable[KnownFailure]
) -> list[Result]:
    """Apply the known failures to the results of a stage and its objects.

    If all failed objects of a stage are known failures, the stage is a known failure, too. If the stage ran and a
    known failure did not occur, that is an unexpected pass.
    """
    stage, *objects = results
    known = {
        each.object: each
        for each in known_failures
        if each.stage == stage.item.id and install.version in each.pg
    }
    if whole := known.pop("", None):
        passed = stage.outcome in (Outcome.PASSED, Outcome.NOTHING_TO_DO)
        first = _unexpected(stage, whole) if passed else _as_known(stage, whole)
        return [first, *(_as_known(each, whole) for each in objects)]
    judged = []
    for each in objects:
        match = known.pop(each.item.id.removeprefix(f"{stage.item.id} "), None)
        judged.append(_as_known(each, match) if match else each)
    if stage.outcome in (Outcome.PASSED, Outcome.NOTHING_TO_DO) or (
        stage.outcome is Outcome.FAILED and objects
    ):
        for name, declared in known.items():
            item = replace(stage.item, id=f"{stage.item.id} {name}")
            judged.append(_unexpected(replace(stage, item=item, seconds=0.0), declared))
    if objects and stage.outcome in _BAD and all(each.outcome is not stage.outcome for each in judged):
        stage = replace(stage, outcome=Outcome.KNOWN_FAILURE)
    return [stage, *judged]


def _unexpected(result: Result, known: KnownFailure) -> Result:
    summary = f"it passed, but was expected to fail: {known.reason}"
    return replace(result, outcome=Outcome.UNEXPECTED_PASS, summary=summary, evidence=NOTHING)


def _as_known(result: Result, known: KnownFailure) -> Result:
    if result.outcome not in _BAD:
        return result
    original = ": ".join(
        filter(None, ("not run" if result.outcome is Outcome.NOT_RUN else "", result.summary))
    )
    return replace(result, outcome=Outcome.KNOWN_FAILURE, summary=f"{known.reason} ({original})")
