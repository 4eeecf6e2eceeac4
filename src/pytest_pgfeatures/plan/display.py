"""Plans for people: an outline for messages, a rich tree for terminals, HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pytest_pgfeatures.plan.heading import target
from pytest_pgfeatures.plan.properties import plain
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rich.tree import Tree

    from pytest_pgfeatures.plan.node import Node
    from pytest_pgfeatures.plan.plan import Plan

NEWEST = MAJORS[-1].major
OUTLINED = 200
"""At most how many nodes an outline has."""
_DETAILS = (
    *("sort_key", "presorted_key", "group_key", "hash_cond", "merge_cond", "join_filter", "index_cond"),
    *(
        "filter",
        "run_condition",
        "one_time_filter",
        "workers_planned",
        "cache_key",
        "recheck_cond",
        "tid_cond",
    ),
)
_NAMES = {"sort_key": "on", "workers_planned": "workers"}


def title(node: Node) -> str:
    """A node's label and what it works on: ``Index Scan using i on t``."""
    text = node.label
    if node.index is not None:
        text += f" using {node.index}"
    if node.alias is not None:
        text += target(node.data, node.alias, NEWEST)
    return text


def detail(node: Node) -> str:
    """What distinguishes a node from others with its label, in a few words: ``on num1, num2``."""
    for name in _DETAILS:
        value = getattr(node, name)
        if value is not None:
            written = plain(name, value)
            return f"{_NAMES.get(name, name.replace('_', ' '))} {written}"
    return ""


def outline(plan: Plan, marks: Mapping[int, str] | None = None) -> Iterator[str]:
    """A line for each node, indented by depth.

    Parameters:
        plan: the plan.
        marks: a note for some nodes, by their place in ``plan.nodes``.
    """
    marks = marks or {}
    depths: dict[int, int] = {}
    for place, node in enumerate(plan.nodes):
        depth = 0 if node.parent is None else depths[id(node.parent)] + 1
        depths[id(node)] = depth
        if place >= OUTLINED and place not in marks:
            continue
        said = detail(node)
        line = "  " * min(depth, 40) + title(node) + (f"  [{said}]" if said else "")
        yield f"{line}   <-- {marks[place]}" if place in marks else line
    if len(plan.nodes) > OUTLINED:
        yield f"... {len(plan.nodes)} nodes in all"


def rich_tree(plan: Plan) -> Tree:
    """A tree that rich prints, with costs and what happened."""
    from rich.text import Text
    from rich.tree import Tree

    top = Tree("", hide_root=True)
    branches: dict[int, Tree] = {}
    for node in plan.nodes:
        parent = top if node.parent is None else branches[id(node.parent)]
        text = Text()
        if node.subplan_name:
            text.append(f"{node.subplan_name} ", style="italic")
        text.append(node.label, style="bold")
        text.append(title(node)[len(node.label) :])
        if figures := figures_of(node):
            text.append(f"  {figures}", style="dim")
        for key, value in said_by(node):
            text.append(f"\n{key}: ", style="cyan")
            text.append(value)
        branches[id(node)] = parent.add(text)
    return top


def figures_of(node: Node) -> str:
    """``cost 0.00..35.50, 100 rows; actually 90 rows in 1 loops, 0.125 ms``, as far as known."""
    parts = []
    if node.total_cost is not None:
        parts.append(f"cost {node.startup_cost:.2f}..{node.total_cost:.2f}, {node.rows} rows")
    if node.loops == 0:
        parts.append("never executed")
    elif node.loops is not None:
        time = "" if node.actual_total_time is None else f", {node.actual_total_time:.3f} ms"
        parts.append(f"actually {node.actual_rows:g} rows in {node.loops} loops{time}")
    return "; ".join(parts)


def said_by(node: Node) -> Iterator[tuple[str, str]]:
    """A node's conditions and keys."""
    for name in _DETAILS:
        value = getattr(node, name)
        if value is not None:
            key = type(node).__dict__[name].name
            yield key, plain(key, value)


def html(plan: Plan) -> str:
    """The plan as nested lists, every text of the server's escaped."""
    parts: list[str] = ["<ul>"]
    depth = 0
    depths: dict[int, int] = {}
    for node in plan.nodes:
        at = 0 if node.parent is None else depths[id(node.parent)] + 1
        depths[id(node)] = at
        while depth < at:
            parts.append("<ul>")
            depth += 1
        while depth > at:
            parts.append("</ul>")
            depth -= 1
        parts.append(f"<li>{_html_of(node)}</li>")
    parts.append("</ul>" * (depth + 1))
    return f'<div class="pgfeatures-plan">{"".join(parts)}</div>'


def _html_of(node: Node) -> str:
    label = escape(node.label)
    text = f"<b>{label}</b>{escape(title(node)[len(node.label) :])}"
    if node.subplan_name:
        text = f"<i>{escape(node.subplan_name)}</i> {text}"
    figures = figures_of(node)
    if figures:
        text += f" <small>{escape(figures)}</small>"
    return text + _html_said(said_by(node))


def _html_said(said: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<br><code>{escape(key)}: {escape(value)}</code>" for key, value in said)
