"""No orphans: whatever ends a test process, its servers end, and their files go.

Real pytest runs are killed, at random points and at chosen ones. The promise is 2 seconds; these tests wait
longer before they fail, as no test may depend on how fast a machine is. ``benchmarks`` has the figures.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from torture.kills import BUSY

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.runs import directory_of_runs
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS = 30.0


@pytest.fixture(scope="module")
def install():
    return Resolver().resolve("18")


def processes_of(place: Path) -> dict[int, str]:
    """The living processes that have to do with a directory: it is in their arguments, or they are in it."""
    proc = Path("/proc")
    if not (proc / "self").exists():
        listing = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(maxsplit=1) for line in listing.stdout.splitlines()]
        return {int(row[0]): row[1] for row in rows if len(row) == 2 and str(place) in row[1]}
    found = {}
    for process in proc.iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            with contextlib.suppress(OSError):
                arguments = (process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
                where = str((process / "cwd").readlink())  # a server's children have other arguments
                if str(place) in arguments or where.startswith(str(place)):
                    found[int(process.name)] = arguments
    return found


def children(pid: int) -> list[int]:
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    rows = (map(int, line.split()) for line in listing.stdout.splitlines())
    return [child for child, parent in rows if parent == pid]


class Run:
    """A pytest run in a process group of its own."""

    def __init__(self, place: Path, bindir: Path, store: Path) -> None:
        self.place = place
        self.run = directory_of_runs(place / "run")
        self.store = store
        tests = place / "tests"
        tests.mkdir(exist_ok=True)
        (tests / "test_it.py").write_text(BUSY)
        self.command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--pg=18"]
        self.tests = tests
        self.environment = os.environ | {
            "PGFEATURES_RUN": str(self.run.parent),
            "PGFEATURES_CACHE": str(self.store),
            "PGFEATURES_PATH": str(bindir.parent),
            "PGFEATURES_OFFLINE": "1",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def without_template(self) -> None:
        """Begin with a store of its own, which has none yet."""
        self.store = self.place / "cache"
        self.environment["PGFEATURES_CACHE"] = str(self.store)

    def start(self) -> subprocess.Popen[bytes]:
        self.process = subprocess.Popen(
            [*self.command, "test_it.py"],
            cwd=self.tests,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return self.process

    def processes(self) -> dict[int, str]:
        return processes_of(self.run)

    def supervisor(self) -> int:
        assert self.process is not None
        return next(pid for pid in children(self.process.pid) if pid in self.processes())

    def monitors(self) -> list[int]:
        return children(self.supervisor())

    def wait_for(self, stage: Callable[[], object]) -> None:
        wait_until(stage, "the run to get there", timeout=SECONDS * 2)

    def files(self) -> list[Path]:
        return sorted(path for path in self.run.iterdir() if path.is_dir()) if self.run.exists() else []

    def is_gone(self) -> bool:
        return not self.processes() and not self.files()

    def had_no_supervisor_yet(self) -> bool:
        """Whether it was killed just between making its directory and starting the supervisor."""
        return not self.processes() and all(
            {entry.name for entry in path.iterdir()} <= {MARK} for path in self.files()
        )

    def finish(self, test: str = "def test_it(pg_connection): pass") -> None:
        """One more run in the same store, to its end: nothing that the killed one left is in its way."""
        (self.tests / "test_short.py").write_text(test)
        ended = subprocess.run(
            [*self.command, "test_short.py"],
            cwd=self.tests,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout


@pytest.fixture(scope="module")
def warm_store(install) -> Iterator[Path]:
    """A store that has the template."""
    with tempfile.TemporaryDirectory(prefix="pgf-") as place:
        Path(place).chmod(0o755)
        Run(Path(place), install.bindir, Path(place) / "cache").finish()
        yield Path(place) / "cache"


@pytest.fixture
def run(reachable_path: Path, install, warm_store: Path) -> Iterator[Run]:
    made = Run(reachable_path, install.bindir, warm_store)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
        made.process.wait()
    wait_until(lambda: not made.processes(), "the end of all", timeout=SECONDS)


def has_initdb(run: Run) -> bool:
    return any("initdb" in arguments for arguments in run.processes().values())


def has_a_template_copy(run: Run) -> bool:
    return any(run.run.glob("*/*/data/global"))


def has_a_server(run: Run) -> bool:
    return any(run.run.glob("*/*/data/postmaster.pid"))


def shared_memory(pid: int) -> set[str]:
    """The files of dynamic shared memory that a process has mapped."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {line.split()[-1] for line in lines if "/dev/shm/PostgreSQL." in line}


