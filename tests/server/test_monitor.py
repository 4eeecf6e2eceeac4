"""A program ends with its supervisor, whatever is killed, and whoever may signal whom."""

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

from pytest_pgfeatures.install import Store, server_account
from pytest_pgfeatures.server.process import SupervisorClient
from pytest_pgfeatures.server.run_directory import RunDirectory
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server.process import Process

SECONDS = 60.0
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes in Linux' /proc")
FAMILY = "trap '' QUIT; sleep 1000 & sh -c 'trap \"\" QUIT; sleep 1001 & wait' & wait"
"""A program that goes on when it is told that its parent has died, with others of its kind."""


class Kept:
    """A supervisor of our own, and the programs that it starts."""

    def __init__(self, client: SupervisorClient) -> None:
        self.client = client
        self.run("true")
        (self.supervisor,) = (pid for pid, text in everyone().items() if str(client.run_directory) in text)

    def spawn(self, script: str) -> Process:
        return self.client.spawn(["/bin/sh", "-c", script], output=self.output)

    def run(self, script: str) -> int:
        return self.spawn(script).wait(timeout=SECONDS)

    @property
    def output(self) -> Path:
        return self.client.run_directory / "output"

    def family(self) -> Process:
        """A program that has started others, which ignore what ends programs otherwise."""
        process = self.spawn(FAMILY)
        wait_until(lambda: len(self.members()) == 4, "the family to be there", timeout=SECONDS)
        return process

    def members(self) -> list[str]:
        """All processes in the run's directory: programs, not their monitors."""
        found = []
        for pid, text in everyone().items():
            with contextlib.suppress(OSError):
                if str(Path(f"/proc/{pid}/cwd").readlink()).startswith(str(self.client.run_directory)):
                    found.append(text)
        return found

    def monitors(self) -> list[int]:
        """Those whose program runs."""
        return [pid for pid in children(self.supervisor) if children(pid)]

    def wait_until_all_are_gone(self) -> None:
        wait_until(
            lambda: not self.members(),
            "the end of all",
            timeout=SECONDS,
            details=lambda: tuple(self.members()),
        )


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def everyone() -> dict[int, str]:
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found[int(path.name)] = (path / "cmdline").read_bytes().decode(errors="replace")
    return found


@contextlib.contextmanager
def keeping() -> Iterator[Kept]:
    account = server_account()
    directory = RunDirectory(Store.open(), account)
    client = SupervisorClient(directory)
    os.close(directory.lock)
    try:
        yield Kept(client)
    finally:
        client.close()


@pytest.fixture
def kept() -> Iterator[Kept]:
    with keeping() as made:
        yield made


@pytest.mark.thorough
def test_a_supervisor_killed_just_after_it_has_forked_leaves_no_program() -> None:
    for _ in range(25):
        with keeping() as kept:
            before = children(kept.supervisor)
            kept.spawn("exec sleep 1000")
            while children(kept.supervisor) == before:
                pass
            time.sleep(random.choice([0, random.uniform(0, 0.005)]))  # what is tested: any point
            os.kill(kept.supervisor, signal.SIGKILL)
        kept.wait_until_all_are_gone()


def test_what_a_program_has_started_ends_with_the_supervisor(kept: Kept) -> None:
    kept.family()
    os.kill(kept.supervisor, signal.SIGKILL)
    kept.wait_until_all_are_gone()


def test_what_a_program_has_started_ends_with_it(kept: Kept) -> None:
    process = kept.spawn("sleep 1000 & setsid sleep 1001 & exit 3")
    assert process.wait(timeout=SECONDS) == 3
    assert not kept.members()


def test_what_a_killed_program_has_started_is_gone_when_killing_returns(kept: Kept) -> None:
    process = kept.family()
    process.kill()
    assert not kept.members()
    assert process.poll() == -signal.SIGKILL


def test_a_program_whose_monitor_is_killed_ends_with_all_that_it_has_started(kept: Kept) -> None:
    process = kept.family()
    (monitor,) = kept.monitors()
    os.kill(monitor, signal.SIGKILL)
    assert process.wait(timeout=SECONDS) == -signal.SIGKILL
    kept.wait_until_all_are_gone()
    assert kept.run("exit 4") == 4  # the others are well


def test_many_programs_at_once_end_with_the_supervisor(kept: Kept) -> None:
    processes = [kept.spawn("exec sleep 1000") for _ in range(30)]
    assert [process.poll() for process in processes] == [None] * 30
    kept.client.close()
    assert not kept.members()


def test_a_number_that_the_system_has_given_to_another_is_not_taken_for_ours(kept: Kept) -> None:
    """Programs are told apart by numbers of our own."""
    first = kept.spawn("exit 5")
    first.wait(timeout=SECONDS)
    second = kept.spawn("exec sleep 1000")
    assert first.poll() == 5
    first.send_signal(signal.SIGKILL)
    first.kill()
    assert second.poll() is None


WITHOUT_CAP_KILL = ["setpriv", "--bounding-set=-kill", "--inh-caps=-kill"]
WHOLE_LIFE = """
import os, signal
import pytest

def test_it(pg_connection, create_pg):
    with pytest.raises(PermissionError):
        os.kill(create_pg().pid, signal.SIGHUP)
    own = create_pg()
    own.append_conf(work_mem="1MB")
    own.reload()
    own.restart()
    own.crash()
    own.start()
    own.send_signal(signal.SIGTERM)
    own.stop()
    own.start()
    assert own.sql("SHOW work_mem") == [("1MB",)]
"""


@pytest.mark.root
@pytest.mark.parametrize("killed", [False, True])
def test_root_who_may_not_signal_others_leaves_nothing(reachable_path: Path, *, killed: bool) -> None:
    """As in a container whose bounding set lacks CAP_KILL."""
    source = WHOLE_LIFE + ("    open('here', 'w').close()\n    while True: pass\n" if killed else "")
    (reachable_path / "test_it.py").write_text(source)
    environment = os.environ | {"PGFEATURES_RUN": str(reachable_path / "run")}
    run = subprocess.Popen(
        [
            *WITHOUT_CAP_KILL,
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--pg=18",
            "test_it.py",
        ],
        cwd=reachable_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )

    def here() -> bool:
        return (reachable_path / "here").exists() or run.poll() is not None

    if killed:
        wait_until(here, "the test to be there", timeout=SECONDS)
        assert run.poll() is None, run.communicate()[0]
        run.kill()
    output, _ = run.communicate()
    if not killed:
        assert run.returncode == 0, output
    place = reachable_path / "run"

    def left() -> tuple[str, ...]:
        runs = (path for path in place.glob("*/*") if path.is_dir())
        return (*(text for text in everyone().values() if str(place) in text), *map(str, runs))

    wait_until(lambda: not left(), "all to be gone", timeout=SECONDS, details=left)
