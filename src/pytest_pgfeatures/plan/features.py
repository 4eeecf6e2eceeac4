"""The features of a major that explain why it plans a statement differently, and the behaviors that show them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import psycopg

    from pytest_pgfeatures.plan.plan import Plan
    from pytest_pgfeatures.version import PgVersion


class PlanFeature(NamedTuple):
    """A feature of plans that a major added."""

    shown: str | Callable[[Plan, Plan, Mapping[str, str]], bool]
    """A selector for the new plan; or whether both show it, given the first columns of indexes."""
    since: str
    name: str
    behavior: str | None = None  # the id of the behavior that shows it; None if the atlas has none

    @property
    def text(self) -> str:
        """The feature, and since when it exists."""
        return f"{self.name}, since {self.since}"


_CONDITIONS = ("Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter")
_ANY = "= ANY ("
_NAME = re.compile(r'"([^"]++)"|(\w++)')
_LEADING = """
    SELECT c.relname::text, a.attname::text
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
      JOIN pg_attribute a ON a.attrelid = i.indexrelid AND a.attnum = 1
     WHERE i.indnatts > 1
"""


def _fewer(old: Plan, new: Plan, *words: str) -> bool:
    """Whether the types and conditions of the new plan's nodes have one of these words less often."""
    before, after = (
        "\n".join(str(text) for node in plan.nodes for text in (node.type, *map(node.get, _CONDITIONS)))
        for plan in (old, new)
    )
    return any(before.count(word) > after.count(word) for word in words)


def _joins_fewer(old: Plan, new: Plan, _: Mapping[str, str]) -> bool:
    """Whether the new plan reads a relation fewer times."""
    before, after = (Counter(node.get("Relation Name") for node in plan.nodes) for plan in (old, new))
    joins = [
        sum(str(node.type).endswith(("Join", "Nested Loop")) for node in plan.nodes) for plan in (old, new)
    ]
    return joins[1] < joins[0] and any(before[name] > after[name] > 0 for name in before if name is not None)


def _sorts_for_an_aggregate(plan: Plan) -> bool:
    """Whether rows are sorted by more columns than they are grouped by."""
    return any(
        below.type in ("Sort", "Incremental Sort")
        and len(below.get("Sort Key") or ()) > len(node.get("Group Key") or ())
        for node in plan.nodes
        if node.type in ("Aggregate", "GroupAggregate") and node.get("Strategy") in ("Sorted", "Plain")
        for below in node.children
    )


def _skips(old: Plan, new: Plan, leading: Mapping[str, str]) -> bool:
    """Whether a B-tree is searched without a condition on its first column, unlike before."""
    before, after = (
        {(str(node.get("Index Name")), str(node.get("Index Cond", ""))) for node in plan.nodes}
        for plan in (old, new)
    )
    return any(
        name in leading and condition and leading[name] not in {*itertools.chain(*_NAME.findall(condition))}
        for name, condition in after - before
    )


def leading_columns(connection: psycopg.Connection) -> dict[str, str]:
    """The first columns of B-trees that have more than one, by the index's name."""
    return dict(connection.execute(_LEADING.encode()).fetchall())


# The sections on the optimizer and on performance of the release notes: https://www.postgresql.org/docs/release/
FEATURES: tuple[PlanFeature, ...] = (
    PlanFeature("Unique >> Incremental Sort", "16", "DISTINCT by Incremental Sort", "16/distinct-incremental-sort"),
    PlanFeature("Incremental Sort", "13", "Incremental Sort", "13/order-by-incremental-sort"),
    PlanFeature("Parallel Hash Full Join", "16", "parallel Hash Full Join", "16/parallel-hash-full-join"),
    PlanFeature("Parallel Hash Right Join", "16", "parallel Hash Right Join", "16/parallel-hash-right-join"),
    PlanFeature("*[Run Condition]", "15", "a WindowAgg that stops by its Run Condition", "15/window-run-condition"),
    PlanFeature("Memoize", "14", "Memoize"),
    PlanFeature("Tid Range Scan", "14", "Tid Range Scan"),
    PlanFeature("Hash Right Anti Join", "16", "Hash Right Anti Join"),
    PlanFeature("Merge Right Anti Join", "16", "Merge Right Anti Join"),
    PlanFeature("Hash Right Semi Join", "18", "Hash Right Semi Join"),
    PlanFeature(
        "Finalize Aggregate, Finalize GroupAggregate, Finalize HashAggregate", "9.6", "parallel aggregation"
    ),
    PlanFeature("Parallel Hash", "11", "Parallel Hash"),
    PlanFeature("Parallel Append", "11", "Parallel Append"),
    PlanFeature("Gather Merge", "10", "Gather Merge"),
    PlanFeature("Gather", "9.6", "parallel query"),
    PlanFeature(
        lambda old, new, _: _fewer(old, new, "CTE Scan"), "12", "WITH queries that are used once are inlined"
    ),
    PlanFeature(
        lambda old, new, _: _fewer(old, new, "BitmapOr", " OR ") and _fewer(new, old, _ANY),
        "18", "conditions joined by OR are one = ANY",
    ),
    PlanFeature(
        lambda old, new, _: _fewer(old, new, "Values Scan") and _fewer(new, old, _ANY),
        "18", "IN (VALUES ...) is = ANY",
    ),
    PlanFeature(_joins_fewer, "18", "a join of a table with itself is left out"),
    PlanFeature(
        lambda old, new, _: _fewer(old, new, "IS NOT NULL"),
        "17", "IS NOT NULL is left out where a column can't be null",
    ),
    PlanFeature(
        lambda old, new, _: _sorts_for_an_aggregate(new) and not _sorts_for_an_aggregate(old),
        "16", "rows are sorted for an aggregate with ORDER BY or DISTINCT",
    ),
    PlanFeature(_skips, "18", "skip scan"),
)  # fmt: skip
"""The more specific ones come first: what one explains, a later one with the same nodes need not."""


def features_of(
    old: Plan, new: Plan, versions: tuple[PgVersion, PgVersion], leading: Mapping[str, str]
) -> list[PlanFeature]:
    """The features between two majors that the difference of two plans shows.

    Parameters:
        versions: of the two servers, the older one first.
        leading: the first columns of indexes, see :func:`leading_columns`.
    """

    def is_shown(feature: PlanFeature) -> bool:
        since = VersionSet(f">={feature.since}")
        if versions[0] in since or versions[1] not in since:
            return False
        return feature.shown in new if isinstance(feature.shown, str) else feature.shown(old, new, leading)

    return list(filter(is_shown, FEATURES))
