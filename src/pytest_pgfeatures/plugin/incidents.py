"""Handles shared servers that crash or end: later tests get a new server, and the report says what happened."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.properties import INCIDENT, values
from pytest_pgfeatures.plugin.session import KEY, session_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_HOLD_CLUSTERS = ("pg_cell", "pg_pair", "pg_pair_of")
"""The fixtures whose teardown ends the fixtures that hold a shared cluster, and those that depend on them."""


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: Any) -> Generator[None, object, object]:
    """Record how to set up the fixtures that hold shared clusters once more."""
    if fixturedef.argname in _HOLD_CLUSTERS:
        session_of(request.config).renewals[fixturedef.argname] = functools.partial(
            fixturedef.finish, request
        )
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Record the incidents of servers before the teardown of fixtures, which may use the servers."""
    try:
        return (yield)
    finally:
        _look(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Replace a server that has ended with a new one for the next test."""
    try:
        return (yield)
    finally:
        _look(item)
        if (session := item.config.stash.get(KEY, None)) is not None:
            session.renew()


def _look(item: pytest.Item) -> None:
    session = item.config.stash.get(KEY, None)
    if session is None:
        return
    for text in session.incidents():
        item.user_properties.append((INCIDENT, text))


def incident_sections(report: pytest.TestReport) -> Iterator[tuple[str, str]]:
    """Yield the report's sections about crashed or ended servers."""
    if report.when != "setup" and (texts := values(report, INCIDENT)):
        yield "PostgreSQL servers", "\n".join(texts)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Name the tests during which servers crashed or ended, whether they passed or not."""
    lines = [
        f"{report.nodeid}: {text}"
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport)
        for text in values(report, INCIDENT)
    ]
    if lines:
        terminalreporter.write_sep("=", "PostgreSQL servers that crashed or ended")
        for line in dict.fromkeys(lines):
            terminalreporter.write_line(line, red=True)
