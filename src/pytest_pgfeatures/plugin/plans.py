"""Plans in tests: a failing assertion shows the plan, and ``plan_snapshot`` compares with an earlier one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.plugin.snapshots import PlanSnapshot


@pytest.fixture
def plan_snapshot(request: pytest.FixtureRequest) -> PlanSnapshot:
    """The plan at the time of the last ``pytest --snapshot-update``: ``assert plan == plan_snapshot``.

    The plan is stored in a file beside the test, one for each group of majors whose plans agree.
    ``plan_snapshot(baseline="14")`` compares with the plan of 14 on every version. See docs/plans.md.

    Raises:
        PlanError: syrupy is not installed.
    """
    try:
        from pytest_pgfeatures.plugin.snapshots import PlanSnapshot
    except ModuleNotFoundError as error:
        raise PlanError(
            f"plan_snapshot needs syrupy: {error}", remedy="pip install 'pytest-pgfeatures[snapshots]'"
        ) from None
    return PlanSnapshot.of(request.getfixturevalue("snapshot"))


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a failing comparison with a plan or a shape on either side."""
    if not any(type(side).__module__.startswith("pytest_pgfeatures.plan.") for side in (left, right)):
        return None
    from pytest_pgfeatures.plan.assertion_help import compared

    return compared(op, left, right)


def plan_sections(excinfo: pytest.ExceptionInfo[BaseException] | None) -> Iterator[tuple[str, str]]:
    """Yield the plans in the local variables of the test function whose assertion failed, as titles and texts,
    unless the message already shows them."""
    if excinfo is None or "pytest_pgfeatures.plan.plan" not in sys.modules:
        return
    from pytest_pgfeatures.plan.assertion_help import plans_in_failure

    yield from ((f"plan {name}".rstrip(), text) for name, text in plans_in_failure(excinfo))
