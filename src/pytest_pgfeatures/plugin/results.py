"""Gathers the results of a run from the reports, prints them at its end, and writes them as JSON."""

from __future__ import annotations

import io
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.plugin.behaviors import ASKED
from pytest_pgfeatures.plugin.properties import (
    ALONE,
    NOT_ASKED,
    RESULT,
    VERSIONS,
    WITHOUT_TESTCASE,
    is_unavailable,
    of_matrix,
    test_result,
    values,
)
from pytest_pgfeatures.plugin.rerun import COMMAND, command_line, rerun_of_behavior, rerun_of_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from _pytest.terminal import TerminalReporter

    from pytest_pgfeatures.measure.outcome import Measured
    from pytest_pgfeatures.report.differences import Rerun
    from pytest_pgfeatures.results.model import JobResults, Result, Tally

    MeasuredInRun = Callable[[], list[tuple[Measured, str]]]

ON_WORKER = "pgfeatures_asked"
"""The attribute of the first report of an xdist worker with the node ids of its requested behaviors."""


def pytest_configure(config: pytest.Config) -> None:
    """Gather results in the main process; an xdist worker only passes on the ids of its requested behaviors.

    Raises:
        pytest.UsageError: a file can't be written.
    """
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_Worker(config), "pgfeatures-worker")
        return
    for option in _FILES:
        if path := config.getoption(option):
            check_writable_option(option, path)
    gatherer = Gatherer()
    config.pluginmanager.register(gatherer, "pgfeatures-gatherer")
    config.pluginmanager.register(_Reporter(config, gatherer), "pgfeatures-reporter")


MEASURED_IN_RUN = pytest.StashKey["MeasuredInRun"]()
"""Returns the measurements of a run's experiments, each with the command that repeats it."""
UNWRITTEN = pytest.StashKey[list[tuple[Path, OSError]]]()
"""The files of results that could not be written, with the reason."""
_FILES = ("--pg-json", "--pg-html")


def check_writable_option(option: str, path: Path) -> None:
    """Check that an option's file can be written, before anything runs.

    Raises:
        pytest.UsageError: it can't.
    """
    from pytest_pgfeatures.files import check_writable

    try:
        check_writable(path)
    except OSError as error:
        raise pytest.UsageError(f"{option}: can't write {path}: {error.strerror}: {error.filename}") from None


class _Worker:
    """Passes on the requested behaviors by the first report: at the end it is too late if the user interrupts."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._is_reported = False

    @pytest.hookimpl(tryfirst=True)  # before xdist sends it
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not self._is_reported:
            asked: set[str] = self._config.stash[ASKED]
            setattr(report, ON_WORKER, sorted(asked))
            self._is_reported = True


class Gatherer:
    """A pytest plugin that collects results from the reports of all processes."""

    def __init__(self) -> None:
        self._behaviors: dict[str, bytes] = {}
        self._tests: dict[str, pytest.TestReport] = {}
        self._unavailable: dict[str, pytest.TestReport] = {}
        self._not_asked: dict[str, None] = {}
        self._asked: set[str] = set()
        self._versions: dict[str, list[str]] = {}
        self._config: pytest.Config | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        """Keep pytest's configuration, which knows the command line."""
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Record the requested behaviors."""
        asked: set[str] = session.config.stash[ASKED]
        self._asked |= asked

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store a report's result. If a test runs again, the new result replaces the old one."""
        self._asked.update(getattr(report, ON_WORKER, ()))
        if versions := getattr(report, VERSIONS, None):
            self._versions[report.nodeid] = versions
        if result := getattr(report, RESULT, None):
            self._behaviors[report.nodeid] = result
        if of_matrix(report):
            self._tests[report.nodeid] = report
        if report.when == "setup":
            self._unavailable.pop(report.nodeid, None)
        self._not_asked |= dict.fromkeys(values(report, NOT_ASKED))
        if report.skipped and is_unavailable(report):
            self._unavailable[report.nodeid] = report

    def behaviors(self) -> list[Result]:
        """The results of behaviors so far."""
        if not self._behaviors:
            return []
        from pytest_pgfeatures.json_values import from_json
        from pytest_pgfeatures.results.model import Result

        return [from_json(text, Result) for text in self._behaviors.values()]

    def tests(self) -> list[Result]:
        """The results of the matrix's tests so far, including behaviors that ran as tests."""
        return [test_result(report) for report in self._tests.values()]

    def unavailable(self) -> list[Result]:
        """The results of unavailable tests, in the matrix or not."""
        return [test_result(report) for report in self._unavailable.values()]

    def alone(self) -> dict[str, str]:
        """The only cell of each test that pytest can't parametrize, by its node id."""
        return {nodeid: cell for nodeid, report in self._tests.items() for cell in values(report, ALONE)}

    def not_asked(self) -> list[str]:
        """The registries that could not be asked for tests' requirements, with the reason, one line each."""
        return list(self._not_asked)

    def versions(self) -> dict[str, str]:
        """The value of ``--pg`` for the cell of each test, by its node id; beside the other cells of its major."""
        return {nodeid: beside for nodeid, (_, beside) in self._versions.items()}

    def run(self, seconds: float = 0.0) -> JobResults:
        """All results so far: behaviors, other tests of the matrix, and tests that are unavailable.

        Parameters:
            seconds: the duration of the run.
        """
        from pytest_pgfeatures.results.model import JobResults, installs_of

        config = self._config
        assert config is not None
        tests = {**self._unavailable, **self._tests}
        results = []
        for nodeid, behavior in zip(self._behaviors, self.behaviors(), strict=True):
            again = rerun_of_behavior(config, behavior.item.id, nodeid, self._versions[nodeid])
            results.append(replace(behavior, again=again))
        for nodeid, report in tests.items():
            if nodeid not in self._behaviors:
                _, versions = self._versions.get(nodeid, (None, None))
                result = test_result(report)
                plain = nodeid.removesuffix(f"@{result.cell}")  # a suffix that xdist's loadgroup adds
                results.append(replace(result, again=rerun_of_test(config, plain, versions)))
        return JobResults(
            command_line(config), installs_of(results), tuple(results), seconds, tuple(self.not_asked())
        )

    def tally(self) -> Tally:
        """The counts of behaviors so far."""
        from pytest_pgfeatures.results.model import Tally

        return Tally.of(self.behaviors(), len({*self._asked, *self._behaviors}))


