"""Full disks under the results, readers that leave, and limits on files and processes: an error with status 2."""

from __future__ import annotations

import itertools
import os
import random
import resource
import subprocess
import sys
from typing import TYPE_CHECKING

from pytest_pgfeatures.cli.process import run
from pytest_pgfeatures.install import server_account
from torture import namespaces, processes
from torture.forked import Forked
from torture.model import Check
from torture.place import place

if TYPE_CHECKING:
    from collections.abc import Callable

    from torture.place import Place

COMMANDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("run", "--pg", "18"), ("--json", "--junit")),
    (("verify", "--pg", "18", "-k", "16/any-value"), ("--json", "--html")),
    (("readiness", "--from", "14", "--to", "18", "--schema", "schema.sql", "--stage", "schema"),
     ("--json", "--junit", "--sarif", "--html")),
    (("extension", "citext", "--pg", "18", "--stage", "create"), ("--json", "--junit", "--html")),
    (("measure", "--pg", "15,16", "-k", "freeze-wal"), ("--json", "--html", "--benchmark-json")),
    (("delta", "15", "16"), ("--html",)),
)  # fmt: skip
"""Commands, and their options for files of results."""
SIZES = ("nr_inodes=1", "size=4k")
"""Options of tmpfs: room for no file, and room only for empty files."""
LIMITS = {
    "nofile 16": (resource.RLIMIT_NOFILE, 16),
    "nproc 1": (resource.RLIMIT_NPROC, 1),
    "nproc 10": (resource.RLIMIT_NPROC, 10),
}
_RAW = ("Traceback (most recent call last)", "INTERNALERROR", "Exception ignored")
_TOLD = ("what to do: ", "could not fork new process for connection")
"""The messages about a limit: ours, or a server's."""
_SECONDS = 300.0


def _start(where: Place, arguments: tuple[str, ...], prepare: Callable[[], object]) -> Forked:
    def command() -> int:
        prepare()
        os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)
        sys.argv = ["pgfeatures", *arguments, *(("--", "true") if arguments[0] == "run" else ())]
        return run()

    return Forked(command, where.path, where.environment, where.path / "output")


def _nothing() -> None:
    pass


def _results(count: int) -> list[str]:
    """Try each file of results, or the whole output, on a full disk, and an output without a reader."""
    turns = [
        (command, options, broken, size)
        for command, options in COMMANDS
        for broken, size in (*itertools.product(options, SIZES), ("full output", ""), ("no reader", ""))
    ]
    random.shuffle(turns)
    return [
        f"{command[0]}, {broken} {size}: {'; '.join(found)}"
        for command, options, broken, size in itertools.islice(itertools.cycle(turns), count)
        if (found := _with_results(command, options, broken, size))
    ]


def _with_results(command: tuple[str, ...], options: tuple[str, ...], broken: str, size: str) -> list[str]:
    with place() as where:
        where.write("CREATE TABLE t (a int);\n", "schema.sql")
        disk = where.path / "disk"
        disk.mkdir()
        if size:
            mount = ["mount", "-t", "tmpfs", "-o", f"{size},mode=755", "tmpfs", str(disk)]
            subprocess.run(mount, check=True)
        if size == SIZES[1]:
            (disk / "fill").write_bytes(bytes(4096))
        try:
            files = {
                each: disk / "file.json" if each == broken else where.path / f"{each.strip('-')}.json"
                for each in options
            }
            named = tuple(text for each, path in files.items() for text in (each, str(path)))
            status = _start(where, (*command, *named), _outputs().get(broken, _nothing)).wait(_SECONDS)
            problems = [] if status == 2 else [f"status {status}: {where.output[-600:]}"]
            problems += [f"told {raw!r}: {where.output[-2000:]}" for raw in _RAW if raw in where.output]
            if "can't write " not in where.output:
                problems.append(f"not told: {where.output[-600:]}")
            if size != SIZES[0]:  # otherwise the command was refused before anything ran
                whole = [path for option, path in files.items() if option != broken]
                problems += [f"{path.name} is not written" for path in whole if not path.exists()]
            problems += [f"{path.name} is left" for path in disk.iterdir() if path.name != "fill"]
            return problems + where.left()
        finally:
            if size:
                subprocess.run(["umount", "--lazy", disk], check=True)


def _outputs() -> dict[str, Callable[[], object]]:
    def full() -> None:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)

    def unread() -> None:
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        os.close(reading)
        os.close(writing)

    return {"full output": full, "no reader": unread}


def _limits(count: int) -> list[str]:
    turns = list(itertools.product(COMMANDS, LIMITS))
    random.shuffle(turns)
    return [
        f"{command[0]}, {limit}: {'; '.join(found)}"
        for (command, _), limit in itertools.islice(itertools.cycle(turns), count)
        if (found := _limited(command, limit))
    ]


def _limited(command: tuple[str, ...], limit: str) -> list[str]:
    """Run a command with few files, or few processes of its user, who isn't root, as root has no such limit."""
    account = server_account()
    kind, value = LIMITS[limit]

    def prepare() -> None:
        if kind == resource.RLIMIT_NPROC and account is not None:
            os.setgroups([])
            os.setgid(account.gid)
            os.setuid(account.uid)
        resource.setrlimit(kind, (value, value))

    with place() as where:
        where.write("CREATE TABLE t (a int);\n", "schema.sql")
        if kind == resource.RLIMIT_NPROC and account is not None:
            where.runs.mkdir()
            os.chown(where.runs, account.uid, account.gid)
            where.environment["HOME"] = str(where.runs)
        status = _start(where, command, prepare).wait(_SECONDS)
        problems = [f"told {raw!r}: {where.output[-3000:]}" for raw in _RAW if raw in where.output]
        told = any(text in where.output for text in _TOLD)
        if status not in (0, 1, 2) or (status and not told):
            problems.append(f"status {status}: {where.output[-1000:]}")
        return problems + where.left(files=False)  # without a supervisor, the files wait for the next run


_OUTCOMES = sum(len(options) * len(SIZES) + 2 for _, options in COMMANDS)

CHECKS = (
    Check("results: full disks, no reader", _OUTCOMES, _results, unit=10, missing=namespaces.missing_mounts),
    Check(
        "limits: open files, processes",
        len(COMMANDS) * len(LIMITS),
        _limits,
        unit=len(LIMITS),
        missing=processes.missing,
    ),
)
