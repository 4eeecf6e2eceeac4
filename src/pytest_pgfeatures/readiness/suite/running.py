"""Run a suite on both servers of a pair, which log everything that the suite sends, and read its tests' results."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.commands.environment import borrowed_tools, command_environment, substituted
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.xml_files import Element, parsed
from pytest_pgfeatures.readiness.suite.recorded import Recorded, read_recorded
from pytest_pgfeatures.readiness.suite.rows import Rows, rows_left
from pytest_pgfeatures.server.configuration import Access
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Clusters

SECONDS = 6 * 3600.0
"""The time limit of a suite, in seconds."""
JUNIT = "{junit}"
"""In a command, the placeholder of the file into which the suite writes its results."""
_LINES_SHOWN = 15
_DIRECTORY = "suite"
_RECORDING = {
    "logging_collector": "on",
    "log_destination": "csvlog",
    "log_directory": _DIRECTORY,
    "log_filename": "suite.log",
    "log_rotation_age": "0",
    "log_rotation_size": "0",
    "log_statement": "all",
    "log_disconnections": "on",
    "log_min_messages": "warning",
    "log_min_error_statement": "warning",
    "log_min_duration_statement": "-1",
    "max_connections": "200",
    "autovacuum": "off",  # autovacuum would analyze tables at different moments on the two servers
}
_PLANS = {
    "shared_preload_libraries": "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_format": "text",  # the collector writes line by line, and JSON has a line for each property
}
_SETTINGS_SINCE = VersionSet(">=12")  # https://www.postgresql.org/docs/release/12.0/
_PARAMETERS_SINCE = VersionSet(">=16")  # log_statement=all has logged them

_LARGEST = 64 << 20
_FAILED = ("failure", "error")


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of the suite: how it failed, and where it is, if the file says so."""

    passed: bool
    said: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The tests of a run by class and name, without skipped ones; and files that are no JUnit, a line each."""

    tests: dict[str, SuiteTest] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    def broken_in(self, new: Outcomes) -> dict[str, SuiteTest]:
        """The tests that passed in this run and failed in another one."""
        passed = {name for name, test in self.tests.items() if test.passed}
        return {name: test for name, test in new.tests.items() if not test.passed and name in passed}


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The run of a suite on one server, with its exit status and the last lines of what it printed."""

    status: int
    output: tuple[str, ...]
    seconds: float
    recorded: Recorded = field(default_factory=Recorded, repr=False)
    outcomes: Outcomes = field(default_factory=Outcomes, repr=False)
    rows: Rows = field(default_factory=Rows, repr=False)


@dataclass(frozen=True, slots=True)
class SuiteRuns:
    """The runs of a suite; repeated on another new server if tests failed on the new one alone."""

    old: SuiteRun
    new: SuiteRun
    repeated: SuiteRun | None = None

    @property
    def broken(self) -> dict[str, tuple[SuiteTest, bool]]:
        """The tests that passed on the old server and failed on the new one, and whether repeatedly."""
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
    """Run a suite on a server of each version, one after the other: they may share files. The rows that it
    leaves on the old server may be read."""
    runs = []
    for number, install in enumerate(installs):
        progress(number)
        run = run_suite(command, install, clusters, rows=rows and not number)
        if not run.recorded.executions:
            refused = next((" ".join(each) for each in run.recorded.refused), "")
            why = f"; the server refused its connections: {refused}" if refused else ""
            raise PgFeaturesError(
                f"the suite {command!r} sent no statement to the server of {install.version} (it ended with"
                f" status {run.status}){why}",
                details=run.output,
                remedy="a suite that starts a server of its own (Docker, testcontainers), or has an address in its"
                " configuration, has to take PGHOST, PGPORT, PGUSER, PGPASSWORD or DATABASE_URL from its"
                " environment instead; {dsn} in the command is replaced, too",
            )
        runs.append(run)
    repeated = None
    if runs[0].outcomes.broken_in(runs[1].outcomes):
        repeated = run_suite(command, installs[1], clusters, recorded=False)
    return SuiteRuns(runs[0], runs[1], repeated)


