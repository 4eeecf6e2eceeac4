"""FORMAT JSON to a plan."""

from __future__ import annotations

import json
import reprlib
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.decode import decode
from pytest_pgfeatures.plan.node_line import OBJECTS
from pytest_pgfeatures.plan.plan import Plan

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgVersion


STRINGS = (
    *("Node Type", "Strategy", "Partial Mode", "Operation", "Command", "Join Type", "Scan Direction"),
    *(
        "Custom Plan Provider",
        "Subplan Name",
        "Parent Relationship",
        "Index Name",
        "Schema",
        "Alias",
        *OBJECTS,
    ),
)
NUMBERS = (
    *("Startup Cost", "Total Cost", "Plan Rows", "Plan Width"),
    *("Actual Startup Time", "Actual Total Time", "Actual Rows", "Actual Loops"),
)
KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(STRINGS, (str,)),
    **dict.fromkeys(NUMBERS, (int, float)),
    "Plans": (list,),
}
"""What a node's first line in text says, and what kind of value it is. All other keys are taken as they come."""
TOGETHER = {
    "Startup Cost": ("Total Cost", "Plan Rows", "Plan Width"),
    "Actual Loops": ("Actual Rows",),
    "Actual Startup Time": ("Actual Total Time", "Actual Loops"),
}
"""Keys that are there if another one is."""


def plan_from_json(text: str, version: PgVersion | None = None) -> Plan:
    """The plan in what ``EXPLAIN (FORMAT JSON)`` printed.

    Raises:
        PlanParseError: it is not JSON, or not EXPLAIN's.
    """
    try:
        decoded = decode(text)
    except json.JSONDecodeError as error:
        raise PlanParseError(f"not JSON: {error.msg}", line=error.lineno) from None
    except ValueError as error:  # a whole number of thousands of digits
        raise PlanParseError(f"not EXPLAIN's JSON: {error}", line=1) from None
    return _plan(decoded, version, text)


def plan_from_decoded(decoded: Any, version: PgVersion | None = None) -> Plan:
    """The plan in what ``EXPLAIN (FORMAT JSON)`` printed, decoded, as psycopg returns it.

    Raises:
        PlanParseError: it is not EXPLAIN's.
    """
    return _plan(decoded, version, "")


def _plan(decoded: Any, version: PgVersion | None, text: str) -> Plan:
    queries = [decoded] if isinstance(decoded, dict) else decoded
    if not isinstance(queries, list):
        raise PlanParseError(
            f"EXPLAIN's JSON is a list of queries, this is a {type(decoded).__name__}", line=1
        )
    if len(queries) == 1 and isinstance(queries[0], dict) and "Node Type" in queries[0]:
        queries = [{"Plan": queries[0]}]
    count = 0
    for query in queries:
        if isinstance(query, str):
            continue
        if not isinstance(query, dict):
            raise PlanParseError(
                "a query in EXPLAIN's JSON is neither a mapping nor a statement's name", line=1
            )
        waiting = [query["Plan"]] if "Plan" in query else []
        while waiting:
            node = waiting.pop()
            problem = _problem(node)
            if problem:
                raise PlanParseError(problem, line=_line(text, count))
            count += 1
            if "Plans" in node:
                waiting.extend(reversed(node["Plans"]))
    return Plan(queries, version)


def _problem(node: Any) -> str:
    """Why something can't be a node, or nothing: all that its first line needs has to be there."""
    if not isinstance(node, dict) or not isinstance(node.get("Node Type"), str):
        return 'a plan node has no "Node Type"'
    for key, value in node.items():
        kind = KINDS.get(key)
        if kind is not None and type(value) not in kind:
            return f'the "{key}" of a {node["Node Type"]} can\'t be {reprlib.repr(value)}'
    for key, others in TOGETHER.items():
        if key in node:
            for other in others:
                if other not in node:
                    return f'a {node["Node Type"]} has "{key}" and no "{other}"'
    return ""


def _line(text: str, number: int) -> int:
    """The line on which the node with this number, from 0, says its type; the last one where there is none."""
    at = -1
    for _ in range(number + 1):
        found = text.find('"Node Type"', at + 1)
        if found < 0:
            break
        at = found
    return text.count("\n", 0, max(at, 0)) + 1
