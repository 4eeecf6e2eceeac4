"""The name of a node in text EXPLAIN: ``Parallel Hash Full Join``, ``Finalize GroupAggregate``, ``Insert``.

FORMAT JSON has it in several keys: ``Node Type``, ``Join Type``, ``Strategy`` and others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

AGGREGATES = {
    "Plain": "Aggregate",
    "Sorted": "GroupAggregate",
    "Hashed": "HashAggregate",
    "Mixed": "MixedAggregate",
}
"""The name in text for each ``Strategy`` of an ``Aggregate`` node."""

JOINS = {"Nested Loop": "Nested Loop", "Merge Join": "Merge", "Hash Join": "Hash"}
"""The words before the join type in text, for each ``Node Type`` of a join."""


def label(data: Mapping[str, Any]) -> str:
    """The name that text EXPLAIN prints for a node, given as in FORMAT JSON."""
    kind = data.get("Node Type", "???")
    special = _SPECIAL.get(kind)
    name: str = kind if special is None else special(data)
    if data.get("Async Capable"):
        name = f"Async {name}"
    if data.get("Parallel Aware"):
        name = f"Parallel {name}"
    return name


def _aggregate(data: Mapping[str, Any]) -> str:
    name = AGGREGATES.get(data.get("Strategy", "Plain"), "Aggregate ???")
    mode = data.get("Partial Mode", "Simple")
    return name if mode == "Simple" else f"{mode} {name}"


def _join(data: Mapping[str, Any]) -> str:
    kind, how = data["Node Type"], data.get("Join Type", "Inner")
    return kind if how == "Inner" else f"{JOINS[kind]} {how} Join"


def _index_scan(data: Mapping[str, Any]) -> str:
    kind: str = data["Node Type"]
    return f"{kind} Backward" if data.get("Scan Direction") == "Backward" else kind


def _set_operation(data: Mapping[str, Any]) -> str:
    name = "HashSetOp" if data.get("Strategy") == "Hashed" else "SetOp"
    command = data.get("Command")
    return f"{name} {command}" if command else name


def _modify_table(data: Mapping[str, Any]) -> str:
    name: str = data.get("Operation", "ModifyTable")
    return name


def _foreign_scan(data: Mapping[str, Any]) -> str:
    operation = data.get("Operation", "Select")
    return "Foreign Scan" if operation == "Select" else f"Foreign {operation}"


def _custom_scan(data: Mapping[str, Any]) -> str:
    provider = data.get("Custom Plan Provider")
    return f"Custom Scan ({provider})" if provider else "Custom Scan"


_SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "Aggregate": _aggregate,
    "Nested Loop": _join,
    "Merge Join": _join,
    "Hash Join": _join,
    "Index Scan": _index_scan,
    "Index Only Scan": _index_scan,
    "SetOp": _set_operation,
    "ModifyTable": _modify_table,
    "Foreign Scan": _foreign_scan,
    "Custom Scan": _custom_scan,
}


# --- and back ----------------------------------------------------------------------------------------------

UNARY = (
    "ProjectSet",
    "Gather",
    "Gather Merge",
    "Materialize",
    "Memoize",
    "Sort",
    "Incremental Sort",
    "Group",
    "WindowAgg",
    "Unique",
    "LockRows",
    "Limit",
    "Hash",
    "Subquery Scan",
    "Bitmap Heap Scan",
)
LEAVES = (
    "Seq Scan",
    "Sample Scan",
    "Index Scan",
    "Index Only Scan",
    "Bitmap Index Scan",
    "Tid Scan",
    "Tid Range Scan",
    "Function Scan",
    "Table Function Scan",
    "Values Scan",
    "CTE Scan",
    "Named Tuplestore Scan",
    "WorkTable Scan",
)
MEMBERS = ("Append", "Merge Append", "BitmapAnd", "BitmapOr")
"""Node types with any number of children, which are their members."""
ARITY = {
    **dict.fromkeys(UNARY, 1),
    **dict.fromkeys(LEAVES, 0),
    **dict.fromkeys(JOINS, 2),
    "Recursive Union": 2,
    "Aggregate": 1,
    "Result": 1,
    "SetOp": 2,
}
"""The largest number of children of a node type, InitPlans and SubPlans not counted."""

_JOIN_TYPES = ("Left", "Full", "Right", "Semi", "Anti", "Right Semi", "Right Anti")
_COMMANDS = ("Intersect", "Intersect All", "Except", "Except All")
_MODES = ("Partial", "Finalize")


def _known_labels() -> dict[str, dict[str, str]]:
    known = {name: {"Node Type": name} for name in (*UNARY, *LEAVES, *MEMBERS, "Result", "Recursive Union")}
    for name in ("Index Scan", "Index Only Scan"):
        known[name] = {"Node Type": name, "Scan Direction": "Forward"}
        known[f"{name} Backward"] = {"Node Type": name, "Scan Direction": "Backward"}
    for strategy, name in AGGREGATES.items():
        keys = {"Node Type": "Aggregate", "Strategy": strategy}
        known[name] = {**keys, "Partial Mode": "Simple"}
        known.update({f"{mode} {name}": {**keys, "Partial Mode": mode} for mode in _MODES})
    for kind, name in JOINS.items():
        known[kind] = {"Node Type": kind, "Join Type": "Inner"}
        known.update({f"{name} {how} Join": {"Node Type": kind, "Join Type": how} for how in _JOIN_TYPES})
    for strategy, name in (("Sorted", "SetOp"), ("Hashed", "HashSetOp")):
        for command in _COMMANDS:
            known[f"{name} {command}"] = {"Node Type": "SetOp", "Strategy": strategy, "Command": command}
    for operation in ("Insert", "Update", "Delete", "Merge"):
        known[operation] = {"Node Type": "ModifyTable", "Operation": operation}
        known[f"Foreign {operation}"] = {"Node Type": "Foreign Scan", "Operation": operation}
    known["Foreign Scan"] = {"Node Type": "Foreign Scan", "Operation": "Select"}
    known["Custom Scan"] = {"Node Type": "Custom Scan"}
    return known


LABELS = _known_labels()
"""All labels of known majors, without ``Parallel`` and ``Async``, and the keys that they stand for."""


def keys_of(text: str) -> dict[str, Any]:
    """The keys of FORMAT JSON that a label stands for. An unknown label is its own node type."""
    keys: dict[str, Any] = {"Parallel Aware": text.startswith("Parallel ")}
    name = text.removeprefix("Parallel ")
    if name.startswith("Async "):
        keys["Async Capable"] = True
        name = name.removeprefix("Async ")
    known = LABELS.get(name)
    if known is not None:
        return {**known, **keys}
    if name.startswith("Custom Scan (") and name.endswith(")"):
        return {"Node Type": "Custom Scan", "Custom Plan Provider": name[13:-1], **keys}
    return {"Node Type": name, **keys}
