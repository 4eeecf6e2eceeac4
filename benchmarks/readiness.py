"""The time that ``readiness`` takes from 14 to 18, and the memory that a large log takes.

``python -m benchmarks.readiness [--log MEGABYTES]``: a schema of 300 tables, views and functions with 1,000
statements; 10,000 statements parsed by both; a log in stderr's format, read by a separate process.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pytest_pgfeatures.readiness.run import readiness

PAIR = {"old": "14", "new": "18"}
OBJECTS = (
    "CREATE TABLE t{n} (id int PRIMARY KEY, name text NOT NULL, price numeric CHECK (price > 0),"
    " made timestamptz);",
    "CREATE VIEW v{n} AS SELECT id, name, extract(year FROM made) AS year FROM t{n} WHERE price > 3;",
    "CREATE FUNCTION f{n}(wanted int) RETURNS text LANGUAGE plpgsql AS"
    " $$BEGIN RETURN (SELECT name FROM t{n} WHERE id = wanted); END$$;",
)
TABLES = 100
STATEMENT = (
    "SELECT t.id, t.name, v.year, count(*) OVER () FROM t{n} t JOIN v{m} v USING (id)"
    " WHERE t.price > {k} AND t.made < now() - %s::interval ORDER BY 1, 2;\n"
)
LINE = (
    "2024-01-01 12:00:00.000 UTC [{k}] LOG:  duration: 0.104 ms  execute <unnamed>: SELECT name, price\n"
    "\tFROM t{n}\n\tWHERE id = {k} AND name = 'number {k}'\n"
)


def write(directory: Path, count: int) -> dict[str, object]:
    """Write a schema, and ``count`` statements. Return the options to read them."""
    schema, queries = directory / "schema.sql", directory / f"{count}.sql"
    schema.write_text("\n".join(form.format(n=n) for n in range(TABLES) for form in OBJECTS))
    queries.write_text("".join(STATEMENT.format(n=k % TABLES, m=k * 7 % TABLES, k=k) for k in range(count)))
    return {"schema": [schema], "queries": [queries]}


def measure(directory: Path, count: int, stages: list[str]) -> None:
    """Run once and print the times."""
    given = write(directory, count)
    begun = time.perf_counter()
    found = readiness(**PAIR, **given, stages=stages)
    ended = time.perf_counter() - begun
    told = ", ".join(f"{run.stage} {run.seconds:.1f} s" for run in found.runs)
    print(f"{3 * TABLES} objects, {count} statements: {ended:.1f} s ({told})")


def measure_log(directory: Path, megabytes: int) -> None:
    """Read a log, and print the time and the most memory that a process took for it."""
    path = directory / "server.log"
    with path.open("w") as file:
        size = number = 0
        while size < megabytes << 20:
            size += file.write(
                "".join(LINE.format(n=k % TABLES, k=k) for k in range(number, number + 10_000))
            )
            number += 10_000
    program = (
        "import sys; from pathlib import Path; from pytest_pgfeatures.readiness.inputs.logs import read_log;"
        "print(sum(1 for _ in read_log(Path(sys.argv[1]), 'server.log', [])))"
    )
    begun = time.perf_counter()
    ended = subprocess.run([sys.executable, "-c", program, path], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"a log of {size >> 20} MB with {number} statements, {ended.stdout.strip()} of them different:"
        f" {seconds:.1f} s, {most:.0f} MB of memory"
    )


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", type=int, default=1024, metavar="MEGABYTES")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        measure_log(directory, options.log)
        measure(directory, 1000, ["settings", "schema", "queries", "incompatibilities"])
        measure(directory, 10_000, ["queries"])


if __name__ == "__main__":
    main()
