"""A line of text EXPLAIN to the keys of FORMAT JSON that it holds."""

from __future__ import annotations

import re
from typing import Any

from pytest_pgfeatures.plan.label import LABELS, keys_of
from pytest_pgfeatures.plan.quoting import unquoted
from pytest_pgfeatures.plan.text_figures import FIGURES, LONGEST, decimal, split_list

_NUMBER = r"\d+(?:\.\d+)?"
_COST = re.compile(rf"\(cost=({_NUMBER})\.\.({_NUMBER}) rows=(\d+) width=(-?\d+)\)").match
_ACTUAL = re.compile(
    rf"\((?:actual (?:time=({_NUMBER})\.\.({_NUMBER}) )?rows=({_NUMBER}) loops=(\d+)|never executed)\)"
).fullmatch
_IDENTIFIER = r'"(?:[^"]|"")*"|[^\s".]+'
_USING = re.compile(rf" using ({_IDENTIFIER})(?= on |$)").match
_TARGET = re.compile(rf" on (?:({_IDENTIFIER})\.)?({_IDENTIFIER})(?: ({_IDENTIFIER}))?\s*").fullmatch
_MISREAD = {"Seg Scan": "Seq Scan"}
"""Labels as OCR reads them."""

OBJECT_KEYS = {
    "Function Scan": "Function Name",
    "Table Function Scan": "Table Function Name",
    "CTE Scan": "CTE Name",
    "WorkTable Scan": "CTE Name",
    "Values Scan": None,
    "Subquery Scan": None,
}
"""The key of the object that a node works on, if it is not ``Relation Name``; None if text has only its alias."""

LISTS = frozenset(
    (
        "Output",
        "Sort Key",
        "Presorted Key",
        "Group Key",
        "Hash Key",
        "Conflict Arbiter Indexes",
        "Params Evaluated",
    )
)
STRINGS = frozenset(
    (
        *("Filter", "Join Filter", "Index Cond", "Recheck Cond", "TID Cond", "Order By", "Hash Cond"),
        *("Merge Cond", "One-Time Filter", "Run Condition", "Window", "Cache Key", "Conflict Filter"),
        *("Function Call", "Table Function Call", "Remote SQL", "Relations"),
        *("Query Text", "Query Parameters"),
    )
)
"""Keys whose value is a string even if it looks like a number."""
OF_NODES = frozenset(
    (
        *("Node Type", "Strategy", "Partial Mode", "Operation", "Command", "Join Type", "Scan Direction"),
        *("Custom Plan Provider", "Subplan Name", "Parent Relationship", "Index Name", "Schema", "Alias"),
        *("Relation Name", *filter(None, OBJECT_KEYS.values())),
    )
)
"""Keys of a node's first line, strings too. A foreign or custom scan may have a line of that name."""
NO_LINES = frozenset(
    (
        *("Startup Cost", "Total Cost", "Plan Rows", "Plan Width"),
        *("Actual Startup Time", "Actual Total Time", "Actual Rows", "Actual Loops"),
        *("Plans", "Workers", "Worker Number", "Target Tables", "JIT"),
    )
)
"""Keys that never name a line, and that only other lines set."""
FLAGS = frozenset(("Disabled", "Single Copy", "Inner Unique"))
_OTHERS = re.compile(
    r"Worker \d+|Workers (?:Planned|Launched)|Rows Removed by [\w ]+|Heap Fetches|Index Searches|Subplans Removed"
    r"|Cache Mode|Batches|Planned Partitions|Params Evaluated|Conflict Resolution|Tuples Inserted"
    r"|Conflicting Tuples|Replaces"
).fullmatch
_LONGEST_INTEGER = 100
"""The number of digits from which on a value is a string."""


def is_node_line(text: str) -> bool:
    """Whether a line, without its arrow, is the first one of a node: it has a cost, or a known label."""
    if not text[:1].isupper():
        return False
    if "(cost=" in text or "(actual " in text or text.endswith("(never executed)"):
        return not text.startswith("Worker ")
    return bare_label(text) in LABELS


def bare_label(text: str) -> str:
    """The label at the start of a node's line, without ``Parallel`` and ``Async``."""
    end = min(
        (at for at in (text.find(" on "), text.find(" using "), text.find("  (")) if at >= 0), default=-1
    )
    name = text if end < 0 else text[:end]
    return name.removeprefix("Parallel ").removeprefix("Async ").rstrip()


