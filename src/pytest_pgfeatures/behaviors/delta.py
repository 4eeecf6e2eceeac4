"""What differs between two majors, from the expectations alone."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior, Expected, same
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.results.evidence import Plain
    from pytest_pgfeatures.version import PgMajor, PgVersion


class Group(enum.Enum):
    """What a difference means to a person who goes from one version to the other; the weightiest first."""

    BREAKS = "Incompatibilities"
    DEFAULT = "Changed defaults"
    NEW = "New features"
    LOST = "Features lost"
    """On the way back to an older version."""
    OTHER = "Other changes"


@dataclass(frozen=True, slots=True)
class BehaviorChange:
    """One behavior that the two versions differ in."""

    behavior: Behavior
    before: Plain
    """What the one version does."""
    after: Plain
    """What the other does."""
    group: Group


def delta(
    old: PgMajor | PgVersion, new: PgMajor | PgVersion, behaviors: Iterable[Behavior]
) -> tuple[BehaviorChange, ...]:
    """The behaviors of which the two versions are expected to show different things.

    An incompatibility that only differs because one of the two has no such feature yet
    (:class:`~pytest_pgfeatures.behaviors.model.NotYet`) breaks nothing, and is left out.

    Parameters:
        old, new: a major stands for its newest release; the new version may be the lower one, for what a
            return to it would change.

    Returns:
        the changes in the order of their groups, and then of the behaviors.
    """
    changes = [change for each in behaviors if (change := _change(each, old, new))]
    return tuple(sorted(changes, key=lambda change: list(Group).index(change.group)))


def _change(behavior: Behavior, old: PgMajor | PgVersion, new: PgMajor | PgVersion) -> BehaviorChange | None:
    before, after = behavior.row(old), behavior.row(new)
    if before is after or same(before.value, after.value):
        return None
    group = _group(behavior, before, after, old, new)
    return BehaviorChange(behavior, before.value, after.value, group) if group else None


def _group(
    behavior: Behavior, before: Expected, after: Expected, old: PgMajor | PgVersion, new: PgMajor | PgVersion
) -> Group | None:
    absent = before.not_yet or after.not_yet
    if behavior.kind == "incompatibility":
        return None if absent else Group.BREAKS
    if behavior.kind == "default" and not absent:
        return Group.DEFAULT
    has = behavior.has_change(old), behavior.has_change(new)
    if behavior.kind == "default" and has in ((False, False), (True, True)):
        return None  # the setting is new, and its default changed elsewhere
    if before.not_yet > after.not_yet or has == (False, True):
        return Group.NEW
    return Group.LOST if before.not_yet < after.not_yet or has == (True, False) else Group.OTHER


def majors_of_change(
    behavior: Behavior, old: PgMajor | PgVersion, new: PgMajor | PgVersion
) -> tuple[PgMajor, ...]:
    """The majors from which on a behavior is another one, between two versions.

    Returns:
        the newer version's own major where only a minor release changed it.
    """
    low, high = sorted((old.major, new.major))
    steps = [(major, behavior.row(major)) for major in MAJORS if low <= major <= high]
    changed = [
        newer
        for (_, before), (newer, after) in itertools.pairwise(steps)
        if before is not after and not same(before.value, after.value)
    ]
    return tuple(changed) or (high,)
