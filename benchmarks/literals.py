"""Literals a second: ``evaluate`` against one round trip for each literal, on the same server in turns.

    python -m benchmarks.literals --pg 14,16

It also measures how many literals the model reads per second, without a server. The target is for an idle machine:
it applies to the processor time of client and server in ``evaluate`` (the server's is known on Linux only).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from devtools.conformance.subjects import LITERALS, subject
from rich.console import Console
from rich.table import Table

from pytest_pgfeatures.errors import LiteralError
from pytest_pgfeatures.literals import evaluate, read_numeric
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pgfeatures.version import PgVersion

BATCH = 20_000
TARGET = 50_000
ALONE = 1_000
"""The number of texts that are sent one by one, in each turn."""


def main() -> None:
    """Measure on the versions named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.literals", description=__doc__)
    parser.add_argument("--pg", default="14,16", help="versions (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=7, help="turns of each side (default: %(default)s)")
    arguments = parser.parse_args()
    table = Table(
        "literals a second: median", "evaluate", "one by one", "ratio", "model", "by processor time", "target"
    )
    with Workbench(arguments.pg) as workbench:
        for cell in workbench.cells:
            cluster = workbench.cluster(cell)
            with cluster.connect(dbname="postgres") as connection:
                for name, texts in inputs().items():
                    table.add_row(*measure(connection, cluster.version, name, texts, arguments.turns))
            cluster.stop("immediate")
    console = Console(highlight=False, width=130)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; target: {TARGET:,} a second")
    console.print(table)


def inputs() -> dict[str, list[str]]:
    """Return texts of one kind, and the mixture of `make literals`."""
    mixed = [text for _, text in subject(LITERALS).texts(1, 0, BATCH) if len(text) < 1000]
    return {
        "integers": [str(number) for number in range(BATCH)],
        "fractions": [f"{number}.5e1" for number in range(BATCH)],
        "hexadecimal": [f"0x{number:x}" for number in range(BATCH)],
        "trailing junk": [f"{number}abc" for number in range(BATCH)],
        "a mixture": mixed,
    }


def measure(
    connection: psycopg.Connection, version: PgVersion, name: str, texts: Sequence[str], turns: int
) -> tuple[str, ...]:
    """Return a row of the table: the medians of both sides, which take turns."""
    evaluate(connection, texts[:100])
    together, alone, model, busy = [], [], [], []
    for _ in range(turns):
        before = processor_seconds(connection)
        together.append(rate(lambda: evaluate(connection, texts), len(texts)))
        busy.append(len(texts) / (processor_seconds(connection) - before))
        alone.append(rate(lambda: one_by_one(connection, texts[:ALONE]), ALONE))
        model.append(rate(lambda: read_all(texts[:ALONE], version), ALONE))
    ours, theirs = statistics.median(together), statistics.median(alone)
    what = f"{version}: {name}"
    fast = statistics.median(busy)
    return (
        what,
        f"{ours:,.0f}",
        f"{theirs:,.0f}",
        f"{ours / theirs:.1f}x",
        f"{statistics.median(model):,.0f}",
        f"{fast:,.0f}",
        "met" if fast >= TARGET else "missed",
    )


def processor_seconds(connection: psycopg.Connection) -> float:
    """Return the processor time of this process and of a connection's server process so far."""
    scheduled = Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()
    return time.process_time() + int(scheduled[0]) / 1e9


def one_by_one(connection: psycopg.Connection, texts: Sequence[str]) -> None:
    """Make one round trip per literal, as a user would without this library."""
    for text in texts:
        try:
            connection.execute(f"SELECT {text}".encode(), prepare=False).fetchall()
        except psycopg.Error:
            continue


def read_all(texts: Sequence[str], version: PgVersion) -> None:
    """Run the model's side."""
    for text in texts:
        with contextlib.suppress(LiteralError):  # texts that the model rejects take time, too
            read_numeric(text, version)


def rate(action: Callable[[], object], count: int) -> float:
    """Return the number per second."""
    started = time.perf_counter()
    action()
    return count / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
