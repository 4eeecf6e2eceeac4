"""The end of a process that is not a child, as the kernel tells it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.server.ending import ProcessEnd
from pytest_pgfeatures.server.waiting import wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pidfd_open(2) is Linux'")


@pytest.mark.processes
def test_the_end_is_known_while_the_process_is_a_zombie() -> None:
    pid = os.fork()
    if pid == 0:
        signal.pause()
        os._exit(0)
    try:
        end = ProcessEnd.of(pid)
        assert end is not None
        assert not end.reached()
    finally:
        os.kill(pid, signal.SIGKILL)
    wait_until(end.reached, "the end", timeout=10)
    os.waitpid(pid, 0)
    assert end.reached()
    assert ProcessEnd.of(pid) is None


def test_a_server_that_runs_is_not_asked_for(create_pg, monkeypatch) -> None:
    cluster = create_pg()
    assert cluster.running()
    asked = []
    ask = type(cluster.supervisor).ask
    monkeypatch.setattr(
        type(cluster.supervisor), "ask", lambda self, **request: asked.append(request) or ask(self, **request)
    )
    assert cluster.running()
    assert not asked
    os.kill(cluster.pid, signal.SIGKILL)
    wait_until(lambda: not cluster.running(), "the end of the server", timeout=30)
    assert cluster.exit_status() == -signal.SIGKILL
    assert {request["do"] for request in asked} == {"poll"}
    cluster.start()


def test_a_restart_leaves_no_descriptor(create_pg) -> None:
    cluster = create_pg()

    def descriptors() -> int:
        assert cluster.running()
        return len(list(Path("/proc/self/fd").iterdir()))

    cluster.restart("immediate")
    before = descriptors()
    for _ in range(3):
        cluster.restart("immediate")
    assert descriptors() == before
