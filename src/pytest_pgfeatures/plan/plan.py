"""A whole plan: what one EXPLAIN printed."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanNodeError
from pytest_pgfeatures.plan.display import html, rich_tree
from pytest_pgfeatures.plan.explain_failure import Match, missed
from pytest_pgfeatures.plan.flat import flattened, nested
from pytest_pgfeatures.plan.node import Node
from pytest_pgfeatures.plan.selector import select
from pytest_pgfeatures.plan.shape import Shape, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.tree import Tree

    from pytest_pgfeatures.version import PgMajor


class Plan:
    """What one EXPLAIN printed: usually one query's plan, several where a rule rewrote the statement.

    ``"Incremental Sort" in plan`` asks for a label; ``*`` in it stands for anything (``"* Full Join"``).

    Parameters:
        queries: one item per query, as FORMAT JSON has them: a mapping with ``Plan`` and what EXPLAIN says
            about the whole query (``Planning Time``, ``Triggers``, ...), or the name of a statement without
            a plan.
        major: the server's major, if known.
        written_by: of a plan read from FORMAT TEXT, the newest major that spells it so.
    """

    def __init__(
        self, queries: list[Any], major: PgMajor | None = None, *, written_by: PgMajor | None = None
    ) -> None:
        self.queries = queries
        self.major = major
        self.written_by = written_by

    @functools.cached_property
    def roots(self) -> tuple[Node, ...]:
        """The top node of each query that has a plan."""
        return tuple(
            Node(query["Plan"]) for query in self.queries if isinstance(query, dict) and "Plan" in query
        )

    @property
    def root(self) -> Node:
        """The top node of the only query.

        Raises:
            PlanNodeError: there is no query with a plan, or more than one.
        """
        if len(self.roots) != 1:
            raise PlanNodeError(
                f"the plan has {len(self.roots)} top nodes, not one",
                remedy="use plan.roots: a rule can make several of one statement; a utility has none",
            )
        return self.roots[0]

    @functools.cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in the order in which EXPLAIN prints them."""
        return tuple(node for root in self.roots for node in root.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __bool__(self) -> bool:
        return True

    @functools.cached_property
    def _carried(self) -> str:
        from pytest_pgfeatures.plan.render import carried

        return carried(self)

    def __eq__(self, other: object) -> bool:
        """Whether text EXPLAIN would say the same of both: what both formats carry, figures included."""
        return self._carried == other._carried if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._carried)

    def __str__(self) -> str:
        from pytest_pgfeatures.plan.render import render

        return render(self)

    def find(self, selector: str) -> list[Node]:
        """The nodes that ``selector`` selects, in EXPLAIN's order; docs/plans.md has the language.

        Raises:
            PlanSelectorError: the selector can't be read.
        """
        return select(self.nodes, selector)

    def one(self, selector: str) -> Node:
        """The only node that ``selector`` selects.

        Raises:
            PlanNodeError: it selects none, or more than one; the message has the plan's tree.
            PlanSelectorError: the selector can't be read.
        """
        found = self.find(selector)
        if len(found) != 1:
            raise PlanNodeError(*missed(self, selector, found))
        return found[0]

    def count(self, selector: str) -> int:
        """How many nodes ``selector`` selects."""
        return len(self.find(selector))

    def matches(self, selector: str) -> Match:
        """Whether ``selector`` selects any node: true or false, and says why where an assertion prints it."""
        return Match(self, selector)

    def __contains__(self, selector: object) -> bool:
        return isinstance(selector, str) and bool(self.find(selector))

    def shape(self, *, normalize: bool = True) -> Shape:
        """What kind of plan it is: labels, relations, conditions and keys, without costs and figures.

        Parameters:
            normalize: spell alike what majors only spell differently (``OVER (?)`` and ``OVER w1``).
        """
        return shape_of(self, normalize=normalize)

    def __getitem__(self, key: str) -> Any:
        """What EXPLAIN says about the whole of the only query, by key, such as ``Planning Time``."""
        return self.queries[0][key]

    def get(self, key: str, default: Any = None) -> Any:
        """As ``plan[key]``, or ``default`` where EXPLAIN does not say it."""
        return (
            self.queries[0].get(key, default)
            if self.queries and isinstance(self.queries[0], dict)
            else default
        )

    def __repr__(self) -> str:
        first = f" {self.roots[0].label}," if self.roots else ""
        return f"<Plan{first} {len(self.nodes)} nodes>"

    def __reduce__(self) -> tuple[Any, ...]:
        flat = [
            {key: flattened(value) if key == "Plan" else value for key, value in query.items()}
            if isinstance(query, dict)
            else query
            for query in self.queries
        ]
        return _rebuilt, (flat, self.major, self.written_by)

    def __rich__(self) -> Tree:
        return rich_tree(self)

    def _repr_html_(self) -> str:
        return html(self)


def _rebuilt(flat: list[Any], major: PgMajor | None, written_by: PgMajor | None) -> Plan:
    queries = [
        {key: nested(value) if key == "Plan" else value for key, value in query.items()}
        if isinstance(query, dict)
        else query
        for query in flat
    ]
    return Plan(queries, major, written_by=written_by)
