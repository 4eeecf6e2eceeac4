"""Reading and rendering plans, with ``json.loads`` of the same plans as the lower bound; all sides take turns.

    python -m benchmarks.plans --pg 18

The plans are those of the queries in tests/plan/queries/, with and without ANALYZE and VERBOSE.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from pytest_pgfeatures.plan import parse_plan, render
from pytest_pgfeatures.plan.parse import plan_from_json
from pytest_pgfeatures.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import psycopg

QUERIES = Path(__file__).parents[1] / "tests/plan/queries"
OPTIONS = ("", "VERBOSE", "ANALYZE", "ANALYZE, VERBOSE")
TARGET = 5.0
"""The largest accepted multiple of the floor."""
LARGE = 10_000_000
"""The length in characters of the large text, which must be read within three seconds."""


def main() -> None:
    """Measure on plans of the version named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans", description=__doc__)
    parser.add_argument("--pg", default="latest", help="the server's version (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=25, help="turns of each side (default: %(default)s)")
    arguments = parser.parse_args()
    with Workbench(arguments.pg) as workbench:
        cluster = workbench.cluster()
        with cluster.connect(dbname="postgres", autocommit=True) as connection:
            pairs = list(plans(connection))
    console = Console(highlight=False, width=110)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; PostgreSQL {cluster.version}")
    console.print(measured(pairs, arguments.turns))
    console.print(large(pairs))


def plans(connection: psycopg.Connection) -> Iterator[tuple[str, str]]:
    """Return each plan in FORMAT JSON and FORMAT TEXT."""
    for name in ("schema", "partitions"):
        connection.execute((QUERIES / f"{name}.sql").read_bytes())
    connection.execute("VACUUM ANALYZE")
    for path in sorted(QUERIES.glob("*.sql")):
        if path.stem in ("schema", "partitions"):
            continue
        for query in path.read_text().split(";\n"):
            for options in OPTIONS:
                in_json, in_text = (explained(connection, query, options, form) for form in ("JSON", "TEXT"))
                if is_json(in_json):
                    yield in_json, in_text


def is_json(text: str) -> bool:
    """Whether ``json.loads`` can read it: for some MERGE statements the server's output is not valid JSON."""
    try:
        return bool(json.loads(text))
    except json.JSONDecodeError:
        return False


def explained(connection: psycopg.Connection, query: str, options: str, form: str) -> str:
    """Return the output of EXPLAIN, and roll back its effects."""
    words = ", ".join(filter(None, (options, f"FORMAT {form}")))
    with connection.transaction(force_rollback=True):
        result = connection.pgconn.exec_(f"EXPLAIN ({words}) {query}".encode())
    return "\n".join((result.get_value(row, 0) or b"").decode() for row in range(result.ntuples))


def measured(pairs: list[tuple[str, str]], turns: int) -> Table:
    """Print microseconds per plan, and the ratio to the lower bound."""
    parsed = [parse_plan(text) for text, _ in pairs]
    sides: dict[str, Callable[[], object]] = {
        "json.loads": lambda: [json.loads(text) for text, _ in pairs],
        "parse_plan of JSON": lambda: [parse_plan(text) for text, _ in pairs],
        "parse_plan of TEXT": lambda: [parse_plan(text) for _, text in pairs],
        "render": lambda: [render(plan) for plan in parsed],
        "parse_plan of JSON, and render": lambda: [render(plan_from_json(text)) for text, _ in pairs],
    }
    spent: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(turns):
        for name, side in sides.items():
            started = time.process_time()
            side()
            spent[name].append(time.process_time() - started)
    nodes = sum(len(plan) for plan in parsed)
    table = Table(
        f"{len(pairs)} plans of {nodes} nodes",
        "microseconds of processor time a plan: median",
        "ratio",
        "target",
    )
    floor = statistics.median(spent["json.loads"])
    for name, seconds in spent.items():
        middle = statistics.median(seconds)
        ratio = statistics.median(
            here / there for here, there in zip(seconds, spent["json.loads"], strict=True)
        )
        met = "" if middle is floor else f"{TARGET:g}x: {'met' if ratio <= TARGET else 'missed'}"
        table.add_row(name, f"{middle / len(pairs) * 1e6:.1f}", f"{ratio:.2f}x", met)
    return table


def large(pairs: list[tuple[str, str]]) -> str:
    """Print the times for a text of many plans, and for one plan with as many nodes."""
    rows = "".join(f" QUERY PLAN\n------------\n{text}\n(9 rows)\n\n" for _, text in pairs)
    many = rows * (LARGE // len(rows) + 1)
    leaf = "  ->  Seq Scan on t  (cost=0.00..35.50 rows=2550 width=4)\n        Filter: (a > 3)\n"
    one = "Append  (cost=0.00..1.00 rows=1 width=4)\n" + leaf * (LARGE // len(leaf))
    said = []
    for what, text in (("many plans", many), ("one plan", one)):
        started = time.process_time()
        count = len(parse_plan(text))
        seconds = time.process_time() - started
        said.append(
            f"{len(text) / 1e6:.1f} MB of TEXT, {what}, {count} nodes: {seconds:.2f} s of CPU (target: 3 s)"
        )
    return "\n".join(said)


if __name__ == "__main__":
    main()
