"""Needs of tests and suites for their installs, on some versions or all, and extensions that a build lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]


def test_a_capability_may_be_needed_on_some_versions_only(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(needs={"icu": ">=17", "pg_dump": "<17"})
def test_it(pg_cluster):
    icu, pg_dump = (pg_cluster.install.has(name) for name in ("icu", "pg_dump"))
    assert (icu, pg_dump) == ((True, False) if pg_cluster.version.major.num >= 170000 else (False, True))

@pytest.mark.pg(needs=["lz4"])
class TestOfAClass:
    @pytest.mark.pg(needs={"pgxs": "16"})
    def test_it(self, pg_cluster): assert pg_cluster.install.has("lz4")

@pytest.mark.pg(matrix=False)
def test_own(create_pg):
    assert not create_pg(version="16", needs={"icu": ">=17"}).install.has("icu")
    assert create_pg(version="17", needs={"icu": ">=17"}).install.has("icu")
"""
    run(source, "--pg", "16,17").assert_outcomes(passed=5)


def test_where_no_install_of_a_version_has_it_only_that_is_unavailable(run: Run) -> None:
    source = """
import pytest

@pytest.mark.pg(needs={"icu": ">=10"})
def test_it(pg_cluster): assert pg_cluster.install.has("icu") == (str(pg_cluster.version.major) != "9.6")

@pytest.mark.pg(needs={"icu": "all"})
def test_always(pg_cluster): pass
"""
    result = run(source, "--pg", "maven:9.6,maven:13")
    result.stdout.fnmatch_lines(["*3 passed, 1 unavailable*"])


NAMED = """
def test_it(pg_cluster): assert pg_cluster.install.has("contrib:uuid-ossp", "icu")

def test_own(create_pg, pg_cluster):
    assert create_pg(version=str(pg_cluster.version.major)).install.has("contrib:uuid-ossp", "icu")
"""


@pytest.mark.parametrize("ini", [False, True], ids=["option", "ini"])
def test_a_whole_suite_needs_something(run: Run, pytester: pytest.Pytester, ini: bool) -> None:
    if ini:
        pytester.makepyprojecttoml("[tool.pytest.ini_options]\npg_needs = 'uuid-ossp icu'\n")
        (pytester.path / "tox.ini").unlink()
    options = [] if ini else ["--pg-needs", "uuid-ossp, icu"]
    run(NAMED, "--pg", "17,18", *options).assert_outcomes(passed=4)
    assert run(NAMED, "--pg", "pypi:18", "--pg-needs=pg_dump").parseoutcomes() == {"failed": 2}


def test_a_suite_whose_need_no_install_of_a_version_has_is_unavailable_there(run: Run) -> None:
    result = run("def test_it(pg_connection): pass", "--pg", "maven:9.6,17", "--pg-needs", "icu", "-v")
    result.stdout.fnmatch_lines_random(
        ["*test_it?pg17? PASSED*", "*test_it?pg9.6? UNAVAILABLE*", "unavailable: *has icu"]
    )


@pytest.mark.parametrize(
    ("name", "near"), [("icuu", "icu"), ("uuid-osp", "uuid-ossp"), ("pg_dupm", "pg_dump")]
)
def test_a_slip_of_the_pen_is_one_error(run: Run, name: str, near: str) -> None:
    result = run(
        "def test_it(pg_connection): pass\ndef test_too(pg_cluster): pass", "--pg=18", f"--pg-needs={name}"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: there is no capability '{name}'", f"*did you mean '{near}'?*"])


CREATES = """
import os, subprocess, pytest

@pytest.fixture(scope="session")
def pg_template(request): return request.config.getini("template_sql")

def test_statement(pg_connection):
    pg_connection.execute('create extension if not exists "uuid-ossp"')

def test_script(pg_database):
    script = 'CREATE EXTENSION hstore; CREATE  EXTENSION "uuid-ossp" WITH SCHEMA public'
    argv, environment = pg_database.cluster.program("psql", "-c", script, "-d", pg_database.name)
    assert subprocess.run(argv, env=environment).returncode == 0

def test_another_cause(pg_connection):
    pg_connection.execute("CREATE EXTENSION hstore SCHEMA none")
"""
CONFTEST = "def pytest_addoption(parser): parser.addini('template_sql', 'what pg_template is', default='')"


def test_a_failed_test_is_told_what_to_do_about_an_extension_that_the_build_lacks(
    run: Run, pytester: pytest.Pytester
) -> None:
    """The build from PyPI has uuid-ossp, and a host without its library can't load it."""
    pytester.makeconftest(CONFTEST)
    result = run(CREATES, "--pg=pypi:18")
    result.assert_outcomes(failed=3)
    text = result.stdout.str()
    assert text.count("lacks the extension uuid-ossp") == 2
    assert "lacks the extension hstore" not in text
    result.stdout.fnmatch_lines(
        [
            "*Extension uuid-ossp*",
            "PostgreSQL 18.* (pypi: *) lacks the extension uuid-ossp: *",
            'what to do: *--pg-needs uuid-ossp *needs=?"contrib:uuid-ossp"?*',
        ]
    )
    cured = run(CREATES, "--pg=18", "--pg-needs=uuid-ossp", "-k", "statement")
    cured.assert_outcomes(passed=1, deselected=2)


def test_a_template_that_creates_it_is_told_the_same(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    result = run(CREATES, "--pg=pypi:18", "-o", 'template_sql=CREATE EXTENSION "uuid-ossp"', "-k", "another")
    result.stdout.fnmatch_lines(["what to do: *--pg-needs uuid-ossp *"])
