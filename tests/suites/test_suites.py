"""Suites written for pytest-postgresql become a version matrix by --pg, with no change to their code."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import pathlib

import psycopg
import pytest
from pytest_postgresql import factories

HERE = pathlib.Path(__file__).parent


def load_two(**connection):
    connection.pop("autocommit", None)
    with psycopg.connect(**connection) as opened:
        opened.execute("INSERT INTO stories (name) VALUES ('from a function')")


plain_proc = factories.postgresql_proc(
    load=[HERE / "schema.sql", load_two],
    postgres_options="-c work_mem=5MB",
    dbname="mydb",
    user="alice",
    password="se'cret",
)
plain = factories.postgresql("plain_proc")
other = factories.postgresql("plain_proc", dbname="other")
serializable = factories.postgresql("plain_proc", isolation_level=psycopg.IsolationLevel.SERIALIZABLE)
seeded_proc = factories.postgresql_noproc(depends_on="plain_proc", dbname="seeded")
seeded = factories.postgresql("seeded_proc")
on_ours = factories.postgresql("pg_cluster")


@pytest.fixture(scope="session")
def major(postgresql_proc):
    return postgresql_proc.version.major


def test_default_client(postgresql):
    assert postgresql.execute("SELECT 1").fetchone() == (1,)


def test_process(postgresql_proc):
    assert postgresql_proc.running()
    url = f"postgresql://{postgresql_proc.user}@{postgresql_proc.host}:{postgresql_proc.port}/postgres"
    with psycopg.connect(url) as opened:
        assert opened.info.server_version // 10000 == postgresql_proc.version.major


def test_loaded_and_configured(plain):
    assert plain.execute("SELECT count(*) FROM stories").fetchone() == (2,)
    assert plain.execute("SHOW work_mem").fetchone() == ("5MB",)
    assert plain.execute("SELECT current_user").fetchone() == ("alice",)
    plain.execute("INSERT INTO stories (name) VALUES ('of this test')")
    plain.commit()


def test_fresh_each_time(plain):
    assert plain.execute("SELECT count(*) FROM stories").fetchone() == (2,)


def test_two_databases(plain, other):
    assert (plain.info.dbname, other.info.dbname) == ("mydb", "other")


def test_isolation_level(serializable):
    assert serializable.execute("SHOW transaction_isolation").fetchone() == ("serializable",)


def test_seeded_from_another_fixture(seeded):
    assert seeded.execute("SELECT count(*) FROM stories").fetchone() == (2,)


def test_client_of_our_own_cluster(on_ours):
    assert on_ours.execute("SELECT 1").fetchone() == (1,)


def test_session_fixture_follows_the_version(major, postgresql):
    assert postgresql.info.server_version // 10000 == major


async def test_async_client(postgresql_async):
    cursor = await postgresql_async.execute("SELECT 1")
    assert await cursor.fetchone() == (1,)


def test_without_a_server():
    pass
"""
TESTS_WITH_A_SERVER = SUITE.count("def test_") - 1


@pytest.fixture
def suite(pytester):
    pytester.makepyfile(test_stories=SUITE)
    pytester.makefile(
        ".sql", schema="CREATE TABLE stories (name text); INSERT INTO stories VALUES ('from a file');"
    )
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\n")
    return pytester


def test_every_documented_fixture_runs_on_each_version(suite):
    result = suite.runpytest_subprocess("-v", "--pg", "10,14,15,18")
    result.assert_outcomes(passed=4 * TESTS_WITH_A_SERVER + 1)
    result.stdout.fnmatch_lines(["*test_default_client?pg10? PASSED*", "*test_default_client?pg18? PASSED*"])
    result.stdout.fnmatch_lines([f"pg14 *{TESTS_WITH_A_SERVER}*{TESTS_WITH_A_SERVER}*0*"])


@pytest.mark.thorough
def test_side_by_side_with_xdist(suite):
    result = suite.runpytest_subprocess("-n", "2", "--pg", "14,16,17")
    result.assert_outcomes(passed=3 * TESTS_WITH_A_SERVER + 1)


