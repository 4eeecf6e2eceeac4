"""Run a suite on a server of a version that logs everything the suite sends."""

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
from pytest_pgfeatures.readiness.suite.outcomes import Outcomes, read_outcomes
from pytest_pgfeatures.readiness.suite.recorded import Recorded, read_recorded
from pytest_pgfeatures.readiness.suite.rows import Rows, rows_left
from pytest_pgfeatures.server.configuration import Access
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Install, Resolver
    from pytest_pgfeatures.server import Cluster, Clusters

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


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """The run of a suite on one server.

    Parameters:
        status: the command's exit status.
        output: the last lines of what it printed.
        seconds: how long it took.
        recorded: the statements that it sent, if they were recorded.
        outcomes: the results of its tests.
        rows: what it left in its tables, if that was asked for.
    """

    status: int
    output: tuple[str, ...]
    seconds: float
    recorded: Recorded = field(default_factory=Recorded, repr=False)
    outcomes: Outcomes = field(default_factory=Outcomes, repr=False)
    rows: Rows = field(default_factory=Rows, repr=False)


def run_suite(
    command: str, install: Install, clusters: Clusters, *, recorded: bool = True, rows: bool = False
) -> SuiteRun:
    """Run a suite on a new server. The suite is the server's superuser, as with ``pgfeatures run``, and
    connects as it likes.

    Parameters:
        command: for a shell.
        recorded: whether the server logs the statements.
        rows: whether the rows that it leaves are read.

    Raises:
        PgFeaturesError: the server does not start, its log can't be read, or the suite does not end.
    """
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
        status, output, seconds = _run(command, cluster, clusters.resolver, install, directory)
        left = rows_left(cluster) if rows else Rows()
        cluster.stop("fast")
        log = cluster.datadir / _DIRECTORY / "suite.csv"
        paths = "auto_explain.log_settings" in settings
        found = read_recorded(log, paths=paths) if recorded and log.is_file() else Recorded()
        return SuiteRun(status, output, seconds, found, read_outcomes(directory), left)
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        clusters.remove(cluster)


def _run(
    command: str, cluster: Cluster, resolver: Resolver, install: Install, directory: Path
) -> tuple[int, tuple[str, ...], float]:
    tools, _ = borrowed_tools(install, resolver, cluster)
    environment = command_environment(cluster, tools)
    if JUNIT not in command:  # pytest takes the option from here, and other programs don't look
        option = f"--junitxml={directory / 'pytest.xml'}"
        environment["PYTEST_ADDOPTS"] = f"{environment.get('PYTEST_ADDOPTS', '')} {option}".strip()
    command = substituted(command.replace(JUNIT, str(directory / "junit.xml")), cluster)
    output = directory / "output"
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
