"""The databases of suites written for pytest-postgresql are made ahead: otherwise they are as its janitor's own."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

COMMON = """
import time

import psycopg
import pytest
from pytest_postgresql import factories
from pytest_postgresql.janitor import AsyncDatabaseJanitor, DatabaseJanitor


def load(**connection):
    connection.pop("autocommit", None)
    with psycopg.connect(**connection) as opened:
        opened.execute("CREATE TABLE loaded AS SELECT 1 AS a")


proc = factories.postgresql_proc(load=[load])
first = factories.postgresql("proc")
second = factories.postgresql("proc", dbname="second")


@pytest.fixture
def maintenance(proc):
    options = {"host": proc.host, "port": proc.port, "user": proc.user, "password": proc.password}
    with psycopg.connect(**options, dbname="postgres", autocommit=True) as connection:
        yield connection


def oid(connection):
    return connection.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchone()[0]


def names(connection, like):
    rows = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [like]).fetchall()
    return sorted(name for (name,) in rows)


def is_made_ahead(maintenance):
    return maintenance.info.server_version >= 150000
"""
RENAMED = """
AHEAD = set()


@pytest.mark.parametrize("n", range(5))
def test_fresh_each_time(first, maintenance, n):
    assert first.info.dbname == "tests"
    assert first.execute("SELECT a FROM loaded").fetchall() == [(1,)]
    first.execute("INSERT INTO loaded VALUES (2)")
    first.commit()
    facts = "datallowconn, datistemplate, datconnlimit, datdba::regrole::text, encoding, datcollate, datacl::text"
    [[*of_it]] = maintenance.execute(f"SELECT {facts} FROM pg_database WHERE datname = 'tests'")
    assert of_it[:4] == [True, False, -1, "postgres"]
    [[*of_template]] = maintenance.execute(f"SELECT {facts} FROM pg_database WHERE datname = 'tests_tmpl'")
    assert of_it[4:] == of_template[4:]
    if n:
        assert (oid(first) in AHEAD) is is_made_ahead(maintenance)
    AHEAD.clear()
    deadline = time.monotonic() + 60
    while is_made_ahead(maintenance) and len(AHEAD) < 2:
        rows = maintenance.execute("SELECT oid FROM pg_database WHERE datname LIKE 'pgfeatures_copy_%'")
        AHEAD.update(oid for (oid,) in rows)
        assert time.monotonic() < deadline


def test_two_fixtures_take_copies_of_one_template(first, second, maintenance):
    assert (first.info.dbname, second.info.dbname) == ("tests", "second")
    assert ({oid(first), oid(second)} == AHEAD) is is_made_ahead(maintenance)
    assert second.execute("SELECT a FROM loaded").fetchall() == [(1,)]
"""


@pytest.mark.thorough
def test_a_copy_is_renamed_and_is_as_the_janitor_makes_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COMMON + RENAMED)
    # One version a run, as the set of OIDs is the module's.
    for version in ("14", "18"):
        pytester.runpytest_subprocess(f"--pg={version}").assert_outcomes(passed=6)


LEFT = """
LEFT = []


def test_a_session_is_left(first, proc):
    options = {"host": proc.host, "port": proc.port, "user": proc.user, "password": proc.password}
    LEFT.append(psycopg.connect(**options, dbname="tests"))
    LEFT[0].execute("INSERT INTO loaded VALUES (3)")


def test_it_was_ended(first, maintenance):
    with pytest.raises(psycopg.OperationalError):
        LEFT.pop().execute("SELECT 1")
    assert first.execute("SELECT a FROM loaded").fetchall() == [(1,)]
    sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname LIKE 'pgfeatures_used_%'"
    assert maintenance.execute(sessions).fetchone() == (0,)


def test_only_the_test_s_own_client_is_counted(first):
    query = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    deadline = time.monotonic() + 60
    while first.execute(query).fetchone() != (1,):  # that of the last test may still be ending
        assert time.monotonic() < deadline


def test_the_used_ones_have_other_names(maintenance):
    assert names(maintenance, "pgfeatures_used_%")
    assert names(maintenance, "tests") == []
