"""FORMAT JSON to a plan."""

from __future__ import annotations

import json
import reprlib
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.decode import decode
from pytest_pgfeatures.plan.node_line import OBJECTS
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.tree import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.version import PgMajor


STRINGS = (
    *("Node Type", "Strategy", "Partial Mode", "Operation", "Command", "Join Type", "Scan Direction"),
    *("Custom Plan Provider", "Subplan Name", "Parent Relationship", "Index Name", "Schema", "Alias"),
    *OBJECTS,
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
"""The types of the keys that a node's first line shows. Other keys may have any value."""
TOGETHER = {
    "Startup Cost": ("Total Cost", "Plan Rows", "Plan Width"),
    "Actual Loops": ("Actual Rows",),
    "Actual Startup Time": ("Actual Total Time", "Actual Loops"),
}
"""Keys that come only with other ones."""
DEEPEST_VALUE = 50
"""The number of lists and mappings that may nest in a key's value. Servers' values nest five."""
GREATEST = 10**300
"""Integers from here on don't fit a float; servers don't print them."""


def plan_from_json(text: str, major: PgMajor | None = None) -> Plan:
    """Return the plan in the output of ``EXPLAIN (FORMAT JSON)``.

    Raises:
        PlanParseError: it is not JSON, or not EXPLAIN's output.
    """
    try:
        decoded = decode(text)
    except json.JSONDecodeError as error:
        raise PlanParseError(f"not JSON: {error.msg}", line=error.lineno) from None
    except ValueError as error:  # an integer of thousands of digits
        raise PlanParseError(f"not EXPLAIN's JSON: {error}", line=1) from None
    return _plan(decoded, major, text)


def plan_from_decoded(decoded: Any, major: PgMajor | None = None) -> Plan:
    """Return the plan in the output of ``EXPLAIN (FORMAT JSON)``, as psycopg decodes it.

    Raises:
        PlanParseError: it is not EXPLAIN's output.
    """
    return _plan(decoded, major, "")


def _plan(decoded: Any, major: PgMajor | None, text: str) -> Plan:
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
        problem = _problem_of_values(query)
        if problem:
            raise PlanParseError(f"a query {problem}", line=1)
        count = _check_nodes(query, text, count) if "Plan" in query else count
    return Plan(queries, major)


def _check_nodes(query: Mapping[str, Any], text: str, count: int) -> int:
    """Check the nodes of a query, which ``count`` nodes precede; return the number of these and the query's own.

    Raises:
        PlanParseError: a value can't be a node.
    """
    waiting = [(query["Plan"], 0)]
    while waiting:
        node, depth = waiting.pop()
        problem = _problem(node)
        if not problem and depth > DEEPEST:
            problem = f"nodes nest more than {DEEPEST:,} levels deep"
        if problem:
            raise PlanParseError(problem, line=_line(text, count))
        count += 1
        if "Plans" in node:
            depth += 1
            waiting.extend([(child, depth) for child in reversed(node["Plans"])])
    return count


def _problem(node: Any) -> str:
    """Why a value can't be a node, which must have everything that its first line needs; empty if it can."""
    named = node.get("Node Type") if isinstance(node, dict) else None
    if not isinstance(named, str) or not named.strip():
        return 'a plan node has no "Node Type"'
    for key, value in node.items():
        kind = KINDS.get(key)
        if kind is None:
            if type(value) not in _PLAIN and not _is_shallow(value):
                return f'the "{key}" of a {named} nests more than {DEEPEST_VALUE} levels deep'
        elif type(value) not in kind or (type(value) is int and not -GREATEST < value < GREATEST):
            return f'the "{key}" of a {named} can\'t be {reprlib.repr(value)}'
    for key, others in TOGETHER.items():
        if key in node:
            for other in others:
                if other not in node:
                    return f'a {named} has "{key}" and no "{other}"'
    if not all(type(key) is str for key in node):
        return f"the keys of a {named} are not all strings"
    return ""


def _problem_of_values(query: Mapping[Any, Any]) -> str:
    for key, value in query.items():
        if type(key) is not str:
            return "has keys that are not strings"
        if key != "Plan" and type(value) not in _PLAIN and not _is_shallow(value):
            return f'has a "{key}" that nests more than {DEEPEST_VALUE} levels deep'
    return ""


_PLAIN = frozenset((str, int, float, bool, type(None)))


def _is_shallow(value: Any) -> bool:
    """Whether few enough lists and mappings nest in a value to print it."""
    waiting = [(value, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST_VALUE:
            return False
        if isinstance(value, dict):
            value = value.values()
        elif not isinstance(value, list):
            continue
        waiting.extend([(item, depth + 1) for item in value if type(item) not in _PLAIN])
    return True


def _line(text: str, number: int) -> int:
    """The line of the ``"Node Type"`` of the node with this number, from 0; the last one if there is none."""
    at = -1
    for _ in range(number + 1):
        found = text.find('"Node Type"', at + 1)
        if found < 0:
            break
        at = found
    return text.count("\n", 0, max(at, 0)) + 1
