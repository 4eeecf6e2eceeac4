"""Reports, with and without pytest-xdist."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

FAILING = """
def test_before(pg_connection):
    pg_connection.execute("DO $$BEGIN RAISE LOG 'of the test before'; END$$")

def test_failing(pg_connection):
    pg_connection.execute("DO $$BEGIN RAISE LOG 'of the failing test'; END$$")
    pg_connection.execute("SELECT no_such_column")

def test_after(pg_connection):
    pg_connection.execute("DO $$BEGIN RAISE LOG 'of the test after'; END$$")
"""


def test_a_failed_test_shows_the_log_of_its_own_database_only(run: Run) -> None:
    result = run(FAILING, "--pg=18")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*Server log of pg18 (PostgreSQL 18.*",
            "*LOG:  of the failing test",
            '*ERROR:  column "no_such_column" does not exist*',
            "*STATEMENT:  SELECT no_such_column",
        ]
    )
    result.stdout.no_fnmatch_line("*of the test before*")
    result.stdout.no_fnmatch_line("*of the test after*")


def test_a_failed_test_shows_the_log_of_its_own_cluster(run: Run) -> None:
    source = """
def test_it(create_pg):
    create_pg("primary").sql("SELECT no_such_column")
"""
    result = run(source, "--pg=18")
    result.stdout.fnmatch_lines(["*Server log of primary*", "*no_such_column*"])


def test_a_server_that_does_not_start_shows_why_and_no_traceback(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(settings={"work_mem": "plenty"})
def test_it(pg_connection): pass
"""
    result = run(source, "--pg=18")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*did not start*", "*/bin/postgres -D *", "*work_mem*plenty*", "what to do: correct*work_mem"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*cluster.py:*")


def test_the_traceback_of_a_user_s_mistake_ends_in_the_test(run: Run) -> None:
    source = """
def test_it(create_pg):
    create_pg(version="99")
"""
    result = run(source, "--pg=18")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*there is no such version", "*what to do: *", "test_it.py:*: VersionError"])
    result.stdout.no_fnmatch_line("*fixtures.py:*")


def test_workers_of_xdist_share_the_matrix(run: Run) -> None:
    source = """
import pytest

@pytest.mark.parametrize("n", range(3))
def test_it(pg_connection, n, worker_id):
    print("PID", worker_id)

def test_failing(pg_connection):
    pg_connection.execute("SELECT no_such_column")
"""
    result = run(source, "--pg=14,18", "-n2", "--dist=loadgroup", "-v")
    result.assert_outcomes(passed=6, failed=2)
    result.stdout.re_match_lines_random([r"pg14 +14\.\d+ +4 +3 +1 +0", r"pg18 +18\.\d+ +4 +3 +1 +0"])
    ran = re.findall(r"^\[(gw\d)\].*@(pg\d+)", result.stdout.str(), re.MULTILINE)
    assert len(ran) == 8
    assert len(set(ran)) == 2, "each cell's tests are on one worker"
    result.stdout.fnmatch_lines(["*Server log of pg14*", "*STATEMENT:  SELECT no_such_column"])


def test_a_test_with_a_cluster_of_its_own_is_in_no_group(run: Run) -> None:
    source = """
import pytest

def test_shared(pg_cluster): pass

@pytest.mark.pg(isolation="cluster")
def test_own(pg_cluster): pass
"""
    result = run(source, "--pg=18", "-n2", "--dist=loadgroup", "-v")
    result.assert_outcomes(passed=2)
    assert set(re.findall(r"PASSED \S+::(\S+)", result.stdout.str())) == {
        "test_shared[pg18]@pg18",
        "test_own[pg18]",
    }


@pytest.mark.thorough
def test_other_ways_to_distribute_work_too(run: Run) -> None:
    source = "import pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_it(pg_connection, n): pass"
    run(source, "--pg=14,18", "-n2", "--dist=load").assert_outcomes(passed=8)


