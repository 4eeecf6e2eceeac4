"""The pytest plugin. Only this package depends on pytest.

| module | |
|---|---|
| ``__init__`` | what every run of pytest loads: these hooks, ``options``, ``fixtures``, ``extras`` |
| ``loading`` | registers the other modules when a test asks for a server |
| ``options`` | options on the command line and in the configuration file |
| ``fixtures``, ``async_fixtures``, ``template`` | what a test can ask for |
| ``decorated`` | tells behaviors and experiments from other functions |
| ``connections`` | how a test's connection ends |
| ``marker``, ``capabilities`` | what a test requires of its server |
| ``matrix`` | the versions on which a test runs |
| ``client_path`` | puts that version's client programs first on PATH |
| ``session`` | the state of one pytest process: installs, clusters, databases |
| ``ahead`` | the first server, started while pytest collects |
| ``behaviors``, ``plans``, ``snapshots``, ``extension`` | the parts of this library that tests use |
| ``suites``, ``process_fixtures`` | suites written for pytest-postgresql |
| ``experiments`` | experiments as tests |
| ``transplants`` | servers that plan as production does |
| ``readiness`` | the fixture for it |
| ``environment`` | hides libpq's environment variables from tests |
| ``incidents`` | shared servers that crash or end during a test |
| ``reports``, ``properties`` | the content of a test's report |
| ``comparisons``, ``missing_extensions``, ``extras`` | its sections about differences, and about what is missing |
| ``collecting`` | collects for ``pgfeatures verify`` without Python's garbage collector |
| ``progress`` | how far ``pgfeatures verify`` has come |
| ``results`` | the results of the run, collected from all reports |
| ``rerun`` | the commands that repeat a run and its items |
| ``confirm`` | runs tests again that differ between versions |

A run without servers loads no more: the other modules are imported and registered when a test asks for a server.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin import extras, fixtures
from pytest_pgfeatures.plugin.loading import is_loaded, load_all
from pytest_pgfeatures.plugin.options import (
    FIRST_SERVERS,
    MARKER,
    STARTED_WITH,
    add_options,
    any_given,
    asked_versions,
    cache_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator

_ALWAYS = (fixtures, extras)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options, and register what every run has."""
    for module in _ALWAYS:
        pluginmanager.register(module, module.__name__)
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, and load everything if the user asked for it, or tests run in other processes."""
    config.addinivalue_line("markers", MARKER)
    config.stash[STARTED_WITH] = dict(os.environ)
    distributed = (
        hasattr(config, "workerinput") or config.getoption("dist", default="no") != "no"
    )  # pytest-xdist
    if distributed or any_given(config):
        load_all(config)
    if asked_versions(config) is not None:
        from pytest_pgfeatures.errors import PgFeaturesError
        from pytest_pgfeatures.plugin.session import session_of

        try:
            _ = session_of(config).workbench.requests
        except PgFeaturesError as error:
            raise pytest.UsageError(str(error)) from None
    if config.pluginmanager.hasplugin("asyncio"):
        from pytest_pgfeatures.plugin import async_fixtures

        config.pluginmanager.register(async_fixtures, "pgfeatures-async")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Show the requested versions."""
    asked = asked_versions(config)
    return f"PostgreSQL: {asked}" if asked else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Start a server now if the last run of this command used one."""
    if session.config.option.collectonly or (cache := cache_of(session.config)) is None:
        return
    if remembered := cache.get(FIRST_SERVERS, None):
        from pytest_pgfeatures.plugin.ahead import begin

        begin(session.config, remembered)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Load everything for the first test that asks for a server."""
    config = metafunc.config
    if is_loaded(config):
        return
    if "_pg_session" in metafunc.fixturenames or metafunc.definition.get_closest_marker("pg"):
        load_all(config)
        from pytest_pgfeatures.plugin import matrix

        matrix.pytest_generate_tests(metafunc)  # it came too late for this call of the hook


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Do so for tests that pytest doesn't parametrize, such as those of ``unittest.TestCase``."""
    if not is_loaded(item.config) and "_pg_session" in getattr(item, "fixturenames", ()):
        load_all(item.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Explain what failed with this library, in tests with servers and without."""
    if call.excinfo is None and not is_loaded(item.config):
        return (yield)
    load_all(item.config)
    from pytest_pgfeatures.plugin.reports import report_of

    return (yield from report_of(item, call))


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explain a failing comparison with a plan or a shape on either side."""
    if not any(type(side).__module__.startswith("pytest_pgfeatures.plan.") for side in (left, right)):
        return None
    from pytest_pgfeatures.plan.assertion_help import compared

    return compared(op, left, right)
