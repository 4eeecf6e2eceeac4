"""Run pytest as an unprivileged user, and read the times from its reports.

pytest-postgresql does not run as root, so neither side does.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.environment import python_for
from pytest_pgfeatures.install import Account

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
CONFTEST = """
import json, pathlib

def pytest_runtest_logreport(report):
    with pathlib.Path("phases").open("a") as file:
        file.write(json.dumps([report.nodeid, report.when, report.duration, report.outcome]) + "\\n")
"""


@dataclass(frozen=True)
class Run:
    """One pytest process: its duration and the duration of each phase of each test, in seconds."""

    seconds: float
    phases: tuple[tuple[str, str, float], ...]

    def durations(self, *phases: str) -> list[float]:
        """Return the total seconds of these phases, for each test."""
        tests: dict[str, float] = {}
        for test, phase, seconds in self.phases:
            if phase in phases:
                tests[test] = tests.get(test, 0.0) + seconds
        return list(tests.values())


class Workplace:
    """A directory for runs, with a separate store that uses the installs of the user's store."""

    def __init__(self, path: Path, bindirs: list[Path], user: str | None, python: Path) -> None:
        self.path = path
        self.python = python
        self.user = user
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PG", "PYTHON", "PYTEST"))
        } | {
            "HOME": str(path),
            "PYTHONPYCACHEPREFIX": str(path / "pycache"),  # that user can't write beside our files
            "TMPDIR": str(path),
            "PGFEATURES_CACHE": str(path / "cache"),
            "PGFEATURES_PATH": os.pathsep.join(str(bindir.parent) for bindir in bindirs),
            "PGFEATURES_OFFLINE": "1",
        }

    def pytest(self, test: str, *arguments: str) -> Run:
        """Run one test file.

        Parameters:
            test: the file's content.
            arguments: pytest's arguments.
        """
        place = Path(tempfile.mkdtemp(dir=self.path))
        (place / "conftest.py").write_text(CONFTEST)
        (place / "test_it.py").write_text(test)
        if self.user is not None:
            for path in (place, *place.iterdir()):
                shutil.chown(path, self.user)
        begun = time.perf_counter()
        ended = subprocess.run(
            [self.python, *PYTEST, *arguments],
            cwd=place,
            **self._as_user,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - begun
        if ended.returncode != 0:
            sys.exit(f"a run failed:\n{ended.stdout}{ended.stderr}")
        lines = [json.loads(line) for line in (place / "phases").read_text().splitlines()]
        shutil.rmtree(place)
        return Run(seconds, tuple((test, phase, duration) for test, phase, duration, _ in lines))

    def killed(self, test: str, *arguments: str) -> float:
        """Start pytest on a file that creates ``here`` and keeps running; then kill it.

        Returns:
            seconds until its run directory, the only one there, is gone.
        """
        place = Path(tempfile.mkdtemp(dir=self.path))
        (place / "test_it.py").write_text(test)
        shutil.chown(place, self.user or os.geteuid())
        run = place / "run"
        as_user = self._as_user | {"env": self.environment | {"PGFEATURES_RUN": str(run)}}
        command = [self.python, *PYTEST, *arguments]
        process = subprocess.Popen(command, cwd=place, **as_user, stdout=subprocess.DEVNULL)
        while not (place / "here").exists():
            if process.poll() is not None:
                sys.exit("the run ended before it was killed")
            time.sleep(0.01)
        begun = time.perf_counter()
        process.kill()
        process.wait()
        (ours,) = run.iterdir()
        while any(path.is_dir() for path in ours.iterdir()):
            time.sleep(0.001)
        return time.perf_counter() - begun

    @property
    def _as_user(self) -> dict[str, Any]:
        return {
            "env": self.environment,
            "user": self.user,
            "group": pwd.getpwnam(self.user).pw_gid if self.user else None,
            "extra_groups": [] if self.user else None,
        }


@contextmanager
def workplace(bindirs: list[Path]) -> Iterator[Workplace]:
    """Create a place for runs, and remove it afterwards."""
    user = "nobody" if os.geteuid() == 0 else None
    path = Path(tempfile.mkdtemp(prefix="pgfeatures-benchmark-"))
    python = Path(sys.executable)
    try:
        if user is not None:
            shutil.chown(path, user)
            account = Account(user, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
            python = python_for(account, path / "environment")
        yield Workplace(path, bindirs, user, python)
    finally:
        for place in (path, Path("/dev/shm") / path.name):
            shutil.rmtree(place, ignore_errors=True)
