"""Why an assertion about a plan failed, for pytest's hooks and for error messages."""

from __future__ import annotations

import difflib
import functools
import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.plan.display import detail, outline, title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.plan.node import Node
    from pytest_pgfeatures.plan.plan import Plan

NEAR = 0.45
"""From what similarity of names on a node is a near miss, of 0 to 1."""
NEAREST = 3
"""At most how many near misses are named."""


class Match:
    """What ``plan.matches(selector)`` returns: true if the selector selects a node.

    Its ``repr`` is what pytest prints of a failing ``assert plan.matches(...)``.
    """

    __slots__ = ("nodes", "plan", "selector")

    def __init__(self, plan: Plan, selector: str) -> None:
        self.plan = plan
        self.selector = selector
        self.nodes = plan.find(selector)

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
        return summary(self.plan, self.selector)


def missed(plan: Plan, selector: str, found: Sequence[Node]) -> tuple[str]:
    """The message where one node was asked for and ``found`` are none, or several."""
    return ("\n".join(_missed(plan, selector, found)),)


def _missed(plan: Plan, selector: str, found: Sequence[Node]) -> Iterator[str]:
    if found:
        yield f"{len(found)} nodes are {selector!r}, not one:"
        chosen = set(map(id, found))
        yield from outline(plan, {at: "here" for at, node in enumerate(plan.nodes) if id(node) in chosen})
    else:
        yield summary(plan, selector)
        yield from outline(plan, _marks(plan, selector))


def summary(plan: Plan, selector: str) -> str:
    """``no `Incremental Sort`; there is a `Sort` on num1, num2``."""
    near = [plan.nodes[at] for at in _near(plan, selector)]
    if not near:
        return f"no `{selector}` in {plan!r}"
    said = ", ".join(f"a `{node.label}` {detail(node)}".rstrip() for node in near)
    return f"no `{selector}`; there is {said}"


def compared(op: str, left: object, right: object) -> list[str] | None:
    """The lines with which pytest explains a failing comparison; None if no plan is in it.

    For the hook ``pytest_assertrepr_compare``, whose parameters these are.
    """
    from pytest_pgfeatures.plan.plan import Plan
    from pytest_pgfeatures.plan.shape import Shape

    if isinstance(right, Plan) and op in ("in", "not in") and isinstance(left, str):
        if op == "in":
            return [f"{left!r} in {right!r}", summary(right, left), *outline(right, _marks(right, left))]
        found = set(map(id, right.find(left)))
        marks = {at: "here" for at, node in enumerate(right.nodes) if id(node) in found}
        return [f"{left!r} not in {right!r}", f"it is there {len(found)} times", *outline(right, marks)]
    if op == "==" and isinstance(left, Plan) and isinstance(right, Plan):
        return [f"{left!r} == {right!r}", *_differences(str(left), str(right))]
    if op == "!=" and isinstance(left, Plan) and isinstance(right, Plan):
        return [f"{left!r} != {right!r}", "they are equal:", *outline(left)]
    if op == "==" and isinstance(left, Shape) and isinstance(right, Shape):
        return ["the shapes of the plans differ", *_differences(str(left), str(right))]
    if op == "==" and isinstance(left, Plan | Shape) != isinstance(right, Plan | Shape):
        plan, other = (left, right) if isinstance(left, Plan | Shape) else (right, left)
        if isinstance(other, str):
            return [
                "a plan is no text: compare with parse_plan(text), or str(plan)",
                *_differences(str(plan), other),
            ]
        if type(other).__eq__ is object.__eq__:  # else it has its own idea of equality, as a snapshot has
            return [f"{left!r} == {right!r}", f"a {type(other).__name__} is no {type(plan).__name__}"]
    return None


def _differences(left: str, right: str) -> Iterator[str]:
    lines = difflib.unified_diff(left.split("\n"), right.split("\n"), "left", "right", lineterm="", n=2)
    found = list(itertools.islice(lines, 200))
    yield from found or ["both have the same text; what differs is not in it"]


def _marks(plan: Plan, selector: str) -> dict[int, str]:
    return dict.fromkeys(_near(plan, selector), "nearest")


def _near(plan: Plan, selector: str) -> list[int]:
    """The places of the nodes whose labels are nearest to those that the selector names."""
    wanted = [compound for compound in _names(selector) if compound not in ("", "*")]
    best: list[tuple[float, int]] = []
    for place, node in enumerate(plan.nodes):
        likeness = max((_likeness(name, node.label) for name in wanted), default=0.0)
        if likeness >= NEAR:
            best.append((-likeness, place))
    return sorted(place for _, place in sorted(best)[:NEAREST])


def _names(selector: str) -> list[str]:
    """The names in the last steps of a selector's chains: what it selects."""
    from pytest_pgfeatures.plan.selector_syntax import parse

    return [chain.steps[-1][1].name for chain in parse(selector)]


@functools.lru_cache(maxsize=4096)
def _likeness(wanted: str, label: str) -> float:
    words, others = set(wanted.replace("*", " ").split()), set(label.split())
    shared = len(words & others) / max(1, len(words | others))
    return max(shared, difflib.SequenceMatcher(None, wanted, label, autojunk=False).ratio() * 0.9)
