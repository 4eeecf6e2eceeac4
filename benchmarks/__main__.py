"""Measure, and print ratios.

The sides take turns in the same run, so that other load affects all. The results are medians. With ``--write``,
the table is written after each part, with what was measured so far; a part that fails is left out, and the others
go on.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import written
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
SLOW = "    __import__('time').sleep(0.01)\n"
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
FLOORS = """
import subprocess, sys
import pytest

def test_python(): subprocess.run([sys.executable, "-c", ""])
def test_import(): subprocess.run([sys.executable, "-c", "import psycopg"])

@pytest.fixture
def stopped(create_pg):
    own = create_pg()
    own.stop()
    return own
def test_server(stopped): stopped.start()

@pytest.fixture
def warm(pg_database):
    pg_database.sql("SELECT 1")
    return pg_database
def test_connection(warm): warm.connect()
"""
TESTS = 20
MAJORS = "14..18"


def main() -> None:
    """Run the benchmarks named on the command line, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--pg", default="latest", help="the version to compare on (default: %(default)s)")
    parser.add_argument("--pairs", type=int, default=10, help="runs of each side (default: %(default)s)")
    parser.add_argument(
        "--runs", type=int, default=1, help="number of repetitions of everything (default: %(default)s)"
    )
    written.add_option(parser)
    arguments = parser.parse_args()
    resolver = Resolver(Store.open())
    (cell,) = resolver.cells(parse_requests(arguments.pg))
    # pytest-postgresql starts servers with pg_ctl
    install = resolver.resolve(cell.request, {"pg_dump"})
    majors = [resolver.resolve(cell.request) for cell in resolver.cells(parse_requests(MAJORS))]
    if arguments.write and arguments.names:
        parser.error("--write writes the whole table: leave out the names")
    found: dict[tuple[str, int], list[Row]] = {}  # by benchmark and line: titles repeat
    failed: list[str] = []
    names = arguments.names or list(BENCHMARKS)
    with workplace(list(dict.fromkeys([install.bindir, *(each.bindir for each in majors)]))) as place:
        bench = Bench(place, str(install.version), install.bindir, arguments.pairs)
        for run in range(1, arguments.runs + 1):
            for name in names:
                try:
                    for line, row in enumerate(BENCHMARKS[name](bench)):
                        found.setdefault((name, line), []).append(row)
                except (SystemExit, OSError) as error:
                    failed.append(f"{name}, run {run}: {error}")
                written.show(
                    "peer",
                    [
                        "milliseconds: median of each run",
                        "here",
                        "floor",
                        "the other side",
                        "ratio",
                        "target",
                    ],
                    [shown(rows) for rows in found.values()],
                    about=f"PostgreSQL {install.version} ({install.source}), {run} runs of {arguments.pairs} pairs",
                    page=arguments.write,
                    console=(run, name) == (arguments.runs, names[-1]),
                )
    if failed:
        sys.exit("\n".join(["these parts failed:", *failed]))


class Row(NamedTuple):
    """A figure of one run, in milliseconds, with the other side's figure, or with the target in its unit."""

    what: str
    ours: float
    theirs: float | None = None
    target: str = ""
    floor: float | None = None


def shown(rows: list[Row]) -> list[str]:
    """Return a line of the table: the median of all runs, with the least and the greatest."""
    ours = [row.ours for row in rows]
    theirs = [row.theirs for row in rows if row.theirs is not None]
    ratios = [row.theirs / row.ours for row in rows if row.theirs is not None]
    floors = [row.floor for row in rows if row.floor is not None]
    figures = [spread(ours, 1), spread(floors, 1), spread(theirs, 1), spread(ratios, 1, "x")]
    return [rows[0].what, *figures, rows[0].target]


def spread(values: list[float], digits: int, unit: str = "") -> str:
    """Return the median, and the extremes if there are several values; empty without values."""
    if not values:
        return ""
    low, middle, high = (
        f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values))
    )
    return f"{middle}{unit}" + (f" ({low}..{high})" if len(values) > 1 else "")