class _Reporter:
    """Prints the matrices and writes the files."""

    def __init__(self, config: pytest.Config, gatherer: Gatherer) -> None:
        self._config = config
        self._gatherer = gatherer
        self._started = time.monotonic()
        self._written: list[Path] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the requested files; if this fails, the run fails."""
        for option, write in zip(_FILES, (self._write_json, self._write_html), strict=True):
            path: Path | None = self._config.getoption(option)
            if path is None:
                continue
            try:
                write(path)
                self._written.append(path)
            except OSError as error:
                self._config.stash.setdefault(UNWRITTEN, []).append((path, error))
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def _write_json(self, path: Path) -> None:
        from pytest_pgfeatures.files import write_json
        from pytest_pgfeatures.report.document import matrix_document

        write_json(path, matrix_document(self._run(), self._gatherer.tally()))

    def _write_html(self, path: Path) -> None:
        from pytest_pgfeatures.page.jobs import write_run

        run = self._run()
        tally = self._gatherer.tally()
        write_run(
            path,
            run,
            title=f"{self._config.stash.get(COMMAND, 'pytest')}: PostgreSQL by version",
            asked=len(run.results) + tally.not_reached,
            experiments=self._config.stash.get(MEASURED_IN_RUN, list)(),
        )

    def _run(self) -> JobResults:
        return self._gatherer.run(time.monotonic() - self._started)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter, exitstatus: int) -> None:
        """Print the matrix of behaviors, the matrix of tests with each version's install, the unavailable tests
        with their reasons, and the tests that differ between versions when they run alone, too."""
        if behaviors := self._gatherer.behaviors():
            self._print_matrix(terminalreporter, behaviors)
        for path in self._written:
            terminalreporter.write_line(f"results written to {path}")
        for path, error in self._config.stash.get(UNWRITTEN, ()):
            terminalreporter.write_line(f"results could not be written: {path}: {error.strerror}", red=True)
        tests = self._gatherer.tests()
        reruns = None if exitstatus == pytest.ExitCode.INTERRUPTED else self._reruns(terminalreporter, tests)
        if tests:
            self._print_summary(terminalreporter, tests)
        self._print_unavailable(terminalreporter, alone=not tests)
        if tests:
            from pytest_pgfeatures.report.differences import difference_lines

            for line in difference_lines(tests, reruns):
                terminalreporter.write_line(line, red=True)
        if alone := self._gatherer.alone():
            (cell, *_), count = sorted(set(alone.values())), len(alone)
            tests_ran = f"{count} test{'s' if count > 1 else ''} of unittest.TestCase ran"
            terminalreporter.write_line(
                f"{tests_ran} on {cell.removeprefix('pg')} alone: pytest can't parametrize them", yellow=True
            )
            for nodeid in alone:
                terminalreporter.write_line(f"  {nodeid}", yellow=True)
            terminalreporter.write_line(f"what to do: {WITHOUT_TESTCASE}", yellow=True)

    def _reruns(
        self, terminalreporter: TerminalReporter, tests: list[Result]
    ) -> dict[str, dict[str, Rerun]] | None:
        """Repeat the tests that differ between versions, unless a command of ours runs pytest."""
        option = self._config.option
        if not tests or COMMAND in self._config.stash or option.usepdb or option.trace:
            return None
        from pytest_pgfeatures.plugin.confirm import confirmed

        return confirmed(self._config, tests, self._gatherer.versions(), terminalreporter.write_line)

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

    def _print_unavailable(self, terminalreporter: TerminalReporter, *, alone: bool) -> None:
        lines = self._gatherer.not_asked()
        if unavailable := self._gatherer.unavailable():
            from pytest_pgfeatures.report.summary import unavailable_lines

            lines += unavailable_lines(unavailable)
            if alone:
                terminalreporter.write_sep("=", "unavailable tests")
        for line in lines:
            terminalreporter.write_line(line, yellow=True)

    def _print_summary(self, terminalreporter: TerminalReporter, results: list[Result]) -> None:
        from pytest_pgfeatures.report.summary import summary_table

        terminalreporter.write_sep("=", "PostgreSQL versions")
        head, *rows = summary_table(results, self._config.get_terminal_writer().fullwidth)
        terminalreporter.write_line(head, bold=True)
        for row in rows:
            terminalreporter.write_line(row)
