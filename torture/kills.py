"""Kill every kind of process at random moments. Then nothing may be left, and the rest must continue."""

from __future__ import annotations

import functools
import os
import random
import re
import signal
import time
import unittest.mock
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store, server_account
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.process import SupervisorClient
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.run_directory import RunDirectory
from torture import capabilities, processes
from torture.forked import Forked
from torture.installs import install
from torture.model import Check, each
from torture.place import Place, place, until_empty
from torture.processes import children, command_line, pids, status

if TYPE_CHECKING:
    from collections.abc import Callable

BUSY = """
import pytest

@pytest.mark.parametrize("round", range(1000))
def test_it(pg_connection, create_pg, round):
    pg_connection.execute("CREATE TABLE t AS SELECT generate_series(1, 1000) AS a")
    own = create_pg(initdb_options=["--data-checksums"], tcp=True)
    with own.connect() as connection:
        connection.execute("CREATE DATABASE another")
    own.restart("immediate")
"""
"""These tests start and stop servers all the time, with sessions on others."""
SHORT = """
def test_it(pg_connection):
    assert pg_connection.execute("SELECT 1").fetchone() == (1,)
"""
VERSIONS = ("9.6", "14", "18")
"""Before 10, servers have System V semaphores, too."""
_SECONDS_FOR_START = 60.0
_LATEST = 0.8
"""The latest moment of a kill, in seconds after a run has begun to use servers: the time of about two tests."""
_KILLS_PER_RUN = 5


def busy(where: Place, *arguments: str, prepare: Callable[[], object] | None = None) -> Forked:
    """Start a run, and wait for a random time, usually long enough to have servers."""
    where.write(BUSY)
    run = where.start(f"--pg={random.choice(VERSIONS)}", *arguments, prepare=prepare)
    if random.random() < 0.1:
        time.sleep(random.uniform(0, 0.3))
        return run
    started = until_empty(
        lambda: [] if where.files() or run.poll() is not None else ["no run"], _SECONDS_FOR_START
    )
    if not started:
        time.sleep(random.uniform(0, _LATEST))
    return run


def _kill_test_process(where: Place) -> list[str]:
    run = busy(where)
    run.kill()
    run.wait()
    return _left(where)


def _kill_group(where: Place) -> list[str]:
    run = busy(where)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    return _left(where)


def _kill_session(where: Place) -> list[str]:
    run = busy(where)
    kill(*(pid for pid in pids() if status(pid).get("session") == str(run.pid)))
    run.wait()
    return _left(where)


def _kill_workers(count: int) -> list[str]:
    """Kill pytest-xdist workers: a worker's servers and files go; the others and its replacement continue."""
    failures: list[str] = []
    while count > 0:
        kills = min(count, _KILLS_PER_RUN)
        count -= kills
        with place() as where:
            run = busy(where, "-n2", "--max-worker-restart=100")
            for _ in range(kills):
                failures += _join(_kill_worker(where, run))
                time.sleep(random.uniform(0.2, 1.0))
            run.kill()
            run.wait()
            failures += _join(_left(where))
    return failures


def _kill_worker(where: Place, run: Forked) -> list[str]:
    workers: list[int] = []  # only workers that run tests: pytest-xdist can't replace others

    def none_yet() -> list[str]:
        workers[:] = [pid for pid in children(run.pid) if supervisors(pid)]
        return [] if workers or run.poll() is not None else ["no worker"]

    problems = until_empty(none_yet, _SECONDS_FOR_START)
    if problems or not workers:
        return [*problems, f"status {run.poll()}: {where.output[-2000:]}"]
    worker = random.choice(workers)
    directories = [_run_directory(pid) for pid in supervisors(worker)]
    kill(worker)
    problems = until_empty(lambda: [path for path in directories if os.path.exists(path)])
    if run.poll() is not None:
        problems.append(f"the run ended with status {run.poll()}: {where.output[-2000:]}")
    return problems