def has_sessions(run: Run) -> bool:
    return any("test_1_" in arguments for arguments in run.processes().values())


STAGES = [has_initdb, has_a_template_copy, has_a_server, has_sessions]


def kill(run: Run, how: str) -> None:
    assert run.process is not None
    if how == "the group":
        os.killpg(run.process.pid, signal.SIGKILL)
    else:
        run.process.send_signal(signal.Signals[how])
    run.process.wait(timeout=SECONDS)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.__name__)
@pytest.mark.parametrize("how", ["SIGKILL", pytest.param("the group", marks=pytest.mark.thorough)])
def test_a_killed_run_leaves_nothing(run: Run, stage: Callable[[Run], bool], how: str) -> None:
    if stage is has_initdb:
        run.without_template()
    run.start()
    run.wait_for(lambda: stage(run))
    kill(run, how)
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))


@pytest.mark.parametrize(
    "how",
    [
        *("SIGTERM", "SIGINT"),
        *(pytest.param(name, marks=pytest.mark.thorough) for name in ("SIGHUP", "SIGQUIT", "SIGABRT")),
    ],
)
def test_a_run_that_any_signal_ends_leaves_nothing(run: Run, how: str) -> None:
    run.start()
    run.wait_for(lambda: has_sessions(run))
    kill(run, how)
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))


@pytest.mark.thorough
@pytest.mark.parametrize("repetition", range(int(os.environ.get("REPETITIONS", "5"))))
def test_a_run_killed_at_a_random_point_leaves_nothing(run: Run, repetition: int) -> None:
    run.without_template()
    run.start()
    time.sleep(random.uniform(0.3, 4))  # what is tested: any point
    kill(run, random.choice(["SIGKILL", "the group", "SIGTERM", "SIGINT"]))
    wait_until(
        lambda: run.is_gone() or run.had_no_supervisor_yet(),
        "everything to be gone",
        timeout=SECONDS,
        details=lambda: left(run),
    )
    if run.files():
        run.finish()  # as the next run, which removes them
        wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))
    assert not [
        path for path in Store.open(run.store).templates.glob("pg*") if not (path / "PG_VERSION").exists()
    ]


@pytest.mark.parametrize("stage", [has_a_template_copy, has_sessions], ids=lambda stage: stage.__name__)
def test_without_its_supervisor_the_servers_end_and_the_next_run_removes_the_files(
    run: Run, stage: Callable[[Run], bool]
) -> None:
    process = run.start()
    run.wait_for(lambda: stage(run))
    os.kill(run.supervisor(), signal.SIGKILL)
    kill(run, "SIGKILL")
    assert process.returncode == -signal.SIGKILL
    wait_until(lambda: not run.processes(), "the servers to end", timeout=SECONDS, details=lambda: left(run))
    run.finish()
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))


def test_with_only_its_supervisor_killed_the_run_says_so(run: Run) -> None:
    run.start()
    run.wait_for(lambda: has_sessions(run))
    os.kill(run.supervisor(), signal.SIGKILL)
    assert run.process is not None
    assert run.process.wait(timeout=SECONDS * 2) != 0
    wait_until(lambda: not run.processes(), "the servers to end", timeout=SECONDS, details=lambda: left(run))


