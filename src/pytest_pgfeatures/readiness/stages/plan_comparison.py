"""The plans of both servers side by side, with their costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.model import SideBySide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.plan.diff import Diff
    from pytest_pgfeatures.plan.node import Node
    from pytest_pgfeatures.readiness.model import Query, VersionPair
    from pytest_pgfeatures.readiness.stages.plan_causes import PlanCause
    from pytest_pgfeatures.readiness.stages.plan_measuring import ActualCost
    from pytest_pgfeatures.readiness.stages.planning import Planned

LONGEST = 120
"""The number of lines and changes that are kept, so that a page of many statements stays small."""
_WIDEST = 300


class ComparedPlans(NamedTuple):
    """One statement, planned by both servers.

    Parameters:
        measured: the costs of both plans when they were executed; None if they were not.
    """

    query: Query
    old: Planned
    new: Planned
    changes: Diff
    measured: tuple[ActualCost, ActualCost] | None = None

    @property
    def estimated(self) -> float:
        """The estimated cost on the new server as a multiple of the old one's."""
        return _growth(self.old.cost, self.new.cost)

    @property
    def growth(self) -> float:
        """The measured cost on the new server as a multiple of the old one's; if it was not measured, the
        estimated one."""
        if self.measured is None:
            return self.estimated
        return _growth(self.measured[0].blocks, self.measured[1].blocks)


def _growth(before: float, after: float) -> float:
    return after / before if before else 1.0 if not after else float("inf")


def comparison_of(compared: ComparedPlans, causes: Sequence[PlanCause], pair: VersionPair) -> SideBySide:
    """The plan trees, the costs, the blocks if the plans were executed, and the causes of the difference."""
    rows = [
        (_with_cost(left, before), sign, _with_cost(right, after))
        for (left, sign, right), (before, after) in zip(
            compared.changes.rows, compared.changes.nodes, strict=True
        )
    ]
    changes = [_cut(str(change)) for change in compared.changes.changes]
    if len(rows) > LONGEST:
        more = f"... ({len(rows) - LONGEST} more lines)"
        rows = [*rows[:LONGEST], (more, " ", more)]
    if len(changes) > LONGEST:
        changes = [*changes[:LONGEST], f"... ({len(changes) - LONGEST} more)"]
    figures = [("estimated cost", f"{compared.old.cost:.2f}", f"{compared.new.cost:.2f}")]
    if compared.measured is not None:
        old, new = compared.measured
        figures += [
            ("blocks accessed", str(old.blocks), str(new.blocks)),
            ("milliseconds", f"{old.milliseconds:.2f}", f"{new.milliseconds:.2f}"),
        ]
    return SideBySide(
        "plans",
        (str(pair.old), str(pair.new)),
        tuple(rows),
        tuple(figures),
        tuple(changes),
        tuple((cause.text, cause.behavior or "") for cause in causes),
    )


def _with_cost(line: str, node: Node | None) -> str:
    if node is None:
        return ""
    figures = f"(cost={node['Startup Cost']:.2f}..{node['Total Cost']:.2f} rows={node['Plan Rows']})"
    return f"{_cut(line)}  {figures}"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."
