"""``python -m torture``: a small sample of it, and that what goes wrong is seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from torture.checks import CHECKS

from torture import lanes

TOP = Path(__file__).parents[2]
SAMPLE = (
    *("kill: process group", "kill: supervisor just after fork", "kill: backend"),
    *("installs: flipped", "libpq: variables of a session", "disks of"),
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")


@pytest.mark.thorough
def test_a_small_sample_finds_nothing() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "torture", "--share", "0.001", *SAMPLE],
        cwd=TOP,
        env=os.environ | {"COLUMNS": "200", "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    rows = [line for line in ended.stdout.splitlines() if line.startswith("│")]
    names = [name for name in CHECKS if any(part in name for part in SAMPLE)]
    assert len(rows) == len(names) == len(SAMPLE)
    for name, row in zip(names, rows, strict=True):
        shown, attempts, failures, _ = (cell.strip() for cell in row.strip("│").split("│"))
        assert shown == name
        assert failures == "0" or (attempts, failures[:13]) == ("0", "unavailable: ")


def test_the_list_names_each_check_once() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "torture", "--list"], cwd=TOP, capture_output=True, text=True, check=True
    )
    assert [line.split(maxsplit=1)[1] for line in ended.stdout.splitlines()] == list(CHECKS)


def test_attempts_are_divided_and_what_is_long_begins_first() -> None:
    turns = lanes._in_turns({"a": 25, "b": 3}, {"a": 10, "b": 10})
    assert turns == [("a", 10), ("b", 3), ("a", 10), ("a", 5)]


def alone(program: str, *arguments: str) -> str:
    """What a program prints that forks, as one with pytest-xdist's threads must not."""
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=TOP,
        env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


LEFT = """
import os, time
from torture.forked import Forked
from torture.place import place
with place() as where:
    (where.runs / "pytest-pgfeatures-1" / "0a1b2c3d").mkdir(parents=True)
    idle = Forked(lambda: time.sleep(600), where.path, dict(os.environ), where.path / "output")
    until = time.monotonic() + 60  # it takes a moment to get to its directory
    while f"process {idle.pid}:" not in str(where.left(timeout=0)) and time.monotonic() < until:
        time.sleep(0.01)
    print(idle.pid, *where.left(timeout=0), sep="\\n")
    idle.kill()
    print(idle.wait())
"""


def test_what_is_left_is_seen() -> None:
    pid, *left, status = alone(LEFT).splitlines()
    assert any(line.startswith(f"process {pid}: ") for line in left), left
    assert any(line.endswith("/run/pytest-pgfeatures-1/0a1b2c3d") for line in left), left
    assert status == "-9"


SAID = """
import sys
from torture.place import place
from torture.said import problems_of
for test in sys.argv[1:]:
    with place() as where:
        where.write(test)
        print("; ".join(problems_of(where, where.start())).replace(chr(10), " "))
"""


def test_a_run_that_does_not_say_what_to_do_is_seen() -> None:
    tests = ("pass", "raise RuntimeError('what to do: nothing')", "assert False")
    passed, raised, failed = alone(SAID, *(f"def test_it(): {test}\n" for test in tests)).splitlines()
    assert passed == ""
    assert "printed 'E   RuntimeError:" in raised
    assert "printed no remedy" in failed
