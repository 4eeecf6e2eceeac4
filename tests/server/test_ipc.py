"""Kernel objects of killed servers: System V shared memory and semaphores, /dev/shm."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.server.kernel_objects import (
    SECONDS,
    InKernel,
    busy_session,
    children,
    is_gone,
    kill_at_once,
    of_ended_since,
    parallel_sessions,
    rows,
    server_below,
    supervisors_in,
)

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.install import Store
from pytest_pgfeatures.plugin.session import session_of
from pytest_pgfeatures.server import Clusters, ipc
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.plugin.marker import ServerSpec
    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]

pytestmark = pytest.mark.skipif(not Path("/proc/sysvipc").is_dir(), reason="about Linux' tables of them")


@pytest.mark.pg
@pytest.mark.parametrize(
    "settings",
    [
        {},
        pytest.param({"dynamic_shared_memory_type": "sysv"}, marks=pytest.mark.pg(">=9.4")),
        pytest.param({"shared_memory_type": "sysv"}, marks=pytest.mark.pg(">=12")),
    ],
    ids=lambda settings: "-".join(settings) or "as they are",
)
def test_a_killed_postmaster_leaves_nothing(create_pg: CreatePg, settings: dict[str, str]) -> None:
    begun = time.time()
    cluster = create_pg(settings=settings)
    with busy_session(cluster) as backend, parallel_sessions(cluster):
        in_kernel = InKernel(cluster)
        kill_at_once(cluster)
        assert is_gone(backend)
        # another worker's monitor may have the segment attached for a moment when it is removed
        wait_until(lambda: not in_kernel.left(), "the end of what it had in the kernel", timeout=SECONDS)
        wait_until(lambda: not of_ended_since(begun), "the end of all that was made", timeout=SECONDS)


@pytest.mark.pg("14,18")
def test_servers_that_are_killed_at_once_leave_nothing(
    create_pgs: Callable[..., tuple[Cluster, ...]],
) -> None:
    """Their monitors remove the same objects at the same time."""
    begun = time.time()
    clusters = create_pgs("a", "b", "c", "d", settings={"dynamic_shared_memory_type": "sysv"})
    with contextlib.ExitStack() as sessions:
        for cluster in clusters:
            sessions.enter_context(parallel_sessions(cluster))
        kill_at_once(*clusters)
        wait_until(lambda: not of_ended_since(begun), "the end of all that was made", timeout=SECONDS)


READER = """
import ctypes, sys
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
libc.shmat(int(sys.argv[1]), None, 0o10000)
print("attached", flush=True)
sys.stdin.read()
"""


@pytest.mark.pg
def test_a_segment_that_somebody_else_reads_is_not_left(create_pg: CreatePg) -> None:
    """As another server's monitor does, or a server that starts and whose key is the same by chance."""
    cluster = create_pg()
    with busy_session(cluster) as backend:
        in_kernel = InKernel(cluster)
        (segment,) = in_kernel.shared_memory
        argv = [sys.executable, "-c", READER, str(segment)]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
            assert reader.stdout
            assert reader.stdin
            reader.stdout.readline()
            os.kill(cluster.pid, signal.SIGKILL)
            wait_until(lambda: is_gone(backend), "the session's end", timeout=SECONDS)
            reader.stdin.close()
        wait_until(lambda: not cluster.running(), "its end", timeout=SECONDS)
    assert not in_kernel.left()


MAKER = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
number = libc.shmget(0, 64, 0o1600)
header = int(sys.argv[1]).to_bytes(4, sys.byteorder) + os.getpid().to_bytes(4, sys.byteorder)
ctypes.memmove(libc.shmat(number, None, 0), header, len(header))
print(number, flush=True)
sys.stdin.read()
"""


@pytest.mark.processes
def test_a_segment_that_stays_attached_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has it may be a server's, as one that stands still.

    Its maker ends once the reader has attached it: before, the monitor of another worker's servers may remove it.
    """
    monkeypatch.setattr(ipc, "_SECONDS_FOR_READERS", 0.0)
    libc, begun = ipc.library(), time.time()

    def modes() -> list[int]:
        return [row["perms"] for row in rows("shm") if row["shmid"] == segment]

    def started(code: str, argument: object) -> subprocess.Popen[str]:
        argv = [sys.executable, "-c", code, str(argument)]
        return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    with started(MAKER, ipc._SEGMENT_MAGIC) as maker:
        assert maker.stdout
        segment = int(maker.stdout.readline())
        reader = started(READER, segment)
        assert reader.stdout
        reader.stdout.readline()
    with reader:
        ipc.remove(libc, begun)
        assert modes() == [600]  # 1600 says that it is removed once nobody has it
    ipc.remove(libc, begun)
    wait_until(lambda: not modes(), "the segment's end", timeout=SECONDS)


