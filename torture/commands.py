"""Kill running commands at random moments: nothing is left, files are complete, and the next run works."""

from __future__ import annotations

import functools
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pytest_pgfeatures.cli.process import run
from torture import processes
from torture.forked import Forked
from torture.kills import _left, _left_to_the_next, supervisors
from torture.model import Check, each
from torture.place import place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torture.place import Place

SCHEMA = """
CREATE TABLE orders (id int PRIMARY KEY, customer int, placed timestamp, note text);
CREATE INDEX ON orders (customer);
CREATE FUNCTION total(c int) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM orders WHERE customer = c';
CREATE MATERIALIZED VIEW busy AS SELECT customer, count(*) FROM orders GROUP BY customer;
"""
ROWS = "INSERT INTO orders SELECT i, i % 100, now(), repeat('x', i % 50) FROM generate_series(1, 20000) AS i"
QUERIES = """
SELECT * FROM orders WHERE customer = 7 ORDER BY placed DESC LIMIT 10;
SELECT customer, count(*) FROM orders GROUP BY customer HAVING count(*) > 3;
SELECT total(3);
"""
FILES = ("--json", "--html")
_INPUT = ("--schema", "schema.sql", "--data", "data.sql", "--queries", "queries.sql")
COMMANDS: dict[str, tuple[float, tuple[str, ...]]] = {
    "readiness": (
        25,
        ("readiness", "--from", "14", "--to", "18", *_INPUT, "--statistics", "statistics.json"),
    ),
    "extension": (20, ("extension", "citext", "--pg", "16,18")),
    "measure": (8, ("measure", "--pg", "15..17", "-k", "wal")),
    "verify -n 2": (15, ("verify", "--pg", "16,18", "-n2", "-k", "16/")),
}
"""The latest moment of a kill, in seconds, and the arguments."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_SECONDS = 300.0
_RAW = "Traceback (most recent call last)"


@functools.cache
def _statistics() -> str:
    """Statistics as production would have exported them."""
    with tempfile.TemporaryDirectory(prefix="torture-") as directory:
        file = Path(directory) / "statistics.json"
        environment = os.environ | {"FILE": str(file)}
        exporting = Forked(_export, Path(directory), environment, Path(directory) / "output")
        if exporting.wait(_SECONDS):
            raise RuntimeError((Path(directory) / "output").read_text())
        return file.read_text()


def _export() -> int:
    from pytest_pgfeatures.statistics.document import write_statistics
    from pytest_pgfeatures.statistics.reading import export
    from pytest_pgfeatures.workbench import Workbench

    with Workbench() as workbench:
        cluster = workbench.cluster("14")
        for statement in (SCHEMA, ROWS, "ANALYZE"):
            with cluster.connect() as connection:
                connection.execute(statement)
        write_statistics(export(cluster.dsn(), resolver=workbench.resolver), Path(os.environ["FILE"]))
    return 0


def _start(where: Place, arguments: Iterable[str], output: str) -> Forked:
    def command() -> int:
        sys.argv = ["pgfeatures", *arguments]
        os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the run itself may ignore the signal
        return run()

    return Forked(command, where.path, where.environment, where.path / output)


def _kill_command() -> list[str]:
    with place() as where:
        try:
            return _kill(where)
        except (TimeoutError, RuntimeError) as error:
            return [str(error)]


def _kill(where: Place) -> list[str]:
    for name, text in (("schema.sql", SCHEMA), ("data.sql", f"{ROWS};\n"), ("queries.sql", QUERIES)):
        where.write(text, name)
    where.write(_statistics(), "statistics.json")
    (where.path / "out").mkdir()
    name, number = random.choice(list(COMMANDS)), random.choice(SIGNALS)
    latest, arguments = COMMANDS[name]
    files = [text for option in FILES for text in (option, f"out/all.{option.strip('-')}")]
    moment = random.uniform(0, latest)
    running = _start(where, (*arguments, *files), "output")
    end = time.monotonic() + moment
    while running.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    done = running.poll()
    whole = number == signal.SIGINT and random.random() < 0.5  # as a terminal sends the signal
    supervised = supervisors(running.pid)
    if done is None:
        os.killpg(running.pid, number) if whole else os.kill(running.pid, number)
    status = running.wait(_SECONDS)
    problems = []
    expected = {-number} if number == signal.SIGKILL else {128 + number, -number}
    if status not in expected | {0, 1} or (done is not None and status not in (0, 1)):
        problems.append(f"status {status}")
    if number != signal.SIGKILL and _RAW in where.output:
        problems.append(f"a traceback: {where.output[-3000:]}")
    problems += _left(where)
    problems += _half_written(where.path / "out")
    again = _start(where, ("run", "--pg", "14,18", "--", "true"), "again")
    if (status := again.wait(_SECONDS)) != 0:
        problems.append(f"the next run: status {status}: {(where.path / 'again').read_text()[-1500:]}")
    problems += _left_to_the_next(where)
    told = f"{name}, {signal.Signals(number).name}{' to all' if whole else ''} after {moment:.2f} s"
    return [f"{told}, supervisors {supervised}: {'; '.join(problems)}"] if problems else []


def _half_written(directory: Path) -> list[str]:
    """Return the files of results that are incomplete, and other files that were left beside them."""
    found = []
    for path in directory.iterdir():
        text = path.read_text(errors="replace")
        try:
            if path.suffix == ".json":
                json.loads(text)
            elif path.suffix == ".junit":
                ElementTree.fromstring(text)
            elif path.suffix != ".html" or not text.rstrip().endswith("</html>"):
                found.append(f"{path.name} ({len(text)} characters)")
        except (ValueError, ElementTree.ParseError) as error:
            found.append(f"{path.name}: {error}")
    return found


CHECKS = (Check("kill: running commands", 200, each(_kill_command), unit=5, missing=processes.missing),)