class Bench:
    """The common parts of all benchmarks."""

    def __init__(self, place: Workplace, version: str, bindir: Path, pairs: int) -> None:
        self.place = place
        self.version = version
        self.bindir = bindir
        self.pairs = pairs
        self.floor: dict[str, float] = {}
        """The minimum work of any fixture in the current run, in milliseconds."""
        self._warm: set[str] = set()

    def ours(self, tests: int, before: str = "", after: str = "") -> Run:
        """Run tests with a fresh database each, using this plugin."""
        suite = before + OURS.format(tests=tests) + after
        return self.place.pytest(suite, f"--pg={self.version}", "-p", "no:postgresql")

    def with_us(self, tests: int) -> Run:
        """Run the tests written for pytest-postgresql on our servers."""
        return self.place.pytest(THEIRS.format(tests=tests), f"--pg={self.version}")

    def theirs(self, tests: int, *arguments: str) -> Run:
        """Run the same tests using pytest-postgresql."""
        program = f"--postgresql-exec={self.bindir / 'pg_ctl'}"
        return self.place.pytest(THEIRS.format(tests=tests), program, "-p", "no:pgfeatures", *arguments)

    def in_memory(self) -> list[str]:
        """Options that keep pytest-postgresql's data directory in memory, as this plugin does if there is room."""
        place = Path("/dev/shm")
        return [f"--basetemp={place / self.place.path.name}"] if place.is_dir() else []

    def taking_turns(self, name: str, *sides: Callable[[], Run], pairs: int | None = None) -> list[list[Run]]:
        """Run all sides in turns, and return the runs of each. The first time, run each side once before that."""
        if name not in self._warm:
            for side in sides:
                side()
            self._warm.add(name)
        runs: list[list[Run]] = [[] for _ in sides]
        for number in range(pairs or self.pairs):
            order = list(enumerate(sides))
            for which, side in order if number % 2 else reversed(order):
                runs[which].append(side())
        return runs


