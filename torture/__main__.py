"""Reproduce the failures of users' machines and print a table. The exit status is 0 only if no check failed.

    python -m torture --share 0.01 kill

Checks that can't run on this machine are shown as unavailable, with the reason.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from torture import lanes, namespaces, wheels

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.lanes import Tally


def main() -> int:
    """Run the checks and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m torture", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of a check's name (default: all)")
    parser.add_argument(
        "--share", type=float, default=1.0, help="of each check's attempts, at least one (default: all)"
    )
    parser.add_argument("--list", action="store_true", help="show the checks and their attempts, and end")
    parser.add_argument(lanes.LANE, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    from torture.checks import CHECKS  # a slow import; by now a lane is in its namespaces

    if arguments.lane:
        lanes.serve(CHECKS)
        return 0
    chosen = {
        name: math.ceil(check.attempts * arguments.share)
        for name, check in CHECKS.items()
        if not arguments.names or any(part in name for part in arguments.names)
    }
    if arguments.list:
        for name, attempts in chosen.items():
            print(f"{attempts:7} {name}")
        return 0
    console = Console(highlight=False)
    begun = time.monotonic()
    with wheels.prepared():
        # without namespaces, lanes would see each other's kernel objects
        count = 2 * (os.cpu_count() or 1) if namespaces.prefix() else 1
        units = sum(math.ceil(attempts / CHECKS[name].unit) for name, attempts in chosen.items())
        count = max(1, min(count, units // 3))  # a lane takes a second or two to start
        tallies = lanes.run_in_lanes(
            chosen, {name: CHECKS[name].unit for name in chosen}, count, _teller(console)
        )
    console.print(_table(tallies))
    console.print(
        f"{time.monotonic() - begun:.0f} s, {os.cpu_count()} cores, {count} lanes, user {os.geteuid()}, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    done = all(tally.missing or tally.attempts == chosen[tally.name] for tally in tallies)
    if not done:
        console.print("interrupted")
    return 0 if done and not any(tally.failures for tally in tallies) else 1


def _teller(console: Console) -> Callable[[Tally], None]:
    """Print each new failure immediately, since a run can be interrupted before its table."""
    told: dict[str, int] = {}

    def tell(tally: Tally) -> None:
        for failure in tally.failures[told.get(tally.name, 0) :]:
            console.print(f"{tally.name}: {failure}", markup=False, soft_wrap=True)
        told[tally.name] = len(tally.failures)

    return tell


def _table(tallies: list[Tally]) -> Table:
    table = Table("test", "attempts", "failures", "seconds", title="torture")
    for column in table.columns[1:]:
        column.justify = "right"
    for tally in tallies:
        if tally.missing:
            table.add_row(tally.name, "0", f"unavailable: {tally.missing}", "")
        else:
            style = "red" if tally.failures else ""
            table.add_row(
                tally.name,
                f"{tally.attempts:,}",
                str(len(tally.failures)),
                f"{tally.seconds:.0f}",
                style=style,
            )
    return table


if __name__ == "__main__":
    sys.exit(main())
