"""The time that the installed plugin adds to a pytest run that needs no server: without and with all extras.

    python -m benchmarks.start [--against COMMIT]

Each side has its own virtual environment, with the same release of pytest. A run collects and runs one empty test;
all sides take turns. Two tables: Python may write bytecode, as on users' machines, or not, as in most containers
(PYTHONDONTWRITEBYTECODE). pytest alone is the floor. With ``--against``, an earlier commit is a side, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import written

TOP = Path(__file__).parents[1]
SIDES = {
    "pytest alone": "",
    "pip install pytest-pgfeatures": ".",
    "pip install pytest-pgfeatures[all]": ".[all]",
}
TARGETS = {"with": "10", "without": "15"}


def main() -> None:
    """Create the environments and measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.start", description=__doc__)
    parser.add_argument("--turns", type=int, default=40, help="runs of each side (default: %(default)s)")
    parser.add_argument(
        "--against", metavar="COMMIT", help="an earlier state to compare with, such as 5bd6d6b"
    )
    written.add_option(parser)
    arguments = parser.parse_args()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PG", "PYTHON", "PYTEST"))
    }
    place = Path(tempfile.mkdtemp(prefix="pgfeatures-start-"))
    try:
        (place / "test_it.py").write_text("def test_it(): pass\n")
        sides = {side: what and f"{TOP}{what.removeprefix('.')}" for side, what in SIDES.items()}
        if arguments.against:
            sides[f"the same, {arguments.against}"] = str(checked_out(arguments.against, place / "earlier"))
        pythons = {side: make(place / str(number), what) for number, (side, what) in enumerate(sides.items())}
        # First without bytecode: afterwards it is there.
        rows = []
        for mode, variables in (("without", {"PYTHONDONTWRITEBYTECODE": "1"}), ("with", {})):
            rows += shown(mode, measure(pythons, place, environment | variables, arguments.turns))
        written.show(
            "start",
            ["milliseconds", "bytecode", "median (quartiles)", "more, in its turns", "ratio", "target"],
            rows,
            about=f"{arguments.turns} turns",
            page=arguments.write,
        )
    finally:
        shutil.rmtree(place)


def measure(
    pythons: dict[str, Path], place: Path, environment: dict[str, str], turns: int
) -> dict[str, list[float]]:
    """Return the milliseconds of each side's runs; the sides take turns."""
    times: dict[str, list[float]] = {side: [] for side in pythons}
    for turn in range(turns + 1):
        sides = list(pythons.items())
        for side, python in sides if turn % 2 else reversed(sides):
            begun = time.perf_counter()
            command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
            subprocess.run(command, cwd=place, env=environment, check=True, stdout=subprocess.DEVNULL)
            if turn:  # the first turn writes bytecode
                times[side].append(1000 * (time.perf_counter() - begun))
    return times


def checked_out(commit: str, place: Path) -> Path:
    """Return a copy of this project at a commit."""
    place.mkdir()
    archive = subprocess.run(["git", "archive", commit], cwd=TOP, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x"], cwd=place, input=archive, check=True)
    return place


def make(place: Path, what: str) -> Path:
    """Return the Python of a virtual environment with our release of pytest, and this project if requested."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(place), "install", "--quiet"]
    packages = ["pytest<9.2", *([what] if what else [])]
    subprocess.run([*pip, *packages], check=True)
    return place / "bin" / "python"


def shown(mode: str, times: dict[str, list[float]]) -> list[list[str]]:
    """Yield a line for each side: medians, and the time that it took beyond pytest alone in its turns."""
    rows = []
    alone = times["pytest alone"]
    for side, taken in times.items():
        low, middle, high = statistics.quantiles(taken, n=4)
        more = statistics.median(one - other for one, other in zip(taken, alone, strict=True))
        ratio = statistics.median(one / other for one, other in zip(taken, alone, strict=True))
        times_shown = f"{middle:.1f} ({low:.1f}..{high:.1f})"
        target = TARGETS[mode] if side == "pip install pytest-pgfeatures" else ""
        rows.append([side, mode, times_shown, f"{more:.1f}", f"{ratio:.2f}", target])
    return rows


if __name__ == "__main__":
    main()
