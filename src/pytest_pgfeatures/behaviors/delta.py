"""Differences between two majors, from the expectations alone."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import same
from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.version import PgVersion, as_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pgfeatures.behaviors.model import Behavior, Kind
    from pytest_pgfeatures.results.evidence import Plain
    from pytest_pgfeatures.version import PgMajor


class Group(enum.Enum):
    """The meaning of a change for an upgrade, the most important first."""

    BREAKS = "Incompatibilities"
    DEFAULT = "Changed defaults"
    NEW = "New features"


@dataclass(frozen=True, slots=True)
class BehaviorChange:
    """A behavior that the newer version has changed."""

    behavior: Behavior
    before: Plain
    """The expectation for the older version."""
    after: Plain
    """The expectation for the newer version."""
    since: PgMajor | PgVersion
    """The version that brought the change to the newer version's major."""

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries of the release notes; without any the version that brought it, a release as ``>=15.14``."""
        since = f">={self.since}" if isinstance(self.since, PgVersion) else str(self.since)
        return self.behavior.release_note or (since,)

    @property
    def group(self) -> Group:
        """The change's group, by the behavior's kind."""
        return _GROUPS[self.behavior.kind]


_GROUPS: Mapping[Kind, Group] = {
    "incompatibility": Group.BREAKS,
    "default": Group.DEFAULT,
    "feature": Group.NEW,
}


def delta(
    old: PgMajor | PgVersion, new: PgMajor | PgVersion, behaviors: Iterable[Behavior]
) -> tuple[BehaviorChange, ...]:
    """The behaviors that changed after the old version, up to the new one.

    A behavior's title describes the versions that its ``since`` names. If two versions differ for another
    reason, the title doesn't describe the difference, and the behavior is left out. Left out, too, are
    behaviors without a difference, and incompatibilities and changed defaults of features that the old
    version lacks (:class:`~pytest_pgfeatures.behaviors.model.NotYet`).

    Parameters:
        old, new: a major stands for its newest release. The old version is not newer than the new one.

    Returns:
        the changes in the order of their groups, and then of the behaviors.

    Raises:
        VersionError: the old version is newer than the new one.
    """
    if as_release(old) > as_release(new):
        raise VersionError(f"{old} to {new} runs backwards", remedy=f"write {new} before {old}")
    changes = [change for each in behaviors if (change := _change(each, old, new))]
    return tuple(sorted(changes, key=lambda change: list(Group).index(change.group)))


def _change(behavior: Behavior, old: PgMajor | PgVersion, new: PgMajor | PgVersion) -> BehaviorChange | None:
    since = behavior.since_in(new.major)
    if since is None or behavior.has_change(old) or not behavior.has_change(new):
        return None
    before, after = behavior.row(old), behavior.row(new)
    if same(before.value, after.value) or (before.not_yet and behavior.kind != "feature"):
        return None
    return BehaviorChange(behavior, before.value, after.value, since)