def run_suite(
    command: str, install: Install, clusters: Clusters, *, recorded: bool = True, rows: bool = False
) -> SuiteRun:
    """Run a suite, a command for a shell, on a new server. The suite is the server's superuser, as with
    ``pgfeatures run``, and connects as it likes."""
    settings = dict(_RECORDING) if recorded else {"max_connections": _RECORDING["max_connections"]}
    if recorded and install.has("contrib:auto_explain"):
        settings |= _PLANS
        if install.version in _SETTINGS_SINCE:
            settings["auto_explain.log_settings"] = "on"
        if install.version in _PARAMETERS_SINCE:
            settings["auto_explain.log_parameter_max_length"] = "0"
    name = f"suite-{install.version.major}"
    cluster = clusters.create(install, name=name, settings=settings, access=Access.by_tcp())
    directory = Path(tempfile.mkdtemp(prefix="pgfeatures-suite-"))
    try:
        tools, _ = borrowed_tools(install, clusters.resolver, cluster)
        environment = command_environment(cluster, tools)
        if JUNIT not in command:  # pytest takes the option from here, and other programs don't look
            option = f"--junitxml={directory / 'pytest.xml'}"
            environment["PYTEST_ADDOPTS"] = f"{environment.get('PYTEST_ADDOPTS', '')} {option}".strip()
        command = substituted(command.replace(JUNIT, str(directory / "junit.xml")), cluster)
        status, output, seconds = _run(command, environment, directory / "output")
        left = rows_left(cluster) if rows else Rows()
        cluster.stop("fast")
        log = cluster.datadir / _DIRECTORY / "suite.csv"
        paths = "auto_explain.log_settings" in settings
        found = read_recorded(log, paths=paths) if recorded and log.is_file() else Recorded()
        return SuiteRun(status, output, seconds, found, read_outcomes(directory), left)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        clusters.remove(cluster)


def _run(command: str, environment: dict[str, str], output: Path) -> tuple[int, tuple[str, ...], float]:
    started = time.monotonic()
    with output.open("wb") as sink:
        try:
            ended = subprocess.run(
                ["/bin/sh", "-c", command],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise PgFeaturesError(
                f"the suite {command!r} was still running after {SECONDS:.0f} s", remedy="name a part of it"
            ) from None
    seconds = time.monotonic() - started
    with output.open("rb") as file:
        file.seek(max(output.stat().st_size - 65536, 0))
        lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
    return ended.returncode, tuple(lines[-_LINES_SHOWN:]), seconds


def read_outcomes(directory: Path) -> Outcomes:
    """Read the files that end with ``.xml``, as JUnit has them."""
    tests: dict[str, SuiteTest] = {}
    unread = []
    for path in sorted(directory.glob("*.xml")):
        try:
            tests |= _tests_of(path)
        except (PgFeaturesError, OSError, ValueError) as error:
            unread.append(f"{path.name} is no JUnit file: {error}")
    return Outcomes(tests, tuple(unread))


def _tests_of(path: Path) -> dict[str, SuiteTest]:
    tests: dict[str, SuiteTest] = {}
    waiting = [parsed(read_regular(path, _LARGEST), path.name)]
    while waiting:
        element = waiting.pop()
        inner = [each for each in element.contents if isinstance(each, Element)]
        waiting += reversed(inner)
        if element.tag != "testcase" or any(each.tag == "skipped" for each in inner):
            continue
        given = element.attributes
        said = [
            " ".join(each.attributes.get("message", "").split()) or each.tag
            for each in inner
            if each.tag in _FAILED
        ]
        key = ".".join(filter(None, (given.get("classname"), given.get("name"))))
        line = given.get("line", "")
        # A test that occurs several times, such as by its teardown, failed if one of them did.
        if said or key not in tests:
            place = given.get("file", ""), int(line) if line.isdecimal() else 0
            tests[key] = SuiteTest(not said, "".join(said[-1:]), *place)
    return tests
