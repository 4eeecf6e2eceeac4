"""Repeat tests that passed on some versions and failed on others: each alone, in a fresh process.

A test can fail because another one, or the same one on another version, ran before it in the same process. The
upgrade has no part in that. Only a difference that remains in a process of its own is reported as the
upgrade's effect.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.plugin.rerun import rerun_of_test
from pytest_pgfeatures.report.differences import Rerun, differing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pytest

    from pytest_pgfeatures.results.model import Result

MOST = 50
"""The number of tests that are repeated. A real upgrade can break hundreds, and each takes one process per
version."""
SECONDS = 600.0
"""The time limit of a test that runs alone, in seconds."""
_FILES = {
    "pg_json": "--pg-json",
    "pg_html": "--pg-html",
    "pg_benchmark_json": "--pg-benchmark-json",
    "xmlpath": "--junitxml",
}
"""The options that write files, by their name in pytest's configuration. The files of the whole run must stay."""


def confirmed(
    config: pytest.Config,
    tests: Sequence[Result],
    versions: Mapping[str, str],
    report: Callable[[str], None],
) -> dict[str, dict[str, Rerun]]:
    """Repeat each test that differs between cells, alone, in each cell in which it passed or failed.

    Parameters:
        tests: the results of the run.
        versions: the value of ``--pg`` for the cell of each node id.
        report: shows a line.

    Returns:
        its outcome, by the test's name without the cell, and by the cell.
    """
    found = list(differing(tests).items())[:MOST]
    if not found:
        return {}
    named = f"{len(found)} test{'s' if len(found) > 1 else ''}"
    report(
        f"running {named} again that passed on some versions and failed on others: alone, in fresh processes"
    )
    reruns: dict[str, dict[str, Rerun]] = {}
    with tempfile.TemporaryDirectory(prefix="pgfeatures-again-") as directory:
        for name, results in found:
            for result in results:
                command = rerun_of_test(
                    config, result.item.id.removesuffix(f"@{result.cell}"), versions.get(result.item.id)
                )
                reruns.setdefault(name, {})[result.cell] = _run(config, command, Path(directory))
    return reruns


def _run(config: pytest.Config, command: str, directory: Path) -> Rerun:
    files = [
        f"{option}={directory / name}"
        for name, option in _FILES.items()
        if config.getoption(name, default=None)
    ]
    words = [*shlex.split(command)[1:], "-p", "no:cacheprovider", *files]
    if config.pluginmanager.hasplugin("xdist"):
        words += ["-n", "0"]
    if config.pluginmanager.hasplugin("_cov"):
        words.append("--no-cov")
    junit = directory / "again.xml"
    junit.unlink(missing_ok=True)
    try:
        subprocess.run(
            [sys.executable, "-m", "pytest", *words, f"--junitxml={junit}"],
            cwd=config.invocation_params.dir,
            env={name: value for name, value in os.environ.items() if not name.startswith("COV_CORE_")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return Rerun(None, command)
    return Rerun(_passed(junit), command)


def _passed(junit: Path) -> bool | None:
    """Whether the only test of a run passed; None if it neither passed nor failed."""
    import xml.etree.ElementTree as ElementTree

    try:
        cases = list(ElementTree.parse(junit).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return None
    outcomes = {child.tag for case in cases for child in case}
    if not cases or "skipped" in outcomes:
        return None
    return outcomes.isdisjoint(("failure", "error"))
