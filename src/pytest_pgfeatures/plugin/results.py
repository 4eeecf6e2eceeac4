"""Gathers the results of a run from the reports, prints them at its end, and writes them as JSON."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.behaviors import ASKED
from pytest_pgfeatures.plugin.properties import RESULT, is_unavailable, of_matrix, test_result

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_pgfeatures.results.model import Result, Tally

ON_WORKER = "pgfeatures_asked"
"""The key in an xdist worker's output for the node ids of its requested behaviors."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for reports."""
    parser.getgroup("pgfeatures").addoption(
        "--pg-json",
        metavar="FILE",
        type=Path,
        help="write the result of each behavior on each version to FILE, as JSON",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Gather results in the main process; an xdist worker only passes on the ids of its requested behaviors."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_Worker(config), "pgfeatures-worker")
        return
    gatherer = Gatherer()
    config.pluginmanager.register(gatherer, "pgfeatures-gatherer")
    config.pluginmanager.register(_Reporter(config, gatherer), "pgfeatures-reporter")


class _Worker:
    def __init__(self, config: pytest.Config) -> None:
        self.config: Any = config

    def pytest_sessionfinish(self) -> None:
        self.config.workeroutput[ON_WORKER] = sorted(self.config.stash[ASKED])


class Gatherer:
    """A pytest plugin that collects results from the reports of all processes."""

    def __init__(self) -> None:
        self._behaviors: dict[str, dict[str, Any]] = {}
        self._tests: dict[str, pytest.TestReport] = {}
        self._unavailable: dict[str, pytest.TestReport] = {}
        self._asked: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the requested behaviors."""
        asked: set[str] = session.config.stash[ASKED]
        self._asked |= asked

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Record the behaviors requested of an xdist worker."""
        self._asked.update(getattr(node, "workeroutput", {}).get(ON_WORKER, ()))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store a report's result. If a test runs again, the new result replaces the old one."""
        if result := getattr(report, RESULT, None):
            self._behaviors[report.nodeid] = result
        if of_matrix(report):
            self._tests[report.nodeid] = report
        if report.when == "setup":
            self._unavailable.pop(report.nodeid, None)
        if report.skipped and is_unavailable(report):
            self._unavailable[report.nodeid] = report

    def behaviors(self) -> list[Result]:
        """The results of behaviors so far."""
        if not self._behaviors:
            return []
        from pytest_pgfeatures.results.model import Result

        return [Result.from_dict(result) for result in self._behaviors.values()]

    def tests(self) -> list[Result]:
        """The results of the matrix's tests so far, including behaviors that ran as tests."""
        return [test_result(report) for report in self._tests.values()]

    def unavailable(self) -> list[Result]:
        """The results of unavailable tests, in the matrix or not."""
        return [test_result(report) for report in self._unavailable.values()]

    def tally(self) -> Tally:
        """The counts of behaviors so far."""
        from pytest_pgfeatures.results.model import Tally

        return Tally.of(self.behaviors(), len({*self._asked, *self._behaviors}))


class _Reporter:
    """Prints the matrices and writes the JSON file."""

    def __init__(self, config: pytest.Config, gatherer: Gatherer) -> None:
        self._config = config
        self._gatherer = gatherer
        self._written: Path | None = None
        self._trouble: OSError | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the JSON file if one was requested; if this fails, the run fails."""
        path: Path | None = self._config.getoption("--pg-json")
        if path is None:
            return
        from pytest_pgfeatures.report.document import matrix_document, write_json

        try:
            write_json(path, matrix_document(self._gatherer.behaviors(), self._gatherer.tally()))
            self._written = path
        except OSError as error:
            self._trouble = error
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the matrix of behaviors, the matrix of tests with each version's install, and the unavailable tests
        with their reasons."""
        if behaviors := self._gatherer.behaviors():
            self._print_matrix(terminalreporter, behaviors)
        if self._written:
            terminalreporter.write_line(f"results written to {self._written}")
        if self._trouble:
            terminalreporter.write_line(f"results could not be written: {self._trouble}", red=True)
        if tests := self._gatherer.tests():
            self._print_summary(terminalreporter, tests)
        if unavailable := self._gatherer.unavailable():
            from pytest_pgfeatures.report.summary import unavailable_lines

            if not tests:
                terminalreporter.write_sep("=", "unavailable tests")
            for line in unavailable_lines(unavailable):
                terminalreporter.write_line(line, yellow=True)
        if tests:
            from pytest_pgfeatures.report.differences import difference_lines

            for line in difference_lines(tests):
                terminalreporter.write_line(line, red=True)

    def _print_matrix(self, terminalreporter: TerminalReporter, results: list[Result]) -> None:
        from rich.console import Console

        from pytest_pgfeatures.report.matrix import render_matrix

        writer = self._config.get_terminal_writer()
        encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
        text = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="replace")
        console = Console(
            file=text,
            width=writer.fullwidth,
            force_terminal=writer.hasmarkup,
            color_system="standard" if writer.hasmarkup else None,
            highlight=False,
            legacy_windows=False,
        )
        terminalreporter.write_sep("=", "behaviors")
        values = self._config.get_verbosity() > 0
        for part in render_matrix(results, self._gatherer.tally(), console, values=values):
            console.print(part)
        text.seek(0)
        for line in text.read().splitlines():
            terminalreporter.write_line(line.rstrip())

    def _print_summary(self, terminalreporter: TerminalReporter, results: list[Result]) -> None:
        from pytest_pgfeatures.report.summary import summary_table

        terminalreporter.write_sep("=", "PostgreSQL versions")
        head, *rows = summary_table(results, self._config.get_terminal_writer().fullwidth)
        terminalreporter.write_line(head, bold=True)
        for row in rows:
            terminalreporter.write_line(row)
