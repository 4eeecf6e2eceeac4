"""Inputs and statements that have no end or take all memory: each gives an error, in bounded time and memory."""

from __future__ import annotations

import functools
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.cli.process import run
from pytest_pgfeatures.files import LIMIT
from pytest_pgfeatures.server.watchdog import MEMORY
from torture import processes
from torture.attacks import ALIASES, CATCHES
from torture.forked import Forked
from torture.kills import kill
from torture.model import Check, each
from torture.place import Place, place

if TYPE_CHECKING:
    from collections.abc import Callable

LIMITS = {LIMIT: "16", MEMORY: "200"}
"""Megabytes."""
MOST = 1 << 30
"""Bytes that the command and its servers may take together: two sessions of 200 MB, as much in the command, and
their basic needs."""
_SECONDS = 400.0
_SCHEMA = ("--schema", "schema.sql", "--stage", "schema")
_QUERIES = ("--schema", "schema.sql", "--data", "data.sql", "--queries", "queries.sql", "--stage", "results")
_RAW = ("Traceback (most recent call last)", "MemoryError")
_AFTER = "\nCREATE TABLE after (id int CHECK (id > 0x1));\n"


@dataclass(frozen=True, slots=True)
class Endless:
    """An endless input.

    Parameters:
        arguments: the arguments of ``readiness``.
        told: the expected message.
        files: the files' texts.
        prepare: creates the inputs that aren't files with a text.
    """

    arguments: tuple[str, ...]
    told: str
    files: dict[str, str]
    prepare: Callable[[Place], object] = lambda _: None


def _pipe(where: Place) -> None:
    (where.path / "app").mkdir(exist_ok=True)
    os.mkfifo(where.path / "app" / "x.sql")


def _large(where: Place) -> None:
    with open(where.path / "schema.sql", "wb") as file:
        file.truncate(20 << 30)


def _rows(count: int) -> str:
    return "CREATE TABLE t (a int, b text);\n" + "".join(
        f"INSERT INTO t VALUES ({number}, 'row {number}');\n" for number in range(count)
    )


def _one_statement(count: int) -> str:
    rows = ", ".join(f"({number}, 'row {number}')" for number in range(count))
    return f"CREATE TABLE t (a int, b text);\nINSERT INTO t VALUES {rows};\n"


_READ = "CREATE TABLE t (a int);\nSELECT 1;\n"
KINDS: dict[str, Endless] = {
    "/dev/zero": Endless(_SCHEMA, "no regular file", {"schema.sql": f"\\i /dev/zero{_AFTER}"}),
    "/dev/zero, relative": Endless(_SCHEMA, "no regular file", {"schema.sql": "\\ir /dev/zero\n"}),
    "itself": Endless(_SCHEMA, "schema.sql", {"schema.sql": "\\i schema.sql\n\\ir schema.sql\n"}),
    "a pipe": Endless(("--schema", "app/x.sql"), "no regular file", {}, _pipe),
    "a pipe in a directory": Endless(
        ("--schema", "schema.sql", "--queries", "app", "--stage", "queries"), "", {"schema.sql": _READ}, _pipe
    ),
    "a file of 20 GB": Endless(_SCHEMA, f"{LIMIT}=", {}, _large),
    "aliases": Endless(("--scripts", "bomb.yml", "--stage", "settings"), "", {"bomb.yml": ALIASES}),
    "caught cancellations": Endless(
        (*_SCHEMA, "--timeout", "3"), "it had not finished after 3 s", {"schema.sql": CATCHES}
    ),
    "a value of 1 GB": Endless(
        _SCHEMA, "out_of_memory", {"schema.sql": f"SELECT length(repeat('x', 1000000000));{_AFTER}"}
    ),
    "a result without end": Endless(
        (*_QUERIES, "--timeout", "20"),
        "queries.sql",
        {
            "schema.sql": _READ,
            "data.sql": "INSERT INTO t VALUES (1);\n",
            "queries.sql": "SELECT repeat('x', 1000000) FROM generate_series(1, 1000000000);\n",
        },
    ),
    "many statements": Endless(_SCHEMA, "", {"schema.sql": _rows(5000)}),
    "a statement of 2 MB": Endless(_SCHEMA, "", {"schema.sql": _one_statement(100_000)}),
}  # fmt: skip


def _bounded(kind: Endless) -> list[str]:
    with place() as where:
        for name, text in kind.files.items():
            where.write(text, name)
        kind.prepare(where)

        def command() -> int:
            os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
            os.environ.update(LIMITS)
            sys.argv = ["pgfeatures", "readiness", "--from", "14", "--to", "18", *kind.arguments]
            return run()

        running = Forked(command, where.path, where.environment, where.path / "output")
        problems = _watched(where, running)
        output = where.output
        problems += [f"told {raw!r}: {output[-3000:]}" for raw in _RAW if raw in output]
        if not problems and (running.poll() not in (0, 1, 2) or kind.told not in " ".join(output.split())):
            problems.append(f"status {running.poll()}: {output[-2000:]}")
        return problems + where.left(files=not problems)


def _watched(where: Place, running: Forked) -> list[str]:
    """Wait for a command's end. If it takes too much, kill it and its servers."""
    end = time.monotonic() + _SECONDS
    while running.poll() is None:
        used = sum(processes.resident(pid) for pid in where.processes())
        if used > MOST or time.monotonic() > end:
            kill(*where.processes())
            running.wait()
            return [f"it took {used >> 20} MB" if used > MOST else f"not at its end after {_SECONDS:g} s"]
        time.sleep(0.02)
    return []


CHECKS = tuple(
    Check(f"endless: {name}", 2, each(functools.partial(_bounded, kind)), missing=processes.missing)
    for name, kind in KINDS.items()
)
