"""The time of each verb's help, and of ``delta``, for which no server needs to run.

    python -m benchmarks.verbs

The floor is the start of Python with the import of the library that reads command lines.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks import written

PGFEATURES = str(Path(sys.executable).with_name("pgfeatures"))
TARGET_OF_HELP = 150
TARGET_OF_DELTA = 300


def main() -> None:
    """Measure all verbs in turns."""
    from pytest_pgfeatures.cli.main import pgfeatures

    parser = argparse.ArgumentParser(prog="python -m benchmarks.verbs", description=__doc__)
    parser.add_argument("--turns", type=int, default=15, help="runs of each command (default: %(default)s)")
    written.add_option(parser)
    arguments = parser.parse_args()
    turns = arguments.turns
    commands: dict[str, list[str]] = {
        "floor": [sys.executable, "-c", "import click"],
        "pgfeatures --help": [PGFEATURES, "--help"],
    }
    commands |= {
        f"pgfeatures {verb} --help": [PGFEATURES, verb, "--help"] for verb in pgfeatures.list_commands(None)
    }
    commands["pgfeatures delta 9.3 19"] = [PGFEATURES, "delta", "9.3", "19"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    times: dict[str, list[float]] = {shown: [] for shown in commands}
    for turn in range(turns + 1):
        for shown, command in commands.items():
            begun = time.perf_counter()
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            if turn:  # the first turn writes bytecode
                times[shown].append(1000 * (time.perf_counter() - begun))
    rows = []
    floor = statistics.median(times["floor"])
    for shown, taken in times.items():
        low, middle, high = statistics.quantiles(taken, n=4)
        target = TARGET_OF_DELTA if "delta 9" in shown else TARGET_OF_HELP
        over = ["", ""] if shown == "floor" else [f"{middle - floor:.0f}", str(target)]
        rows.append([shown, f"{middle:.0f} ({low:.0f}..{high:.0f})", *over])
    written.show(
        "verbs",
        ["milliseconds", "median (quartiles)", "over the floor", "target"],
        rows,
        about=f"{turns} turns",
        page=arguments.write,
    )


if __name__ == "__main__":
    main()