def test_a_run_killed_while_it_makes_the_template_does_not_leave_half_of_one(run: Run) -> None:
    run.without_template()
    run.start()
    run.wait_for(lambda: has_initdb(run))
    kill(run, "SIGKILL")
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))
    assert not list((run.store / "templates").iterdir())
    run.finish()


def test_two_runs_do_not_take_each_other_for_dead(run: Run) -> None:
    first = run.start()
    run.wait_for(lambda: has_sessions(run))
    run.finish()
    assert first.poll() is None
    assert run.files()
    kill(run, "SIGKILL")
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))


def postmasters(run: Run) -> list[int]:
    """The servers that have told their pids; one that is just starting has an empty file."""
    told = [path.read_text().split() for path in run.run.glob("*/*/data/postmaster.pid")]
    return [int(lines[0]) for lines in told if lines]


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="about the files of Linux' shared memory")
def test_a_server_that_cannot_shut_down_leaves_no_shared_memory(run: Run) -> None:
    run.start()
    run.wait_for(lambda: has_sessions(run))
    segments = set()
    for pid in postmasters(run):
        with contextlib.suppress(OSError):  # one that has just ended by itself
            segments |= shared_memory(pid)
            os.kill(pid, signal.SIGSTOP)
    assert segments
    kill(run, "SIGKILL")
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))
    assert not [segment for segment in segments if Path(segment).exists()]


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="about the files of Linux' shared memory")
def test_a_server_whose_processes_are_gone_leaves_no_shared_memory(run: Run) -> None:
    """What nobody has mapped any more when its postmaster is killed."""
    run.start()
    run.wait_for(lambda: has_sessions(run))
    segments = set()
    for postmaster in postmasters(run):
        try:
            os.kill(postmaster, signal.SIGSTOP)
        except ProcessLookupError:  # one that has just ended by itself
            continue
        for child in Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split():
            with contextlib.suppress(OSError):  # a session that has just ended by itself
                segments |= shared_memory(int(child))
                os.kill(int(child), signal.SIGKILL)
    assert segments
    kill(run, "SIGKILL")
    wait_until(run.is_gone, "everything to be gone", timeout=SECONDS, details=lambda: left(run))
    assert not [segment for segment in segments if Path(segment).exists()]


def test_a_forked_child_ends_no_server_of_its_parents(run: Run) -> None:
    run.finish(
        """
import os

def test_it(pg_cluster):
    child = os.fork()
    if child == 0:
        raise SystemExit
    os.waitpid(child, 0)
    assert pg_cluster.sql("SELECT 1") == [(1,)]
"""
    )
    assert run.is_gone()


def left(run: Run) -> tuple[str, ...]:
    return (*(f"{pid}: {arguments}" for pid, arguments in run.processes().items()), *map(str, run.files()))


KILLED = """
from pytest_pgfeatures.install import Resolver, Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.runs import directory_of_runs
store = Store.open()
clusters = Clusters(store)
cluster = clusters.create(Resolver(store).resolve("17"))
print(cluster.datadir.parent.parent, flush=True)
cluster.upgrade_to("18")
"""


def test_kill_in_the_middle_leaves_neither_processes_nor_files() -> None:
    running = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    place = Path(running.stdout.readline().strip())
    try:
        wait_until(
            lambda: any("pg_ctl" in line for line in processes_of(place).values()),
            "a server that pg_upgrade starts",
            timeout=30,
        )
    finally:
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    wait_until(lambda: not place.exists() and not processes_of(place), "the end of it all", timeout=30)


def test_a_program_that_cannot_be_started_says_why() -> None:
    with Clusters(Store.open()) as clusters:
        for _ in range(2):
            with pytest.raises(ServerError, match=r"can't run /no/such/program: .*No such file"):
                clusters.run(["/no/such/program"], timeout=SECONDS)
        assert clusters.run(["/bin/sh", "-c", "exit 7"], timeout=SECONDS).status == 7
