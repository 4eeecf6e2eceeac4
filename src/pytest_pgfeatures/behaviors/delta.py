"""What differs between two majors, from the expectations alone."""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior, Expected, Plain, same
from pytest_pgfeatures.version import MAJORS, PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterable


class Group(enum.Enum):
    """What a difference means to a person who goes from one version to the other; the weightiest first."""

    BREAKS = "Incompatibilities"
    DEFAULT = "Changed defaults"
    NEW = "New features"
    LOST = "Features lost"
    """On the way back to an older version."""
    OTHER = "Other changes"


@dataclass(frozen=True, slots=True)
class Change:
    """One behavior that the two versions differ in."""

    behavior: Behavior
    before: Plain
    """What the one version does."""
    after: Plain
    """What the other does."""
    group: Group


def delta(old: PgVersion, new: PgVersion, behaviors: Iterable[Behavior]) -> tuple[Change, ...]:
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


def _change(behavior: Behavior, old: PgVersion, new: PgVersion) -> Change | None:
    before, after = _expected(behavior, old), _expected(behavior, new)
    if same(before.value, after.value):
        return None
    group = _group(behavior, before, after, old, new)
    return Change(behavior, before.value, after.value, group) if group else None


def _group(
    behavior: Behavior, before: Expected, after: Expected, old: PgVersion, new: PgVersion
) -> Group | None:
    absent = before.not_yet or after.not_yet
    if behavior.kind == "incompatibility":
        return None if absent else Group.BREAKS
    if behavior.kind == "default" and not absent:
        return Group.DEFAULT
    has = has_change(behavior, old), has_change(behavior, new)
    if before.not_yet > after.not_yet or has == (False, True):
        return Group.NEW
    return Group.LOST if before.not_yet < after.not_yet or has == (True, False) else Group.OTHER


def _expected(behavior: Behavior, version: PgVersion) -> Expected:
    return behavior.row_of_major(version) if _is_major(version) else behavior.row(version)


def majors_of_change(behavior: Behavior, old: PgVersion, new: PgVersion) -> tuple[PgVersion, ...]:
    """The majors between two versions from which on a behavior is another one; the newer version's own where only a
    minor release changed it."""
    low, high = sorted((old, new))
    steps = [major for major in MAJORS if low.num < major.num <= high.num]
    values = [_expected(behavior, version) for version in (PgVersion(low.major), *steps)]
    changed = [
        major
        for major, (one, other) in zip(steps, itertools.pairwise(values), strict=True)
        if not same(one.value, other.value)
    ]
    return tuple(changed) or (PgVersion(high.major),)


def has_change(behavior: Behavior, version: PgVersion) -> bool | None:
    """Whether a version is not from before the behavior's change; None if it always was as it is."""
    if behavior.since is None:
        return None
    since = PgVersion(behavior.since.major) if _is_major(version) else behavior.since
    return version.num >= since.num


def _is_major(version: PgVersion) -> bool:
    # "16" and "16.0" are one number; who compares releases within a major writes a later one.
    return version.minor == 0 and not version.stage
