"""A suite on both servers of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.suite.running import SuiteRun, run_suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.readiness.suite.outcomes import SuiteTest
    from pytest_pgfeatures.server import Clusters


@dataclass(frozen=True, slots=True)
class SuiteRuns:
    """The runs of a suite.

    Parameters:
        repeated: the run on another new server, if tests failed on the new one alone.
    """

    old: SuiteRun
    new: SuiteRun
    repeated: SuiteRun | None = None

    @property
    def broken(self) -> dict[str, tuple[SuiteTest, bool]]:
        """The tests that passed on the old server and failed on the new one, and whether they failed there
        repeatedly."""
        found = self.old.outcomes.broken_in(self.new.outcomes)
        tests = self.repeated.outcomes.tests if self.repeated else {}
        return {name: (test, name not in tests or not tests[name].passed) for name, test in found.items()}

    @property
    def failed_on_both(self) -> int:
        """The number of tests that failed on both servers."""
        old, new = self.old.outcomes.tests, self.new.outcomes.tests
        return sum(not test.passed and name in new and not new[name].passed for name, test in old.items())


def run_on_both(
    command: str,
    installs: tuple[Install, Install],
    clusters: Clusters,
    progress: Callable[[int], object] = lambda _: None,
    *,
    rows: bool = False,
) -> SuiteRuns:
    """Run a suite on a server of each version, one after the other: they may share files.

    Parameters:
        progress: called with the number of finished runs.
        rows: whether the rows that it leaves on the old server are read.

    Raises:
        PgFeaturesError: a server does not start, or the suite sent it nothing.
    """
    runs = []
    for number, install in enumerate(installs):
        progress(number)
        run = run_suite(command, install, clusters, rows=rows and not number)
        if not run.recorded.executions:
            raise _nothing_sent(command, install, run)
        runs.append(run)
    repeated = None
    if runs[0].outcomes.broken_in(runs[1].outcomes):
        repeated = run_suite(command, installs[1], clusters, recorded=False)
    return SuiteRuns(runs[0], runs[1], repeated)


def _nothing_sent(command: str, install: Install, run: SuiteRun) -> PgFeaturesError:
    refused = next((" ".join(each) for each in run.recorded.refused), "")
    why = f"; the server refused its connections: {refused}" if refused else ""
    return PgFeaturesError(
        f"the suite {command!r} sent no statement to the server of {install.version} (it ended with status"
        f" {run.status}){why}",
        details=run.output,
        remedy="a suite that starts a server of its own (Docker, testcontainers), or has an address in its"
        " configuration, has to take PGHOST, PGPORT, PGUSER, PGPASSWORD or DATABASE_URL from its environment"
        " instead; {dsn} in the command is replaced, too",
    )