def first_fixture(bench: Bench) -> list[Row]:
    """Time the first test's connection, with a warm store: cluster, database, connection."""
    ours, imported, with_us, theirs, in_memory = bench.taking_turns(
        "first-fixture",
        lambda: bench.ours(1),
        lambda: bench.ours(1, IMPORTED),
        lambda: bench.with_us(1),
        lambda: bench.theirs(1),
        lambda: bench.theirs(1, *bench.in_memory()),
        pairs=max(2, bench.pairs // 2),
    )
    floor = bench.floor.get("first")
    return [
        compare("first fixture ready", _setups(ours), _setups(theirs), 10, floor),
        compare("... where the test's module imports psycopg", _setups(imported), _setups(theirs)),
        compare("... the other side in memory, too", _setups(ours), _setups(in_memory)),
        compare("... a whole pytest process of one test", _seconds(ours), _seconds(theirs)),
        compare(
            "a suite for pytest-postgresql: first fixture", _setups(with_us), _setups(theirs), None, floor
        ),
        compare("... the other side in memory, too", _setups(with_us), _setups(in_memory)),
        compare("... a whole run of one test", _seconds(with_us), _seconds(theirs)),
        compare("... the other side in memory, too", _seconds(with_us), _seconds(in_memory)),
    ]


def database_per_test(bench: Bench) -> list[Row]:
    """Time a fresh database for each test: setup and teardown of all but the first."""
    tests = TESTS + 1
    ours, slow, with_us, theirs, in_memory = bench.taking_turns(
        "database-per-test",
        lambda: bench.ours(tests),
        lambda: bench.ours(tests, after=SLOW),
        lambda: bench.with_us(tests),
        lambda: bench.theirs(tests),
        lambda: bench.theirs(tests, *bench.in_memory()),
        pairs=max(2, bench.pairs // 3),
    )
    floor = bench.floor.get("connection")
    return [
        compare("a fresh database per test: setup + teardown", _around(ours), _around(theirs), 40, floor),
        compare("... the other side in memory, too", _around(ours), _around(in_memory), 10),
        compare("... with the test's own CREATE TABLE AS", _around(ours, "call"), _around(theirs, "call")),
        compare(f"... a whole pytest process of {tests} tests", _seconds(ours), _seconds(theirs)),
        compare("... around tests that take 10 ms", _around(slow), _around(theirs), 40, floor),
        compare("... the other side in memory, too", _around(slow), _around(in_memory), 10),
        compare(
            "a suite for pytest-postgresql, each further test", _around(with_us), _around(theirs), None, floor
        ),
        compare("... the other side in memory, too", _around(with_us), _around(in_memory), 4),
        compare(f"... a whole run of {tests} tests", _seconds(with_us), _seconds(theirs)),
        compare("... the other side in memory, too", _seconds(with_us), _seconds(in_memory)),
    ]


def five_majors(bench: Bench) -> list[Row]:
    """Time servers of 14, 15, 16, 17 and 18 until they are ready, with a database and a connection each."""
    (runs,) = bench.taking_turns(
        "five-majors",
        lambda: bench.place.pytest(OURS.format(tests=1), f"--pg={MAJORS}", "-p", "no:postgresql"),
    )
    sums = [sum(run.durations("setup")) for run in runs]
    return [Row("five majors ready", milliseconds(sums), target="1000")]


def floors(bench: Bench) -> list[Row]:
    """Time the minimum work of any fixture, in the same run: the parts of the first, and of each further one."""
    (runs,) = bench.taking_turns(
        "floors", lambda: bench.place.pytest(FLOORS, f"--pg={bench.version}", "-p", "no:postgresql")
    )
    python, imported, server, connection = zip(*(run.durations("call") for run in runs), strict=True)
    taken = milliseconds([more - less for more, less in zip(imported, python, strict=True)])
    started, connected = milliseconds(list(server)), milliseconds(list(connection))
    bench.floor = {"connection": connected, "first": max(taken, started) + connected}
    return [
        Row("floor: import psycopg, in a Python of its own", taken),
        Row("floor: start of a server whose directory is there", started),
        Row("floor: a connection to a database that had one before", connected),
    ]


def unused(bench: Bench) -> list[Row]:
    """Return the time that the plugin adds to a pytest run in which no test uses it."""
    alone = ["-p", "no:postgresql", "-p", "no:hypothesispytest", "-p", "no:xdist"]
    with_us, without = bench.taking_turns(
        "unused",
        lambda: bench.place.pytest(NOTHING, *alone),
        lambda: bench.place.pytest(NOTHING, *alone, "-p", "no:pgfeatures"),
        pairs=2 * bench.pairs,
    )
    differences = [a.seconds - b.seconds for a, b in zip(with_us, without, strict=True)]
    return [
        Row(
            "pytest with the plugin unused", milliseconds(_seconds(with_us)), milliseconds(_seconds(without))
        ),
        Row("... the median of the differences", milliseconds(differences), target="15"),
    ]


def killed(bench: Bench) -> list[Row]:
    """Return the time from kill -9 of a run with two servers until the servers and their files are gone."""
    seconds = [bench.place.killed(BUSY, f"--pg={bench.version}") for _ in range(bench.pairs)]
    return [
        Row("kill -9 of a run with two servers: all gone after", milliseconds(seconds)),
        Row("... at the most", 1000 * max(seconds), target="2000"),
    ]


def _around(runs: list[Run], *more: str) -> list[float]:
    """Return the times of setup, teardown and ``more`` phases, for all tests but each run's first."""
    return [seconds for run in runs for seconds in run.durations("setup", "teardown", *more)[1:]]


def _setups(runs: list[Run]) -> list[float]:
    return [run.durations("setup")[0] for run in runs]


def _seconds(runs: list[Run]) -> list[float]:
    return [run.seconds for run in runs]


def compare(
    what: str,
    ours: list[float],
    theirs: list[float],
    target: float | None = None,
    floor: float | None = None,
) -> Row:
    """Return a row with the medians of both sides."""
    return Row(what, milliseconds(ours), milliseconds(theirs), f"{target}x" if target else "", floor)


def milliseconds(seconds: list[float]) -> float:
    """Return the median in milliseconds."""
    return 1000 * statistics.median(seconds)


BENCHMARKS: dict[str, Callable[[Bench], list[Row]]] = {
    "floors": floors,  # the others show them
    "first-fixture": first_fixture,
    "database-per-test": database_per_test,
    "five-majors": five_majors,
    "unused": unused,
    "killed": killed,
}

if __name__ == "__main__":
    sys.exit(main())
