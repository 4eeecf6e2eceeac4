"""The fixture pg_extension."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]
MAKEFILE = """
EXTENSION = greeting
DATA = greeting--1.sql
PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
"""
TESTS = """
import pytest

@pytest.mark.parametrize("n", [1, 2])
def test_it(pg_extension, n):
    assert pg_extension.sql("SELECT greet()") == [("hello",)]
    pg_extension.sql("CREATE TABLE t (a int)")

@pytest.mark.pg(settings={"work_mem": "5MB"})
def test_settings(pg_extension):
    assert pg_extension.sql("SHOW work_mem") == [("5MB",)]
    assert pg_extension.sql("SHOW maintenance_work_mem") == [("77MB",)]
"""


def test_a_test_has_a_database_with_the_project_s_extension(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makefile("", Makefile=MAKEFILE)
    pytester.makefile(".control", greeting="default_version = '1'\n")
    pytester.makefile(".toml", pgfeatures="[extension]\nsettings = { maintenance_work_mem = '77MB' }\n")
    sql = pytester.path / "greeting--1.sql"
    sql.write_text("CREATE FUNCTION greet() RETURNS text LANGUAGE sql AS $$SELECT 'hello'$$;\n")
    passed = run(TESTS, "--pg=16,18")
    passed.assert_outcomes(passed=6)
    passed.stdout.re_match_lines([r"pg16 +16\.\d+ .*pypi", r"pg18 +18\.\d+ .*pypi"])
    assert not list(pytester.path.glob("*.o"))

    sql.write_text("CREATE FUNCTION;\n")
    wrong = run(TESTS, "--pg=18", "-k", "settings")
    wrong.assert_outcomes(errors=1)
    wrong.stdout.fnmatch_lines(["*CREATE EXTENSION greeting: syntax error at or near*"])


def test_an_installed_extension_and_one_that_no_install_has(run: Run) -> None:
    source = """
def test_it(pg_extension):
    assert pg_extension.sql("SELECT 'a=>1'::hstore -> 'a'") == [("1",)]
"""
    run(source, "--pg=maven:13", "-o", "pg_extension=hstore").assert_outcomes(passed=1)
    wrong = run(source, "--pg=maven:13", "-o", "pg_extension=nowhere")
    wrong.stdout.fnmatch_lines(["*contrib:nowhere*"])
    wrong.stdout.no_fnmatch_line("*Traceback*")
