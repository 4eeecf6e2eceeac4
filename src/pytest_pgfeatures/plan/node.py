"""One node of a plan: selecting below it, and comparing it with others."""

from __future__ import annotations

from typing import Any

from pytest_pgfeatures.plan.flat import flattened, nested
from pytest_pgfeatures.plan.nearest import Match
from pytest_pgfeatures.plan.selector import select
from pytest_pgfeatures.plan.to_text import node_text
from pytest_pgfeatures.plan.tree import TreeNode


class Node(TreeNode):
    """One node of a plan.

    ``node["Any Key"]`` reads every key that the server printed, spelled as in FORMAT JSON, keys of future
    majors included. The attributes read the same keys under Python names; an absent key reads as None.
    See https://www.postgresql.org/docs/current/using-explain.html.

    Parameters:
        data: the node's keys as in FORMAT JSON, its children under ``Plans``.
        parent: the node above; None for a root.
    """

    __slots__ = ("_text",)
    _text: str

    def find(self, selector: str) -> list[Node]:
        """Return the nodes that ``selector`` selects among this node and those below it, in EXPLAIN's order.

        A selector's chain must lie within these nodes: ``Gather >> Sort`` selects nothing below the Gather.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        return select(tuple(self.nodes), selector)

    def matches(self, selector: str) -> Match[Node]:
        """Return whether ``selector`` selects any node among this one and those below it.

        :meth:`Plan.matches <pytest_pgfeatures.Plan.matches>` asks the same of a whole plan. To ask about this
        node alone, use :meth:`selected_by`.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        return Match(self, tuple(self.nodes), selector)

    def selected_by(self, selector: str) -> bool:
        """Return whether ``selector``, applied to the whole plan, selects this node.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        root = next(reversed(tuple(self.ancestors)), self)
        return any(node is self for node in select(tuple(root.nodes), selector))

    @property
    def text(self) -> str:
        """This node and all nodes below it as text EXPLAIN prints them, spelled as the newest major does."""
        try:
            return self._text
        except AttributeError:
            self._text = node_text(self.data)
            return self._text

    def __eq__(self, other: object) -> bool:
        """Return whether text EXPLAIN prints the same for both nodes and for all nodes below them."""
        return self.text == other.text if isinstance(other, Node) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        where = next((f" on {name}" for name in (self.relation, self.index, self.alias) if name), "")
        return f"<Node {self.label}{where}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (flattened(self.data),)


def _rebuilt(flat: list[tuple[int, dict[str, Any]]]) -> Node:
    return Node(nested(flat))
