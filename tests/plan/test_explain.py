"""EXPLAIN on a server: options, settings, and what an ANALYZE leaves behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from pytest_pgfeatures.errors import PlanOptionError
from pytest_pgfeatures.plan import explain
from pytest_pgfeatures.plan.explain import OPTIONS, options_text
from pytest_pgfeatures.version import MAJORS, PgMajor, PgVersion, VersionSet

if TYPE_CHECKING:
    from psycopg import Connection

    Conn = Connection[Any]


@pytest.fixture
def version(pg_connection: Conn) -> PgVersion:
    return PgVersion.from_num(pg_connection.info.server_version)


def asked(name: str) -> dict[str, Any]:
    """An option that is on, as a server takes it."""
    option = "show_settings" if name == "settings" else name
    return {option: "text" if name == "serialize" else True}


def test_an_option_is_taken_by_the_servers_that_have_it_and_refused_for_others(
    pg_connection: Conn, version: PgVersion
):
    for name, option in OPTIONS.items():
        if version in option.versions:
            analyze = version in option.needs_analyze
            plan = explain(pg_connection, "SELECT 1", **{"analyze": analyze, **asked(name)})
            assert plan.root.label == "Result", name
            continue
        with pytest.raises(PlanOptionError, match=f"EXPLAIN has the option {name.upper()} in PostgreSQL"):
            explain(pg_connection, "SELECT 1", **asked(name))
        with pytest.raises(psycopg.Error):  # the server would have refused it, too
            pg_connection.execute(f"EXPLAIN (ANALYZE, {name.upper()}) SELECT 1")


def test_an_option_that_needs_analyze_says_so(pg_connection: Conn, version: PgVersion):
    needing = [
        name
        for name, option in OPTIONS.items()
        if version in option.versions and version in option.needs_analyze
    ]
    assert "timing" in needing
    for name in needing:
        with pytest.raises(PlanOptionError, match=f"{name.upper()} needs ANALYZE"):
            explain(pg_connection, "SELECT 1", **asked(name))
        with pytest.raises(psycopg.Error):
            pg_connection.execute(f"EXPLAIN ({name.upper()}) SELECT 1")


@pytest.mark.parametrize("major", MAJORS, ids=str)
def test_every_major_has_analyze(major: PgMajor):
    assert (
        options_text({"analyze": True, "verbose": False}, major.last)
        == "ANALYZE ON, VERBOSE OFF, FORMAT JSON"
    )


def test_what_analyze_wrote_is_rolled_back_unless_told_otherwise(pg_connection: Conn):
    pg_connection.execute("CREATE TABLE t (a int)")
    plan = explain(pg_connection, "INSERT INTO t SELECT generate_series(1, 3)", analyze=True)
    assert plan.one("Insert").children[0].actual_rows == 3
    assert pg_connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    explain(pg_connection, "INSERT INTO t SELECT generate_series(1, 3)", analyze=True, commit=True)
    assert pg_connection.execute("SELECT count(*) FROM t").fetchone() == (3,)


def test_a_transaction_goes_on_as_before(pg_connection: Conn):
    pg_connection.execute("CREATE TABLE t (a int)")
    with pg_connection.transaction():
        pg_connection.execute("INSERT INTO t VALUES (1)")
        explain(pg_connection, "DELETE FROM t", analyze=True, settings={"work_mem": "1MB"})
        with pytest.raises(psycopg.Error), pg_connection.transaction():
            explain(pg_connection, "SELECT no_such_column FROM t")
    assert pg_connection.execute("SELECT count(*) FROM t").fetchone() == (1,)


def test_settings_hold_for_the_statement_alone(pg_connection: Conn, version: PgVersion):
    pg_connection.execute("CREATE TABLE t AS SELECT generate_series(1, 1000) AS a")
    before = pg_connection.execute("SHOW enable_seqscan").fetchone()
    plan = explain(
        pg_connection, "SELECT * FROM t ORDER BY a", settings={"enable_sort": "off", "work_mem": "9MB"}
    )
    assert plan.one("Sort").disabled is (version in VersionSet(">=18"))
    assert (plan.one("Sort").total_cost > 1e9) is (version in VersionSet("<18"))
    assert pg_connection.execute("SHOW enable_seqscan").fetchone() == before
    assert pg_connection.execute("SHOW work_mem").fetchone() != ("9MB",)
    with pytest.raises(psycopg.Error):
        explain(pg_connection, "SELECT no_such_column", settings={"enable_sort": "off"})
    assert pg_connection.execute("SHOW enable_sort").fetchone() == ("on",)


@pytest.mark.pg(">=9.6")
def test_settings_have_their_newest_names(pg_connection: Conn):
    settings = {"debug_parallel_query": "on", "max_parallel_workers_per_gather": "2"}
    assert "Gather" in explain(pg_connection, "SELECT relname FROM pg_class", settings=settings)


def test_parameters(pg_connection: Conn):
    plan = explain(pg_connection, "SELECT * FROM pg_class WHERE relname = %s", ["pg_class"])
    assert plan.one("* Scan").relation == "pg_class"


@pytest.mark.pg(">=16")
def test_a_generic_plan_keeps_its_parameters(pg_connection: Conn):
    plan = explain(pg_connection, "SELECT * FROM pg_class WHERE reltuples > $1", generic_plan=True)
    assert "$1" in plan.one("Seq Scan").filter


def test_the_plan_knows_its_version(pg_connection: Conn, version: PgVersion):
    plan = explain(pg_connection, "SELECT 1")
    assert plan.major == version.major
    assert "\n".join(row[0] for row in pg_connection.execute("EXPLAIN SELECT 1")) == str(plan)
