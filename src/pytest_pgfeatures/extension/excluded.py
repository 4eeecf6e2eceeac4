"""Exclusions: objects that exist, and that a project does not want to run, with the reason."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from pytest_pgfeatures.results.model import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.extension.model import Done, Object
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.results.model import Counted, Result
    from pytest_pgfeatures.version import PgVersion, VersionSet

_STAGES = {"version": ("create",), "test": ("regress", "tap", "test")}
"""The stages that find objects of a kind; ``update`` finds those of all other kinds."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """Objects that are excluded.

    Parameters:
        object: a pattern of their ids, such as ``script:*--1.*``.
        reason: why they are excluded.
        pg: the versions on which they are; None for all.
    """

    object: str
    reason: str
    pg: VersionSet | None = None


def without_excluded(done: Done, install: Install, excluded: Iterable[Excluded]) -> Done:
    """Move the objects that were not run and are excluded to ``Done.excluded``. Tests among them don't count as
    found. Objects that ran and failed stay: an exclusion hides no failure."""
    here = [each for each in excluded if each.pg is None or install.version in each.pg]
    moved: list[Object] = []
    stay = []
    for each in done.not_run:
        reason = next((one.reason for one in here if fnmatch.fnmatchcase(each.id, one.object)), None)
        if reason is None:
            stay.append(each)
        else:
            moved.append(replace(each, summary=f"excluded: {reason}"))
    if not moved:
        return done
    count = sum(each.id.startswith("test:") for each in moved)
    return replace(
        done,
        summary=done.summary or ("" if stay else f"{len(moved)} excluded"),
        not_run=tuple(stay),
        excluded=tuple(moved),
        tests=tuple(_with_fewer(done.tests, count)),
    )


def unmatched(
    excluded: Iterable[Excluded], results: Collection[Sequence[Result]], versions: Mapping[str, PgVersion]
) -> Iterator[str]:
    """Report the exclusions that match nothing, if all stages that could find a match ran.

    Parameters:
        results: the results of each stage on each major, followed by those of its objects.
        versions: the servers' versions, by cell.
    """
    for each in excluded:
        stages = _STAGES.get(each.object.partition(":")[0], ("update",))
        cells = {cell for cell, version in versions.items() if each.pg is None or version in each.pg}
        here = [found for found in results if found[0].item.id in stages and found[0].cell in cells]
        found = {result.item.id.partition(" ")[2] for result in chain.from_iterable(here)}
        ended = all(
            stage.outcome is Outcome.PASSED
            or stage.outcome is Outcome.NOTHING_TO_DO
            or (stage.outcome is Outcome.NOT_RUN and stage.blocked_by is None)
            for stage, *_ in here
        )
        if here and ended and not any(fnmatch.fnmatchcase(name, each.object) for name in found):
            yield f"{each.object} is excluded ({each.reason}), but nothing that was not run matches it"


def _with_fewer(tests: Iterable[Counted], count: int) -> Iterator[Counted]:
    """The tests, minus ``count`` of those that were not run; without the kinds of which none is left."""
    for each in tests:
        fewer = min(count, each.found - each.run)
        count -= fewer
        if each.found > fewer:
            yield replace(each, found=each.found - fewer)
