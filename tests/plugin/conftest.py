"""pytest runs inside of tests, on installs of the user's store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run pytest on a file of tests, in this process: it takes a fourth of the time of one of its own.

    ``run(source, *arguments)``: the arguments are pytest's.
    """
    return _runner(pytester, pytester.runpytest_inprocess)


@pytest.fixture
def run_alone(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run pytest in a process of its own, which a test that has to do with signals or the environment needs."""
    return _runner(pytester, pytester.runpytest_subprocess)


def _runner(
    pytester: pytest.Pytester, start: Callable[..., pytest.RunResult]
) -> Callable[..., pytest.RunResult]:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")

    def run(source: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=source)
        return start("-p", "no:cacheprovider", "-p", "no:randomly", *arguments)

    return run
