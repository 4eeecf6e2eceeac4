"""What differs between two majors, from the expectations alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior, same

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.results.evidence import Plain
    from pytest_pgfeatures.version import PgMajor, PgVersion


@dataclass(frozen=True, slots=True)
class Change:
    """One behavior that the two versions differ in."""

    behavior: Behavior
    before: Plain
    """What the one version does."""
    after: Plain
    """What the other does."""


def delta(
    old: PgMajor | PgVersion, new: PgMajor | PgVersion, behaviors: Iterable[Behavior]
) -> tuple[Change, ...]:
    """The behaviors of which the two versions are expected to show different things.

    Parameters:
        old, new: a major stands for its newest release; the new version may be the lower one, for what a
            return to it would change.

    Returns:
        the changes: features before incompatibilities, then in the order of majors and areas.
    """
    changes = (Change(each, each.expect(old), each.expect(new)) for each in behaviors)
    return tuple(
        sorted(
            (change for change in changes if not same(change.before, change.after)),
            key=lambda change: change.behavior.kind == "incompatibility",
        )
    )
