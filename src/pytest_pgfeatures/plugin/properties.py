"""The data that we add to pytest's reports, which may cross processes: user properties, a behavior's result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from pytest_pgfeatures.results.model import InstallUsed, Outcome, Result

ALONE = "pg_alone"
"""The user property that names the only cell of a test that pytest can't parametrize."""
WITHOUT_TESTCASE = "write it as a function, or in a class that isn't derived from unittest.TestCase"
CELL = "pg_cell"
"""The user property that names the cell of the matrix, such as ``pg17``; the pair of them for ``pg_pair``."""
VERSION = "pg_version"
"""The user property that has the release of an install."""
INSTALL = "pg_install"
"""The user property that has an install's source and directory: ``pypi: /home/...``."""
UNAVAILABLE = "pg_unavailable"
"""The user property that marks a test as unavailable, not skipped; its value is the reason."""
NOT_ASKED = "pg_not_asked"
"""The user property with the registries that could not be asked for a test's requirements, and the reason."""
INCIDENT = "pg_incident"
"""The user property with a server's incident during a test: it crashed and recovered, or ended."""
RESULT = "pgfeatures_result"
"""The attribute of a report that holds a behavior's result, as JSON: text crosses processes faster than values."""

VERSIONS = "pgfeatures_versions"
"""The attribute of a report that holds the value of ``--pg`` for the test's cell: alone, and with the other
cells of its majors, on which the cell's name depends."""

MEASURED = "pgfeatures_measured"
"""The attribute of a report that holds the measurements of an experiment, as plain values."""


def values(report: pytest.TestReport, name: str) -> list[str]:
    """Return the distinct values of a user property."""
    return list(dict.fromkeys(str(value) for key, value in report.user_properties if key == name))


def is_unavailable(report: pytest.TestReport) -> bool:
    """Return whether no install of the version could run the report's test."""
    return any(name == UNAVAILABLE for name, _ in report.user_properties)


def of_matrix(report: pytest.TestReport) -> bool:
    """Return whether a report has the outcome of a test that ran in a cell of the matrix."""
    ended = report.when == "call" or not report.passed
    return ended and any(name == CELL for name, _ in report.user_properties)


def test_result(report: pytest.TestReport) -> Result:
    """Return the result of a test, with its matrix cell if it has one."""
    from pytest_pgfeatures.results.evidence import Evidence
    from pytest_pgfeatures.results.model import Item, Outcome, Result

    outcome = _outcome(report)
    reasons = values(report, UNAVAILABLE)
    failed = outcome in (Outcome.FAILED, Outcome.ERROR)
    return Result(
        item=Item("test", report.nodeid),
        cell=next(iter(values(report, CELL)), ""),
        outcome=outcome,
        installs=tuple(_installs(report)),
        ran=report.when != "setup",
        seconds=report.duration,
        summary=(reasons[0] if reasons else _crash(report) if failed else "").partition("\n")[0],
        evidence=Evidence(
            details=tuple(report.longreprtext.splitlines()) if failed else (),
            sections=tuple(report.sections) if failed else (),
        ),
    )


def _crash(report: pytest.TestReport) -> str:
    """Return the message of the exception that failed a test; empty if the report has only a text."""
    return str(getattr(getattr(report.longrepr, "reprcrash", None), "message", ""))


def _outcome(report: pytest.TestReport) -> Outcome:
    from pytest_pgfeatures.results.model import Outcome

    if is_unavailable(report):
        return Outcome.UNAVAILABLE
    if report.failed:
        return Outcome.FAILED if report.when == "call" else Outcome.ERROR
    if report.passed:
        return Outcome.PASSED
    return Outcome.KNOWN_FAILURE if hasattr(report, "wasxfail") else Outcome.NOT_RUN


def _installs(report: pytest.TestReport) -> Iterator[InstallUsed]:
    from pytest_pgfeatures.results.model import InstallUsed

    versions = [str(value) for name, value in report.user_properties if name == VERSION]
    installs = [str(value) for name, value in report.user_properties if name == INSTALL]
    for install, version in dict(zip(installs, versions, strict=True)).items():
        source, _, bindir = install.partition(": ")
        yield InstallUsed.at(version, source, bindir)
