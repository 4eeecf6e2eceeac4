"""What differs between two majors, from the expectations alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior, same
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.results.evidence import Plain


@dataclass(frozen=True, slots=True)
class Change:
    """One behavior that the two versions differ in."""

    behavior: Behavior
    before: Plain
    """What the one version does."""
    after: Plain
    """What the other does."""


def delta(old: PgVersion, new: PgVersion, behaviors: Iterable[Behavior]) -> tuple[Change, ...]:
    """The behaviors of which the two versions are expected to show different things.

    Parameters:
        old, new: a major stands for its newest release; the new version may be the lower one, for what a
            return to it would change.

    Returns:
        the changes: features before incompatibilities, then in the order of majors and areas.
    """
    changes = (Change(each, _expected(each, old), _expected(each, new)) for each in behaviors)
    return tuple(
        sorted(
            (change for change in changes if not same(change.before, change.after)),
            key=lambda change: change.behavior.kind == "incompatibility",
        )
    )


def _expected(behavior: Behavior, version: PgVersion) -> Plain:
    return behavior.expect_major(version) if _is_major(version) else behavior.expect(version)


def has_change(behavior: Behavior, version: PgVersion) -> bool | None:
    """Whether a version is not from before the behavior's change; None if it always was as it is."""
    if behavior.since is None:
        return None
    since = PgVersion(behavior.since.major) if _is_major(version) else behavior.since
    return version.num >= since.num


def _is_major(version: PgVersion) -> bool:
    # "16" and "16.0" are one number; who compares releases within a major writes a later one.
    return version.minor == 0 and not version.stage
