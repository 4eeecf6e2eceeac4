"""Kill all servers of a run at the same instant: none of their objects stays in the kernel, whoever created it.

Their monitors then remove the same objects at the same time.
"""

from __future__ import annotations

import contextlib
import functools
import os
import random
import signal
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.waiting import wait_until
from torture import namespaces
from torture.forked import Forked
from torture.installs import install
from torture.model import Check
from torture.place import place
from torture.processes import children, command_line

if TYPE_CHECKING:
    from pytest_pgfeatures.server import Cluster

SERVERS = 4
SESSIONS = 3
KINDS = (
    ("9.6", {"dynamic_shared_memory_type": "sysv"}),
    ("14", {"dynamic_shared_memory_type": "sysv"}),
    ("18", {"dynamic_shared_memory_type": "sysv"}),
    ("18", {"shared_memory_type": "sysv"}),
)
PARALLEL = """
SELECT set_config(name, CASE vartype WHEN 'integer' THEN '1' ELSE 'on' END, false) FROM pg_settings
WHERE name IN ('force_parallel_mode', 'debug_parallel_query', 'max_parallel_workers_per_gather')
"""
_SECONDS = 60.0


def _servers_at_once(count: int) -> list[str]:
    """Kill this many servers, four at a time."""
    failures: list[str] = []
    for number in range(-(-count // SERVERS)):
        with place() as where:
            major, settings = KINDS[number % len(KINDS)]
            kill_all = functools.partial(_kill_all, major, settings)
            status = Forked(kill_all, where.path, where.environment, where.path / "output").wait()
            problems = ([f"status {status}: {where.output[-500:]}"] if status else []) + where.left()
        if problems:
            failures.append(f"{major}, {settings}: {'; '.join(problems)}")
    return failures


def _kill_all(major: str, settings: dict[str, str]) -> int:
    with Clusters(Store.open()) as clusters, contextlib.ExitStack() as sessions:
        servers = [clusters.create(install(major), settings=settings) for _ in range(SERVERS)]
        for server in servers:
            for _ in range(SESSIONS):
                connection = sessions.enter_context(contextlib.closing(server.connect()))
                connection.execute(PARALLEL)
                connection.pgconn.send_query(b"SELECT pg_sleep(1000)")
        for server in servers:
            wait_until(lambda: _workers(server) == SESSIONS, "parallel workers", timeout=_SECONDS)  # noqa: B023
        if random.random() < 0.5:  # then the servers can't remove anything themselves
            for pid in (child for server in servers for child in children(server.pid or 0)):
                os.kill(pid, signal.SIGSTOP)
        for server in servers:
            os.kill(server.pid or 0, signal.SIGKILL)
        for server in servers:
            wait_until(lambda: not server.running(), "its end", timeout=_SECONDS)  # noqa: B023
    return 0


def _workers(server: Cluster) -> int:
    return sum("parallel worker" in command_line(pid) for pid in children(server.pid or 0))


CHECKS = (
    Check("kill: four servers at once", 200, _servers_at_once, unit=SERVERS, missing=namespaces.missing),
)
