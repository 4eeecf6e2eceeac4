"""Measure, and print ratios.

The two sides of a pair take turns in the same run, so that other load on the machine affects both. Medians count.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.runs import Run, Workplace, workplace
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.install.request import parse_requests
from pytest_pgfeatures.install.resolve import Resolver

if TYPE_CHECKING:
    from collections.abc import Callable

OURS = """
import pytest
@pytest.mark.parametrize("n", range({tests}))
def test_it(pg_connection, n):
    pg_connection.execute("CREATE TABLE t AS SELECT 1 AS a")
"""
THEIRS = """
import pytest
@pytest.mark.parametrize("n", range({tests}))
def test_it(postgresql, n):
    postgresql.execute("CREATE TABLE t AS SELECT 1 AS a")
"""
IMPORTED = "import psycopg\n"
NOTHING = "def test_it(): pass"
BUSY = """
import pathlib
def test_it(pg_connection, create_pg):
    own = create_pg()
    pathlib.Path("here").touch()
    while True:
        own.sql("CREATE DATABASE another")
        own.sql("DROP DATABASE another")
"""
TESTS = 50
MAJORS = "14..18"


def main() -> None:
    """Run the benchmarks named on the command line, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--pg", default="latest", help="the version to compare on (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=10, help="runs of each side (default: %(default)s)")
    arguments = parser.parse_args()
    resolver = Resolver(Store.open())
    (cell,) = resolver.cells(parse_requests(arguments.pg))
    # pytest-postgresql starts servers with pg_ctl
    install = resolver.resolve(cell.request, {"pg_dump"})
    majors = [resolver.resolve(cell.request) for cell in resolver.cells(parse_requests(MAJORS))]
    console = Console(highlight=False, width=110)
    console.print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    console.print(f"PostgreSQL {install.version} ({install.source}); load {os.getloadavg()[0]:.1f}")
    table = Table("milliseconds: median (quartiles)", "ours", "the other side", "ratio", "target")
    with workplace(list(dict.fromkeys([install.bindir, *(each.bindir for each in majors)]))) as place:
        bench = Bench(place, str(install.version), install.bindir, arguments.pairs)
        for name in arguments.names or BENCHMARKS:
            for row in BENCHMARKS[name](bench):
                table.add_row(*row)
    console.print(table)


class Bench:
    """The common parts of all benchmarks."""

    def __init__(self, place: Workplace, version: str, bindir: Path, pairs: int) -> None:
        self.place = place
        self.version = version
        self.bindir = bindir
        self.pairs = pairs

    def ours(self, tests: int, before: str = "") -> Run:
        """Run tests with a fresh database each, using this plugin."""
        return self.place.pytest(
            before + OURS.format(tests=tests), f"--pg={self.version}", "-p", "no:postgresql"
        )

    def theirs(self, tests: int, *arguments: str) -> Run:
        """Run the same tests using pytest-postgresql."""
        program = f"--postgresql-exec={self.bindir / 'pg_ctl'}"
        return self.place.pytest(THEIRS.format(tests=tests), program, "-p", "no:pgfeatures", *arguments)

    def in_memory(self) -> list[str]:
        """Options that keep pytest-postgresql's data directory in memory, as this plugin does if there is room."""
        place = Path("/dev/shm")
        return [f"--basetemp={place / self.place.path.name}"] if place.is_dir() else []

    def taking_turns(self, *sides: Callable[[], Run], pairs: int | None = None) -> list[list[Run]]:
        """Run each side once to warm up, then all sides in turns, and return the runs of each side."""
        for side in sides:
            side()
        runs: list[list[Run]] = [[] for _ in sides]
        for number in range(pairs or self.pairs):
            order = list(enumerate(sides))
            for which, side in order if number % 2 else reversed(order):
                runs[which].append(side())
        return runs


def first_fixture(bench: Bench) -> list[tuple[str, ...]]:
    """The first test's connection, with a warm store: cluster, database, connection."""
    ours, imported, theirs, in_memory = bench.taking_turns(
        lambda: bench.ours(1),
        lambda: bench.ours(1, IMPORTED),
        lambda: bench.theirs(1),
        lambda: bench.theirs(1, *bench.in_memory()),
    )
    return [
        compare("first fixture ready", _setups(ours), _setups(theirs), 10),
        compare("... where the test's module imports psycopg", _setups(imported), _setups(theirs), None),
        compare("... the other side in memory, too", _setups(ours), _setups(in_memory), None),
        compare("... a whole pytest process of one test", _seconds(ours), _seconds(theirs), None),
    ]


