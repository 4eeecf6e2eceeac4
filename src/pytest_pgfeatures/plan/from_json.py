"""FORMAT JSON to a plan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan.decode import decode
from pytest_pgfeatures.plan.plan import Plan

if TYPE_CHECKING:
    from pytest_pgfeatures.version import PgVersion


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
    return plan_from_decoded(decoded, version)


def plan_from_decoded(decoded: Any, version: PgVersion | None = None) -> Plan:
    """The plan in what ``EXPLAIN (FORMAT JSON)`` printed, decoded, as psycopg returns it.

    Raises:
        PlanParseError: it is not EXPLAIN's.
    """
    queries = [decoded] if isinstance(decoded, dict) else decoded
    if not isinstance(queries, list):
        raise PlanParseError(
            f"EXPLAIN's JSON is a list of queries, this is a {type(decoded).__name__}", line=1
        )
    if len(queries) == 1 and isinstance(queries[0], dict) and "Node Type" in queries[0]:
        queries = [{"Plan": queries[0]}]
    for query in queries:
        _check(query)
    return Plan(queries, version)


def _check(query: Any) -> None:
    """Every node has to be a mapping with a node type: all else is taken as it comes."""
    if isinstance(query, str):
        return
    if not isinstance(query, dict):
        raise PlanParseError("a query in EXPLAIN's JSON is neither a mapping nor a statement's name", line=1)
    waiting = [query["Plan"]] if "Plan" in query else []
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict) or not isinstance(node.get("Node Type"), str):
            raise PlanParseError('a plan node has no "Node Type"', line=1)
        children = node.get("Plans")
        if children is not None:
            if not isinstance(children, list):
                raise PlanParseError(f'the "Plans" of a {node["Node Type"]} are not a list', line=1)
            waiting.extend(children)
