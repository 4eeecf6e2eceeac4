"""compare() in a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

SOURCE = """
from pytest_pgfeatures import compare

def test_differs(pg_pair):
    assert compare(pg_pair, "SELECT current_setting('server_version_num')::int / 10000 AS major")
"""


def test_a_failing_assert_shows_the_difference(run: Run) -> None:
    result = run(SOURCE, "--pg=14,18")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *assert <14.* and 18.* answer differently: rows differ (1 rows, in any order)>",
            "*Answers that differ*",
            "SELECT current_setting*",
            "rows differ*",
            "--- 14.*",
            "+++ 18.*",
            "-14",
            "+18",
        ]
    )
