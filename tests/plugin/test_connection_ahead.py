"""A test that has a connection has the next test's opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

pytest_plugins = ["pytester"]
CONNECTED = """
AHEAD = "FROM pg_stat_activity WHERE datname ~ '^test_' AND datname <> '{}'"

def test_it(pg_connection, pg_cluster):
    others = AHEAD.format(pg_connection.info.dbname)
    pg_cluster.poll_query_until(f"SELECT count(*) {others}", 1)
"""


def test_a_test_that_connects_has_the_next_connections_opened(run: Callable[..., pytest.RunResult]) -> None:
    run(CONNECTED, "--pg", "14,18").assert_outcomes(passed=2)
