"""Run what is named on the command line, by default everything; a table, and status 0 only if nothing failed.

python -m torture [--attempts N] [NAME...]
"""

from __future__ import annotations

import argparse
import sys
import time

from torture import namespaces

namespaces.enter()

from torture import kills, literals, plans, versions  # noqa: E402  (only now: in the namespaces)

MODULES = (kills, literals, plans, versions)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of a check's name")
    parser.add_argument("--attempts", type=int, help="instead of each check's own number")
    arguments = parser.parse_args()
    checks = [
        check
        for module in MODULES
        for check in module.CHECKS
        if not arguments.names or any(name in check.name for name in arguments.names)
    ]
    failed = 0
    for check in checks:
        begun = time.monotonic()
        result = check.measure(arguments.attempts)
        failed += len(result.failures)
        seconds = time.monotonic() - begun
        print(
            f"{result.name:34} {result.attempts:5} attempts {len(result.failures):5} failures {seconds:7.0f} s",
            flush=True,
        )
        for failure in result.failures:
            print(f"    {failure}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
