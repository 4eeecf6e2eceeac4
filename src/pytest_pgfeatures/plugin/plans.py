"""Plans in tests: a failing assertion shows the plan, and ``plan_snapshot`` compares with an earlier one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from pytest_pgfeatures.plugin.snapshots import PlanSnapshot


def snapshot_of(request: pytest.FixtureRequest) -> PlanSnapshot:
    """The value of ``plan_snapshot`` in a test.

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


def plan_sections(excinfo: pytest.ExceptionInfo[BaseException] | None) -> Iterator[tuple[str, str]]:
    """Yield the plans in the local variables of the test function whose assertion failed, as titles and texts,
    unless the message already shows them."""
    if excinfo is None or "pytest_pgfeatures.plan.plan" not in sys.modules:
        return
    from pytest_pgfeatures.plan.assertion_help import plans_in_failure

    yield from ((f"plan {name}".rstrip(), text) for name, text in plans_in_failure(excinfo))