def node_line_keys(text: str) -> dict[str, Any]:
    """The keys in a node's first line, given without its arrow.

    Raises:
        ValueError: a number has too many digits.
    """
    text, figures = _without_figures(text)
    for wrong, right in _MISREAD.items():
        text = text.replace(wrong, right)
    at, using_at = text.find(" on "), text.find(" using ")
    if using_at >= 0 and not 0 <= at < using_at:
        at = using_at
    if at < 0:
        return {**keys_of(text.strip()), **figures}
    keys = keys_of(text[:at].strip())
    rest = text[at:]
    if at == using_at:
        using = _USING(rest)
        if using is not None:
            name, rest = using[1], rest[using.end() :]
        else:  # a document lost the name's underscores
            name, _, rest = rest.removeprefix(" using ").rpartition(" on ")
            name, rest = "_".join(name.split()), f" on {rest}"
        keys["Index Name"] = unquoted(name)
    if rest:
        keys.update(_target(rest, keys["Node Type"]))
    keys.update(figures)
    return keys


def _without_figures(text: str) -> tuple[str, dict[str, Any]]:
    figures: dict[str, Any] = {}
    end = len(text)
    actual = None
    if text[-1:] == ")":
        at = max(text.rfind("(actual "), text.rfind("(never executed)"))
        actual = _ACTUAL(text, at) if at >= 0 else None
        if actual is not None:
            end = at
    cost_at = text.rfind("(cost=", 0, end)
    cost = _COST(text, cost_at) if cost_at >= 0 else None
    if cost is not None:
        if cost.end() - cost_at > LONGEST:
            raise ValueError(text)
        startup, total, rows, width = cost.groups()
        figures["Startup Cost"], figures["Total Cost"] = float(startup), float(total)
        figures["Plan Rows"], figures["Plan Width"] = int(rows), int(width)
        end = cost_at
    if actual is not None:
        figures.update(_actual_keys(actual))
    return text[:end].rstrip(), figures


def worker_figures(text: str) -> dict[str, Any] | None:
    """The keys in a worker's ``actual time=0.010..0.020 rows=1 loops=1``; None if the text is something else.

    Raises:
        ValueError: a number has too many digits.
    """
    said = _ACTUAL(f"({text})")
    return None if said is None else _actual_keys(said)


def _actual_keys(said: re.Match[str]) -> dict[str, Any]:
    startup, total, rows, loops = said.groups()
    if rows is None:
        return {"Actual Rows": 0, "Actual Loops": 0}
    if said.end() - said.start() > LONGEST:
        raise ValueError(said[0])
    keys: dict[str, Any] = {}
    if startup is not None:
        keys["Actual Startup Time"], keys["Actual Total Time"] = float(startup), float(total)
    keys["Actual Rows"] = float(rows) if "." in rows else int(rows)
    keys["Actual Loops"] = int(loops)
    return keys


def _target(text: str, kind: str) -> dict[str, Any]:
    """The keys in `` on schema.relation alias``."""
    keys: dict[str, Any] = {}
    match = _TARGET(text)
    if match is not None:
        schema, name, alias = match.groups()
    else:  # a name whose underscores a document lost
        words = text.removeprefix(" on ").split()
        if not words:
            return keys
        schema, name, alias = None, "_".join(words[:-1]) or words[0], words[-1]
    if kind == "Bitmap Index Scan":
        return {"Index Name": unquoted(name)}
    if schema is not None:
        keys["Schema"] = unquoted(schema)
    key = OBJECT_KEYS.get(kind, "Relation Name")
    if key is not None:
        keys[key] = unquoted(name)
    keys["Alias"] = unquoted(alias if alias is not None else name)
    return keys


def property_keys(key: str, value: str) -> dict[str, Any]:
    """The keys in a line ``key: value``.

    Raises:
        ValueError: text never has such a value under this key.
    """
    if key in NO_LINES:
        raise ValueError(value)
    figures = FIGURES.get(key)
    if figures is not None:
        return figures(value)
    if key in LISTS:
        return {key: split_list(value)}
    if key in STRINGS or key in OF_NODES:
        return {key: value}
    if key in FLAGS:
        return {key: value == "true"}
    if value[-3:] == " ms" and key[-5:] == " Time":
        return {key: decimal(value[:-3])}
    is_integer = value.removeprefix("-").isdecimal() and len(value) < _LONGEST_INTEGER
    return {key: int(value) if is_integer else value}


def is_known(key: str) -> bool:
    """Whether nodes of known majors have such a line. Foreign and custom scans can have others."""
    return key in FIGURES or key in LISTS or key in STRINGS or key in FLAGS or _OTHERS(key) is not None
