"""Many tests in a row: memory and /dev/shm don't grow, and nothing is left behind."""

from __future__ import annotations

import json
import statistics

from torture import processes
from torture.model import Check
from torture.place import place

TESTS = """
import json, os, re
import pytest
from torture.processes import children, command_line, resident

OUT = open("figures", "a")

@pytest.mark.parametrize("round", range({count}))
def test_it(pg_connection, pg_cluster, create_pg, round):
    pg_connection.execute("CREATE TABLE t AS SELECT generate_series(1, 1000) AS a")
    if round % 50 == 0:
        assert create_pg().sql("SELECT 1") == [(1,)]
    supervisors = [pid for pid in children(os.getpid()) if "import supervisor" in command_line(pid)]
    facts = os.statvfs("/dev/shm")
    print(json.dumps({{
        "memory of the test process": resident(os.getpid()),
        "memory of the supervisor": sum(map(resident, supervisors)),
        "/dev/shm": (facts.f_blocks - facts.f_bfree) * facts.f_frsize,
        "files in /dev/shm": len([name for name in os.listdir("/dev/shm") if name.startswith("PostgreSQL.")]),
        "open files": len(os.listdir("/proc/self/fd")),
        "processes": len(children(pg_cluster.pid)),
    }}), file=OUT, flush=True)
"""
MAY_GROW = {
    "memory of the test process": 25e6,  # pytest keeps a report of each test: 10 kB
    "memory of the supervisor": 2e6,
    "/dev/shm": 40e6,  # WAL, until the next checkpoint recycles it
    "files in /dev/shm": 4,
    "open files": 4,
    "processes": 4,
}
"""The amounts by which the last tests' figures may exceed the first tests'."""
_FIRST = 0.2
"""The share of the tests after which memory, WAL and the databases kept for reuse are stable."""
_ENOUGH = 500
"""The smallest number of tests that allows a verdict."""


def _in_a_row(count: int) -> list[str]:
    with place() as where:
        where.write(TESTS.format(count=count))
        run = where.start("--pg=18", "-q")
        problems = []
        try:
            if status := run.wait(timeout=600):
                problems.append(f"the run ended with status {status}: {where.output[-500:]}")
        except TimeoutError as error:
            problems.append(str(error))
        lines = (where.path / "figures").read_text().splitlines()
        if len(lines) != count:
            problems.append(f"{len(lines)} of {count} tests ran")
        elif count >= _ENOUGH:
            problems += _growth([json.loads(line) for line in lines])
        return problems + where.left()


def _growth(figures: list[dict[str, float]]) -> list[str]:
    begin = int(len(figures) * _FIRST)
    part = max(1, len(figures) // 10)
    problems = []
    for name, most in MAY_GROW.items():
        first, last = (
            statistics.median(figure[name] for figure in some)
            for some in (figures[begin : begin + part], figures[-part:])
        )
        if last - first > most:
            problems.append(f"{name}: {first:,.0f}, and after {len(figures)} tests {last:,.0f}")
    return problems


CHECKS = (Check("1,000 tests in a row", 1_000, _in_a_row, unit=1_000, missing=processes.missing),)
