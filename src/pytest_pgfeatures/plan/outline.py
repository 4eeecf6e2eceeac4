"""Plans in messages: a line for each node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.plan.majors import NEWEST
from pytest_pgfeatures.plan.node_line import target
from pytest_pgfeatures.plan.properties import plain
from pytest_pgfeatures.plan.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.plan.tree import TreeNode

LONGEST = 200
"""The number of nodes after which an outline ends."""
DEEPEST = 40
"""The depth from which on lines are indented alike."""
_DETAILS = (
    "sort_key",
    "presorted_key",
    "group_key",
    "hash_cond",
    "merge_cond",
    "join_filter",
    "index_cond",
    "filter",
    "run_condition",
    "one_time_filter",
    "workers_planned",
    "cache_key",
    "recheck_cond",
    "tid_cond",
)
_NAMES = {"sort_key": "on", "workers_planned": "workers"}


def title(node: TreeNode) -> str:
    """A node's label and the object it works on: ``Index Scan using i on t``."""
    text = node.label
    if node.index is not None:
        text += f" {'on' if node.type == 'Bitmap Index Scan' else 'using'} {quoted(node.index, NEWEST)}"
    if node.alias is not None:
        text += target(node.data, node.alias, NEWEST)
    return text


def detail(node: TreeNode) -> str:
    """The key or condition that tells a node from others with its label: ``on num1, num2``."""
    for name in _DETAILS:
        value = getattr(node, name)
        if value is not None:
            written = plain(name, value)
            return f"{_NAMES.get(name, name.replace('_', ' '))} {written}"
    return ""


def depths(nodes: Sequence[TreeNode]) -> list[int]:
    """The depth of each node, 0 for a root. A parent comes before its children."""
    known: dict[int, int] = {}
    for node in nodes:
        known[id(node)] = 0 if node.parent is None else known.get(id(node.parent), -1) + 1
    return [known[id(node)] for node in nodes]


def outline(nodes: Sequence[TreeNode], marks: Mapping[int, str] | None = None) -> Iterator[str]:
    """A line for each node, indented by depth.

    Parameters:
        nodes: in the order of EXPLAIN.
        marks: notes on nodes, by their index in ``nodes``.
    """
    marks = marks or {}
    for place, (node, depth) in enumerate(zip(nodes, depths(nodes), strict=True)):
        if place >= LONGEST and place not in marks:
            continue
        said = detail(node)
        line = "  " * min(depth, DEEPEST) + title(node) + (f"  [{said}]" if said else "")
        yield f"{line}   <-- {marks[place]}" if place in marks else line
    if len(nodes) > LONGEST:
        yield f"... {len(nodes)} nodes in all"
