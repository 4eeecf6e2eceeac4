"""pytest hooks. Cheap to import: whatever needs more than pytest is loaded when a test asks for a server."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import (
    CapabilityMissingError,
    InstallError,
    InstallNotFoundError,
    PgFeaturesError,
)
from pytest_pgfeatures.fixtures import (  # noqa: F401 (pytest finds fixtures in the plugin's namespace)
    _pg_session,
    create_pg,
    create_pgs,
    pg_cell,
    pg_cluster,
    pg_connection,
    pg_database,
    pg_pair,
    pg_template,
    plan_snapshot,
)
from pytest_pgfeatures.libpq import during_test, inherited
from pytest_pgfeatures.marker import DESCRIPTION, NAME
from pytest_pgfeatures.report.summary import UNAVAILABLE

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pytest_pgfeatures.server import Cluster

pytest_plugins = (
    "pytest_pgfeatures.behaviors.plugin",
    "pytest_pgfeatures.gate.extension.plugin",
    "pytest_pgfeatures.gate.suites",
    "pytest_pgfeatures.report.plans",
    "pytest_pgfeatures.report.plugin",
)

LOG_POSITIONS = pytest.StashKey["dict[Cluster, int]"]()
INHERITED = pytest.StashKey[dict[str, str]]()
"""Variables of libpq that pytest was started with."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, and what configuration files may say."""
    group = parser.getgroup("pgfeatures", "PostgreSQL versions (pytest-pgfeatures)")
    group.addoption(
        "--pg",
        metavar="VERSIONS",
        help="run tests on servers of these versions: 14..18, >=15, 14,16, 16.2, latest, all, "
        "pypi:17, maven:12, system:15, path:DIR (default: the newest at hand)",
    )
    group.addoption(
        "--pg-allow-missing",
        action="store_true",
        help="a version that can't be had makes its tests unavailable instead of failed",
    )
    parser.addini("pg", "the default of --pg", default="")
    parser.addini("pg_schema", "a file of SQL that each fresh database shall have", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker, read --pg, and take in the fixtures for async tests."""
    config.addinivalue_line("markers", DESCRIPTION)
    config.stash[INHERITED] = inherited()
    if config.getoption("pg") or config.getini("pg"):
        from pytest_pgfeatures.session import session_of

        try:
            _ = session_of(config).requests
        except PgFeaturesError as error:
            raise pytest.UsageError(str(error)) from None
    if config.pluginmanager.hasplugin("asyncio"):
        from pytest_pgfeatures import async_fixtures

        config.pluginmanager.register(async_fixtures, "pgfeatures-async")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End what runs."""
    from pytest_pgfeatures.session import KEY

    if KEY in config.stash:
        config.stash[KEY].close()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which versions were asked for."""
    asked = config.getoption("pg") or config.getini("pg")
    return f"PostgreSQL: {asked}" if asked else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Spread tests that use a server over the matrix."""
    # Not above: pytest wants to import the modules of pytest_plugins itself.
    from pytest_pgfeatures.gate.suites import uses_process_fixture

    uses_server = "pg_cell" in metafunc.fixturenames or "pg_pair" in metafunc.fixturenames
    if uses_server or metafunc.definition.get_closest_marker(NAME) or uses_process_fixture(metafunc):
        from pytest_pgfeatures.session import parametrize

        parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests on versions they exclude; have those of one cell on one xdist worker, with loadgroup."""
    from pytest_pgfeatures.marker import requirements
    from pytest_pgfeatures.session import stations_of

    kept, excluded = [], []
    for item in items:
        stations = stations_of(item)
        if not stations:
            kept.append(item)
            continue
        versions = requirements(item).versions
        if all(versions & station.cell.request.versions for station in stations):
            kept.append(item)
            name = "-".join(station.cell.id for station in stations)
            item.user_properties.append(("pg_cell", name))
            if config.pluginmanager.hasplugin("xdist"):
                item.add_marker(pytest.mark.xdist_group(name))
            names: list[str] = getattr(item, "fixturenames", [])
            if "pg_cell" not in names:  # so it is where the test asks for a server by name only
                names.insert(0, "pg_cell")
        else:
            excluded.append(item)
    if excluded:
        config.hook.pytest_deselected(items=excluded)
        items[:] = kept


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Have a test that uses servers of ours run without the libpq variables that would change its connections."""
    if not _uses_servers(item):
        return (yield)
    variables = item.config.stash[INHERITED]
    with during_test(variables):
        return (yield)


def _uses_servers(item: pytest.Item) -> bool:
    from pytest_pgfeatures.session import stations_of

    return bool(stations_of(item)) or "_pg_session" in getattr(item, "fixturenames", ())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Note how long the servers' logs are, and afterwards which install the test got."""
    from pytest_pgfeatures.session import KEY, stations_of

    session = item.config.stash.get(KEY, None)
    if session is None:
        return (yield)
    item.stash[LOG_POSITIONS] = session.log_positions()
    try:
        return (yield)
    finally:
        for station in stations_of(item):
            if (install := session.known_install(station)) is not None:
                item.user_properties.append(("pg_version", str(install.version)))
                item.user_properties.append(("pg_install", f"{install.source}: {install.bindir}"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
    """End what a test has made of a server it shares with others: standbys, replication slots."""
    from pytest_pgfeatures.session import KEY

    session = item.config.stash.get(KEY, None)
    if session is None:
        return (yield)
    # The session's fixtures end with its last test, whatever that test uses.
    variables = item.config.stash[INHERITED]
    with during_test(variables) if nextitem is None else contextlib.nullcontext():
        try:
            return (yield)
        finally:
            session.end_test()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say what is unavailable, and show a failed test the log lines that are its own."""
    if call.excinfo is not None and isinstance(call.excinfo.value, PgFeaturesError):
        _end_at_the_test(item, call.excinfo)
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, PgFeaturesError):
        _explain(item, call.excinfo.value, report)
    if report.failed and (positions := item.stash.get(LOG_POSITIONS, None)) is not None:
        report.sections.extend(_server_logs(item, positions))
    return report


def _end_at_the_test(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Have the traceback of an error that says itself what is wrong end where the test called us."""
    if item.config.getoption("fulltrace"):
        return
    last, entry = None, excinfo.value.__traceback__
    while entry is not None:
        if not entry.tb_frame.f_globals.get("__name__", "").startswith("pytest_pgfeatures."):
            last = entry
        entry = entry.tb_next
    if last is not None:
        last.tb_next = None


def _explain(item: pytest.Item, error: PgFeaturesError, report: pytest.TestReport) -> None:
    """Turn an error of ours into what a person shall see: no traceback where it is not about the test's code."""
    missing = isinstance(error, CapabilityMissingError) or (
        isinstance(error, InstallNotFoundError) and item.config.getoption("pg_allow_missing")
    )
    if missing:
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.reportinfo()[1] or 0, error.problem)
        report.user_properties.append((UNAVAILABLE, str(error)))
    elif report.when == "setup" or isinstance(error, InstallError):
        report.longrepr = str(error)


def _server_logs(item: pytest.Item, positions: dict[Cluster, int]) -> Iterator[tuple[str, str]]:
    """What each server has logged during a test; of the shared server only the sessions of the test's database."""
    from pytest_pgfeatures.session import session_of

    database = getattr(item, "funcargs", {}).get("pg_database")
    for cluster in session_of(item.config).log_positions():
        since = positions.get(cluster, 0)
        if database is not None and cluster is database.cluster:
            text = cluster.log.of_database(database.name, since)
        else:
            text = cluster.log.text(since)
        if text.strip():
            yield f"Server log of {cluster.name} (PostgreSQL {cluster.version})", text


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Give unavailable tests a category of their own."""
    if report.skipped and any(name == UNAVAILABLE for name, _ in report.user_properties):
        return "unavailable", "u", "UNAVAILABLE"
    return None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print, per version, which install was used and how its tests ended."""
    reports = [
        report
        for kind in ("passed", "failed", "error", "skipped", "unavailable", "xfailed", "xpassed")
        for report in terminalreporter.stats.get(kind, ())
        if any(name == "pg_cell" for name, _ in getattr(report, "user_properties", ()))
    ]
    if reports:
        from pytest_pgfeatures.report.summary import summarize

        summarize(terminalreporter, reports)