"""


def test_a_session_left_by_a_test_is_ended(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COMMON + LEFT)
    pytester.runpytest_subprocess("--pg=14,18").assert_outcomes(passed=8)


CHANGED = """
def in_template(proc, statement):
    options = {"host": proc.host, "port": proc.port, "user": proc.user, "password": proc.password}
    with psycopg.connect(**options, dbname=proc.template_dbname) as connection:
        connection.execute(statement)


def test_before(first, proc):
    assert first.execute("SELECT a FROM loaded").fetchall() == [(1,)]
    in_template(proc, "UPDATE loaded SET a = 7")


def test_after(first, proc):
    assert first.execute("SELECT a FROM loaded").fetchall() == [(7,)]
    in_template(proc, "CREATE TABLE another ()")


def test_after_that(first, proc):
    assert first.execute("SELECT FROM another").fetchall() == []
    assert first.execute("SELECT a FROM loaded").fetchall() == [(7,)]


def test_another_template_of_that_name(proc, maintenance):
    maintenance.execute("ALTER DATABASE tests_tmpl IS_TEMPLATE false")
    maintenance.execute("DROP DATABASE tests_tmpl")
    maintenance.execute("CREATE DATABASE tests_tmpl IS_TEMPLATE true")


def test_after_another(first):
    with pytest.raises(psycopg.errors.UndefinedTable):
        first.execute("SELECT FROM loaded")
"""


def test_what_a_test_changes_in_the_template_is_in_the_next_database(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COMMON + CHANGED)
    pytester.runpytest_subprocess("--pg=14,15,18").assert_outcomes(passed=15)


BY_HAND = """
def janitor(proc, kind=DatabaseJanitor, **options):
    import inspect

    own = {"host": proc.host, "port": proc.port, "user": proc.user, "password": proc.password}
    return kind(**own | {"dbname": "by_hand", "template_dbname": "tests_tmpl"} | options)


def test_errors_are_the_janitor_s_own(first, proc, maintenance):
    with janitor(proc):
        with pytest.raises(psycopg.errors.DuplicateDatabase, match='"by_hand" already exists'):
            janitor(proc).init()
    with pytest.raises(psycopg.errors.InvalidCatalogName, match="none_such"):
        janitor(proc, template_dbname="none_such").init()
    with pytest.raises(TimeoutError):
        janitor(proc, password="wrong", connection_timeout=0).init()
    janitor(proc).drop()
    assert names(maintenance, "by_hand") == []


def test_a_class_of_one_s_own_does_it_in_its_own_way(first, proc, maintenance):
    class Own(DatabaseJanitor):
        def _build_create_database_sql(self):
            return psycopg.sql.SQL("CREATE DATABASE by_hand CONNECTION LIMIT 5")

    with janitor(proc, Own):
        [row] = maintenance.execute("SELECT datconnlimit FROM pg_database WHERE datname = 'by_hand'").fetchall()
        assert row == (5,)
    assert names(maintenance, "by_hand") == []


def test_a_server_that_was_restarted(first, proc, maintenance):
    maintenance.close()
    proc.stop()
    proc.start()


def test_after_a_restart(first, second):
    assert second.execute("SELECT a FROM loaded").fetchall() == [(1,)]


async def test_asynchronous(proc, maintenance):
    async with janitor(proc, AsyncDatabaseJanitor):
        assert names(maintenance, "by_hand") == ["by_hand"]
    assert names(maintenance, "by_hand") == []
"""


@pytest.mark.thorough
def test_janitors_by_hand(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COMMON + BY_HAND)
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    pytester.runpytest_subprocess("--pg=18").assert_outcomes(passed=5)


FORGOTTEN = """
KEPT = 16


@pytest.mark.parametrize("n", range(KEPT + 4))
def test_it(first, n):
    pass


def test_used_databases_are_dropped(maintenance):
    deadline = time.monotonic() + 60
    while len(names(maintenance, "pgfeatures_used_%")) > KEPT:
        assert time.monotonic() < deadline
    assert len(names(maintenance, "pgfeatures_copy_%")) <= 2
"""


@pytest.mark.thorough
def test_used_databases_are_dropped_in_the_background(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(COMMON + FORGOTTEN)
    pytester.runpytest_subprocess("--pg=18").assert_outcomes(passed=21)
