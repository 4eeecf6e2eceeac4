"""Selectors: the nodes of a plan that a text such as ``Gather >> Seq Scan[relation=t_arrow]`` selects.

docs/plans.md describes the language. A selector is compiled once. The time to select is in proportion to the number
of nodes, whatever the plan's depth: what a node's ancestors match is passed down the tree, what its descendants
match is passed up.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_pgfeatures.errors import PlanSelectorError
from pytest_pgfeatures.plan.known import has_pieces, key_of, spelled
from pytest_pgfeatures.plan.selector_syntax import Chain, Compound, Test, parse
from pytest_pgfeatures.plan.tree import TreeNode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Check = Callable[["Scope", int], bool]

N = TypeVar("N", bound=TreeNode)


class Scope:
    """The nodes that a selector applies to, and their parents.

    Parameters:
        nodes: each after its parent. A node whose parent is not among them is a root.
    """

    __slots__ = ("cache", "nodes", "parents", "places")

    def __init__(self, nodes: Sequence[TreeNode]) -> None:
        self.nodes = nodes
        number = {id(node): index for index, node in enumerate(nodes)}
        self.parents = [-1 if node.parent is None else number.get(id(node.parent), -1) for node in nodes]
        self.places = _places(nodes, self.parents)
        """The place of each node among its parent's children, from 1."""
        self.cache: dict[int, list[bool]] = {}
        """The result of each ``:has`` and ``:not``, by the identity of its compiled form."""


def _places(nodes: Sequence[TreeNode], parents: list[int]) -> list[int]:
    count = [0] * len(nodes)
    places = []
    for node, parent in zip(nodes, parents, strict=True):
        if parent >= 0:
            count[parent] += 1
            places.append(count[parent])
        else:
            siblings = node.parent.children if node.parent is not None else (node,)
            places.append(next(place for place, sibling in enumerate(siblings, 1) if sibling is node))
    return places


@functools.lru_cache(maxsize=512)
def compiled(text: str) -> Selector:
    """Compile a selector.

    Raises:
        PlanSelectorError: a syntax error; the message points at the column.
    """
    return Selector(parse(text))


def select(nodes: Sequence[N], text: str) -> list[N]:
    """Return the ``nodes`` that the selector ``text`` selects, in their order.

    Raises:
        PlanSelectorError: a syntax error, or a name that no plan can have; the message points at the column.
    """
    selector = compiled(text)
    if selector.doubts:
        _check_doubts(selector, nodes, text)
    chosen = selector.choose(Scope(nodes))
    return [node for node, matches in zip(nodes, chosen, strict=True) if matches]


def _check_doubts(selector: Selector, nodes: Sequence[TreeNode], text: str) -> None:
    """Refuse names that no plan can have, unless the plan at hand has them: its server may be newer than this
    release."""
    whole: list[TreeNode] = []
    if nodes:
        whole.extend(next(reversed(tuple(nodes[0].ancestors)), nodes[0]).nodes)
        whole.extend(nodes)
    for doubt in selector.doubts:
        if not doubt.is_settled_by(whole):
            raise PlanSelectorError(doubt.problem, selector=text, column=doubt.at + 1, remedy=doubt.remedy)


class Selector:
    """Alternatives, each a chain of compounds with ``>`` or ``>>`` between them."""

    __slots__ = ("chains", "doubts", "relations")

    def __init__(self, chains: Sequence[Chain]) -> None:
        self.chains = [_Chain(chain) for chain in chains]
        self.doubts = tuple(doubt for chain in chains for doubt in chain.doubts)
        self.relations = tuple(
            dict.fromkeys(
                test.relation
                for chain in chains
                for compound in chain.compounds
                for test in compound.tests
                if test.relation is not None
            )
        )
        """The relations and indexes that it names."""

    def choose(self, scope: Scope) -> list[bool]:
        """Whether each node in scope is selected."""
        chosen = self.chains[0].down(scope)
        for chain in self.chains[1:]:
            chosen = [one or other for one, other in zip(chosen, chain.down(scope), strict=True)]
        return chosen

    def above(self, scope: Scope) -> list[bool]:
        """Whether a chain starts below each node in scope, as ``:has`` asks."""
        found = [False] * len(scope.nodes)
        for chain in self.chains:
            found = [one or other for one, other in zip(found, chain.up(scope), strict=True)]
        return found


