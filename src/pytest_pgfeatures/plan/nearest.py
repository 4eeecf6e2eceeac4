"""The hint if a selector selects nothing: the nodes that resemble it most."""

from __future__ import annotations

import difflib
import functools
from typing import TYPE_CHECKING, Generic, TypeVar

from pytest_pgfeatures.plan.outline import detail, outline, title
from pytest_pgfeatures.plan.selector import select
from pytest_pgfeatures.plan.selector_syntax import parse
from pytest_pgfeatures.plan.tree import TreeNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

N = TypeVar("N", bound=TreeNode)

NEAR = 0.45
"""The similarity of names, from 0 to 1, from which on a node counts as near."""
NEAREST = 3
"""The number of near nodes that a message names."""
COMPARED = 100
"""The number of characters of a name that are compared."""


class Match(Generic[N]):
    """The result of ``plan.matches(selector)``: true if the selector selects a node.

    Its ``repr`` is what pytest prints if ``assert plan.matches(...)`` fails.

    Parameters:
        whole: the plan or node that is searched, for the message.
        among: its nodes.
        selector: the selector.

    Raises:
        PlanSelectorError: the selector has a syntax error.
    """

    __slots__ = ("_among", "_whole", "nodes", "selector")

    def __init__(self, whole: object, among: tuple[N, ...], selector: str) -> None:
        self._whole = whole
        self._among = among
        self.selector = selector
        self.nodes: list[N] = select(among, selector)
        """The nodes that it selects."""

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool):
            return bool(self) is other
        return self.nodes == other.nodes if isinstance(other, Match) else NotImplemented

    def __hash__(self) -> int:
        return hash(bool(self))

    def __repr__(self) -> str:
        if self.nodes:
            return f"{len(self.nodes)} x {self.selector!r}: {', '.join(map(title, self.nodes[:NEAREST]))}"
        return summary(self._whole, self._among, self.selector)


def not_one(whole: object, nodes: Sequence[TreeNode], selector: str, found: Sequence[TreeNode]) -> str:
    """The message if exactly one node was asked for and the selector selects none or several."""
    return "\n".join(_not_one(whole, nodes, selector, found))


def _not_one(
    whole: object, nodes: Sequence[TreeNode], selector: str, found: Sequence[TreeNode]
) -> Iterator[str]:
    if found:
        yield f"{len(found)} nodes are {selector!r}, not one:"
        yield from outline(nodes, marked(nodes, found))
    else:
        yield summary(whole, nodes, selector)
        yield from outline(nodes, marked_nearest(nodes, selector))


def summary(whole: object, nodes: Sequence[TreeNode], selector: str) -> str:
    """``no `Incremental Sort`; there is a `Sort` on num1, num2``."""
    near = [nodes[at] for at in _near(nodes, selector)]
    if not near:
        return f"no `{selector}` in {whole!r}"
    said = ", ".join(f"a `{node.label}` {detail(node)}".rstrip() for node in near)
    return f"no `{selector}`; there is {said}"


def marked(nodes: Sequence[TreeNode], found: Sequence[TreeNode]) -> dict[int, str]:
    """The marks of an outline that points at the nodes found."""
    chosen = set(map(id, found))
    return {at: "here" for at, node in enumerate(nodes) if id(node) in chosen}


def marked_nearest(nodes: Sequence[TreeNode], selector: str) -> dict[int, str]:
    """The marks of an outline that points at the nodes nearest to what the selector names."""
    return dict.fromkeys(_near(nodes, selector), "nearest")


def _near(nodes: Sequence[TreeNode], selector: str) -> list[int]:
    """The indexes of the nodes whose labels are most like the names in the selector."""
    wanted = [name[:COMPARED] for name in _names(selector) if name not in ("", "*")]
    best: list[tuple[float, int]] = []
    for place, node in enumerate(nodes):
        label = node.label[:COMPARED]
        likeness = max((_likeness(name, label) for name in wanted), default=0.0)
        if likeness >= NEAR:
            best.append((-likeness, place))
    return sorted(place for _, place in sorted(best)[:NEAREST])


def _names(selector: str) -> list[str]:
    """The names in the last compound of each of the selector's chains, which select."""
    return [chain.steps[-1][1].name for chain in parse(selector)]


@functools.lru_cache(maxsize=4096)
def _likeness(wanted: str, label: str) -> float:
    words, others = set(wanted.replace("*", " ").split()), set(label.split())
    shared = len(words & others) / max(1, len(words | others))
    return max(shared, difflib.SequenceMatcher(None, wanted, label, autojunk=False).ratio() * 0.9)