def database_per_test(bench: Bench) -> list[tuple[str, ...]]:
    """A fresh database for each of 50 tests: setup and teardown of all but the first."""
    tests = TESTS + 1
    ours, theirs, in_memory = bench.taking_turns(
        lambda: bench.ours(tests),
        lambda: bench.theirs(tests),
        lambda: bench.theirs(tests, *bench.in_memory()),
        pairs=max(2, bench.pairs // 3),
    )
    return [
        compare("a fresh database per test: setup + teardown", _around(ours), _around(theirs), 10),
        compare("... the other side in memory, too", _around(ours), _around(in_memory), None),
        compare(
            "... with the test's own CREATE TABLE AS", _around(ours, "call"), _around(theirs, "call"), None
        ),
        compare(f"... a whole pytest process of {tests} tests", _seconds(ours), _seconds(theirs), None),
    ]


def unchanged_suite(bench: Bench) -> list[tuple[str, ...]]:
    """One pytest-postgresql suite with --pg and without: its fixtures on our servers and on its own."""
    for tests in (1, TESTS + 1):
        suite = THEIRS.format(tests=tests)
        with_us, without, in_memory = bench.taking_turns(
            lambda: bench.place.pytest(suite, f"--pg={bench.version}"),  # noqa: B023
            lambda: bench.theirs(tests),  # noqa: B023
            lambda: bench.theirs(tests, *bench.in_memory()),  # noqa: B023
            pairs=bench.pairs if tests == 1 else max(2, bench.pairs // 3),
        )
        if tests == 1:
            rows = [
                compare(
                    "a suite for pytest-postgresql: first fixture", _setups(with_us), _setups(without), None
                ),
                compare("... the other side in memory, too", _setups(with_us), _setups(in_memory), None),
            ]
        else:
            rows += [
                compare("... each further test: setup + teardown", _around(with_us), _around(without), None),
                compare("... the other side in memory, too", _around(with_us), _around(in_memory), None),
            ]
        rows += [
            compare(f"... a whole run, {tests} test(s)", _seconds(with_us), _seconds(without), None),
            compare("... the other side in memory, too", _seconds(with_us), _seconds(in_memory), None),
        ]
    return rows


def five_majors(bench: Bench) -> list[tuple[str, ...]]:
    """Servers of 14, 15, 16, 17 and 18 ready, with a database and a connection each."""
    (runs,) = bench.taking_turns(
        lambda: bench.place.pytest(OURS.format(tests=1), f"--pg={MAJORS}", "-p", "no:postgresql")
    )
    sums = [sum(run.durations("setup")) for run in runs]
    return [("five majors ready", milliseconds(sums), "", "", "1000")]


def unused(bench: Bench) -> list[tuple[str, ...]]:
    """What the plugin adds to a pytest run in which no test uses it."""
    alone = ["-p", "no:postgresql", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    with_us, without = bench.taking_turns(
        lambda: bench.place.pytest(NOTHING, *alone),
        lambda: bench.place.pytest(NOTHING, *alone, "-p", "no:pgfeatures"),
        pairs=3 * bench.pairs,
    )
    differences = [a.seconds - b.seconds for a, b in zip(with_us, without, strict=True)]
    return [
        (
            "pytest with the plugin unused",
            milliseconds(_seconds(with_us)),
            milliseconds(_seconds(without)),
            "",
            "",
        ),
        ("... the median of the differences", milliseconds(differences), "", "", "15"),
    ]


def killed(bench: Bench) -> list[tuple[str, ...]]:
    """The time from kill -9 of a run with two servers until the servers and their files are gone."""
    seconds = [bench.place.killed(BUSY, f"--pg={bench.version}") for _ in range(2 * bench.pairs)]
    return [
        ("kill -9 of a run with two servers: all gone after", milliseconds(seconds), "", "", ""),
        ("... at the most", f"{max(seconds) * 1000:.1f}", "", "", "2000"),
    ]


def _around(runs: list[Run], *more: str) -> list[float]:
    """The setup and teardown times, and those of ``more`` phases, of all tests but each run's first."""
    return [seconds for run in runs for seconds in run.durations("setup", "teardown", *more)[1:]]


def _setups(runs: list[Run]) -> list[float]:
    return [run.durations("setup")[0] for run in runs]


def _seconds(runs: list[Run]) -> list[float]:
    return [run.seconds for run in runs]


def compare(what: str, ours: list[float], theirs: list[float], target: float | None) -> tuple[str, ...]:
    """A row of the table: medians, and how many times faster this plugin is."""
    ratio = statistics.median(theirs) / statistics.median(ours)
    return what, milliseconds(ours), milliseconds(theirs), f"{ratio:.1f}x", f"{target}x" if target else ""


def milliseconds(seconds: list[float]) -> str:
    """The median, and the quartiles, in milliseconds."""
    low, middle, high = (1000 * quartile for quartile in statistics.quantiles(seconds, n=4))
    return f"{middle:.1f} ({low:.1f}..{high:.1f})"


BENCHMARKS: dict[str, Callable[[Bench], list[tuple[str, ...]]]] = {
    "first-fixture": first_fixture,
    "database-per-test": database_per_test,
    "unchanged-suite": unchanged_suite,
    "five-majors": five_majors,
    "unused": unused,
    "killed": killed,
}

if __name__ == "__main__":
    sys.exit(main())
