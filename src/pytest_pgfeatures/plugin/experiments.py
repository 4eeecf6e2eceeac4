"""Experiments as tests: a function decorated with ``@experiment`` runs like any other test.

It fails if its work fails, and never because of a measurement. Results travel on the reports, so that this works
with pytest-xdist, too; the terminal shows them at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.plugin.decorated import experiment_of
from pytest_pgfeatures.plugin.properties import MEASURED
from pytest_pgfeatures.plugin.rerun import rerun_of_test
from pytest_pgfeatures.plugin.results import MEASURED_IN_RUN, check_writable_option
from pytest_pgfeatures.plugin.session import session_of

if TYPE_CHECKING:
    from pathlib import Path

    from _pytest.terminal import TerminalReporter

    from pytest_pgfeatures.measure.model import Experiment
    from pytest_pgfeatures.measure.outcome import Measured

_measured = pytest.StashKey["Measured"]()


class ExperimentRunner:
    """Runs the experiments of a test."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def run(self, experiment: Experiment) -> None:
        """Run one. Its result is on the test's report.

        Raises:
            PgFeaturesError: a side has no install, or the work failed.
        """
        from pytest_pgfeatures.measure.interval import LEAST_ROUNDS
        from pytest_pgfeatures.measure.run import Measuring

        config = self._request.config
        scale, rounds = config.getoption("pg_scale"), config.getoption("pg_rounds")
        session = session_of(config)
        cells = session.cells if session.workbench.requests else None
        measuring = Measuring(
            session.workbench.clusters, cells=cells, scale=scale, rounds=rounds or LEAST_ROUNDS
        )
        self._request.node.stash[_measured] = measuring.one(experiment, strict=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` select an experiment by its id."""
    if found := experiment_of(getattr(item, "function", None)):
        item.extra_keyword_matches.add(found.id)


def report_experiment(item: pytest.Item, report: pytest.TestReport) -> None:
    """Attach the measurement to the report of the test's call."""
    if report.when == "call" and (measured := item.stash.get(_measured, None)) is not None:
        setattr(report, MEASURED, measured.to_dict())


def pytest_configure(config: pytest.Config) -> None:
    """Gather the measurements in the main process. Check that the file can be written before anything runs."""
    if hasattr(config, "workerinput"):
        return
    gatherer = _Gatherer(config)
    config.pluginmanager.register(gatherer, "pgfeatures-experiments")
    config.stash[MEASURED_IN_RUN] = gatherer.with_commands
    path: Path | None = config.getoption("pg_benchmark_json")
    if path is not None:
        check_writable_option("--pg-benchmark-json", path)


class _Gatherer:
    """Shows the measurements, and writes them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._measured: dict[str, dict[str, Any]] = {}
        self._trouble: OSError | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store the data of a report."""
        if measured := getattr(report, MEASURED, None):
            self._measured[report.nodeid] = measured

    def results(self) -> list[Measured]:
        """The measurements, in the order of the tests' ends."""
        from pytest_pgfeatures.json_values import from_plain
        from pytest_pgfeatures.measure.outcome import Measured

        return from_plain(list(self._measured.values()), list[Measured])

    def with_commands(self) -> list[tuple[Measured, str]]:
        """The measurements, each with the command that repeats it."""
        commands = [rerun_of_test(self._config, nodeid) for nodeid in self._measured]
        return list(zip(self.results(), commands, strict=True))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file, if one was requested; if this fails, the run fails."""
        path: Path | None = self._config.getoption("pg_benchmark_json")
        if path is not None:
            from pytest_pgfeatures.files import write_atomically
            from pytest_pgfeatures.report.benchmark_json import benchmark_json

            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(path, benchmark_json(self.results()))
            except OSError as error:
                self._trouble = error
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the ratios."""
        if self._trouble is not None:
            terminalreporter.write_line(f"times could not be written: {self._trouble}", red=True)
        if not self._measured:
            return
        import io

        from rich.console import Console

        from pytest_pgfeatures.report.measure import render_measured

        text = io.StringIO()
        console = Console(file=text, width=terminalreporter._tw.fullwidth, highlight=False)
        for measured in self.results():
            for part in render_measured(measured):
                console.print(part)
        terminalreporter.section("PostgreSQL experiments")
        terminalreporter.write(text.getvalue())
