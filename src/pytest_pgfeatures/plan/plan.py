"""A whole plan: the output of one EXPLAIN."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PlanNodeError
from pytest_pgfeatures.plan.absent import warn_of_absent
from pytest_pgfeatures.plan.display import html, rich_tree
from pytest_pgfeatures.plan.flat import flattened, nested
from pytest_pgfeatures.plan.nearest import Match, not_one
from pytest_pgfeatures.plan.node import Node
from pytest_pgfeatures.plan.selector import select
from pytest_pgfeatures.plan.shape import Shape, shape_of
from pytest_pgfeatures.plan.to_text import common_text, explain_text

if TYPE_CHECKING:
    import weakref
    from collections.abc import Iterator

    import psycopg
    from rich.tree import Tree

    from pytest_pgfeatures.version import PgMajor


class Plan:
    """The output of one EXPLAIN: the plan of one query, or of several if a rule rewrote the statement.

    ``"Incremental Sort" in plan`` asks whether a selector selects any node; ``plan.summary["Planning Time"]`` reads
    what EXPLAIN prints about the whole query.

    Parameters:
        queries: an item per query, as FORMAT JSON has them: a mapping with ``Plan`` and what EXPLAIN prints about
            the whole query (``Planning Time``, ``Triggers``, ...), or the name of a statement without a plan.
        major: the server's major, if known.
        written_by: the newest major that could have printed the text; None if the plan was not read from text.
    """

    def __init__(
        self, queries: list[Any], major: PgMajor | None = None, *, written_by: str | None = None
    ) -> None:
        self.queries = queries
        self.major = major
        self.written_by = written_by
        self.explained_on: weakref.ref[psycopg.Connection[Any]] | None = None
        """The connection of :func:`explain`."""

    @functools.cached_property
    def _parts(self) -> tuple[tuple[Any, Node | None], ...]:
        """Each query with the top node of its plan, if it has one."""
        return tuple(
            (query, Node(query["Plan"]) if isinstance(query, dict) and "Plan" in query else None)
            for query in self.queries
        )

    @property
    def roots(self) -> tuple[Node, ...]:
        """The top node of each query that has a plan."""
        return tuple(root for _, root in self._parts if root is not None)

    @property
    def root(self) -> Node:
        """The top node of the only query.

        Raises:
            PlanNodeError: no query has a plan, or several have one.
        """
        roots = self.roots
        if len(roots) != 1:
            raise PlanNodeError(
                f"the plan has {len(roots)} top nodes, not one",
                remedy="use plan.roots: a rule can make several queries, a utility statement has no plan",
            )
        return roots[0]

    @functools.cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, in the order in which EXPLAIN prints them."""
        return tuple(node for root in self.roots for node in root.nodes)

    @property
    def summary(self) -> dict[str, Any]:
        """Values of the whole query, by key: ``Planning Time``, ``Execution Time`` (milliseconds),
        ``Planning``, ``Triggers``, ``JIT``, ``Settings`` (since 12), ``Serialization`` (since 17).

        Empty for a statement without a plan.

        Raises:
            PlanNodeError: there are several queries.
        """
        if len(self.queries) > 1:
            raise PlanNodeError(
                f"the plan has {len(self.queries)} queries, and a summary for each",
                remedy="use plan.queries: a rule can make several queries of a statement",
            )
        query = self.queries[0] if self.queries else {}
        return (
            {key: value for key, value in query.items() if key != "Plan"} if isinstance(query, dict) else {}
        )

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __bool__(self) -> bool:
        return True

    @functools.cached_property
    def text(self) -> str:
        """The text that ``==`` compares: the contents that both formats share, spelled as the newest major does."""
        return common_text(self.queries)

    def __eq__(self, other: object) -> bool:
        """Return whether text EXPLAIN prints the same for both plans, figures included."""
        return self.text == other.text if isinstance(other, Plan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        known = None if self.major is None else str(self.major)
        return explain_text(self.queries, known, self.written_by)

    def find(self, selector: str) -> list[Node]:
        """Return the nodes that ``selector`` selects, in EXPLAIN's order; docs/plans.md describes the language.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        found = select(self.nodes, selector)
        if not found:
            self._warn_of_absent(selector)
        return found

    def _warn_of_absent(self, selector: str) -> None:
        connection = self.explained_on() if self.explained_on is not None else None
        if connection is not None:
            warn_of_absent(connection, self.nodes, selector)

    def one(self, selector: str) -> Node:
        """Return the only node that ``selector`` selects.

        Raises:
            PlanNodeError: it selects none, or several; the message shows the tree.
            PlanSelectorError: the selector has a syntax error.
        """
        found = self.find(selector)
        if len(found) != 1:
            raise PlanNodeError(not_one(self, self.nodes, selector, found))
        return found[0]

    def count(self, selector: str) -> int:
        """Return the number of nodes that ``selector`` selects.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        return len(self.find(selector))

    def matches(self, selector: str) -> Match[Node]:
        """Return whether ``selector`` selects any node, as ``selector in plan`` does.

        The result is true or false. If an assertion on it fails, pytest prints the nodes that come nearest.

        Raises:
            PlanSelectorError: the selector has a syntax error.
        """
        match = Match(self, self.nodes, selector)
        if not match:
            self._warn_of_absent(selector)
        return match

    def __contains__(self, selector: object) -> bool:
        return isinstance(selector, str) and bool(self.find(selector))

    def shape(self, *, normalize: bool = True) -> Shape:
        """Return the plan without costs and figures: labels, relations, conditions and keys.

        Parameters:
            normalize: remove mere differences in spelling between majors (``OVER (?)`` and ``OVER w1``).
        """
        return shape_of((root.data for root in self.roots), normalize=normalize)

    def __repr__(self) -> str:
        roots = self.roots
        first = f" {roots[0].label}," if roots else ""
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
        return rich_tree(self._parts)

    def _repr_html_(self) -> str:
        return html(self._parts)


def _rebuilt(flat: list[Any], major: PgMajor | None, written_by: str | None) -> Plan:
    queries = [
        {key: nested(value) if key == "Plan" else value for key, value in query.items()}
        if isinstance(query, dict)
        else query
        for query in flat
    ]
    return Plan(queries, major, written_by=written_by)
