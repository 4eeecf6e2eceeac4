"""pytest-xdist: a worker whose controller is gone ends, and its servers with it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes in Linux' /proc")
SECONDS = 60.0
BUSY = """
import pathlib
import pytest

@pytest.mark.parametrize("number", range(2))
def test_it(create_pg, number):
    own = create_pg()
    pathlib.Path(f"here-{number}").touch()
    while True:
        own.sql("SELECT 1")
"""
DEAF = """
import ctypes, pathlib, signal
import pytest

@pytest.mark.parametrize("number", range(2))
def test_it(create_pg, number):
    own = create_pg()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pathlib.Path(f"here-{number}").touch()
    ctypes.PyDLL(None).sleep(1000)  # no other thread runs meanwhile
"""
TOLD = """
import pathlib, signal, time

def test_it(create_pg):
    create_pg()
    signal.signal(signal.SIGINT, lambda *_: pathlib.Path("told").touch())
    pathlib.Path("here-0").touch()
    pathlib.Path("here-1").touch()
    while True:
        time.sleep(1)
"""


def processes_of(place: Path) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (path / "cmdline").read_bytes().decode(errors="replace")
            if str(place) in text or str((path / "cwd").readlink()).startswith(str(place)):
                found.append(f"{path.name}: {text}")
    return found


def start(place: Path, source: str) -> subprocess.Popen[bytes]:
    (place / "test_it.py").write_text(source)
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pg=18", "-n2", "test_it.py"],
        cwd=place,
        env=os.environ | {"PGFEATURES_RUN": str(place / "run")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_tests(place: Path, run: subprocess.Popen[bytes]) -> None:
    def there() -> bool:
        return run.poll() is not None or all((place / f"here-{number}").exists() for number in range(2))

    wait_until(there, "the tests to run", timeout=SECONDS)
    assert run.poll() is None


def kill(run: subprocess.Popen[bytes]) -> None:
    run.send_signal(signal.SIGKILL)
    run.wait()


def left(place: Path) -> Callable[[], tuple[str, ...]]:
    def found() -> tuple[str, ...]:
        runs = (path for path in (place / "run").glob("*/*") if path.is_dir())
        return (*processes_of(place), *map(str, runs))

    return found


@pytest.mark.parametrize("source", [BUSY, DEAF], ids=["busy", "deaf"])
def test_workers_end_with_their_controller(reachable_path: Path, source: str) -> None:
    run = start(reachable_path, source)
    wait_for_tests(reachable_path, run)
    kill(run)
    gone = left(reachable_path)
    wait_until(lambda: not gone(), "the end of all", timeout=SECONDS, details=gone)


@pytest.mark.thorough
def test_workers_end_with_their_controller_at_any_moment(reachable_path: Path) -> None:
    for _ in range(int(os.environ.get("REPETITIONS", "5"))):
        run = start(reachable_path, BUSY)
        time.sleep(random.uniform(0.3, 5))  # what is tested: any point
        kill(run)
        wait_until(
            lambda: not processes_of(reachable_path),
            "the end of all",
            timeout=SECONDS,
            details=lambda: tuple(processes_of(reachable_path)),
        )


def test_a_worker_is_interrupted_before_it_is_killed(reachable_path: Path) -> None:
    run = start(reachable_path, TOLD)
    wait_for_tests(reachable_path, run)
    kill(run)
    gone = left(reachable_path)
    wait_until(lambda: not gone(), "the end of all", timeout=SECONDS, details=gone)
    assert (reachable_path / "told").exists()
