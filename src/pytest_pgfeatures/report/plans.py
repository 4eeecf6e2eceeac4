"""pytest hooks that show the plan where an assertion about it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a failing comparison with a plan or a shape on either side."""
    if not any(type(side).__module__.startswith("pytest_pgfeatures.plan.") for side in (left, right)):
        return None
    from pytest_pgfeatures.plan.assertion_help import compared

    return compared(op, left, right)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the plans that the failing test function has at hand, unless the message does already."""
    report = yield
    if report.failed and call.excinfo is not None:
        import sys

        if "pytest_pgfeatures.plan.plan" in sys.modules:
            from pytest_pgfeatures.plan.assertion_help import plans_in_failure

            report.sections.extend((f"plan {name}", text) for name, text in plans_in_failure(call.excinfo))
    return report