def _kill_controller(where: Place) -> list[str]:
    """Kill the pytest-xdist controller."""
    run = busy(where, "-n2")
    run.kill()
    run.wait()
    return _left(where)


def _kill_supervisor(where: Place) -> list[str]:
    """Kill the supervisor: its servers end, and the next run removes its files."""
    run = busy(where)
    victims = [*supervisors(run.pid), run.pid]
    killed = victims if random.random() < 0.5 else victims[:1]
    kill(*killed)
    problems = []
    if run.poll() is None and len(victims) > 1:
        problems = until_empty(lambda: _servers(where) if supervisors(run.pid) == [] else ["a supervisor"])
    run.kill()
    run.wait()
    left = problems + _left_to_the_next(where)
    return [*left, f"killed: {killed} of {victims}; {where.output[-1500:]}"] if left else []


def _kill_monitor(where: Place) -> list[str]:
    """Kill the monitor between the supervisor and a program: the program ends."""
    run = busy(where)
    monitors = [pid for supervisor in supervisors(run.pid) for pid in children(supervisor)]
    programs: list[int] = []
    if monitors:
        monitor = random.choice(monitors)
        programs = children(monitor)
        kill(monitor)
    problems = until_empty(lambda: [f"program {pid}" for pid in programs if where.processes().get(pid)])
    run.kill()
    run.wait()
    return problems + _left(where)


def _kill_everything(where: Place) -> list[str]:
    """Kill all processes of a run at once, in random order, as an administrator might."""
    run = busy(where)
    victims = list(where.processes())
    random.shuffle(victims)
    kill(*victims)
    run.wait()
    return _left_to_the_next(where)


def _kill_after_fork(where: Place) -> list[str]:
    """Kill the supervisor just after it has started a program."""
    with unittest.mock.patch.dict(os.environ, where.environment):
        account = server_account()
        directory = RunDirectory(Store.open(), account)
        client = SupervisorClient(directory)
        os.close(directory.lock)
    client.spawn(["/bin/true"], output=directory.path / "first").wait(timeout=60)  # the server is up
    mine = [pid for pid in supervisors(os.getpid()) if str(where.path) in command_line(pid)]
    client.spawn(["/bin/sleep", "1000"], output=directory.path / "second")
    time.sleep(random.uniform(0, 0.005))
    kill(*mine)
    client.close()
    problems = [] if len(mine) == 1 else [f"supervisors: {mine}"]
    return problems + where.left(files=False) + _left_to_the_next(where)


def _without_cap_kill(where: Place) -> list[str]:
    """End or kill a run of root without CAP_KILL, as in many containers: it can't signal other users' processes."""
    problems = []
    if random.random() < 0.5:
        where.write(SHORT)
        run = where.start(f"--pg={random.choice(VERSIONS)}", prepare=capabilities.drop_kill)
        if status := run.wait():
            problems = [f"the run ended with status {status}: {where.output[-500:]}"]
    else:
        run = busy(where, prepare=capabilities.drop_kill)
        run.kill()
        run.wait()
    return problems + _left(where)


def _kill_around_initdb(where: Place) -> list[str]:
    """Kill supervisor, monitors and initdb's servers, but not initdb, which then removes their pid files."""
    major = random.choice(VERSIONS)
    run = Forked(functools.partial(_initdbs, major), where.path, where.environment, where.path / "output")
    until_empty(lambda: [] if _of_initdb(where) or run.poll() is not None else ["none"], _SECONDS_FOR_START)
    time.sleep(random.uniform(0, _LATEST))
    victims = supervisors(run.pid)
    kill(*victims, *(pid for supervisor in victims for pid in children(supervisor)), *_of_initdb(where))
    run.wait()
    left = _left_to_the_next(where)
    return [*left, f"{major}; {where.output[-1500:]}"] if left else []


