"""What changed between two plans of one query: a tree diff.

Nodes are paired by what they do: a scan by the relation's alias, a join by the aliases below it, any other node by
its type and the aliases below it. So a node that another one was put above, or whose inputs swapped sides, is still
the same node, and a Hash Join in place of a Merge Join of the same relations is one change, not two.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.plan.display import title
from pytest_pgfeatures.plan.label import JOINS
from pytest_pgfeatures.plan.properties import plain
from pytest_pgfeatures.plan.shape import KEYS, spelled

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

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

_SIGNS = {"added": ">", "removed": "<", "": " "}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two plans."""

    kind: Kind
    what: str
    """In words, such as ``Merge Join became Hash Join``."""
    old: Node | None
    """The node in the old plan, None for an added one."""
    new: Node | None
    """The node in the new plan, None for a removed one."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed between two plans; false if nothing did. Prints side by side.

    Costs and figures are not compared, nor what majors only spell differently.
    """

    changes: tuple[Change, ...]
    rows: tuple[tuple[str, str, str], ...]
    """Side by side: the old plan's line, a sign, the new plan's line."""

    def __bool__(self) -> bool:
        return bool(self.changes)

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """The changes of one kind."""
        return tuple(change for change in self.changes if change.kind == kind)

    def __str__(self) -> str:
        width = min(100, max((len(left) for left, _, _ in self.rows), default=0))
        lines = [f"{left[:width]:<{width}} {sign} {right}".rstrip() for left, sign, right in self.rows]
        return "\n".join([*lines, *(f"* {change}" for change in self.changes)])


def diff(old: Plan, new: Plan) -> Diff:
    """Compare two plans of one query, such as before and after an upgrade.

    Returns:
        Added, removed and moved nodes; changed join types and methods, scan methods, strategies and
        conditions; parallelism gained or lost. False if the plans have the same shape.
    """
    pairs = _paired(old.nodes, new.nodes)
    old_of = {id(after): before for before, after in pairs}
    new_of = {id(before): after for before, after in pairs}
    changes: list[Change] = []
    changed: set[int] = set()
    for before, after in pairs:
        found = [*_compared(before, after), *_moved(before, after, new_of)]
        changes.extend(found)
        if found:
            changed.add(id(before))
    changes.extend(Change("removed", title(node), node, None) for node in old.nodes if id(node) not in new_of)
    changes.extend(Change("added", title(node), None, node) for node in new.nodes if id(node) not in old_of)
    changes.extend(_parallelism(old, new))
    return Diff(tuple(changes), tuple(_side_by_side(old.nodes, new.nodes, new_of, changed)))


# --- pairing -----------------------------------------------------------------------------------------------


def _paired(old: tuple[Node, ...], new: tuple[Node, ...]) -> list[tuple[Node, Node]]:
    """Each node of the old plan with the one that does its work in the new plan."""
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
        # the inputs of a Hash Join may have swapped sides: the Hash is still that join's
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
    order = {id(node): place for place, (node, _) in enumerate(pairs)}
    return sorted(pairs, key=lambda pair: order[id(pair[0])])


def _covers(nodes: tuple[Node, ...]) -> dict[int, int]:
    """For each node a number that tells the scans below it, whatever their order."""
    total: dict[int, int] = defaultdict(int)
    for node in reversed(nodes):
        name = node.alias if node.type not in ("ModifyTable", "Subquery Scan") else None
        if name is not None:
            total[id(node)] += hash((name, node.type == "CTE Scan"))
        if node.parent is not None and not (node.subplan_name or ""):
            total[id(node.parent)] += total[id(node)]
    return {id(node): total[id(node)] for node in nodes}


def _work(node: Node) -> str:
    """What several node types are ways to do."""
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
    """What changed in one node."""
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
"""Conditions whose place depends on the method: another method says the same under another key."""


def _written(node: Node, key: str) -> str:
    value = node.get(key)
    if value is None:
        return ""
    return spelled(plain(key, value))


def _moved(old: Node, new: Node, new_of: dict[int, Node]) -> Iterator[Change]:
    """Whether the nearest ancestor that the new plan also has is not above it there, or it is in another input."""
    above = next((node for node in old.ancestors if id(node) in new_of and node.type != "Hash"), None)
    if above is None:
        return
    partner = new_of[id(above)]
    if not any(node is partner for node in new.ancestors):
        now = next(iter(new.ancestors), None)
        where = f"below {title(now)}" if now is not None else "to the top"
        yield Change("moved", f"{title(new)} from below {title(above)} {where}", old, new)
        return
    before, after = _input(old, above), _input(new, partner)
    if before != after and before in _INPUTS and after in _INPUTS and new.type != "Hash":
        yield Change("moved", f"{title(new)} is now the {after} input of {title(partner)}", old, new)


_INPUTS = ("Outer", "Inner")


def _input(node: Node, above: Node) -> str | None:
    """Which input of the node ``above`` it, near or far, a node is in."""
    while node.parent is not None and node.parent is not above:
        node = node.parent
    return node.parent_relationship


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
) -> Iterator[tuple[str, str, str]]:
    """The lines of both plans, paired nodes on one line as far as their order allows."""
    place = {id(node): at for at, node in enumerate(new)}
    anchors = _increasing(
        [(at, place[id(new_of[id(node)])]) for at, node in enumerate(old) if id(node) in new_of]
    )
    lines_old, lines_new = _lines(old), _lines(new)
    at_old = at_new = 0
    for until_old, until_new in [*anchors, (len(old), len(new))]:
        for line in lines_old[at_old:until_old]:
            yield line, "<", ""
        for line in lines_new[at_new:until_new]:
            yield "", ">", line
        if until_old < len(old):
            sign = "|" if id(old[until_old]) in changed else " "
            yield lines_old[until_old], sign, lines_new[until_new]
        at_old, at_new = until_old + 1, until_new + 1


def _lines(nodes: tuple[Node, ...]) -> list[str]:
    depths: dict[int, int] = {}
    lines = []
    for node in nodes:
        depths[id(node)] = 0 if node.parent is None else depths[id(node.parent)] + 1
        lines.append("  " * min(depths[id(node)], 30) + title(node))
    return lines


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs in which the second numbers increase as the first ones do."""
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
