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
