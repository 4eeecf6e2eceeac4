"""What changed between two versions, and how it shows in an application."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.behaviors.delta import Group, delta
from pytest_pgfeatures.behaviors.release_note import major_of
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.affects import Evidence
    from pytest_pgfeatures.readiness.model import Place, VersionPair


class Subject(NamedTuple):
    """Something that changed: a behavior, or an entry of the release notes that no behavior observes."""

    id: str
    items: tuple[str, ...]
    title: str
    remedy: str
    is_default: bool
    affects: tuple[Evidence, ...]


class Hit(NamedTuple):
    """A place that is evidence."""

    kind: Evidence
    place: Place | None
    excerpt: str
    object: str | None = None


@functools.cache
def subjects_between(pair: VersionPair) -> tuple[Subject, ...]:
    """What breaks, and the defaults that change, between two versions."""
    from pytest_pgfeatures.atlas.release_notes import ENTRIES
    from pytest_pgfeatures.atlas.without_behavior import WITHOUT_BEHAVIOR
    from pytest_pgfeatures.behaviors.registry import atlas

    changes = delta(pair.old, pair.new, atlas().values())
    found = [
        Subject(
            change.behavior.id,
            change.behavior.release_note,
            change.behavior.title,
            change.behavior.remedy or "",
            change.group is not Group.BREAKS,
            change.behavior.affects,
        )
        for change in changes
        if change.group in (Group.BREAKS, Group.DEFAULT) or change.behavior.affects
    ]
    for key, reason in WITHOUT_BEHAVIOR.items():
        brought = VersionSet(f">={major_of(key)}")
        if pair.old not in brought and pair.new in brought:
            found.append(Subject(key, (key,), ENTRIES[key], "", False, reason.affects))
    return tuple(found)
