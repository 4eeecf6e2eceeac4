"""The changes between two plans of one query: a tree diff.

Nodes are paired by their work: a scan by its relation's alias, a join by the aliases below it, any other node by
its type and the aliases below it. So a node below a new Gather is still the same node, as is one whose inputs
swapped sides, and a Hash Join in place of a Merge Join of the same relations is one change.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.plan.label import JOINS
from pytest_pgfeatures.plan.outline import depths, title
from pytest_pgfeatures.plan.properties import plain
from pytest_pgfeatures.plan.shape import KEYS, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from pytest_pgfeatures.plan.node import Node
    from pytest_pgfeatures.plan.plan import Plan

Kind = Literal[
    "added",
    "removed",
    "moved",
    "join method",
    "join type",
    "scan method",
    "strategy",
    "parallelism",
    "changed",
]

WIDEST = 100
"""The columns of the old plan's side."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two plans."""

    kind: Kind
    what: str
    """In words: ``Merge Join became Hash Join``."""
    old: Node | None
    """The node in the old plan; None if it was added."""
    new: Node | None
    """The node in the new plan; None if it was removed."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass(frozen=True, slots=True)
class Diff:
    """The changes between two plans; false if there are none. Prints the plans side by side.

    Costs, figures and mere differences in spelling between majors are not compared.
    """

    changes: tuple[Change, ...]
    rows: tuple[tuple[str, str, str], ...]
    """Side by side: the old line; ``<`` removed, ``>`` added, ``|`` changed, or blank; the new line."""
    nodes: tuple[tuple[Node | None, Node | None], ...] = field(default=(), repr=False, compare=False)
    """The nodes of each row."""

    def __bool__(self) -> bool:
        return bool(self.changes)

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """Return the changes of one kind."""
        return tuple(change for change in self.changes if change.kind == kind)

    def __str__(self) -> str:
        width = min(WIDEST, max((len(left) for left, _, _ in self.rows), default=0))
        lines = [f"{left[:width]:<{width}} {sign} {right}".rstrip() for left, sign, right in self.rows]
        return "\n".join([*lines, *(f"* {change}" for change in self.changes)])


def diff(old: Plan, new: Plan) -> Diff:
    """Compare two plans of one query, such as those before and after an upgrade.

    Returns:
        Nodes added, removed and moved; join types and methods, scan methods, strategies and conditions changed;
        parallelism gained or lost. False if the plans have the same shape.
    """
    pairs = _paired(old.nodes, new.nodes)
    old_of = {id(after): before for before, after in pairs}
    new_of = {id(before): after for before, after in pairs}
    moves = _Moves(old.nodes, new.nodes, new_of)
    changes: list[Change] = []
    changed: set[int] = set()
    for before, after in pairs:
        found = [*_compared(before, after), *moves.of(before, after)]
        changes.extend(found)
        if found:
            changed.add(id(before))
    changes.extend(Change("removed", title(node), node, None) for node in old.nodes if id(node) not in new_of)
    changes.extend(Change("added", title(node), None, node) for node in new.nodes if id(node) not in old_of)
    changes.extend(_parallelism(old, new))
    beside = list(_side_by_side(old.nodes, new.nodes, new_of, changed))
    lines = {**_lines(old.nodes), **_lines(new.nodes)}
    rows = tuple(
        (lines[id(before)] if before else "", sign, lines[id(after)] if after else "")
        for before, sign, after in beside
    )
    return Diff(tuple(changes), rows, tuple((before, after) for before, _, after in beside))


# --- pairing -----------------------------------------------------------------------------------------------


def _paired(old: tuple[Node, ...], new: tuple[Node, ...]) -> list[tuple[Node, Node]]:
    """The nodes of the old plan, each with the new plan's node that does its work."""
    covers = {**_covers(old), **_covers(new)}
    keys: tuple[Callable[[Node], Hashable], ...] = (
        lambda node: (
            node.label,
            node.index,
            covers[id(node)],
            node.subplan_name and spelled(node.subplan_name),
        ),
        lambda node: (node.type, node.partial_mode, covers[id(node)]),
        lambda node: (_work(node), covers[id(node)]) if _work(node) else (id(node),),
        # the inputs of a Hash Join may have swapped sides: the Hash still belongs to that join
        lambda node: (
            ("Hash", covers[id(node.parent)]) if node.type == "Hash" and node.parent else (id(node),)
        ),
    )
    pairs: list[tuple[Node, Node]] = []
    for key in keys:
        waiting: dict[Hashable, list[Node]] = defaultdict(list)
        for node in reversed(new):
            waiting[key(node)].append(node)
        rest = []
        taken: set[int] = set()
        for node in old:
            candidates = waiting.get(key(node))
            if candidates:
                partner = candidates.pop()
                pairs.append((node, partner))
                taken.add(id(partner))
            else:
                rest.append(node)
        old = tuple(rest)
        new = tuple(node for node in new if id(node) not in taken)
    return pairs


