"""The whole atlas as ``make verify`` runs it, with a warm store: seconds, and the processors' load.

    python -m benchmarks.atlas

Run it on a quiet machine. The floor is the time that the same work would take if the processors never waited.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import written

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
TARGET = 70
"""Seconds, on two processors."""


def main() -> None:
    """Measure on the versions named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.atlas", description=__doc__)
    parser.add_argument("--pg", default="14..18", help="versions (default: %(default)s)")
    parser.add_argument(
        "--workers", default=["auto"], nargs="+", help="numbers for -n, in turns (default: auto)"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=5,
        help="runs of each number, after one that is not measured (default: %(default)s)",
    )
    written.add_option(parser)
    arguments = parser.parse_args()
    taken: dict[str, list[tuple[float, float]]] = {workers: [] for workers in arguments.workers}
    for run in range(arguments.runs + 1):
        for workers, times in taken.items():
            measured = once(arguments.pg, workers)
            print(f"run {run} with -n {workers}: {measured[0]:.0f} s", file=sys.stderr, flush=True)
            if run:  # the first run fetches installs and creates templates
                times.append(measured)
    processors = len(os.sched_getaffinity(0))
    rows = []
    for workers, times in taken.items():
        seconds = sorted(wall for wall, _ in times)
        work = statistics.median(busy for _, busy in times)
        ends = f"{seconds[0]:.0f}..{seconds[-1]:.0f}"
        middle = f"{statistics.median(seconds):.0f}"
        rows.append([workers, middle, ends, f"{work:.0f}", f"{work / processors:.0f}", str(TARGET)])
    written.show(
        "atlas",
        ["-n", "seconds: median", "of all runs", "processors' work", "floor", "target"],
        rows,
        about=f"{arguments.pg}, {arguments.runs} runs",
        page=arguments.write,
    )


def once(pg: str, workers: str) -> tuple[float, float]:
    """Return the seconds of a run, and the seconds of all processors in all its processes."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [PGFEATURES, "verify", "--pg", pg, "-n", workers, "--dist", "loadgroup"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
