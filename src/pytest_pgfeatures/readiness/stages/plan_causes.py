"""What in a plan only newer majors can do, and the behaviors of the atlas that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.readiness.model import VersionPair


class PlanCause(NamedTuple):
    """Something that a major brought to plans.

    Parameters:
        selector: selects it in a plan.
        since: the servers that have it.
        text: what it is, and since when.
        behavior: the id of the behavior that shows it; None if the atlas has none.
    """

    selector: str
    since: VersionSet
    text: str
    behavior: str | None = None


def _cause(selector: str, since: str, text: str, behavior: str | None = None) -> PlanCause:
    return PlanCause(selector, VersionSet(f">={since}"), f"{text}, since {since}", behavior)


# The sections on the optimizer and on performance of the release notes: https://www.postgresql.org/docs/release/
CAUSES: tuple[PlanCause, ...] = (
    _cause(
        "Unique >> Incremental Sort", "16", "DISTINCT by Incremental Sort", "16/distinct-incremental-sort"
    ),
    _cause("Incremental Sort", "13", "Incremental Sort", "13/order-by-incremental-sort"),
    _cause("Parallel Hash Full Join", "16", "parallel Hash Full Join", "16/parallel-hash-full-join"),
    _cause("Parallel Hash Right Join", "16", "parallel Hash Right Join", "16/parallel-hash-right-join"),
    _cause(
        "*[Run Condition]", "15", "a WindowAgg that stops by its Run Condition", "15/window-run-condition"
    ),
    _cause("Memoize", "14", "Memoize"),
    _cause("Tid Range Scan", "14", "Tid Range Scan"),
    _cause("Hash Right Anti Join", "16", "Hash Right Anti Join"),
    _cause("Merge Right Anti Join", "16", "Merge Right Anti Join"),
    _cause("Hash Right Semi Join", "18", "Hash Right Semi Join"),
    _cause(
        "Finalize Aggregate, Finalize GroupAggregate, Finalize HashAggregate", "9.6", "parallel aggregation"
    ),
    _cause("Parallel Hash", "11", "Parallel Hash"),
    _cause("Parallel Append", "11", "Parallel Append"),
    _cause("Gather Merge", "10", "Gather Merge"),
    _cause("Gather", "9.6", "parallel query"),
)
"""The more specific ones come first: what one explains, a later one with the same nodes need not."""
_GONE: tuple[PlanCause, ...] = (_cause("CTE Scan", "12", "WITH queries that are used once are inlined"),)
"""What an older plan has, and newer majors leave out."""


def causes_of(old: Plan, new: Plan, pair: VersionPair) -> list[PlanCause]:
    """What the new plan has, and the old server could not have; or the reverse, where a newer one leaves it out."""
    found = [
        cause
        for cause in CAUSES
        if pair.old not in cause.since and pair.new in cause.since and cause.selector in new
    ]
    found += [
        cause
        for cause in _GONE
        if pair.old not in cause.since
        and pair.new in cause.since
        and old.count(cause.selector) > new.count(cause.selector)
    ]
    return found
