"""The content of a test's report: unavailable versions, server logs, plans, lab transcripts, behavior results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import (
    CapabilityMissingError,
    InstallError,
    InstallNotFoundError,
    PgFeaturesError,
)
from pytest_pgfeatures.plugin.behaviors import behavior_of_test, report_behavior, transcript_section
from pytest_pgfeatures.plugin.comparisons import comparison_sections
from pytest_pgfeatures.plugin.experiments import report_experiment
from pytest_pgfeatures.plugin.extras import missing_extra
from pytest_pgfeatures.plugin.incidents import incident_sections
from pytest_pgfeatures.plugin.matrix import specs_of
from pytest_pgfeatures.plugin.plans import plan_sections
from pytest_pgfeatures.plugin.properties import (
    INSTALL,
    NOT_ASKED,
    UNAVAILABLE,
    VERSION,
    VERSIONS,
    is_unavailable,
)
from pytest_pgfeatures.plugin.session import KEY, session_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from pytest_pgfeatures.server import Cluster


_LOG_POSITIONS: pytest.StashKey[dict[Cluster, int]] = pytest.StashKey()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """Record the current length of each server's log."""
    if (session := item.config.stash.get(KEY, None)) is not None:
        item.stash[_LOG_POSITIONS] = session.log_positions()
    return (yield)


def report_of(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Mark unavailable tests, add evidence to failures, and attach a behavior's result to its report."""
    error = call.excinfo.value if call.excinfo else None
    if call.excinfo is not None and isinstance(error, PgFeaturesError):
        _end_at_the_test(item, call.excinfo)
    _note_installs(item)
    report = yield
    if isinstance(error, PgFeaturesError):
        _explain(item, error, report)
    report.sections.extend(incident_sections(report))
    if report.failed:
        report.sections.extend(_server_logs(item))
        report.sections.extend(_missing_extensions(item))
        report.sections.extend(comparison_sections(call.excinfo))
        report.sections.extend(missing_extra(error))
        report.sections.extend(plan_sections(call.excinfo))
        report.sections.extend(transcript_section(item))
    if (behavior := behavior_of_test(item)) is not None:
        report_behavior(behavior, item, call, report)
    report_experiment(item, report)
    if call.when == "setup":
        _note_versions(item, report)
    return report


def _note_installs(item: pytest.Item) -> None:
    """Add the test's install to its reports; with ``create_pg`` it is only known when the test ends."""
    session = item.config.stash.get(KEY, None)
    if session is None or any(name == INSTALL for name, _ in item.user_properties):
        return
    for spec in specs_of(item):
        if (install := session.known_install(spec)) is not None:
            item.user_properties.append((VERSION, str(install.version)))
            item.user_properties.append((INSTALL, f"{install.source}: {install.bindir}"))


def _note_versions(item: pytest.Item, report: pytest.TestReport) -> None:
    """Attach the value of ``--pg`` for the test's cell."""
    if specs := specs_of(item):
        own = [spec.cell for spec in specs]
        majors = {cell.major for cell in own}
        beside = [cell for cell in session_of(item.config).cells if cell.major in majors]
        setattr(report, VERSIONS, [",".join(str(cell.request) for cell in cells) for cells in (own, beside)])


def _end_at_the_test(item: pytest.Item, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
    """Cut the traceback of a self-explanatory error at the line where the test called us."""
    if item.config.getoption("fulltrace", default=False):
        return
    last, entry = None, excinfo.value.__traceback__
    while entry is not None:
        if not entry.tb_frame.f_globals.get("__name__", "").startswith("pytest_pgfeatures."):
            last = entry
        entry = entry.tb_next
    if last is not None:
        last.tb_next = None


def _explain(item: pytest.Item, error: PgFeaturesError, report: pytest.TestReport) -> None:
    """Show an error of ours without a traceback when the fault isn't in the test."""
    missing = isinstance(error, CapabilityMissingError) or (
        isinstance(error, InstallNotFoundError) and item.config.getoption("pg_allow_missing")
    )
    report.user_properties += [(NOT_ASKED, line) for line in getattr(error, "not_asked", ())]
    if missing and _strict(item.config):
        report.longrepr = f"unavailable, which --pg-strict has fail: {error}"
    elif missing:
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.reportinfo()[1] or 0, error.problem)
        report.user_properties.append((UNAVAILABLE, str(error)))
    elif report.when == "setup" or isinstance(error, InstallError):
        report.longrepr = str(error)


def _strict(config: pytest.Config) -> bool:
    """Return whether unavailable tests fail."""
    return bool(config.getoption("pg_strict") or config.getini("pg_strict"))


def _server_logs(item: pytest.Item) -> Iterator[tuple[str, str]]:
    """Yield the relevant part of each server's log during a test. For a shared server, this is only the sessions
    of the test's database."""
    positions = item.stash.get(_LOG_POSITIONS, None)
    if positions is None:
        return
    from pytest_pgfeatures.server.log_excerpt import excerpt

    database = getattr(item, "funcargs", {}).get("pg_database")
    for cluster in session_of(item.config).log_positions():
        since = positions.get(cluster, 0)
        if database is not None and cluster is database.cluster:
            text = cluster.log.of_database(database.name, since)
        else:
            text = cluster.log.text(since)
        if text.strip():
            yield f"Server log of {cluster.name} (PostgreSQL {cluster.version})", excerpt(text)


def _missing_extensions(item: pytest.Item) -> Iterator[tuple[str, str]]:
    """Yield the remedies for extensions that a test's servers lack, including those of its template database."""
    positions = item.stash.get(_LOG_POSITIONS, None)
    if positions is None:
        return
    from pytest_pgfeatures.plugin.missing_extensions import missing_extensions

    for cluster in session_of(item.config).log_positions():
        yield from missing_extensions(cluster.install, cluster.log.text(positions.get(cluster, 0)))


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """Give unavailable tests a category of their own."""
    if report.skipped and is_unavailable(report):
        return "unavailable", "u", "UNAVAILABLE"
    return None
