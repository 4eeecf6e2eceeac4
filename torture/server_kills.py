"""Kill a server's processes while tests use it: only the test that is running at that moment may fail."""

from __future__ import annotations

import random
import re
import time
import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING

from torture import processes
from torture.kills import VERSIONS, kill
from torture.model import Check
from torture.place import Place, place, until_empty
from torture.processes import children

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.forked import Forked

TESTS = """
import pytest

@pytest.mark.parametrize("round", range(1000))
def test_it(pg_connection, round):
    pg_connection.execute("CREATE TABLE t AS SELECT generate_series(1, 20000) AS a")
    assert pg_connection.execute("SELECT count(*), pg_sleep(0.03) FROM t").fetchone()[0] == 20000
"""
"""Tests that share a server."""
CONFTEST = """
import os

SESSION = []

def pytest_sessionstart(session):
    SESSION.append(session)

def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed:
        with open("passed", "a") as file:
            file.write("x")

def pytest_runtest_logfinish(nodeid, location):
    if os.path.exists("enough"):
        SESSION[0].shouldstop = "enough"
"""
"""The run reports the number of passed tests. It ends after the test during which the file ``enough`` appears."""
_KILLS_PER_RUN = 10
_SECONDS_FOR_SERVER = 60.0


def _kill_in_servers(choose: Callable[[list[int]], list[int]], count: int) -> list[str]:
    failures: list[str] = []
    while count > 0:
        kills = min(count, _KILLS_PER_RUN)
        count -= kills
        with place() as where:
            failures += _kill_in_one_run(where, choose, kills)
    return failures


def _kill_in_one_run(where: Place, choose: Callable[[list[int]], list[int]], kills: int) -> list[str]:
    where.write(TESTS)
    where.write(CONFTEST, "conftest.py")
    (where.path / "passed").touch()
    run = where.start(f"--pg={random.choice(VERSIONS)}", "--junitxml=junit.xml")
    problems: list[str] = []
    for number in range(kills):
        problems += _kill_one(where, run, choose)
        if problems:
            break
        # Sometimes a server is killed right after its start; two such kills in a row would be one failed test.
        if number % 3 or number == kills - 1:
            problems += _go_on(where, run)
    (where.path / "enough").touch()
    try:
        run.wait()
    except TimeoutError as error:
        problems.append(str(error))
    problems += _wrong_tests(where, kills) + where.left()
    return ["; ".join(problems)] if problems else []


def _kill_one(where: Place, run: Forked, choose: Callable[[list[int]], list[int]]) -> list[str]:
    victims: list[int] = []

    def none_yet() -> list[str]:
        victims[:] = choose(_postmasters(where))
        return [] if victims or run.poll() is not None else ["no server that could be killed"]

    problems = until_empty(none_yet, _SECONDS_FOR_SERVER)
    time.sleep(random.uniform(0, 0.3))
    if victims := choose(_postmasters(where)) or victims:
        kill(random.choice(victims))
    return problems


def _go_on(where: Place, run: Forked) -> list[str]:
    """Wait until two more tests have passed: the first may have ended before the kill."""
    passed = where.path / "passed"
    enough = passed.stat().st_size + 2
    return until_empty(
        lambda: [] if passed.stat().st_size >= enough else [f"tests stopped passing: status {run.poll()}"],
        _SECONDS_FOR_SERVER,
    )


def _wrong_tests(where: Place, kills: int) -> list[str]:
    """Return the tests that did not pass, if there are more of them than kills."""
    wrong: dict[str, str] = {}
    passed = 0
    try:
        cases = ElementTree.parse(where.path / "junit.xml").iter("testcase")
    except (OSError, ElementTree.ParseError) as error:
        return [f"no report of the run: {error}: {where.output[-500:]}"]
    for case in cases:
        troubles = [*case.findall("failure"), *case.findall("error")]
        passed += not troubles
        for trouble in troubles:
            text = " ".join((trouble.get("message") or "").split())
            wrong[case.get("name", "")] = f"{wrong.get(case.get('name', ''), '')} {trouble.tag}: {text[:200]}"
    if not passed:
        return [f"no test passed: {wrong}"]
    return [f"{name}:{text}" for name, text in wrong.items()][kills:]


def _postmasters(where: Place) -> list[int]:
    return [pid for pid, text in where.processes().items() if re.search(r"bin/postgres -D", text)]


def _backends(postmasters: list[int]) -> list[int]:
    return [pid for postmaster in postmasters for pid in children(postmaster)]


def _kill_postmasters(count: int) -> list[str]:
    """Kill postmasters: later tests get another server."""
    return _kill_in_servers(lambda postmasters: postmasters, count)


def _kill_backends(count: int) -> list[str]:
    """Kill backends: the server recovers, and later tests use it."""
    return _kill_in_servers(_backends, count)


CHECKS = (
    Check("kill: postmaster", 300, _kill_postmasters, unit=10, missing=processes.missing),
    Check("kill: backend", 300, _kill_backends, unit=10, missing=processes.missing),
)
