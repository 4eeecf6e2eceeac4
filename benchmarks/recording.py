"""What the recording of ``readiness --run`` costs a suite: runs with it and without it, in turns.

``python -m benchmarks.recording [--pg 18] [--turns 5] 'pytest tests/'``; without a command, a program that sends
12,000 small statements. Processor time is that of the suite and its server together, with a start of the server. We
read the log later, in "our" time. On a busy machine, only processor time can be compared.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import statistics
import sys
import time

from pytest_pgfeatures.readiness.suite.running import run_suite
from pytest_pgfeatures.workbench import Workbench

SMALL = """
import psycopg
with psycopg.connect("", autocommit=True, prepare_threshold=None) as connection:
    connection.execute("CREATE TABLE t (id int PRIMARY KEY, name text)")
    connection.execute("INSERT INTO t SELECT n, 'x' || n FROM generate_series(1, 1000) n")
    connection.execute("ANALYZE t")
    for n in range(12_000):
        connection.execute("SELECT name FROM t WHERE id = %s", [n % 1000])
"""


def measured(command: str, pg: str, *, recorded: bool) -> tuple[float, float, float, int]:
    """The processor time of a suite and its server, the time by the clock, both with a start of the server, our
    processor time, and the number of statements."""
    begun, ours, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time(), time.monotonic()
    with Workbench() as workbench:
        resolver = workbench.resolver
        run = run_suite(
            command, resolver.resolve(resolver.cell(pg).request), workbench.clusters, recorded=recorded
        )
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.status:
        print(f"status {run.status}: {run.output[-1:]}", file=sys.stderr)
    used = ended.ru_utime - begun.ru_utime + ended.ru_stime - begun.ru_stime
    return used, time.monotonic() - clock, time.process_time() - ours, run.recorded.executions


def main() -> None:
    """Measure, and print medians, and the median of the ratios of the turns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pg", default="18")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument(
        "command", nargs="?", default=f"{shlex.quote(sys.executable)} -c {shlex.quote(SMALL)}"
    )
    arguments = parser.parse_args()
    turns: list[dict[bool, tuple[float, float, float, int]]] = []
    for turn in range(arguments.turns):
        sides = (False, True) if turn % 2 else (True, False)
        turns.append({side: measured(arguments.command, arguments.pg, recorded=side) for side in sides})
        print(
            *(f"{'with' if side else 'without'} {turns[-1][side][0]:.2f} s" for side in (False, True)),
            flush=True,
        )
    middle = {
        side: [statistics.median(turn[side][at] for turn in turns) for at in range(4)]
        for side in (False, True)
    }
    ratio = statistics.median(turn[True][0] / turn[False][0] for turn in turns)
    sent = middle[True][3]
    each = statistics.median(turn[True][0] - turn[False][0] for turn in turns) / max(sent, 1)
    print(
        f"{sent:.0f} statements: processor time {middle[False][0]:.2f} s without, {middle[True][0]:.2f} s with,"
        f" {100 * (ratio - 1):+.1f} %, {1000 * each:.3f} ms a statement; by the clock {middle[False][1]:.2f} and"
        f" {middle[True][1]:.2f} s; ours {middle[False][2]:.2f} and {middle[True][2]:.2f} s; load"
        f" {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