def _covers(nodes: tuple[Node, ...]) -> dict[int, int]:
    """A number for each node that depends on the scans below it, in any order."""
    total: dict[int, int] = defaultdict(int)
    for node in reversed(nodes):
        name = node.alias if node.type not in ("ModifyTable", "Subquery Scan") else None
        if name is not None:
            total[id(node)] += hash((name, node.type == "CTE Scan"))
        if node.parent is not None and not (node.subplan_name or ""):
            total[id(node.parent)] += total[id(node)]
    return {id(node): total[id(node)] for node in nodes}


def _work(node: Node) -> str:
    """The work, if several node types can do it; otherwise empty."""
    kind = node.type or ""
    if kind in JOINS:
        return "join"
    if kind == "Aggregate":
        return f"aggregate {node.partial_mode}"
    if kind in ("Sort", "Incremental Sort"):
        return "sort"
    if kind in ("Append", "Merge Append"):
        return "append"
    if kind in ("Gather", "Gather Merge"):
        return "gather"
    return "scan" if node.relation is not None and kind.endswith("Scan") else ""


# --- comparing ---------------------------------------------------------------------------------------------


def _compared(old: Node, new: Node) -> Iterator[Change]:
    """The changes of one node."""
    if old.type != new.type or old.index != new.index or old.scan_direction != new.scan_direction:
        work = _work(old)
        kind: Kind = "join method" if work == "join" else "scan method" if work == "scan" else "strategy"
        yield Change(kind, f"{title(old)} became {title(new)}", old, new)
    elif old.strategy != new.strategy:
        yield Change("strategy", f"{title(old)} became {title(new)}", old, new)
    if old.join_type != new.join_type:
        yield Change("join type", f"{old.label} became {new.label}", old, new)
    if old.parallel_aware != new.parallel_aware:
        how = "gained" if new.parallel_aware else "lost"
        yield Change("parallelism", f"{title(new)} {how} parallelism", old, new)
    for key in KEYS:
        before, after = _written(old, key), _written(new, key)
        if before != after and not (old.type != new.type and key in _METHOD_KEYS):
            yield Change(
                "changed", f"{key} of {title(new)}: {before or 'none'} became {after or 'none'}", old, new
            )


_METHOD_KEYS = frozenset(
    ("Hash Cond", "Merge Cond", "Join Filter", "Index Cond", "Recheck Cond", "Filter", "Order By")
)
"""Conditions that another method prints under another key."""


def _written(node: Node, key: str) -> str:
    value = node.get(key)
    if value is None:
        return ""
    return spelled(plain(key, value))


_INPUTS = ("Outer", "Inner")


