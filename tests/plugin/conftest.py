"""pytest runs inside of tests, each a process of its own, on installs of the user's store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run pytest on a file of tests.

    ``run(source, *arguments)``: the arguments are pytest's.
    """
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")

    def run(source: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=source)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:randomly", *arguments)

    return run
