"""The pytest plugin. Only this package depends on pytest.

| module | |
|---|---|
| ``__init__`` | options and configuration |
| ``fixtures``, ``async_fixtures``, ``template`` | what a test can ask for |
| ``connections`` | how a test's connection ends |
| ``marker``, ``needs``, ``server_spec`` | what a test requires of its server |
| ``matrix`` | the versions on which a test runs |
| ``client_path`` | puts that version's client programs first on PATH |
| ``session`` | the state of one pytest process: installs, clusters, databases |
| ``behaviors``, ``plans``, ``answers``, ``extension``, ``suites`` | the parts of this library that tests use |
| ``experiments`` | experiments as tests |
| ``transplants`` | servers that plan as production does |
| ``readiness``, ``readiness_stages`` | the fixture for it, and its stages as tests |
| ``environment`` | hides libpq's environment variables from tests |
| ``incidents`` | shared servers that crash or end during a test |
| ``reports``, ``missing_extensions``, ``extras``, ``properties`` | the content of a test's report |
| ``progress`` | how far ``pgfeatures verify`` has come |
| ``results`` | the results of the run, collected from all reports |
| ``confirm`` | runs tests again that differ between versions |

The plugin is cheap to import: modules that need more than pytest are loaded when a test asks for a server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plugin import (
    behaviors,
    client_path,
    environment,
    experiments,
    extension,
    extras,
    incidents,
    matrix,
    plans,
    readiness,
    reports,
    results,
    suites,
    transplants,
)
from pytest_pgfeatures.plugin.fixtures import (  # noqa: F401 (pytest finds fixtures in the plugin's namespace)
    _pg_session,
    create_pg,
    create_pgs,
    pg_cell,
    pg_cluster,
    pg_connection,
    pg_database,
    pg_pair,
    pg_pair_of,
    pg_template,
)
from pytest_pgfeatures.plugin.marker import DESCRIPTION
from pytest_pgfeatures.plugin.session import KEY, asked_versions, session_of

if TYPE_CHECKING:
    from collections.abc import Generator

_MODULES = (
    environment,
    client_path,
    behaviors,
    experiments,
    extension,
    extras,
    incidents,
    matrix,
    plans,
    readiness,
    reports,
    results,
    suites,
    transplants,
)


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add command-line and ini options, and register the package's other modules with hooks and fixtures."""
    for module in _MODULES:
        pluginmanager.register(module, module.__name__)
    group = parser.getgroup("pgfeatures", "PostgreSQL versions (pytest-pgfeatures)")
    group.addoption(
        "--pg",
        metavar="VERSIONS",
        help="run tests on servers of these versions: 14..18, >=15, 14,16, 16.2, latest, all, "
        "pypi:17, maven:12, system:15, path:DIR (default: the newest at hand)",
    )
    group.addoption(
        "--pg-needs",
        metavar="CAPABILITIES",
        help="run all tests on installs that have these: icu,pg_dump,uuid-ossp (see pgfeatures list)",
    )
    group.addoption(
        "--pg-allow-missing",
        action="store_true",
        help="report tests of a version that can't be found as unavailable instead of failed",
    )
    group.addoption(
        "--pg-strict",
        action="store_true",
        help="fail tests that are unavailable because a capability or a version is missing",
    )
    parser.addini("pg", "the default of --pg", default="")
    parser.addini("pg_needs", "the default of --pg-needs", default="")
    parser.addini("pg_strict", "the default of --pg-strict", type="bool", default=False)
    parser.addini(
        "pg_client_programs",
        "whether psql, pg_dump and the like on PATH are those of the test's version",
        type="bool",
        default=True,
    )
    parser.addini(
        "pg_schema",
        "scripts or dumps with each test database's initial contents, one a line",
        type="linelist",
        default=[],
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, read --pg, and register the fixtures for async tests."""
    config.addinivalue_line("markers", DESCRIPTION)
    if asked_versions(config) is not None:
        try:
            _ = session_of(config).requests
        except PgFeaturesError as error:
            raise pytest.UsageError(str(error)) from None
    if config.pluginmanager.hasplugin("asyncio"):
        from pytest_pgfeatures.plugin import async_fixtures

        config.pluginmanager.register(async_fixtures, "pgfeatures-async")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop all servers."""
    if KEY in config.stash:
        config.stash[KEY].close()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Show the requested versions."""
    asked = asked_versions(config)
    return f"PostgreSQL: {asked}" if asked else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Remove the standbys, successors and replication slots that a test created on a shared server."""
    try:
        return (yield)
    finally:
        if (session := item.config.stash.get(KEY, None)) is not None:
            session.end_test()
