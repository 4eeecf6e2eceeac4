"""Exclusions: objects that exist, and that a project does not want to run, with the reason."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.extension.model import Done, Object
    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.results.model import Counted
    from pytest_pgfeatures.version import VersionSet


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


def _with_fewer(tests: Iterable[Counted], count: int) -> Iterator[Counted]:
    """The tests without ``count`` of those that were not run; no entry for a kind of which none is left."""
    for each in tests:
        fewer = min(count, each.found - each.run)
        count -= fewer
        if each.found > fewer:
            yield replace(each, found=each.found - fewer)
