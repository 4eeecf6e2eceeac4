"""A place for one attempt: its own directory for runs and tests; what is left of it afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store, server_account
from torture import namespaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS = 10.0
"""Until everything has to be gone. The promise is 2 seconds, on a machine that has little else to do."""
_MEMORY = Path("/dev/shm")
_PROC = Path("/proc")


class Place:
    """A directory that runs are started in.

    Attributes:
        path: the directory; everyone may enter it.
        runs: where runs have their directories.
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

    def write(self, tests: str) -> None:
        """Write the file of tests."""
        (self.path / "test_it.py").write_text(tests)

    def start(self, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        """Start pytest on the file of tests, in a session of its own.

        Parameters:
            arguments: pytest's.
            prefix: of the command line, such as ``setpriv``.
        """
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, "test_it.py"]
        return subprocess.Popen(
            [*prefix, *command],
            cwd=self.path,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=(self.path / "output").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def sweep(self) -> None:
        """What the next run does first: remove what dead ones have left."""
        program = "from pytest_pgfeatures.install import *; from pytest_pgfeatures.server import Clusters"
        subprocess.run(
            [sys.executable, "-c", f"{program}; Clusters(Store.open()).close()"],
            cwd=self.path,
            env=self.environment,
            check=True,
        )

    def processes(self) -> dict[int, str]:
        """The living processes that have to do with the place: it is in their arguments, or they are in it."""
        found = {}
        for pid in pids():
            with contextlib.suppress(OSError):
                arguments = command_line(pid)
                # A server's children have other arguments; what is just ending has none, nor a directory.
                if str(self.path) in arguments or str((_PROC / str(pid) / "cwd").readlink()).startswith(
                    str(self.path)
                ):
                    found[pid] = arguments
        return found

    def files(self) -> list[str]:
        """The directories of runs."""
        return [str(path) for path in sorted(self.runs.glob("*/*")) if path.is_dir()]

    def left(self, *, files: bool = True, timeout: float = SECONDS) -> list[str]:
        """What is still there after so many seconds: processes, files, what is in the kernel.

        Parameters:
            files: whether runs' files count.
        """

        def there() -> list[str]:
            found = [f"process {pid}: {text}" for pid, text in self.processes().items()]
            found += self.files() if files else []
            return [*found, *sorted(_in_kernel() - self._before)]

        return until_empty(there, timeout)


@contextlib.contextmanager
def place() -> Iterator[Place]:
    """A new place; what is still in it at the end is ended and removed."""
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
    """Look again and again until nothing is found; what still is after so many seconds."""
    deadline = time.monotonic() + timeout
    while (last := found()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return last


def pids() -> list[int]:
    """All processes."""
    return [int(path.name) for path in _PROC.iterdir() if path.name.isdigit()]


def command_line(pid: int) -> str:
    """A process's arguments; empty if it is gone."""
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ").strip()
    except OSError:
        return ""


def status(pid: int) -> dict[str, str]:
    """Some facts of a process: its parent (``ppid``), session and state; empty if it is gone."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return {}
    return {"state": fields[0], "ppid": fields[1], "session": fields[3]}


def children(pid: int) -> list[int]:
    """The living processes whose parent this one is."""
    facts = {child: status(child) for child in pids()}
    return [
        child for child, fact in facts.items() if fact and fact["ppid"] == str(pid) and fact["state"] != "Z"
    ]


def _in_kernel() -> set[str]:
    """Shared memory and semaphores that nobody uses: in a namespace of our own, all that there are."""
    account = server_account()
    users = {os.geteuid(), os.geteuid() if account is None else account.uid}
    found = set()
    for kind in ("shm", "sem"):
        with contextlib.suppress(OSError):
            titles, *rows = (line.split() for line in (_PROC / "sysvipc" / kind).read_text().splitlines())
            for row in rows:
                facts = dict(zip(titles, map(int, row), strict=False))
                if namespaces.is_inside() or (facts["uid"] in users and not facts.get("nattch")):
                    found.add(f"System V {kind} {facts[f'{kind}id']}, nattch {facts.get('nattch')}")
    if namespaces.is_inside():
        found |= {str(path) for path in _MEMORY.glob("PostgreSQL.*")}
    return found
