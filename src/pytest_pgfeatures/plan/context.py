"""The context that the text of a key can depend on: the server's major, VERBOSE, nodes elsewhere."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.plan.majors import before

if TYPE_CHECKING:
    from collections.abc import Iterator

Zeros = Literal["likely", "said", "never"]
"""The cases of a line for 0 rows removed: if the server likely did (JSON does not show it), if the plan has the
key (it was read from text), or never (to compare plans)."""

# The keys by which majors are recognized.
_ROOT_KEYS = (("Disabled", "18"), ("Async Capable", "14"), ("Parallel Aware", "9.6"))
"""Keys of every node, with the first major that prints them; newest first."""
_SINCE = {
    "14": (("17", ("Shared I/O Read Time", "Serialization", "Memory Used", "json_table", "InitPlan")),),
    "18": (("19", ("Replaces", "Estimated Capacity")),),
}
"""For the major that the root's keys show: further keys, with the first major that prints them; newest first."""


def nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The keys of a node and of all nodes below it, as mappings."""
    waiting = [root]
    while waiting:
        data = waiting.pop()
        yield data
        waiting.extend(data.get("Plans", ()))


def infer_major(query: dict[str, Any]) -> str:
    """The oldest major that prints all keys of a query's JSON; among 9.6 to 13, the newest one."""
    root = query.get("Plan", {})
    if "Total Runtime" in query:
        return "9.3"
    floor = next((since for key, since in _ROOT_KEYS if key in root), "9.5")
    if floor == "9.5":
        return floor
    if floor == "9.6":
        return _before_14(root)
    keys = _all_keys(query)
    return next((since for since, hints in _SINCE[floor] if not keys.isdisjoint(hints)), floor)


def _before_14(root: dict[str, Any]) -> str:
    """The major among 9.6 to 13: they differ in keys that a node of some type always has."""
    for data in nodes(root):
        kind = data["Node Type"]
        if kind in ("Hash Join", "Merge Join", "Nested Loop") and "Inner Unique" not in data:
            return "9.6"
        if kind in ("Append", "Merge Append") and "Subplans Removed" not in data:
            return "10"
        if data.get("Strategy") in ("Hashed", "Mixed") and kind == "Aggregate" and "Startup Cost" in data:
            return "13" if "Planned Partitions" in data else "12"
    return "13"


def _all_keys(query: dict[str, Any]) -> set[str]:
    """All keys, and two informative values: a table function's name, an InitPlan without parameters."""
    keys = set(query)
    planning = query.get("Planning")
    if isinstance(planning, dict):
        keys.update(planning)
    for data in nodes(query["Plan"]) if "Plan" in query else ():
        keys.update(data)
        keys.add(data.get("Table Function Name", ""))
        name = data.get("Subplan Name", "")
        if name.startswith("InitPlan") and "(returns" not in name:
            keys.add("InitPlan")
    return keys


class Context:
    """The facts about a whole query that the text of one key can depend on.

    Parameters:
        query: the query as in FORMAT JSON.
        major: the server's major; None to infer it from the keys.
        zeros: when to print a line for 0 rows removed.
    """

    __slots__ = ("__dict__", "major", "query", "zeros")

    def __init__(self, query: dict[str, Any], major: str | None, zeros: Zeros) -> None:
        self.query = query
        self.zeros = zeros
        self.major = infer_major(query) if major is None else major

    @functools.cached_property
    def before_11(self) -> bool:
        """Whether the server writes ``Planning time`` with a small letter."""
        return before(self.major, "11")

    @functools.cached_property
    def before_13(self) -> bool:
        """Whether the server prints a worker's figures as 9.6 to 12 do."""
        return before(self.major, "13")

    @functools.cached_property
    def verbose(self) -> bool:
        """Whether EXPLAIN had the option VERBOSE: some node then has its output or its relation's schema."""
        return any("Output" in data or "Schema" in data for data in self._nodes())

    @functools.cached_property
    def foreign_aliases(self) -> frozenset[str]:
        """The aliases of the foreign tables that the plan scans or modifies."""
        scans = (data for data in self._nodes() if data["Node Type"] == "Foreign Scan")
        return frozenset(data["Alias"] for data in scans if "Alias" in data)

    @functools.cached_property
    def gathered(self) -> frozenset[int]:
        """The identities of the nodes directly below a Gather that received rows from them."""
        gathers = (data for data in self._nodes() if data["Node Type"].startswith("Gather"))
        return frozenset(
            id(child) for data in gathers if data.get("Actual Rows") for child in data.get("Plans", ())
        )

    def _nodes(self) -> Iterator[dict[str, Any]]:
        return nodes(self.query["Plan"]) if "Plan" in self.query else iter(())
