"""The time that ``pgfeatures run`` adds to a command: the command alone, and on one and five versions, in turns.

    python -m benchmarks.command

The times include everything: starting Python, finding the installs, starting and stopping servers, the table.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
COMMAND = ("true",)
TARGET = 0.3
"""Seconds for each version, with a warm store."""


def main() -> None:
    """Measure on the versions named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.command", description=__doc__)
    parser.add_argument("--pg", default="14,15,16,17,18", help="versions, with commas (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=10, help="turns of each side (default: %(default)s)")
    arguments = parser.parse_args()
    versions = arguments.pg.split(",")
    sides = {
        "the command alone": COMMAND,
        "on one version": (PGFEATURES, "run", "--pg", versions[-1], "--", *COMMAND),
        f"on {len(versions)} versions": (PGFEATURES, "run", "--pg", arguments.pg, "--", *COMMAND),
        f"on {len(versions)} versions, -j 2": (
            PGFEATURES,
            "run",
            "-j2",
            "--pg",
            arguments.pg,
            "--",
            *COMMAND,
        ),
    }
    counts = dict(zip(sides, (1, 1, len(versions), len(versions)), strict=True))
    times: dict[str, list[float]] = {side: [] for side in sides}
    for turn in range(arguments.turns + 1):
        for side, command in sides.items():
            begun = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if turn:  # the first turn creates missing templates
                times[side].append(time.perf_counter() - begun)
    table = Table("seconds: median (quartiles)", "in all", "added for each version", "target")
    alone = statistics.median(times["the command alone"])
    for side, seconds in times.items():
        low, middle, high = statistics.quantiles(seconds, n=4)
        added = (middle - counts[side] * alone) / counts[side]
        what = f"{added:.3f}", f"{TARGET}"
        table.add_row(
            side, f"{middle:.3f} ({low:.3f}..{high:.3f})", *(what if side in list(sides)[1:] else ())
        )
    console = Console(highlight=False, width=110)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()