class _Moves:
    """The paired nodes that moved: below another node, or into another of its inputs.

    Parameters:
        old, new: the nodes of both plans, in EXPLAIN's order.
        new_of: the new plan's node for each paired one of the old plan, by identity.
    """

    def __init__(self, old: Sequence[Node], new: Sequence[Node], new_of: dict[int, Node]) -> None:
        self.new_of = new_of
        self.above: dict[int, tuple[Node, Node]] = {}
        """For nodes of the old plan, the nearest paired ancestor, and the node below it on the path."""
        for node in old:
            parent = node.parent
            if parent is None:
                continue
            if id(parent) in new_of and parent.type != "Hash":
                self.above[id(node)] = (parent, node)
            elif id(parent) in self.above:
                self.above[id(node)] = self.above[id(parent)]
        self.number = {id(node): at for at, node in enumerate(new)}
        self.last = dict(self.number)
        """For nodes of the new plan the number of the last node below them."""
        for node in reversed(new):
            if node.parent is not None:
                above = id(node.parent)
                self.last[above] = max(self.last[above], self.last[id(node)])

    def of(self, old: Node, new: Node) -> Iterator[Change]:
        if id(old) not in self.above:
            return
        above, before = self.above[id(old)]
        partner = self.new_of[id(above)]
        after = self._towards(new, partner)
        if after is None:
            where = "to the top" if new.parent is None else f"below {title(new.parent)}"
            yield Change("moved", f"{title(new)} from below {title(above)} {where}", old, new)
            return
        was, is_ = before.parent_relationship, after.parent_relationship
        if was != is_ and was in _INPUTS and is_ in _INPUTS and new.type != "Hash":
            yield Change("moved", f"{title(new)} is now the {is_} input of {title(partner)}", old, new)

    def _towards(self, node: Node, above: Node) -> Node | None:
        """The child of ``above`` that is the node or an ancestor of it; None if ``above`` is not above the node."""
        number = self.number[id(node)]
        if not self.number[id(above)] < number <= self.last[id(above)]:
            return None
        at = bisect.bisect_right(above.children, number, key=lambda child: self.number[id(child)])
        return above.children[at - 1]


def _parallelism(old: Plan, new: Plan) -> Iterator[Change]:
    before, after = (plan.find("Gather, Gather Merge") for plan in (old, new))
    if bool(before) != bool(after):
        how = (
            f"the plan is parallel now, {after[0].workers_planned} workers"
            if after
            else "the plan is no longer parallel"
        )
        yield Change("parallelism", how, before[0] if before else None, after[0] if after else None)


# --- side by side ------------------------------------------------------------------------------------------


def _side_by_side(
    old: tuple[Node, ...], new: tuple[Node, ...], new_of: dict[int, Node], changed: set[int]
) -> Iterator[tuple[Node | None, str, Node | None]]:
    """The nodes of both plans, paired ones side by side as far as their order allows."""
    place = {id(node): at for at, node in enumerate(new)}
    anchors = _increasing(
        [(at, place[id(new_of[id(node)])]) for at, node in enumerate(old) if id(node) in new_of]
    )
    at_old = at_new = 0
    for until_old, until_new in [*anchors, (len(old), len(new))]:
        for node in old[at_old:until_old]:
            yield node, "<", None
        for node in new[at_new:until_new]:
            yield None, ">", node
        if until_old < len(old):
            sign = "|" if id(old[until_old]) in changed else " "
            yield old[until_old], sign, new[until_new]
        at_old, at_new = until_old + 1, until_new + 1


def _lines(nodes: Sequence[Node]) -> dict[int, str]:
    """The line of each node, by its identity."""
    return {
        id(node): "  " * min(depth, 30) + title(node)
        for node, depth in zip(nodes, depths(nodes), strict=True)
    }


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of pairs in which the second numbers increase, as the first ones do."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect.bisect_left(ends, second)
        before.append(at_end[length - 1] if length else -1)
        if length == len(ends):
            ends.append(second)
            at_end.append(number)
        else:
            ends[length] = second
            at_end[length] = number
    chain = []
    number = at_end[-1] if at_end else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
