"""The first line of a node in text: its label, the object it works on, its estimates and its actual figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.label import label
from pytest_pgfeatures.plan.quoting import quoted, unquoted

if TYPE_CHECKING:
    from pytest_pgfeatures.plan.context import Context

OBJECTS = ("Relation Name", "Function Name", "CTE Name", "Table Function Name", "Tuplestore Name")
"""The keys that name the object that a node scans or modifies."""
NODE_LINE_KEYS = frozenset(
    (
        "Node Type",
        "Strategy",
        "Partial Mode",
        "Operation",
        "Parent Relationship",
        "Subplan Name",
        "Custom Plan Provider",
        "Parallel Aware",
        "Async Capable",
        "Join Type",
        "Command",
        "Scan Direction",
        "Index Name",
        "Schema",
        "Alias",
        "Startup Cost",
        "Total Cost",
        "Plan Rows",
        "Plan Width",
        "Actual Startup Time",
        "Actual Total Time",
        "Actual Rows",
        "Actual Loops",
        *OBJECTS,
    )
)
"""The keys that this line shows, and those that the tree's shape shows."""


def node_line(data: dict[str, Any], context: Context) -> str:
    """The first line of a node, without its arrow."""
    get = data.get
    line = label(data)
    index = get("Index Name")
    if index is not None:
        line += " on " if data["Node Type"] == "Bitmap Index Scan" else " using "
        line += _index(index, context)
    alias = get("Alias")
    if alias is not None:
        line += target(data, alias, context.major)
    startup = get("Startup Cost")
    if startup is not None:
        total, rows, width = data["Total Cost"], data["Plan Rows"], data["Plan Width"]
        line += f"  (cost={startup:.2f}..{total:.2f} rows={rows:.0f} width={width})"
    loops = get("Actual Loops")
    if loops is not None:
        line += f" ({actual(data)})" if loops else " (never executed)"
    return line


def target(data: dict[str, Any], alias: str, major: str) -> str:
    """`` on schema.relation alias``: the schema if it is known, the alias if it differs from the name."""
    for key in OBJECTS:
        name = data.get(key)
        if name is not None:
            break
    else:
        return f" on {quoted(alias, major)}"
    schema = data.get("Schema")
    line = (
        f" on {quoted(name, major)}"
        if schema is None
        else f" on {quoted(schema, major)}.{quoted(name, major)}"
    )
    return line if name == alias else f"{line} {quoted(alias, major)}"


def actual(data: dict[str, Any]) -> str:
    """``actual time=0.010..0.020 rows=3 loops=1``. Since 18, rows have two decimals, as in JSON."""
    rows, loops = data["Actual Rows"], data["Actual Loops"]
    count = f"{rows:.2f}" if isinstance(rows, float) or "Disabled" in data else str(rows)
    startup = data.get("Actual Startup Time")
    if startup is None:
        return f"actual rows={count} loops={loops:.0f}"
    return f"actual time={startup:.3f}..{data['Actual Total Time']:.3f} rows={count} loops={loops:.0f}"


def _index(name: str, context: Context) -> str:
    # Older minor releases up to 12 quote the index's name in JSON, too.
    if name[:1] == '"':
        if context.zeros == "never":
            name = unquoted(name)
        elif context.before_13:
            return name
    return quoted(name, context.major)
