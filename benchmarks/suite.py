"""A real, unchanged pytest-postgresql suite: with --pg, and without it on disk and in memory, in turns.

    python -m benchmarks.suite DIRECTORY [PYTEST'S ARGUMENTS ...]

The current Python runs the suite, in the suite's directory, and must have the suite's requirements. It must not run
as root, since pytest-postgresql does not either. The setup and teardown of every test with a slow setup count,
except the first such test; "in memory" is a ``--basetemp`` in ``/dev/shm``. The second table has the time of each
fixture without those that it asks for, which shows whose time is left.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.request import parse_requests
from pytest_pgfeatures.install.resolve import Resolver

PLUGIN = """
import contextlib, json, os, pathlib, time
import pytest
from _pytest.fixtures import FixtureDef

file = pathlib.Path(os.environ["PHASES"]).open("a", buffering=1)
inner = [0.0]  # the seconds of the fixtures within the one at work
taken = {}

@contextlib.contextmanager
def timed(fixture):
    inner.append(0.0)
    begun = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - begun
        taken[fixture.argname] = taken.get(fixture.argname, 0.0) + seconds - inner.pop()
        inner[-1] += seconds

@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef):
    with timed(fixturedef):
        return (yield)

finish = FixtureDef.finish

def timed_finish(self, request):
    with timed(self):
        finish(self, request)

FixtureDef.finish = timed_finish

def pytest_runtest_logreport(report):
    if report.when != "call":
        file.write(json.dumps([report.nodeid, report.duration, taken]) + "\\n")
        taken.clear()
"""
DATABASE = 0.001
"""A test with at least this many seconds of setup and teardown counts as one with a database."""
WHOLE = "setup + teardown"
SHOWN = 0.1
"""A fixture with at least this many milliseconds has a row."""


def main() -> None:
    """Measure, and print ratios."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suite", description=__doc__)
    parser.add_argument("--pg", default="latest", help="the version (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=3, help="runs of each side (default: %(default)s)")
    parser.add_argument("directory", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if os.geteuid() == 0:
        sys.exit("pytest-postgresql does not run as root: run this as another user")
    resolver = Resolver(Store.open())
    (cell,) = resolver.cells(parse_requests(arguments.pg))
    install = resolver.resolve(cell.request, frozenset())
    place = Path(tempfile.mkdtemp(prefix="pgfeatures-suite-"))
    memory = Path(tempfile.mkdtemp(prefix="pgfeatures-suite-", dir="/dev/shm"))
    (place / "pgfeatures_phases.py").write_text(PLUGIN)
    own = [f"--postgresql-exec={install.bindir / 'pg_ctl'}", "-p", "no:pgfeatures"]
    sides = {
        "with --pg": [f"--pg=path:{install.bindir.parent}"],
        "without, on disk": [*own, f"--basetemp={place / 'base'}"],
        "without, in memory": [*own, f"--basetemp={memory / 'base'}"],
    }
    try:
        around: dict[str, list[Counter[str]]] = {side: [] for side in sides}
        whole: dict[str, list[float]] = {side: [] for side in sides}
        for turn in range(arguments.turns):
            for side in sides if turn % 2 else reversed(sides):
                more, seconds = run(arguments.directory, place, [*sides[side], *arguments.arguments])
                around[side] += more
                whole[side].append(seconds)
    finally:
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(memory, ignore_errors=True)
    show(around, whole)


def run(directory: Path, place: Path, arguments: list[str]) -> tuple[list[Counter[str]], float]:
    """Return the setup and teardown times of the tests with a database, but the first, in all and by fixture; and
    the whole run's time."""
    phases = place / "phases"
    phases.unlink(missing_ok=True)
    paths = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PHASES": str(phases), "PYTHONPATH": paths}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pgfeatures_phases"]
    begun = time.perf_counter()
    ended = subprocess.run(
        [*command, *arguments], cwd=directory, env=environment, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - begun
    if ended.returncode != 0:
        sys.exit(f"a run failed:\n{ended.stdout[-5000:]}{ended.stderr[-2000:]}")
    tests: dict[str, Counter[str]] = {}
    for line in phases.read_text().splitlines():
        test, duration, fixtures = json.loads(line)
        tests.setdefault(test, Counter()).update(fixtures | {WHOLE: duration})
    return [taken for taken in tests.values() if taken[WHOLE] > DATABASE][1:], seconds


def show(around: dict[str, list[Counter[str]]], whole: dict[str, list[float]]) -> None:
    """Print medians, each side's multiple of the time with --pg, and whose time it is."""
    table = Table("", "setup + teardown, ms: median (quartiles)", "ratio", "a whole run, s", "ratio")
    ours, our_runs = median_of(around["with --pg"], WHOLE), statistics.median(whole["with --pg"])
    for side, taken in around.items():
        low, middle, high = (
            1000 * quartile for quartile in statistics.quantiles((each[WHOLE] for each in taken), n=4)
        )
        seconds = statistics.median(whole[side])
        table.add_row(
            side,
            f"{middle:.1f} ({low:.1f}..{high:.1f})",
            f"{middle / ours / 1000:.1f}x",
            f"{seconds:.1f}",
            f"{seconds / our_runs:.1f}x",
        )
    console = Console(highlight=False, width=110)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {len(around['with --pg'])} setups")
    console.print(table)
    fixtures = {name for taken in around.values() for each in taken for name in each} - {WHOLE}
    parts = Table("of the setup + teardown, ms: median", *around)
    for name in sorted(fixtures, key=lambda name: -median_of(around["with --pg"], name)):
        medians = [1000 * median_of(taken, name) for taken in around.values()]
        if max(medians) >= SHOWN:
            parts.add_row(name, *(f"{each:.1f}" for each in medians))
    console.print(parts)


def median_of(taken: list[Counter[str]], name: str) -> float:
    """Return the median of a fixture's seconds."""
    return statistics.median(each[name] for each in taken)


if __name__ == "__main__":
    main()
