"""The tree of a plan while text EXPLAIN is read: which node a new one belongs below.

The columns of the arrows show the tree. Documents bend them: if the columns contradict the node types (a Seq Scan
has no child, a Sort has one), the node types decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_pgfeatures.plan.label import ARITY, MEMBERS
from pytest_pgfeatures.plan.tree import DEEPEST

_NEARBY = 64
"""The number of ancestors to search for one with room for a child, if the columns are wrong."""


@dataclass(slots=True, eq=False)
class OpenNode:
    """A node that may still get children."""

    column: int
    data: dict[str, Any]
    parent: OpenNode | None
    depth: int
    count: int = 0
    """The number of its children, InitPlans and SubPlans not counted."""

    @property
    def full(self) -> bool:
        """Whether a node of this type can't have more children."""
        arity = ARITY.get(self.data.get("Node Type", ""))
        return arity is not None and self.count >= arity


class TextTree:
    """The nodes read so far of one query's plan.

    Parameters:
        before_14: whether the server is older than 14. Up to 13 a ModifyTable's children are its members.
    """

    __slots__ = ("before_14", "last", "open", "subplan")

    def __init__(self, *, before_14: bool) -> None:
        self.before_14 = before_14
        self.open: list[OpenNode] = []
        """The node read last, and those above it by their columns."""
        self.last: OpenNode | None = None
        """The node read last."""
        self.subplan: tuple[str, int] | None = None
        """The name of the InitPlan, SubPlan or CTE whose top node comes next, and its column."""

    def add(self, column: int) -> OpenNode:
        """Put a new node in its place.

        Parameters:
            column: the column of its arrow; the first node of a plan has none.

        Raises:
            ValueError: it is too deep.
        """
        data: dict[str, Any] = {}
        at = column
        if self.subplan is not None:
            data["Subplan Name"], subplan_column = self.subplan
            at = min(column, subplan_column)
            self.subplan = None
        parent = self._parent(at, is_subplan=bool(data))
        if parent is None:
            node = OpenNode(-1, data, None, 0)
        else:
            node = OpenNode(column, data, parent, parent.depth + 1)
            if node.depth > DEEPEST:
                raise ValueError(node.depth)
            parent.data.setdefault("Plans", []).append(data)
            if not data:
                parent.count += 1
        self.open.append(node)
        self.last = node
        return node

    def _parent(self, column: int, *, is_subplan: bool) -> OpenNode | None:
        while self.open and self.open[-1].column >= column:
            self.open.pop()
        if not self.open:
            return None
        by_column = self.open[-1]
        if is_subplan or not by_column.full:
            return by_column
        candidate, steps = self.last, 0
        while candidate is not None and steps < _NEARBY:
            if not candidate.full:
                return candidate
            candidate, steps = candidate.parent, steps + 1
        return by_column

    def relate(self, node: OpenNode) -> None:
        """Add the node's relationship to its parent. JSON has it as a key; text shows it by the node's place."""
        data, parent = node.data, node.parent
        if parent is None:
            return
        name = data.get("Subplan Name")
        kind = parent.data.get("Node Type")
        if name is not None:
            relationship = "SubPlan" if name.startswith("SubPlan") else "InitPlan"
        elif kind in MEMBERS or (kind == "ModifyTable" and self.before_14):
            relationship = "Member"
        elif kind == "Subquery Scan":
            relationship = "Subquery"
        else:
            relationship = "Inner" if parent.count > 1 else "Outer"
        data["Parent Relationship"] = relationship


def add_grouping(data: dict[str, Any], key: str, items: list[str]) -> None:
    """Add one of an Aggregate's key lines: several lines are grouping sets; a single ``Group Key`` is the
    node's own key."""
    if key == "Group Key" and items and not data.keys() & {"Group Key", "Grouping Sets"}:
        data[key] = items
        return
    sets = data.setdefault("Grouping Sets", [])
    first = data.pop("Group Key", None)
    if first is not None:
        sets.append({"Group Keys": [first]})
    if key == "Sort Key":
        sets.append({"Sort Key": items})
        return
    if not sets or key == "Hash Key" or "Hash Keys" in sets[-1]:
        sets.append({})
    sets[-1].setdefault(f"{key}s", []).append(items)
