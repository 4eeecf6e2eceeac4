"""Everything that can be killed, killed at random moments: what is left, and whether the rest goes on."""

from __future__ import annotations

import functools
import os
import random
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store, server_account
from pytest_pgfeatures.server.process import SupervisorClient
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.run_directory import RunDirectory
from torture.model import Check
from torture.place import Place, children, command_line, pids, place, status, until_empty

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
"""Servers are started and stopped all the time, with sessions in others."""
SHORT = """
import pytest

@pytest.mark.parametrize("round", range(40))
def test_it(pg_connection, round):
    pg_connection.execute("CREATE TABLE t AS SELECT generate_series(1, 20000) AS a")
    assert pg_connection.execute("SELECT count(*), pg_sleep(0.03) FROM t").fetchone()[0] == 20000
"""
"""Tests that share a server, which goes on without the one that was killed."""
VERSIONS = ("9.6", "14", "18")
"""Before 10 servers have System V semaphores, too."""
ATTEMPTS = 300
_LONGEST_RUN = 180.0
"""Seconds after which a run of some seconds hangs."""
_LONGEST = 4.0
"""Seconds after the start of a run up to which it is killed."""


def attempt(kind: str) -> list[str]:
    """Kill something once, at a random moment; what is wrong afterwards.

    Parameters:
        kind: a name of :data:`KINDS`.
    """
    with place() as where:
        return KINDS[kind](where)


