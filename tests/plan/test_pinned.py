"""The planner's inputs held still."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pytest_pgfeatures.errors import PlanOptionError
from pytest_pgfeatures.plan import explain, pinned
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from psycopg import Connection

    Conn = Connection[Any]

QUERY = "SELECT * FROM orders WHERE kind = 3"


@pytest.fixture
def connection(pg_connection: Conn) -> Conn:
    pg_connection.execute(
        "CREATE TABLE orders AS SELECT n AS id, n % 100 AS kind FROM generate_series(1, 10000) n"
    )
    pg_connection.execute("CREATE INDEX orders_kind ON orders (kind)")
    return pg_connection


def test_what_the_session_has_set_does_not_matter(connection: Conn):
    with pinned(connection):
        expected = explain(connection, QUERY)
    assert expected.root.rows == 100
    connection.execute("SET random_page_cost = 1000")
    connection.execute("SET cpu_operator_cost = 7")
    assert explain(connection, QUERY) != expected
    with pinned(connection):
        assert explain(connection, QUERY) == expected
    assert connection.execute("SHOW random_page_cost").fetchone() == ("1000",)
    with pytest.raises(psycopg.Error), pinned(connection):
        connection.execute("SELECT no_such_column")
    assert connection.execute("SHOW cpu_operator_cost").fetchone() == ("7",)


def test_tables_are_analyzed_unless_told_otherwise(connection: Conn):
    with pinned(connection, analyze=False):
        guessed = explain(connection, QUERY)
    assert guessed.root.rows == 50  # half a percent
    with connection.transaction(), pinned(connection):
        assert explain(connection, QUERY).root.rows == 100


def test_settings_may_be_numbers_and_booleans_as_in_the_marker(connection: Conn):
    with pinned(connection, settings={"seq_page_cost": 0, "random_page_cost": 1.5, "enable_seqscan": False}):
        shown = "SELECT current_setting(name) FROM unnest(%s::text[]) name"
        names = ["seq_page_cost", "random_page_cost", "enable_seqscan"]
        assert connection.execute(shown, (names,)).fetchall() == [("0",), ("1.5",), ("off",)]
        assert "Seq Scan" not in explain(connection, QUERY)
    assert "Seq Scan" in explain(connection, "SELECT * FROM orders", settings={"enable_seqscan": True})
    assert "Seq Scan" not in explain(connection, QUERY, settings={"enable_seqscan": False})


@pytest.mark.pg(">=9.6")
def test_small_tables_have_parallel_plans_with_the_preset(pg_connection: Conn):
    pg_connection.execute("CREATE TABLE a AS SELECT n AS id FROM generate_series(1, 100) n")
    pg_connection.execute("CREATE TABLE b AS SELECT n AS id FROM generate_series(51, 150) n")
    query = "SELECT * FROM a FULL JOIN b USING (id)"
    version = PgVersion.from_num(pg_connection.info.server_version)
    with pinned(pg_connection):
        assert "Gather" not in explain(pg_connection, query)
    with pinned(pg_connection, parallel=True):
        assert ("Parallel Hash Full Join" in explain(pg_connection, query)) is (version in VersionSet(">=16"))
        assert explain(pg_connection, "SELECT count(*) FROM a").one("Gather").workers_planned in (1, 2)
    with pinned(pg_connection, parallel=True, parallel_workers=0):
        assert "Gather" not in explain(pg_connection, query)


def test_a_misspelled_argument_is_told_with_the_nearest(connection: Conn):
    with pytest.raises(TypeError, match=r"explain\(\) has no argument 'analyse': did you mean analyze=\?"):
        explain(connection, QUERY, analyse=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"pinned\(\) has no argument 'setting': did you mean settings=\?"):
        pinned(connection, setting={})  # type: ignore[call-arg]


@pytest.mark.pg(">=9.6")
def test_parallel_workers_if_asked_for(connection: Conn):
    free = {"parallel_setup_cost": "0", "parallel_tuple_cost": "0", "min_parallel_table_scan_size": "0"}
    query = "SELECT count(*) FROM orders"
    with pinned(connection, settings=free):
        assert "Gather" not in explain(connection, query)
    with pinned(connection, settings=free, parallel_workers=3):
        assert explain(connection, query).one("Gather").workers_planned == 3


def test_statistics_are_believed_since_18_and_refused_before(connection: Conn):
    statistics = {"orders": {"reltuples": 1e6}, "orders.kind": {"n_distinct": 2.0, "avg_width": 100}}
    if PgVersion.from_num(connection.info.server_version) in VersionSet("<18"):
        with (
            pytest.raises(PlanOptionError, match="can import statistics since 18"),
            pinned(connection, statistics=statistics),
        ):
            pass
        return
    with pinned(connection, statistics=statistics):
        plan = explain(connection, "SELECT kind FROM orders GROUP BY kind")
        assert plan.one("Seq Scan").rows == 1_000_000
        assert plan.one("Seq Scan").width == 100
        assert plan.root.rows == 2