def test_last_failed_selects_cells(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it(pg_cluster): assert pg_cluster.version.num < 180000")
    first = pytester.runpytest_subprocess("--pg=14,18")
    first.assert_outcomes(passed=1, failed=1)
    second = pytester.runpytest_subprocess("--pg=14,18", "--lf")
    second.assert_outcomes(failed=1)


def test_junit_has_version_and_install(run: Run, pytester: pytest.Pytester) -> None:
    run("def test_it(pg_cluster): pass", "--pg=18", "--junitxml=out.xml").assert_outcomes(passed=1)
    case = ET.parse(pytester.path / "out.xml").find(".//testcase")
    assert case is not None
    assert case.get("name") == "test_it[pg18]"
    properties = {each.get("name"): each.get("value") for each in case.findall("properties/property")}
    assert properties["pg_cell"] == "pg18"
    assert str(properties["pg_version"]).startswith("18.")
    assert "/bin" in str(properties["pg_install"])


def test_unused_it_imports_what_every_run_needs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_it(): pass")
    code = """
import sys, pytest
others = ["postgresql", "hypothesispytest", "xdist", "asyncio", "platformdirs"]
assert pytest.main(["-q", *(f"-pno:{name}" for name in others)]) == 0
heavy = {*"psycopg sqlglot hypothesis rich jinja2 msgspec click filelock platformdirs jgo".split()}
ours = {name.removeprefix("pytest_pgfeatures.") for name in sys.modules if name.startswith("pytest_pgfeatures.")}
print("HEAVY", sorted({name.partition(".")[0] for name in sys.modules} & heavy))
print("OURS", *sorted(ours))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=pytester.path, capture_output=True, text=True, check=False
    )
    assert "HEAVY []" in ended.stdout, ended.stdout + ended.stderr
    every_run = "plugin plugin.extras plugin.fixtures plugin.loading plugin.options pytest_entry"
    assert f"OURS {every_run}\n" in ended.stdout, ended.stdout + ended.stderr


def test_a_first_server_requested_by_name_at_run_time(run: Run) -> None:
    asks = 'request.getfixturevalue("pg_connection").execute("select version()")'
    result = run(f"def test_it(request): {asks}\ndef test_again(request): {asks}")
    result.assert_outcomes(passed=2)


def test_what_fails_without_servers_is_explained(run: Run) -> None:
    result = run(
        "from pytest_pgfeatures import parse_plan\n"
        "def test_it(): assert parse_plan('Seq Scan on t') == 'Result'"
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*compare with parse_plan(text)*", "*- plan -*", "Seq Scan on t"])


def test_the_header_and_the_options_are_explained(run: Run) -> None:
    result = run("def test_it(): pass", "--help")
    result.stdout.fnmatch_lines(["*--pg=VERSIONS*", "*--pg-allow-missing*", "*pg_schema (linelist)*"])
    assert run("def test_it(): pass", "--markers").stdout.fnmatch_lines(["@pytest.mark.pg(*"]) is None


def test_of_a_failed_load_the_log_is_shown_once_and_cut(run: Run, pytester: pytest.Pytester) -> None:
    rows = ",\n".join(f"({number}, 'row {number}')" for number in range(60_000))
    schema = f"CREATE TABLE t (a int, b text);\nINSERT INTO t VALUES\n{rows},\n(1, no_such_column);\n"
    assert len(schema) > 1_000_000
    pytester.makefile(".sql", schema=schema)
    source = "import pytest\n@pytest.mark.parametrize('n', range(3))\ndef test_it(pg_connection, n): pass"
    result = run(source, "--pg=18", "-o", "pg_schema=schema.sql")
    result.assert_outcomes(errors=3)
    text = result.stdout.str()
    assert len(text) < 8_000
    assert text.count("no_such_column") >= 3
    assert text.count("Server log of pg18") == 1
    result.stdout.fnmatch_lines(["*STATEMENT: *", "*(0, 'row 0'),", "*lines) ...", "*(1, no_such_column)*"])