@pytest.mark.pg
def test_a_server_that_shuts_down_slowly_leaves_nothing(pg_cell: ServerSpec, request) -> None:
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(session_of(request.config).install(pg_cell))
        in_kernel = InKernel(cluster)
        with cluster.connect() as connection:
            os.kill(connection.info.backend_pid, signal.SIGSTOP)  # it does not take notice of a shutdown
            clusters.close()
    assert not in_kernel.left()


@pytest.mark.pg
def test_a_server_whose_supervisors_are_all_killed_leaves_nothing_to_the_run_after_the_next(
    pg_cell: ServerSpec, request, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGFEATURES_RUN", str(reachable_path / "run"))
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(session_of(request.config).install(pg_cell))
        in_kernel = InKernel(cluster)
        (supervisor,) = supervisors_in(reachable_path)
        with busy_session(cluster) as backend:
            killed = (supervisor, *children(supervisor), cluster.pid)
            for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # stopped first: none sees another's end
                for pid in killed:
                    os.kill(pid, signal_number)
            wait_until(lambda: is_gone(cluster.pid), "the postmaster's end", timeout=SECONDS)
            assert in_kernel.left()
            Clusters(Store.open()).close()
            wait_until(lambda: is_gone(backend), "the session's end", timeout=SECONDS)
    assert not in_kernel.left()
    assert not [path for path in (reachable_path / "run").glob("*/*") if path.is_dir()]


UNMARKED = """
import ctypes, os
libc = ctypes.CDLL(None)
print(os.getpid(), libc.shmget(0, 4096, 0o1600), libc.semget(0, 17, 0o1600), flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_server_killed_before_it_has_marked_what_it_made_leaves_nothing() -> None:
    """As between semget() and semctl(). What was made before is somebody else's."""
    before = ctypes.CDLL(None).semget(0, 17, 0o1600)
    (made,) = (row["ctime"] for row in rows("sem") if row["semid"] == before)
    try:
        wait_until(lambda: time.time() >= made + 1.2, "the next second: the kernel knows no less")
        since = time.time()
        ended = subprocess.run([sys.executable, "-c", UNMARKED], capture_output=True, text=True, check=False)
        assert ended.returncode == -signal.SIGKILL
        maker, segment, semaphores = map(int, ended.stdout.split())
        empty, written = (Path(f"{ipc.FILE}torture-{os.getpid()}-{name}") for name in ("empty", "written"))
        empty.write_bytes(bytes(4096))
        written.write_bytes(b"DSA!" * 1024)
        # Looked at, not removed: a monitor beside us whose server was killed takes what is unmarked since then.
        assert before not in ipc.unmarked_semaphores(ipc.library(), int(since), time.time())
        ipc.remove_unmarked(ipc.library(), maker, since)
        assert (empty.exists(), written.exists()) == (False, True)
        written.unlink()
        assert segment not in {row["shmid"] for row in rows("shm")}
        assert semaphores not in {row["semid"] for row in rows("sem")}
    finally:
        subprocess.run(["ipcrm", "-s", str(before)], stderr=subprocess.DEVNULL, check=False)


@pytest.mark.parametrize("kept", ["open", "mapped"])
def test_a_file_that_a_server_is_about_to_map_is_not_removed(kept: str) -> None:
    """However long it takes between shm_open() and mmap(), on a busy machine or for a large file."""
    path = Path(f"{ipc.FILE}torture-{os.getpid()}-{kept}")
    since = time.time()
    with path.open("wb+") as file:
        file.truncate(4096)
        mapped = mmap.mmap(file.fileno(), 4096) if kept == "mapped" else None
        if mapped:
            file.close()
        ipc.remove_unmarked(ipc.library(), maker=os.getpid(), since=since)
        assert path.exists()
    if mapped:
        mapped.close()
    ipc.remove_unmarked(ipc.library(), maker=os.getpid(), since=since)
    assert not path.exists()


def test_a_file_that_is_written_while_processes_are_looked_at_is_not_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As by a server's process that creates it, writes to it, and ends: the next one opens it by its name."""
    path = Path(f"{ipc.FILE}torture-{os.getpid()}-written")
    since = time.time()
    path.write_bytes(bytes(4096))
    opened_by = ipc._opened_by

    def written_meanwhile(pids: list[int]) -> set[str]:
        os.write(descriptor := os.open(path, os.O_WRONLY), b"mark")
        os.close(descriptor)
        os.utime(path, (since, since))
        return opened_by(pids)

    monkeypatch.setattr(ipc, "_opened_by", written_meanwhile)
    ipc.remove_unmarked(ipc.library(), maker=os.getpid(), since=since)
    assert path.exists()
    path.unlink()


AS_INITDB = """
tail -f /dev/null | "$0" --single -D "$1" postgres >"$1/said" 2>&1 &
while ! test -s "$1/postmaster.pid" || ! grep -q backend "$1/said"; do sleep 0.05; done
kill -9 $!
wait $!
echo $!
exit 3
"""


@pytest.mark.pg("9.6,18")
def test_a_server_whose_end_only_its_parent_has_seen_leaves_nothing(pg_cell: ServerSpec, request) -> None:
    """As initdb's, when initdb is told to end."""
    with Clusters(Store.open()) as clusters:
        cluster = clusters.create(session_of(request.config).install(pg_cell))
        cluster.stop()
        argv = ["/bin/sh", "-c", AS_INITDB, str(cluster.install.program("postgres")), str(cluster.datadir)]
        ended = clusters.run(argv, timeout=SECONDS)
        assert ended.status == 3, ended.output
        pid = int(ended.output.split()[-1])
    assert pid not in {row["cpid"] for row in rows("shm")}
    libc = ctypes.CDLL(None)
    assert pid not in {libc.semctl(row["semid"], 16, 11) for row in rows("sem")}  # GETPID


@pytest.mark.pg
def test_what_is_left_of_an_initdb_without_supervisor_is_removed_by_the_next_run(
    pg_cell: ServerSpec, request, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows the process id of the server that initdb has started, and initdb removes its pid file."""
    monkeypatch.setenv("PGFEATURES_RUN", str(reachable_path / "run"))
    with Clusters(Store.open()) as clusters, ThreadPoolExecutor(1) as threads:
        directory = clusters.directory("data")
        install = session_of(request.config).install(pg_cell)
        argv = [install.program("initdb"), "--pgdata", directory, "--username", "postgres"]
        running = threads.submit(clusters.run, argv, timeout=SECONDS)
        (supervisor,) = wait_until(lambda: supervisors_in(reachable_path), "the supervisor", timeout=SECONDS)
        server, segment = wait_until(lambda: server_below(supervisor), "a server", timeout=SECONDS)
        for pid in (supervisor, *children(supervisor), server):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(ServerError):
            running.result()
        wait_until(lambda: is_gone(server), "the server's end", timeout=SECONDS)
        # The monitor of another test's server may have removed it by now.
        Clusters(Store.open()).close()
    assert segment not in {row["shmid"] for row in rows("shm")}


NOT_OURS = """
import ctypes, os
libc = ctypes.CDLL(None)
print(os.getpid(), libc.shmget(0, 4096, 0o1600))
"""


def test_what_another_program_has_is_left_alone() -> None:
    """Not even if its maker was one of our processes: what counts is PostgreSQL's mark."""
    made = subprocess.run([sys.executable, "-c", NOT_OURS], capture_output=True, text=True, check=True)
    maker, segment = map(int, made.stdout.split())
    try:
        ipc.remove(ipc.library(), 0, {maker})
        assert segment in {row["shmid"] for row in rows("shm")}
    finally:
        subprocess.run(["ipcrm", "-m", str(segment)], check=True)
