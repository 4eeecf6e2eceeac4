"""Servers that crash or end in a test: those that share them go on, and the report says what happened."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

HEAD = """
import os, signal
import psycopg
import pytest

def kill(pid, number=signal.SIGKILL):
    os.kill(pid, number)
"""
PLAIN = """
@pytest.mark.parametrize("number", range({number}))
def test_{name}(pg_connection, number):
    assert pg_connection.execute("SELECT 1").fetchone() == (1,)
"""
KILLS_ITS_OWN = """
def test_kills(pg_connection):
    kill(pg_connection.info.backend_pid)
"""
KILLS_ANOTHER = """
def test_kills(pg_connection, pg_cluster):
    checkpointer = open(f"/proc/{pg_cluster.pid}/task/{pg_cluster.pid}/children").read().split()[0]
    kill(int(checkpointer))
"""
KILLS_THE_SERVER = """
def test_kills(pg_cluster, pg_database):
    kill(pg_cluster.pid)
"""
CRASHED = (
    r"{cell} \(PostgreSQL {version}\S*\) has crashed and recovered: .* \(PID \d+\) was terminated by signal 9"
)
ENDED = r"has ended: its postmaster was terminated by signal 9 \(SIGKILL\); later tests get a new one"
BEFORE = PLAIN.format(name="before", number=1)
AFTER = PLAIN.format(name="after", number=5)


@pytest.mark.parametrize("version", ["9.6", "14", "18"])
@pytest.mark.parametrize("kills", [KILLS_ITS_OWN, KILLS_ANOTHER], ids=["its own", "another"])
def test_a_crashed_server_recovers_before_the_next_test(run: Run, version: str, kills: str) -> None:
    result = run(HEAD + BEFORE + kills + AFTER, f"--pg={version}", "-rA")
    result.assert_outcomes(passed=7)
    said = CRASHED.format(cell=f"pg{version}", version=version)
    result.stdout.re_match_lines([rf"test_it.py::test_kills\[pg{version}\]: {said}"])


@pytest.mark.parametrize(("version", "number"), [("18", "SIGKILL"), ("18", "SIGABRT"), ("9.6", "SIGSEGV")])
def test_the_next_test_is_well_each_time(run: Run, version: str, number: str) -> None:
    """As many crashes as it takes to meet the moments between a process's death and its postmaster's knowledge."""
    source = f"""
    @pytest.mark.parametrize("number", range(30))
    def test_kills(pg_connection, number):
        if number % 2:
            kill(pg_connection.info.backend_pid, signal.{number})
            with pytest.raises(psycopg.OperationalError):
                pg_connection.execute("SELECT pg_sleep(60)")
    """
    result = run(HEAD + source.replace("\n    ", "\n"), f"--pg={version}")
    result.assert_outcomes(passed=30)
    assert result.stdout.str().count("has crashed and recovered") == 15


def test_a_failure_says_that_the_server_crashed(run: Run) -> None:
    source = KILLS_ITS_OWN + "    pg_connection.execute('SELECT 1')\n"
    result = run(HEAD + source + AFTER, "--pg=18", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1, passed=5)
    said = ".*" + CRASHED.format(cell="pg18", version="18")
    result.stdout.re_match_lines([r"-+ PostgreSQL servers -+", said, "=+ PostgreSQL servers that crashed .*"])
    cases = {case.get("name"): case for case in ElementTree.parse("junit.xml").iter("testcase")}
    properties = {
        name: [found.get("value") for found in case.iter("property") if found.get("name") == "pg_incident"]
        for name, case in cases.items()
    }
    assert [name for name, found in properties.items() if found] == ["test_kills[pg18]"]


@pytest.mark.parametrize("version", ["9.6", "14", "18"])
def test_in_place_of_a_server_that_was_killed_later_tests_get_a_new_one(run: Run, version: str) -> None:
    result = run(HEAD + BEFORE + KILLS_THE_SERVER + AFTER, f"--pg={version}")
    result.assert_outcomes(passed=7)
    result.stdout.re_match_lines([rf"test_it.py::test_kills\[pg{version}\]: pg{version} .* {ENDED}"])


def test_what_depends_on_a_server_that_was_killed_is_set_up_anew(run: Run) -> None:
    source = """
@pytest.fixture(scope="session")
def role(pg_cluster):
    pg_cluster.sql("CREATE ROLE somebody")
    return "somebody"

def test_before(role):
    pass

def test_kills(pg_cluster, role):
    kill(pg_cluster.pid)

def test_after(pg_connection, role):
    pg_connection.execute(f"SET ROLE {role}")
"""
    result = run(HEAD + source, "--pg=17,18")
    result.assert_outcomes(passed=6)


def test_a_pair_is_renewed_too(run: Run) -> None:
    source = """
@pytest.mark.parametrize("number", range(3))
def test_it(pg_pair, number):
    assert [server.sql("SELECT 1") for server in pg_pair] == [[(1,)]] * 2
    kill(pg_pair[number % 2].pid)

def test_after(pg_connection):
    pg_connection.execute("SELECT 1")
"""
    run(HEAD + source, "--pg=17,18").assert_outcomes(passed=5)


def test_a_server_of_pytest_postgresql_is_renewed_too(run: Run) -> None:
    source = """
@pytest.mark.parametrize("number", range(3))
def test_it(postgresql, postgresql_proc, number):
    assert postgresql.execute("SELECT 1").fetchone() == (1,)
    if number == 1:
        kill(int(open(postgresql_proc.datadir + "/postmaster.pid").readline()))

@pytest.mark.parametrize("number", range(3))
def test_later(postgresql, number):
    if number == 1:
        kill(postgresql.info.backend_pid)
"""
    result = run(HEAD + source, "--pg=18")
    passed = result.parseoutcomes()
    assert passed["passed"] == 6, result.stdout.str()


def test_a_server_that_a_test_stops_is_still_the_tests_own_fault(run: Run) -> None:
    source = """
def test_stops(pg_cluster):
    pg_cluster.stop()

def test_after(pg_connection):
    pass
"""
    result = run(HEAD + source, "--pg=18")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*pg18 is stopped*", "*stop only clusters of your own*"])