def test_a_process_fixture_starts_once_for_each_version(suite):
    result = suite.runpytest_subprocess("--setup-show", "--pg", "15,16", "-k", "stories")
    result.assert_outcomes(passed=2 * TESTS_WITH_A_SERVER + 1)
    setups = [line for line in result.outlines if "SETUP    S plain_proc" in line]
    assert len(setups) == 2


def test_options_of_pytest_postgresql_count(suite):
    suite.makepyfile(
        test_options="""
        def test_options(postgresql, postgresql_proc):
            assert postgresql.info.dbname == "named"
            assert postgresql_proc.user == "bob"
            assert postgresql.execute("SHOW work_mem").fetchone() == ("7MB",)
            assert postgresql.execute("SELECT count(*) FROM stories").fetchone() == (1,)
        """
    )
    result = suite.runpytest_subprocess(
        "test_options.py",
        *("--pg", "15,16", "--postgresql-dbname=named", "--postgresql-user=bob"),
        *("--postgresql-postgres-options=-c work_mem=7MB", "--postgresql-load=schema.sql"),
    )
    result.assert_outcomes(passed=2)


def test_a_fixed_port_is_kept_where_it_is_free(suite):
    suite.makepyfile(
        test_port="""
        import socket
        from pytest_postgresql import factories

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            PORT = probe.getsockname()[1]
        proc = factories.postgresql_proc(port=PORT)

        def test_port(proc):
            assert proc.port == PORT
            assert proc.running()
        """
    )
    suite.runpytest_subprocess("test_port.py", "--pg", "15,16").assert_outcomes(passed=2)


def test_without_pg_nothing_changes(suite):
    """pytest-postgresql is asked to start its own server; as root it can't, and says so itself."""
    suite.makepyfile(
        test_alone="""
        import os
        from pytest_postgresql.executors import PostgreSQLExecutor

        def test_process(request):
            if os.geteuid() == 0:
                import pytest, subprocess
                with pytest.raises(subprocess.CalledProcessError, match="pg_ctl"):
                    request.getfixturevalue("postgresql_proc")
            else:
                assert type(request.getfixturevalue("postgresql_proc")) is PostgreSQLExecutor
        """
    )
    from pytest_pgfeatures.install import Resolver

    pg_ctl = Resolver().resolve("16").bindir / "pg_ctl"
    result = suite.runpytest_subprocess("test_alone.py", f"--postgresql-exec={pg_ctl}")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*pg16*")


AT_RUN_TIME = """
import pytest


@pytest.fixture
def database(postgresql):
    return postgresql


@pytest.fixture(params=["nothing", "a server"])
def maybe(request):
    return None if request.param == "nothing" else request.getfixturevalue("database")


def test_fixture_that_requests_by_name(maybe):
    assert maybe is None or maybe.execute("SELECT 1").fetchone() == (1,)


def test_that_requests_by_name(request):
    assert request.getfixturevalue("postgresql").execute("SELECT 1").fetchone() == (1,)

"""
KNOWN_TOO_LATE = """
NAME = "".join(["post", "gresql"])


def test_it(request):
    request.getfixturevalue(NAME)
"""


def test_fixtures_requested_at_run_time_are_served(pytester):
    pytester.makepyfile(AT_RUN_TIME)
    result = pytester.runpytest_subprocess("--pg=14,18", "-p", "no:cacheprovider", "-rA")
    result.assert_outcomes(passed=6)
    assert all(f"test_that_requests_by_name[{cell}]" in result.stdout.str() for cell in ("pg14", "pg18"))


def test_a_fixture_known_too_late_is_refused(pytester):
    pytester.makepyfile(KNOWN_TOO_LATE)
    result = pytester.runpytest_subprocess("--pg=14,18", "-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['*what to do: let the test ask for it: @pytest.mark.usefixtures("postgresql_proc")*']
    )