class _Chain:
    __slots__ = ("checks", "links")

    def __init__(self, chain: Chain) -> None:
        self.checks = [_compound(compound) for _, compound in chain.steps]
        self.links = [link for link, _ in chain.steps]

    def down(self, scope: Scope) -> list[bool]:
        """The nodes at the end of a chain."""
        last = [all(check(scope, at) for check in self.checks[0]) for at in range(len(scope.nodes))]
        for checks, link in zip(self.checks[1:], self.links[1:], strict=True):
            reached = _below(last, scope, link)
            last = [here and all(check(scope, at) for check in checks) for at, here in enumerate(reached)]
        return last

    def up(self, scope: Scope) -> list[bool]:
        """The nodes that have the start of a chain below them."""
        first = [True] * len(scope.nodes)
        for place in range(len(self.checks) - 1, -1, -1):
            checks = self.checks[place]
            first = [here and all(check(scope, at) for check in checks) for at, here in enumerate(first)]
            first = _above(first, scope, self.links[place])
        return first


def _below(chosen: list[bool], scope: Scope, link: str) -> list[bool]:
    """The nodes with a chosen parent (``>``) or ancestor (``>>``)."""
    found: list[bool] = []
    for parent in scope.parents:
        found.append(parent >= 0 and (chosen[parent] or (link == ">>" and found[parent])))
    return found


def _above(chosen: list[bool], scope: Scope, link: str) -> list[bool]:
    """The nodes with a chosen child (``>``) or descendant (``>>``)."""
    found = [False] * len(chosen)
    for at in range(len(chosen) - 1, -1, -1):
        parent = scope.parents[at]
        if parent >= 0 and (chosen[at] or (link == ">>" and found[at])):
            found[parent] = True
    return found


def _compound(compound: Compound) -> list[Check]:
    checks: list[Check] = []
    if compound.name not in ("", "*"):
        checks.append(_named(compound.name))
    checks.extend(_tested(test) for test in compound.tests)
    checks.extend(_pseudo(kind, argument) for kind, argument in compound.pseudos)
    return checks


def _named(name: str) -> Check:
    if name.endswith("Custom Scan"):  # a custom scan of any provider
        return lambda scope, at: scope.nodes[at].label.partition(" (")[0] == name
    if "*" not in name:
        return lambda scope, at: scope.nodes[at].label == name
    pieces = name.split("*")
    return lambda scope, at: has_pieces(scope.nodes[at].label, pieces)


def _pseudo(kind: str, argument: Any) -> Check:
    if kind == "nth-child":
        step, first = argument
        return lambda scope, at: _is_nth(scope.places[at], step, first)
    selector = Selector(argument)
    key = id(selector)
    wanted = kind == "has"

    def check(scope: Scope, at: int) -> bool:
        chosen = scope.cache.get(key)
        if chosen is None:
            chosen = scope.cache[key] = selector.above(scope) if wanted else selector.choose(scope)
        return chosen[at] is wanted

    return check


def _is_nth(position: int, step: int, first: int) -> bool:
    beyond = position - first
    return beyond == 0 if step == 0 else beyond % step == 0 and beyond // step >= 0


@dataclass(frozen=True, slots=True)
class _Value:
    """A reader of a node's value by name: of an attribute, ``label``, or a key."""

    name: str

    def __call__(self, node: TreeNode) -> Any:
        if self.name == "label":
            return node.label
        key = key_of(self.name)
        data = node.data
        if key in data:
            return data[key]
        asked = spelled(key)
        return next((value for said, value in data.items() if spelled(said) == asked), None)


_ORDER: dict[str, Callable[[float, float], bool]] = {
    ">": lambda said, wanted: said > wanted,
    ">=": lambda said, wanted: said >= wanted,
    "<": lambda said, wanted: said < wanted,
    "<=": lambda said, wanted: said <= wanted,
}
_TEXT: dict[str, Callable[[str, str], bool]] = {
    "=": lambda said, wanted: said == wanted,
    "^=": lambda said, wanted: said.startswith(wanted),
    "$=": lambda said, wanted: said.endswith(wanted),
    "*=": lambda said, wanted: wanted in said,
}


def _tested(test: Test) -> Check:
    value = _Value(test.name)
    wanted = test.value
    if test.operator == "":
        return lambda scope, at: value(scope.nodes[at]) not in (None, False, "", [])
    if test.operator in _ORDER:
        ordered, number = _ORDER[test.operator], float(wanted)
        return lambda scope, at: _is_number(said := value(scope.nodes[at])) and ordered(said, number)
    if test.operator == "~=":
        return lambda scope, at: wanted in _items(value(scope.nodes[at]))
    if test.operator == "!=":
        return lambda scope, at: not _equal(value(scope.nodes[at]), wanted)
    if test.operator == "=":
        return lambda scope, at: _equal(value(scope.nodes[at]), wanted)
    compare = _TEXT[test.operator]
    return lambda scope, at: (said := _written(value(scope.nodes[at]))) is not None and compare(said, wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _items(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(item) for item in value] if isinstance(value, list) else str(value).split()


def _written(value: Any) -> str | None:
    """A value as text EXPLAIN prints it."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _equal(value: Any, wanted: str) -> bool:
    if _is_number(value):
        try:
            return bool(value == float(wanted))
        except ValueError:
            return False
    return _written(value) == wanted
