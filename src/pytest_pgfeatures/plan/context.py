"""What the lines of one query's plan depend on besides their own keys: the server's major, and VERBOSE."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Literal

from pytest_pgfeatures.version import PgMajor, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

Zeros = Literal["likely", "said", "never"]
"""When text has a line for 0 rows removed: where it is likely (JSON does not tell), where the plan has the
key (one from text), or never (to compare plans)."""

BEFORE_13 = VersionSet("<13")

# Keys that tell a major: which ones have it at all, and which of two neighbours it is.
_ROOT_KEYS = (("Disabled", "18"), ("Async Capable", "14"), ("Parallel Aware", "9.6"))
"""Keys of every node, newest first, and the first major that has them."""
_SINCE = {
    "14": (("17", ("Shared I/O Read Time", "Serialization", "Memory Used", "json_table", "InitPlan")),),
    "18": (("19", ("Replaces", "Estimated Capacity")),),
}
"""Further keys, by the major that the root's keys tell, newest first, and the first major that has them."""


def nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node's mapping and those of all nodes below it."""
    waiting = [root]
    while waiting:
        data = waiting.pop()
        yield data
        waiting.extend(data.get("Plans", ()))


def infer_major(query: dict[str, Any]) -> PgMajor:
    """The oldest major that prints all the keys of a query's JSON; of 9.6 to 13 the newest."""
    return PgMajor(_inferred(query))


def _inferred(query: dict[str, Any]) -> str:
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
    """9.6, 10, 11, 12 and 13 differ in keys that are there whenever their node is."""
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
    """Every key, and what values tell as much: a table function, an InitPlan that returns nothing."""
    keys = set(query) | set(query.get("Planning", ()))
    for data in nodes(query["Plan"]) if "Plan" in query else ():
        keys.update(data)
        keys.add(data.get("Table Function Name", ""))
        name = data.get("Subplan Name", "")
        if name.startswith("InitPlan") and "(returns" not in name:
            keys.add("InitPlan")
    return keys


class Context:
    """The facts about a whole query that the line of one key may need.

    Parameters:
        query: the query's mapping in FORMAT JSON.
        major: the server's major, if known.
        zeros: when there is a line for 0 rows removed.
    """

    __slots__ = ("__dict__", "major", "query", "zeros")

    def __init__(self, query: dict[str, Any], major: PgMajor | None, zeros: Zeros) -> None:
        self.query = query
        self.zeros = zeros
        self.major = infer_major(query) if major is None else major

    @functools.cached_property
    def before_13(self) -> bool:
        """Whether the server says a worker's figures in the way of 9.6 to 12."""
        return BEFORE_13.covers(self.major)

    @functools.cached_property
    def verbose(self) -> bool:
        """Whether EXPLAIN was asked for VERBOSE: then some node says its output or its relation's schema."""
        return any("Output" in data or "Schema" in data for data in nodes(self.query["Plan"]))

    @functools.cached_property
    def foreign_aliases(self) -> frozenset[str]:
        """The names of the foreign tables that the plan scans or modifies."""
        scans = (data for data in nodes(self.query["Plan"]) if data["Node Type"] == "Foreign Scan")
        return frozenset(data["Alias"] for data in scans if "Alias" in data)

    @functools.cached_property
    def gathered(self) -> frozenset[int]:
        """The identities of the nodes that a Gather has just above it and got rows from."""
        gathers = (data for data in nodes(self.query["Plan"]) if data["Node Type"].startswith("Gather"))
        return frozenset(
            id(child) for data in gathers if data.get("Actual Rows") for child in data.get("Plans", ())
        )
