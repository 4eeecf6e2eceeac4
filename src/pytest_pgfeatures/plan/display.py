"""A plan for people: a rich tree for terminals, HTML for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context
from pytest_pgfeatures.plan.majors import NEWEST
from pytest_pgfeatures.plan.outline import depths, title
from pytest_pgfeatures.plan.properties import write_properties
from pytest_pgfeatures.plan.to_text import about_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.tree import Tree

    from pytest_pgfeatures.plan.tree import TreeNode

    Part = tuple[Any, TreeNode | None]
    """A query as in FORMAT JSON, and the top node of its plan, if it has one."""


def rich_tree(parts: Iterable[Part]) -> Tree:
    """A tree that rich prints: everything that text EXPLAIN prints, with the figures in words."""
    from rich.text import Text
    from rich.tree import Tree

    top = Tree("", hide_root=True)
    for query, root in parts:
        branches: dict[int, Tree] = {}
        for node, lines in _properties(query, root):
            text = Text()
            if node.subplan_name:
                text.append(f"{node.subplan_name}: ", style="italic")
            text.append(node.label, style="bold")
            text.append(title(node)[len(node.label) :])
            if figures := figures_of(node):
                text.append(f"  {figures}", style="dim")
            for key, value in lines:
                text.append(f"\n{key}: ", style="cyan")
                text.append(value)
            parent = top if node.parent is None else branches[id(node.parent)]
            branches[id(node)] = parent.add(text)
        for line in about_query(query):
            top.add(Text(line, style="dim"))
    return top


def html(parts: Iterable[Part]) -> str:
    """The plan as nested lists. All text from the server is escaped."""
    written = "".join(piece for query, root in parts for piece in _html_query(query, root))
    return f'<div class="pgfeatures-plan">{written}</div>'


def _html_query(query: Any, root: TreeNode | None) -> Iterator[str]:
    nodes = () if root is None else tuple(root.nodes)
    last = -1
    for depth, (node, lines) in zip(depths(nodes), _properties(query, root), strict=True):
        yield "<ul>" if depth > last else "</li>" + "</ul></li>" * (last - depth)
        yield f"<li>{_html_node(node, lines)}"
        last = depth
    yield "</li></ul>" * (last + 1)
    for line in about_query(query):
        yield f"<div><small>{escape(line)}</small></div>"


def _html_node(node: TreeNode, lines: Sequence[tuple[str, str]]) -> str:
    text = f"<b>{escape(node.label)}</b>{escape(title(node)[len(node.label) :])}"
    if node.subplan_name:
        text = f"<i>{escape(node.subplan_name)}:</i> {text}"
    figures = figures_of(node)
    if figures:
        text += f" <small>{escape(figures)}</small>"
    return text + "".join(
        f"<br><code style='white-space:pre'>{escape(key)}: {escape(value)}</code>" for key, value in lines
    )


def _properties(query: Any, root: TreeNode | None) -> Iterator[tuple[TreeNode, list[tuple[str, str]]]]:
    """Each node of a query with the lines that text prints below its first one, split at the colon."""
    if root is None:
        return
    context = Context(query, NEWEST, "never")
    for node in root.nodes:
        lines: list[str] = []
        write_properties(node.data, "", lines, context)
        split = (line.partition(": ") for line in lines)
        yield node, [(key.removesuffix(":"), value.replace("\n", "\n  ")) for key, _, value in split]


def figures_of(node: TreeNode) -> str:
    """``cost 0.00..35.50, 100 rows; actually 90 rows in each of 2 loops, 0.125 ms``, as far as known."""
    parts = []
    if node.startup_cost is not None:
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