def _busy(where: Place, *arguments: str, prefix: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
    """A run that has been going for a random time."""
    where.write(BUSY)
    run = where.start(f"--pg={random.choice(VERSIONS)}", *arguments, prefix=prefix)
    time.sleep(random.uniform(0.2, _LONGEST))
    return run


def _kill_test_process(where: Place) -> list[str]:
    run = _busy(where)
    run.kill()
    run.wait()
    return _left(where)


def _kill_group(where: Place) -> list[str]:
    run = _busy(where)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    return _left(where)


def _kill_session(where: Place) -> list[str]:
    run = _busy(where)
    _kill(*(pid for pid in pids() if status(pid).get("session") == str(run.pid)))
    run.wait()
    return _left(where)


def _kill_worker(where: Place) -> list[str]:
    """A worker of pytest-xdist: what it had goes while the others work on."""
    run = _busy(where, "-n2")
    workers = [pid for pid in children(run.pid) if "sys.stdin.readline" in command_line(pid)]
    problems = []
    if workers:
        worker = random.choice(workers)
        directories = [_run_directory(pid) for pid in _supervisors(worker)]
        _kill(worker)
        problems = until_empty(lambda: [path for path in directories if os.path.exists(path)])
        if run.poll() is not None:
            problems.append(f"the run ended with status {run.returncode}")
    run.kill()
    run.wait()
    return problems + _left(where)


def _kill_controller(where: Place) -> list[str]:
    """The process that pytest-xdist's workers work for."""
    run = _busy(where, "-n2")
    run.kill()
    run.wait()
    return where.left(files=False, timeout=3.0) + _left(where)


def _kill_supervisor(where: Place) -> list[str]:
    """Its servers end; its files are for the next run."""
    run = _busy(where)
    victims = [*_supervisors(run.pid), run.pid]
    _kill(*(victims if random.random() < 0.5 else victims[:1]))
    if run.poll() is None and len(victims) > 1:
        problems = until_empty(lambda: _servers(where) if _supervisors(run.pid) == [] else ["a supervisor"])
    else:
        problems = []
    run.kill()
    run.wait()
    return problems + _left_to_the_next(where)


def _kill_monitor(where: Place) -> list[str]:
    """What stands between the supervisor and a program: that one ends."""
    run = _busy(where)
    monitors = [pid for supervisor in _supervisors(run.pid) for pid in children(supervisor)]
    programs: list[int] = []
    if monitors:
        monitor = random.choice(monitors)
        programs = [pid for pid in children(monitor) if status(pid)]
        _kill(monitor)
    problems = until_empty(lambda: [f"program {pid}" for pid in programs if where.processes().get(pid)])
    run.kill()
    run.wait()
    return problems + _left(where)


def _kill_everything(where: Place) -> list[str]:
    """All processes of a run at once, in any order: as the machine's administrator would."""
    run = _busy(where)
    victims = list(where.processes())
    random.shuffle(victims)
    _kill(*victims)
    run.wait()
    return _left_to_the_next(where)


def _kill_postmaster(where: Place) -> list[str]:
    """The tests that come later have another server."""
    return _kill_in_a_server(where, lambda servers: servers)


def _kill_backend(where: Place) -> list[str]:
    """The server recovers; the tests that come later have it."""
    return _kill_in_a_server(where, lambda servers: [pid for server in servers for pid in children(server)])


def _kill_in_a_server(where: Place, choose: Callable[[list[int]], list[int]]) -> list[str]:
    where.write(SHORT)
    run = where.start(f"--pg={random.choice(VERSIONS)}", f"--junitxml={where.path / 'junit.xml'}")
    victims: list[int] = []
    until_empty(lambda: [] if _servers(where) or run.poll() is not None else ["no server yet"], 60)
    time.sleep(random.uniform(0.3, 2.5))
    victims = choose(_postmasters(where))
    if victims:
        _kill(random.choice(victims))
    try:
        run.wait(timeout=_LONGEST_RUN)
    except subprocess.TimeoutExpired:
        run.kill()
        run.wait()
        return ["the run hangs", *_left(where)]
    return [*_wrong_tests(where), *_left(where)]


def _wrong_tests(where: Place) -> list[str]:
    """Tests that did not pass, but for the one during which something was killed."""
    wrong: dict[str, str] = {}
    try:
        cases = ElementTree.parse(where.path / "junit.xml").iter("testcase")
    except (OSError, ElementTree.ParseError) as error:
        return [f"no report of the run: {error}"]
    for case in cases:
        for trouble in (*case.findall("failure"), *case.findall("error")):
            text = " ".join((trouble.get("message") or "").split())
            wrong[case.get("name", "")] = f"{wrong.get(case.get('name', ''), '')} {trouble.tag}: {text[:200]}"
    if len(wrong) <= 1:
        return []
    return [f"{name}:{text}" for name, text in wrong.items()]


def _kill_after_fork(where: Place) -> list[str]:
    """The supervisor, when it has just started a program."""
    with _environment(where):
        account = server_account()
        directory = RunDirectory(Store.open(), account)
        client = SupervisorClient(directory)
        os.close(directory.lock)
    client.spawn(["/bin/true"], output=directory.path / "first").wait(timeout=60)  # it is up
    (supervisor,) = _supervisors(os.getpid())
    client.spawn(["/bin/sleep", "1000"], output=directory.path / "second")
    time.sleep(random.uniform(0, 0.005))
    _kill(supervisor)
    client.close()
    problems = where.left(files=False)
    return problems + _left_to_the_next(where)


def _without_cap_kill(where: Place) -> list[str]:
    """Root who may not signal others, as in many containers: a run that ends by itself, or is killed."""
    prefix = ("setpriv", "--bounding-set=-kill", "--inh-caps=-kill")
    if random.random() < 0.5:
        where.write(SHORT.replace("40", "3"))
        run = where.start(f"--pg={random.choice(VERSIONS)}", prefix=prefix)
        status = run.wait()
        problems = [f"the run ended with status {status}"] if status else []
    else:
        run = _busy(where, prefix=prefix)
        run.kill()
        run.wait()
        problems = []
    return problems + _left(where)


def _environment(where: Place):
    import unittest.mock

    return unittest.mock.patch.dict(os.environ, where.environment)


def _kill(*victims: int) -> None:
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _supervisors(parent: int) -> list[int]:
    return [pid for pid in children(parent) if "import supervisor" in command_line(pid)]


def _run_directory(supervisor: int) -> str:
    (found,) = re.findall(r"(/\S*/run/pytest-pgfeatures-\d+/\w+) ", command_line(supervisor))
    return str(found)


def _servers(where: Place) -> list[str]:
    return [text for text in where.processes().values() if re.search(r"postgres(?: -D|: )", text)]


def _postmasters(where: Place) -> list[int]:
    return [pid for pid, text in where.processes().items() if re.search(r"bin/postgres -D", text)]


def _left(where: Place) -> list[str]:
    """What is left, but for the directory of a run that was killed before it had a supervisor."""
    found = where.left()
    if found and not where.processes() and found == where.files():
        entries = {entry.name for path in found for entry in Path(path).iterdir()}
        if entries <= {MARK}:
            return _left_to_the_next(where)
    return found


def _left_to_the_next(where: Place) -> list[str]:
    """What is left when the next run has removed the files of dead ones."""
    problems = until_empty(lambda: [f"process {pid}: {text}" for pid, text in where.processes().items()])
    where.sweep()
    return problems + where.left()


KINDS: dict[str, Callable[[Place], list[str]]] = {
    "test process": _kill_test_process,
    "process group": _kill_group,
    "session": _kill_session,
    "xdist worker": _kill_worker,
    "controller": _kill_controller,
    "supervisor": _kill_supervisor,
    "supervisor just after fork": _kill_after_fork,
    "monitor": _kill_monitor,
    "everything": _kill_everything,
    "postmaster": _kill_postmaster,
    "backend": _kill_backend,
    "without CAP_KILL": _without_cap_kill,
}

CHECKS: tuple[Check, ...] = tuple(
    Check(f"kill -9: {kind}" if "CAP" not in kind else kind, ATTEMPTS, functools.partial(attempt, kind))
    for kind in KINDS
)
