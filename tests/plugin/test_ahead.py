"""The first server, started while pytest collects the tests of a command that used it the last time."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]
CONFTEST = """
import pytest
from pytest_pgfeatures.plugin.session import KEY

@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    pg = session.config.stash.get(KEY, None)
    print("begun:", [cluster.name for cluster in pg.workbench] if pg else [])

def pytest_unconfigure(config):
    if config.stash.get(KEY, None):
        print("all:", [cluster.name for cluster in config.stash[KEY].workbench])
"""
USES = """
import pytest
@pytest.mark.pg(settings={"work_mem": "5MB"})
def test_it(pg_connection):
    assert pg_connection.execute("SHOW work_mem").fetchall() == [("5MB",)]
def test_without():
    pass
"""
PG = "--pg=18"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_it=USES)
    return pytester


def lines(project: pytest.Pytester, *arguments: str) -> list[str]:
    """The lines about servers of a run in which all tests pass."""
    result = project.runpytest_inprocess("-s", *arguments)
    assert result.ret == 0
    return [line for line in result.outlines if line.startswith(("begun:", "all:"))]


def test_the_same_command_starts_it_ahead_and_uses_it(project: pytest.Pytester) -> None:
    assert lines(project, PG) == ["begun: []", "all: ['pg18']"]
    assert lines(project, PG) == ["begun: ['pg18']", "all: ['pg18']"]


def test_another_command_does_not(project: pytest.Pytester) -> None:
    lines(project, PG)
    assert lines(project, PG, "-v") == ["begun: []", "all: ['pg18']"]
    assert lines(project, PG, "--collect-only") == ["begun: []", "all: []"]
    assert lines(project, PG, "-p", "no:cacheprovider") == ["begun: []", "all: ['pg18']"]
    assert lines(project, PG) == ["begun: ['pg18']", "all: ['pg18']"]


def test_it_is_forgotten_once_no_test_asks_for_it(project: pytest.Pytester) -> None:
    lines(project, PG)
    project.makepyfile(test_it="def test_it(): pass")
    assert lines(project, PG) == ["begun: ['pg18']", "all: ['pg18']"]
    assert lines(project, PG) == ["begun: []", "all: []"]


def test_other_settings_have_their_own_server(project: pytest.Pytester) -> None:
    lines(project, PG)
    project.makepyfile(test_it=USES.replace("5MB", "64MB"))
    assert lines(project, PG) == ["begun: ['pg18']", "all: ['pg18', 'pg18-2']"]


@pytest.mark.parametrize("content", ["[1]", '{"%s": 3}', '{"%s": {"cell": "pg7"}}', "broken"])
def test_a_damaged_cache_is_no_error(project: pytest.Pytester, content: str) -> None:
    import json

    lines(project, PG)
    cache = project.path / ".pytest_cache/v/pgfeatures/first_servers"
    (command,) = json.loads(cache.read_text())
    cache.write_text(content.replace("%s", command))
    assert lines(project, PG) == ["begun: []", "all: ['pg18']"]


CONNECTS = """
import datetime
import pytest
from pytest_pgfeatures.plugin.session import KEY

@pytest.fixture(scope="session", autouse=True)
def begun(pytestconfig):
    pg = pytestconfig.stash.get(KEY, None)
    ahead = list(pg._ahead.values()) if pg else []
    for _, start in ahead:
        start.result().poll_query_until("SELECT count(*) FROM pg_stat_activity WHERE datname ~ '^test_'", 1)
    print("ahead:", len(ahead))
    return datetime.datetime.now(tz=datetime.UTC)
"""
USES_CONNECTION = """
def test_it(begun, pg_connection):
    mine = "FROM pg_stat_activity WHERE pid = pg_backend_pid()"
    [(before,)] = pg_connection.execute("SELECT backend_start < %s " + mine, [begun]).fetchall()
    print("before:", before)
    {more}
"""


def test_the_first_database_and_its_connection_are_made_ahead(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makeconftest(CONNECTS)
    pytester.makepyfile(test_it=USES_CONNECTION.format(more=""))
    first, second = (pytester.runpytest_inprocess("-s", PG) for _ in range(2))
    assert first.ret == second.ret == 0
    first.stdout.fnmatch_lines(["*ahead: 0", "*before: False*"])
    second.stdout.fnmatch_lines(["*ahead: 1", "*before: True*"])


def test_a_fixture_that_sets_something_for_the_role_gets_a_new_connection(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makeconftest(
        CONNECTS
        + """
@pytest.fixture(autouse=True)
def configured(begun, pg_cluster):
    pg_cluster.sql("ALTER ROLE postgres SET work_mem = '7MB'")
"""
    )
    pytester.makepyfile(
        test_it=USES_CONNECTION.format(
            more='assert pg_connection.execute("SHOW work_mem").fetchone() == ("7MB",)'
        )
    )
    for ahead in range(2):
        result = pytester.runpytest_inprocess("-s", PG)
        assert result.ret == 0
        result.stdout.fnmatch_lines([f"*ahead: {ahead}", "*before: False*"])
