"""Parts of a plan that only newer majors have, and the behaviors of the atlas that show it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import psycopg

    from pytest_pgfeatures.plan import Plan
    from pytest_pgfeatures.readiness.model import VersionPair


class PlanCause(NamedTuple):
    """A feature of plans that a major added.

    Parameters:
        shows: whether the old and the new plan show it, on servers with these first columns of indexes.
        since: the servers that have it.
        text: what it is, and since when.
        behavior: the id of the behavior that shows it; None if the atlas has none.
    """

    shows: Callable[[Plan, Plan, Mapping[str, str]], bool]
    since: VersionSet
    text: str
    behavior: str | None = None


def _cause(
    shown: str | Callable[[Plan, Plan, Mapping[str, str]], bool],
    since: str,
    text: str,
    behavior: str | None = None,
) -> PlanCause:
    """A feature that a selector finds in the new plan, or that only both plans together show."""
    shows = (lambda _, new, __: shown in new) if isinstance(shown, str) else shown
    return PlanCause(shows, VersionSet(f">={since}"), f"{text}, since {since}", behavior)


_CONDITIONS = ("Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter")
_ANY = "= ANY ("
_AGGREGATES = ("Aggregate", "GroupAggregate")
_LEADING = """
    SELECT c.relname::text, a.attname::text
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
      JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = 1
     WHERE i.indnatts > 1
"""


def _counts(plan: Plan, word: str) -> int:
    """Count a word in the conditions of a plan."""
    return sum(str(node.get(key, "")).count(word) for node in plan.nodes for key in _CONDITIONS)


def _joins_fewer(old: Plan, new: Plan) -> bool:
    """Whether the new plan reads a relation fewer times."""
    scans = [Counter(node.get("Relation Name") for node in plan.nodes) for plan in (old, new)]
    joins = [
        sum(str(node.type).endswith(("Join", "Nested Loop")) for node in plan.nodes) for plan in (old, new)
    ]
    return joins[1] < joins[0] and any(
        scans[0][name] > scans[1][name] > 0 for name in scans[0] if name is not None
    )


def _sorts_for_an_aggregate(plan: Plan) -> bool:
    """Whether rows are sorted by more columns than they are grouped by."""
    return any(
        below.type in ("Sort", "Incremental Sort")
        and len(below.get("Sort Key") or ()) > len(node.get("Group Key") or ())
        for node in plan.nodes
        if node.type in _AGGREGATES and node.get("Strategy") in ("Sorted", "Plain")
        for below in node.children
    )


def _skips(old: Plan, new: Plan, leading: Mapping[str, str]) -> bool:
    """Whether a B-tree is searched without a condition on its first column, unlike before."""
    before, after = (
        {(str(node.get("Index Name")), str(node.get("Index Cond", ""))) for node in plan.nodes}
        for plan in (old, new)
    )
    return any(
        name in leading and condition
        and re.search(rf"(?<!\w){re.escape(leading[name])}(?!\w)", condition) is None
        for name, condition in after - before
    )  # fmt: skip


def leading_columns(connection: psycopg.Connection) -> dict[str, str]:
    """The first columns of B-trees that have more than one, by the index's name."""
    return dict(connection.execute(_LEADING.encode()).fetchall())


# The sections on the optimizer and on performance of the release notes: https://www.postgresql.org/docs/release/
CAUSES: tuple[PlanCause, ...] = (
    _cause("Unique >> Incremental Sort", "16", "DISTINCT by Incremental Sort", "16/distinct-incremental-sort"),
    _cause("Incremental Sort", "13", "Incremental Sort", "13/order-by-incremental-sort"),
    _cause("Parallel Hash Full Join", "16", "parallel Hash Full Join", "16/parallel-hash-full-join"),
    _cause("Parallel Hash Right Join", "16", "parallel Hash Right Join", "16/parallel-hash-right-join"),
    _cause("*[Run Condition]", "15", "a WindowAgg that stops by its Run Condition", "15/window-run-condition"),
    _cause("Memoize", "14", "Memoize"),
    _cause("Tid Range Scan", "14", "Tid Range Scan"),
    _cause("Hash Right Anti Join", "16", "Hash Right Anti Join"),
    _cause("Merge Right Anti Join", "16", "Merge Right Anti Join"),
    _cause("Hash Right Semi Join", "18", "Hash Right Semi Join"),
    _cause("Finalize Aggregate, Finalize GroupAggregate, Finalize HashAggregate", "9.6", "parallel aggregation"),
    _cause("Parallel Hash", "11", "Parallel Hash"),
    _cause("Parallel Append", "11", "Parallel Append"),
    _cause("Gather Merge", "10", "Gather Merge"),
    _cause("Gather", "9.6", "parallel query"),
    _cause(
        lambda old, new, _: old.count("CTE Scan") > new.count("CTE Scan"),
        "12", "WITH queries that are used once are inlined",
    ),
    _cause(
        lambda old, new, _: (
            (old.count("BitmapOr") > new.count("BitmapOr") or _counts(old, " OR ") > _counts(new, " OR "))
            and _counts(new, _ANY) > _counts(old, _ANY)
        ),
        "18", "conditions joined by OR are one = ANY",
    ),
    _cause(
        lambda old, new, _: (
            old.count("Values Scan") > new.count("Values Scan") and _counts(new, _ANY) > _counts(old, _ANY)
        ),
        "18", "IN (VALUES ...) is = ANY",
    ),
    _cause(lambda old, new, _: _joins_fewer(old, new), "18", "a join of a table with itself is left out"),
    _cause(
        lambda old, new, _: _counts(old, "IS NOT NULL") > _counts(new, "IS NOT NULL"),
        "17", "IS NOT NULL is left out where a column can't be null",
    ),
    _cause(
        lambda old, new, _: _sorts_for_an_aggregate(new) and not _sorts_for_an_aggregate(old),
        "16", "rows are sorted for an aggregate with ORDER BY or DISTINCT",
    ),
    _cause(_skips, "18", "skip scan"),
)  # fmt: skip
"""The more specific ones come first: what one explains, a later one with the same nodes need not."""


def causes_of(old: Plan, new: Plan, pair: VersionPair, leading: Mapping[str, str]) -> list[PlanCause]:
    """The features between two majors that the difference of two plans shows.

    Parameters:
        leading: the first columns of indexes, see :func:`leading_columns`.
    """
    return [
        cause
        for cause in CAUSES
        if pair.old not in cause.since and pair.new in cause.since and cause.shows(old, new, leading)
    ]
