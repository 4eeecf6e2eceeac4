"""What servers have in the kernel, as the tests see it, and ways to end servers that leave it behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import server_account
from pytest_pgfeatures.server import ipc, linux
from pytest_pgfeatures.server.waiting import wait_until
from pytest_pgfeatures.version import VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import Cluster

SECONDS = 60.0


def rows(kind: str) -> list[dict[str, int]]:
    titles, *lines = (line.split() for line in Path("/proc/sysvipc", kind).read_text().splitlines())
    return [dict(zip(titles, map(int, line), strict=False)) for line in lines]


def of_ended_since(when: float) -> list[str]:
    """Return the kernel objects created since a time by any process that has ended.

    What other tests' servers leave is removed, too: there must be a moment without any.
    """
    account = server_account()
    user = os.geteuid() if account is None else account.uid
    return [
        f"shm {row['shmid']} of {row['cpid']}"
        for row in rows("shm")
        if row["uid"] == user and row["ctime"] >= int(when) and not row["nattch"] and is_gone(row["cpid"])
    ]


class InKernel:
    """The kernel objects of a running server: those that its postmaster created."""

    def __init__(self, cluster: Cluster) -> None:
        assert cluster.pid is not None
        self.shared_memory = {row["shmid"] for row in rows("shm") if row["cpid"] == cluster.pid}
        has_semaphores = cluster.version in VersionSet("<10")
        self.semaphores = self._sets(cluster.pid) if has_semaphores else set()
        maps = Path(f"/proc/{cluster.pid}/maps").read_text().splitlines()
        self.files = {line.split()[-1] for line in maps if "/dev/shm/PostgreSQL." in line}
        assert self.shared_memory
        assert bool(self.semaphores) == has_semaphores
        posix = "SELECT 1 FROM pg_settings WHERE name = 'dynamic_shared_memory_type' AND setting = 'posix'"
        assert bool(self.files) == bool(cluster.sql(posix))

    def _sets(self, pid: int) -> set[int]:
        """The sets of semaphores whose last one was last set by this process."""
        libc = ctypes.CDLL(None)
        ask_pid = 11  # GETPID in bits/sem.h
        last = 16
        return {row["semid"] for row in rows("sem") if libc.semctl(row["semid"], last, ask_pid) == pid}

    def left(self) -> tuple[str, ...]:
        """Return the objects that still exist."""
        return (
            *(f"shm {number}" for number in self.shared_memory & {row["shmid"] for row in rows("shm")}),
            *(f"sem {number}" for number in self.semaphores & {row["semid"] for row in rows("sem")}),
            *(path for path in self.files if Path(path).exists()),
        )


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextlib.contextmanager
def busy_session(cluster: Cluster) -> Iterator[int]:
    """A session that has so much to do that it does not look for its postmaster; its process id."""
    with contextlib.closing(cluster.connect()) as connection:
        pid = connection.info.backend_pid
        connection.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 1000000000000)")
        wait_until(
            lambda: cluster.sql("SELECT 1 FROM pg_stat_activity WHERE pid = %s AND state = 'active'", [pid]),
            "the query to run",
            timeout=SECONDS,
        )
        yield pid


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def is_marked(segment: dict[str, int]) -> bool:
    """Whether a segment begins with PostgreSQL's mark."""
    libc = ipc.library()
    assert libc is not None
    return ipc._content(libc, segment, 4) == ipc._SEGMENT_MAGIC.to_bytes(4, sys.byteorder)


@contextlib.contextmanager
def parallel_sessions(cluster: Cluster, count: int = 3) -> Iterator[None]:
    """Sessions that have dynamic shared memory; that of one that has ended already is there, too, from 15 on."""
    with contextlib.ExitStack() as sessions:
        with cluster.connect() as ended:
            ended.execute(MANY_TABLES)
        for _ in range(count):
            connection = sessions.enter_context(contextlib.closing(cluster.connect()))
            connection.execute(PARALLEL)
            connection.pgconn.send_query(b"SELECT pg_sleep(1000)")
        wait_until(
            lambda: sum("parallel worker" in command_line(pid) for pid in children(cluster.pid)) == count,
            "a worker for each session",
            timeout=SECONDS,
        )
        yield


MANY_TABLES = """
DO $$BEGIN FOR i IN 1 .. 1000 LOOP EXECUTE format('CREATE TEMPORARY TABLE t%s (a int)', i); END LOOP; END$$
"""
"""Statistics of this many tables need a segment of their own."""
PARALLEL = """
SELECT set_config(name, CASE vartype WHEN 'integer' THEN '1' ELSE 'on' END, false) FROM pg_settings
WHERE name IN ('force_parallel_mode', 'debug_parallel_query', 'max_parallel_workers_per_gather')
"""


def kill_at_once(*clusters: Cluster) -> None:
    """Kill postmasters while their other processes stand still, and so can't remove anything themselves."""
    for cluster in clusters:
        for pid in children(cluster.pid):
            with contextlib.suppress(ProcessLookupError):  # a session that has ended
                os.kill(pid, signal.SIGSTOP)
    for cluster in clusters:
        os.kill(cluster.pid, signal.SIGKILL)
    for cluster in clusters:
        wait_until(lambda: not cluster.running(), "its end", timeout=SECONDS)  # noqa: B023


def supervisors_in(path: Path) -> list[int]:
    """The supervisors of this process whose run's directory is below a path."""
    return [pid for pid in children(os.getpid()) if str(path) in command_line(pid)]


def command_line(pid: int) -> str:
    """The command line of a process; of one that has just ended, nothing."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def server_below(supervisor: int) -> tuple[int, int] | None:
    """The last server that a supervisor's initdb has started, and that stands still now, and its segment.

    The server has marked the segment: it creates it, writes its lock file, and marks the segment then.
    """
    for row in rows("shm"):
        if row["cpid"] in linux.descendants(supervisor) and "--single" in command_line(row["cpid"]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(row["cpid"], signal.SIGSTOP)
                if any(
                    is_marked(each) and each["nattch"]
                    for each in rows("shm")
                    if each["shmid"] == row["shmid"]
                ):
                    return row["cpid"], row["shmid"]
                os.kill(row["cpid"], signal.SIGCONT)
    return None
