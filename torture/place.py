"""A place for one attempt: a private directory for runs and tests, and a check for leftovers."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store, server_account
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.removal import MARK
from torture import namespaces
from torture.forked import Forked, pytest_run
from torture.processes import PROC, command_line, pids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS = 30.0
"""The seconds until everything must be gone. The promise is 2 seconds, on a machine with little other work."""
_MEMORY = Path("/dev/shm")


class Place:
    """A directory in which runs are started.

    Attributes:
        path: the directory; every user may enter it.
        runs: the parent of the runs' directories.
        environment: the environment variables of runs.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.runs = path / "run"
        self._before = set(_in_kernel())
        self.environment = os.environ | {
            "PGFEATURES_RUN": str(self.runs),
            "PGFEATURES_CACHE": str(Store.open().root),
            "PGFEATURES_OFFLINE": "1",
            "PYTEST_ADDOPTS": "",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def write(self, tests: str, name: str = "test_it.py") -> None:
        """Write a file of tests."""
        (self.path / name).write_text(tests)

    def start(self, *arguments: str, prepare: Callable[[], object] | None = None) -> Forked:
        """Start pytest on the test file, in a new session; its output goes to the file ``output``.

        Parameters:
            arguments: pytest's arguments.
            prepare: called first in the new process.
        """

        def run() -> int:
            if prepare is not None:
                prepare()
            return pytest_run("-p", "no:cacheprovider", *arguments, "test_it.py")

        return Forked(run, self.path, self.environment, self.path / "output")

    @property
    def output(self) -> str:
        """Return the output of the last run."""
        return (self.path / "output").read_text(errors="replace")

    def sweep(self) -> None:
        """Remove the files of dead runs, as the next run does first."""

        def run() -> int:
            Clusters(Store.open()).close()
            return 0

        sweeping = Forked(run, self.path, self.environment, self.path / "sweep")
        if sweeping.wait():
            raise RuntimeError((self.path / "sweep").read_text())

    def processes(self) -> dict[int, str]:
        """Return the living processes that belong to the place: their arguments contain it, or they work in it."""
        found = {}
        for pid in pids():
            with contextlib.suppress(OSError):
                arguments = command_line(pid)
                # A server's children have other arguments. A process that is ending has neither those nor a cwd.
                if str(self.path) in arguments or os.readlink(f"{PROC}/{pid}/cwd").startswith(str(self.path)):
                    found[pid] = arguments
        return found

    def files(self) -> list[str]:
        """Return the directories of runs."""
        return [str(path) for path in sorted(self.runs.glob("*/*")) if path.is_dir()]

    def held(self) -> list[str]:
        """Return the run directories that are still locked, perhaps by a process that ends and has no arguments."""
        found = []
        for path in self.files():
            with contextlib.suppress(FileNotFoundError), open(f"{path}/{MARK}", "rb+") as mark:
                try:
                    fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    found.append(f"{path} is held")
        return found

    def left(self, *, files: bool = True, timeout: float = SECONDS) -> list[str]:
        """Return what is left after ``timeout`` seconds: processes, files, and kernel objects.

        Parameters:
            files: whether the runs' files count.
        """

        def there() -> list[str]:
            found = [f"process {pid}: {text}" for pid, text in self.processes().items()]
            found += self.files() if files else []
            return [*found, *sorted(_in_kernel() - self._before)]

        return until_empty(there, timeout)


@contextlib.contextmanager
def place() -> Iterator[Place]:
    """Create a place. At the end, end its remaining processes and remove its files."""
    path = Path(tempfile.mkdtemp(prefix="torture-", dir=_MEMORY if _MEMORY.is_dir() else None))
    path.chmod(0o755)
    made = Place(path)
    try:
        yield made
    finally:
        for pid in made.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, 9)
        shutil.rmtree(path, ignore_errors=True)


def until_empty(found: Callable[[], list[str]], timeout: float = SECONDS) -> list[str]:
    """Look repeatedly until nothing is found, and return what is still found after ``timeout`` seconds."""
    deadline = time.monotonic() + timeout
    while (last := found()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return last


def _in_kernel() -> set[str]:
    """Return shared memory and semaphores that no process uses; in a private namespace, all of them."""
    account = server_account()
    users = {os.geteuid(), os.geteuid() if account is None else account.uid}
    found = set()
    for kind in ("shm", "sem"):
        with contextlib.suppress(OSError):
            titles, *rows = (line.split() for line in (PROC / "sysvipc" / kind).read_text().splitlines())
            for row in rows:
                facts = dict(zip(titles, map(int, row), strict=False))
                if namespaces.is_inside() or (facts["uid"] in users and not facts.get("nattch")):
                    found.add(f"System V {kind} {facts[f'{kind}id']} of {facts.get('cpid', 'unknown')}")
    if namespaces.is_inside():
        found |= {str(path) for path in _MEMORY.glob("PostgreSQL.*")}
    return found
