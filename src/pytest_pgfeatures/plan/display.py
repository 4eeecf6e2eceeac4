"""Plans for people: an outline for messages, a rich tree for terminals, HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context
from pytest_pgfeatures.plan.heading import target
from pytest_pgfeatures.plan.properties import plain, write_properties
from pytest_pgfeatures.plan.quoting import quoted
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.tree import Tree

    from pytest_pgfeatures.plan.node import Node
    from pytest_pgfeatures.plan.plan import Plan

NEWEST = MAJORS[-1]
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
        text += f" {'on' if node.type == 'Bitmap Index Scan' else 'using'} {quoted(node.index, NEWEST)}"
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
    """A tree that rich prints: all that text EXPLAIN says, figures in words."""
    from rich.text import Text
    from rich.tree import Tree

    top = Tree("", hide_root=True)
    for query in plan.queries:
        branches: dict[int, Tree] = {}
        for node in _nodes(plan, query):
            text = Text()
            if node.subplan_name:
                text.append(f"{node.subplan_name}: ", style="italic")
            text.append(node.label, style="bold")
            text.append(title(node)[len(node.label) :])
            if figures := figures_of(node):
                text.append(f"  {figures}", style="dim")
            for key, value in said_by(node, query):
                text.append(f"\n{key}: ", style="cyan")
                text.append(value)
            parent = top if node.parent is None else branches[id(node.parent)]
            branches[id(node)] = parent.add(text)
        for line in about(query):
            top.add(Text(line, style="dim"))
    return top


def _nodes(plan: Plan, query: Any) -> tuple[Node, ...]:
    """The nodes of one of the plan's queries."""
    roots = (root for root in plan.roots if isinstance(query, dict) and root.data is query.get("Plan"))
    return tuple(node for root in roots for node in root.nodes)


def figures_of(node: Node) -> str:
    """``cost 0.00..35.50, 100 rows; actually 90 rows in 2 loops, 0.125 ms each``, as far as known."""
    parts = []
    if node.total_cost is not None:
        parts.append(f"cost {node.startup_cost:.2f}..{node.total_cost:.2f}, {_count(node.rows, 'row')}")
    if node.loops == 0:
        parts.append("never executed")
    elif node.loops is not None:
        said = f"actually {_count(node.actual_rows, 'row')}"
        if node.loops != 1:
            said += f" in each of {_count(node.loops, 'loop')}"
        if node.actual_total_time is not None:
            said += f", {node.actual_total_time:.3f} ms"
        parts.append(said)
    return "; ".join(parts)


def _count(number: float | None, what: str) -> str:
    return f"{number or 0:,.10g} {what}{'' if number == 1 else 's'}"


def said_by(node: Node, query: Any) -> Iterator[tuple[str, str]]:
    """The lines below a node's first one in text, parted at the colon."""
    lines: list[str] = []
    write_properties(node.data, "", lines, Context(query, MAJORS[-1], "never"))
    for line in lines:
        key, _, value = line.partition(": ")
        yield key.removesuffix(":"), value.replace("\n", "\n  ")


def about(query: Any) -> list[str]:
    """The lines after the tree: what EXPLAIN says of the whole query, or of a statement that has no plan."""
    from pytest_pgfeatures.plan.render import about_query

    return about_query(query)


def html(plan: Plan) -> str:
    """The plan as nested lists, every text of the server's escaped."""
    parts: list[str] = []
    for query in plan.queries:
        depth = -1
        depths: dict[int, int] = {}
        for node in _nodes(plan, query):
            at = 0 if node.parent is None else depths[id(node.parent)] + 1
            depths[id(node)] = at
            if at > depth:
                parts.append("<ul>")
            else:
                parts.append("</li>" + "</ul></li>" * (depth - at))
            parts.append(f"<li>{_html_of(node, query)}")
            depth = at
        parts.append("</li></ul>" * (depth + 1))
        parts.extend(f"<div><small>{escape(line)}</small></div>" for line in about(query))
    return f'<div class="pgfeatures-plan">{"".join(parts)}</div>'


def _html_of(node: Node, query: Any) -> str:
    text = f"<b>{escape(node.label)}</b>{escape(title(node)[len(node.label) :])}"
    if node.subplan_name:
        text = f"<i>{escape(node.subplan_name)}:</i> {text}"
    figures = figures_of(node)
    if figures:
        text += f" <small>{escape(figures)}</small>"
    said = (
        f"<br><code style='white-space:pre'>{escape(key)}: {escape(value)}</code>"
        for key, value in said_by(node, query)
    )
    return text + "".join(said)
