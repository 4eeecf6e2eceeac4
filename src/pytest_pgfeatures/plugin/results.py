"""pytest hooks that show what came out of behaviors: the matrix in the terminal, and a JSON file."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.behaviors import ASKED, ON_REPORT

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_pgfeatures.results.model import Result, Tally

ON_WORKER = "pgfeatures_asked"
"""The key of an xdist worker's output that has the node ids of the behaviors it was asked for."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that are about reports."""
    parser.getgroup("pgfeatures").addoption(
        "--pg-json",
        metavar="FILE",
        type=Path,
        help="write what came out of each behavior on each version to FILE",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Gather results in the process that reports; an xdist worker only tells what it was asked for."""
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
    """A pytest plugin that takes the results off the reports, wherever the tests ran."""

    def __init__(self) -> None:
        self._by_node: dict[str, dict[str, Any]] = {}
        self._asked: set[str] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn what is asked for."""
        asked: set[str] = session.config.stash[ASKED]
        self._asked |= asked

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Learn what an xdist worker was asked for."""
        self._asked.update(getattr(node, "workeroutput", {}).get(ON_WORKER, ()))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result that a report carries. A test that is run again replaces it."""
        if result := getattr(report, ON_REPORT, None):
            self._by_node[report.nodeid] = result

    def results(self) -> list[Result]:
        """The results so far."""
        if not self._by_node:
            return []
        from pytest_pgfeatures.results.model import Result

        return [Result.from_dict(result) for result in self._by_node.values()]

    def tally(self) -> Tally:
        """The counts so far."""
        from pytest_pgfeatures.results.model import Tally

        return Tally.of(self.results(), len({*self._asked, *self._by_node}))


class _Reporter:
    """Prints the matrix and writes the JSON file."""

    def __init__(self, config: pytest.Config, gatherer: Gatherer) -> None:
        self._config = config
        self._gatherer = gatherer
        self._written: Path | None = None
        self._trouble: OSError | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the JSON file, if one was asked for; a failure to write fails the run."""
        path: Path | None = self._config.getoption("--pg-json")
        if path is None:
            return
        from pytest_pgfeatures.report.document import write

        try:
            write(path, self._gatherer.results(), self._gatherer.tally())
            self._written = path
        except OSError as error:
            self._trouble = error
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the matrix, if there were behaviors."""
        results = self._gatherer.results()
        if results:
            self._print_matrix(terminalreporter, results)
        if self._written:
            terminalreporter.write_line(f"results written to {self._written}")
        if self._trouble:
            terminalreporter.write_line(f"results could not be written: {self._trouble}", red=True)

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
