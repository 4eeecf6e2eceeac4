"""The time of ``pgfeatures readiness`` from 14 to 18, against the start of two servers, in turns.

    python -m benchmarks.readiness [--large]

The smallest application is a table and a query; the other one has 100 tables, 100 views and 100 functions, and
1,000 statements. Each run is a process, as a user starts it. The floor is a process that starts a server of each
version, side by side, and connects to both; that of the first line, one that reads a command line.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import written

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
OLD, NEW = "14", "18"
OBJECTS = (
    "CREATE TABLE t{n} (id int PRIMARY KEY, name text NOT NULL, price numeric CHECK (price > 0),"
    " made timestamptz);",
    "CREATE VIEW v{n} AS SELECT id, name, extract(year FROM made) AS year FROM t{n} WHERE price > 3;",
    "CREATE FUNCTION f{n}(wanted int) RETURNS text LANGUAGE plpgsql AS"
    " $$BEGIN RETURN (SELECT name FROM t{n} WHERE id = wanted); END$$;",
)
STATEMENT = (
    "SELECT t.id, t.name, v.year, count(*) OVER () FROM t{n} t JOIN v{m} v USING (id)"
    " WHERE t.price > {k} AND t.made < now() - %s::interval ORDER BY 1, 2;\n"
)
LINE = (
    "2024-01-01 12:00:00.000 UTC [{k}] LOG:  duration: 0.104 ms  execute <unnamed>: SELECT name, price\n"
    "\tFROM t{n}\n\tWHERE id = {k} AND name = 'number {k}'\n"
)
SERVERS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pytest_pgfeatures.server.guarded import GUARDED
from pytest_pgfeatures.workbench import Workbench

def start(version):
    resolver = workbench.resolver
    cluster = workbench.clusters.create(resolver.resolve(resolver.cell(version).request), **GUARDED)
    cluster.connect().close()

with Workbench() as workbench, ThreadPoolExecutor(2) as pool:
    list(pool.map(start, sys.argv[1:]))
"""
SERVERS_FLOOR, LINE_FLOOR = "floor: two servers and two connections", "floor: import click"
SMALLEST, USUAL = "the smallest application", "300 objects, 1,000 statements"
FIRST_LINE = "... the first line of progress"


class Row(NamedTuple):
    """A line of the table: the floor that its ratio is of, and the target in seconds."""

    floor: str
    target: str


ROWS = {SMALLEST: Row(SERVERS_FLOOR, "3"), USUAL: Row(SERVERS_FLOOR, "8"), FIRST_LINE: Row(LINE_FLOOR, "1")}


class Taken(NamedTuple):
    """The seconds of a process, until its end and until its first line on stderr, and of all processors for it."""

    seconds: float
    first_line: float
    work: float


def main() -> None:
    """Measure all sides in turns."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readiness", description=__doc__)
    parser.add_argument("--turns", type=int, default=12, help="runs of each side (default: %(default)s)")
    parser.add_argument(
        "--large", action="store_true", help="measure 10,000 statements and a log of 300 MB, too"
    )
    written.add_option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        sides = {
            LINE_FLOOR: [sys.executable, "-c", "import click"],
            SERVERS_FLOOR: [sys.executable, "-c", SERVERS, OLD, NEW],
            SMALLEST: command(directory / "smallest", 1, 1),
            USUAL: command(directory / "usual", 100, 1000),
        }
        taken: dict[str, list[Taken]] = {side: [] for side in sides}
        for turn in range(arguments.turns + 1):
            for side, words in sides.items():
                measured = run(words)
                if turn:  # the first turn fetches installs and creates templates
                    taken[side].append(measured)
        written.show(
            "readiness",
            ["seconds", "median (quartiles)", "processors' work", "ratio", "target"],
            shown(taken),
            about=f"{OLD} to {NEW}, {arguments.turns} turns",
            page=arguments.write,
        )
        if arguments.large:
            measured = run([*command(directory / "large", 100, 10_000), "--stage", "queries"])
            print(f"10,000 statements parsed by both: {measured.seconds:.1f} s")
            measure_log(directory, 300)


def command(directory: Path, tables: int, statements: int) -> list[str]:
    """Write an application, and return the command that looks at it. The smallest one has only a table."""
    directory.mkdir()
    schema, queries = directory / "schema.sql", directory / "queries.sql"
    objects = OBJECTS if tables > 1 else OBJECTS[:1]
    form = STATEMENT if tables > 1 else "SELECT name FROM t{n} WHERE id = $1;\n"
    schema.write_text("\n".join(each.format(n=n) for n in range(tables) for each in objects))
    queries.write_text("".join(form.format(n=k % tables, m=k * 7 % tables, k=k) for k in range(statements)))
    versions = ["--from", OLD, "--to", NEW]
    return [PGFEATURES, "readiness", *versions, "--schema", str(schema), "--queries", str(queries)]


def run(words: list[str]) -> Taken:
    """Run a process, which may have findings."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        first_line = time.perf_counter() - begun
        said = first + process.stderr.read()
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in (0, 1):
        raise SystemExit(said.decode(errors="replace"))
    return Taken(seconds, first_line, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def shown(taken: dict[str, list[Taken]]) -> list[list[str]]:
    """Return the lines of the table. A ratio is the median of the ratios of each turn."""
    times = {side: [each.seconds for each in runs] for side, runs in taken.items()}
    times[FIRST_LINE] = [each.first_line for each in taken[USUAL]]
    rows = []
    for side, seconds in times.items():
        low, middle, high = statistics.quantiles(seconds, n=4)
        work = f"{statistics.median(each.work for each in taken[side]):.2f}" if side in taken else ""
        beside = ["", ""]
        if side in ROWS:
            ratios = [one / other for one, other in zip(seconds, times[ROWS[side].floor], strict=True)]
            beside = [f"{statistics.median(ratios):.1f}x", ROWS[side].target]
        rows.append([side, f"{middle:.2f} ({low:.2f}..{high:.2f})", work, *beside])
    return rows


def measure_log(directory: Path, megabytes: int) -> None:
    """Read a log, and print the time and the most memory that a process took for it."""
    path = directory / "server.log"
    with path.open("w") as file:
        size = number = 0
        while size < megabytes << 20:
            lines = (LINE.format(n=k % 100, k=k) for k in range(number, number + 10_000))
            size += file.write("".join(lines))
            number += 10_000
    program = (
        "import resource, sys; from pathlib import Path;"
        "from pytest_pgfeatures.readiness.inputs.queries import read_log;"
        "print(sum(1 for _ in read_log(Path(sys.argv[1]), 'server.log', [])),"
        " resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)"
    )
    begun = time.perf_counter()
    ended = subprocess.run([sys.executable, "-c", program, path], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    different, memory = ended.stdout.split()
    print(
        f"a log of {size >> 20} MB with {number} statements, {different} of them different:"
        f" {seconds:.1f} s, {memory} MB of memory"
    )


if __name__ == "__main__":
    main()