def _initdbs(major: str) -> int:
    with Clusters(Store.open()) as clusters:
        for number in range(1000):
            program, directory = install(major).program("initdb"), clusters.directory(f"data{number}")
            clusters.run([program, "-D", directory, "-U", "postgres"], timeout=_SECONDS_FOR_START)
    return 0


def _of_initdb(where: Place) -> list[int]:
    """Return the servers that an initdb has started."""
    return [pid for pid, text in where.processes().items() if re.search(r"postgres --(single|boot)", text)]


def kill(*victims: int) -> None:
    """Send SIGKILL to the processes that still exist."""
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def supervisors(parent: int) -> list[int]:
    """Return the supervisors of a test process."""
    return [pid for pid in children(parent) if "import supervisor" in command_line(pid)]


def _run_directory(supervisor: int) -> str:
    (found,) = re.findall(r"(/\S*/run/pytest-pgfeatures-\d+/\w+) ", command_line(supervisor))
    return str(found)


def _servers(where: Place) -> list[str]:
    return [text for text in where.processes().values() if re.search(r"postgres(?: -D|: )", text)]


def _left(where: Place) -> list[str]:
    """Return what is left, except the directory of a run that was killed before it had a supervisor."""

    def there() -> list[str]:
        found = where.left(timeout=0)
        return [] if found and found == where.files() and not _used(found) else found

    found = until_empty(there)
    return found or (_left_to_the_next(where) if where.files() else [])


def _used(directories: list[str]) -> bool:
    """Whether the runs have reached the point where they have a supervisor."""
    try:
        return any({entry.name for entry in Path(path).iterdir()} - {MARK} for path in directories)
    except OSError:
        return True  # it is being removed


def _left_to_the_next(where: Place) -> list[str]:
    """Return what is left after the next run has removed the files of dead runs."""
    problems = until_empty(
        lambda: [*(f"process {pid}: {text}" for pid, text in where.processes().items()), *where.held()]
    )
    servers = _servers_of_files(where)
    where.sweep()
    left = problems + where.left()
    return [*left, f"its servers: {servers}"] if left else []


def _servers_of_files(where: Place) -> list[str]:
    """Return the servers whose files still exist: their directories, process IDs, and the ends of their logs."""
    found = [str(path.relative_to(where.runs)) for path in where.runs.glob("*/*/*")]
    for log in where.runs.glob("*/*/*/log"):
        try:
            noted = log.with_name("data") / "postmaster.pid"
            pid = noted.read_text().splitlines()[:1] if noted.exists() else "no pid file"
            found.append(f"{log.parent.name} {pid} {log.read_text()[-400:]!r}")
        except OSError as error:
            found.append(str(error))
    return found


def _join(problems: list[str]) -> list[str]:
    return ["; ".join(problems)] if problems else []


def _attempt(attempt: Callable[[Place], list[str]]) -> list[str]:
    with place() as where:
        try:
            return attempt(where)
        except (TimeoutError, RuntimeError) as error:
            return [str(error)]


def _check(
    what: str, attempt: Callable[[Place], list[str]], attempts: int, missing: Callable[[], str] | None = None
) -> Check:
    run = each(functools.partial(_attempt, attempt))
    return Check(what, attempts, run, unit=10, missing=missing or processes.missing)


CHECKS = (
    _check("kill: test process", _kill_test_process, 300),
    _check("kill: process group", _kill_group, 300),
    _check("kill: session", _kill_session, 300),
    Check("kill: xdist worker", 300, _kill_workers, unit=10, missing=processes.missing),
    _check("kill: controller of xdist workers", _kill_controller, 100),
    _check("kill: supervisor", _kill_supervisor, 300),
    _check("kill: supervisor just after fork", _kill_after_fork, 300),
    _check("kill: monitor", _kill_monitor, 100),
    _check("kill: initdb's server, without supervisor", _kill_around_initdb, 100),
    _check("kill: everything at once", _kill_everything, 100),
    _check("kill: without CAP_KILL", _without_cap_kill, 300, capabilities.missing),
)
