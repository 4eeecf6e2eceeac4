"""Client programs in a lab: pg_dump, psql, reindexdb and others, run on the lab's database."""

from __future__ import annotations

import secrets
import subprocess
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import LabError
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.results.transcript import ROWS_KEPT, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pgfeatures.server import Cluster

PROGRAM_DEADLINE = 300
"""The time limit of a client program in a lab, in seconds, for programs that hang. 60 were too few for
pg_dumpall on a machine with a load of 260."""


def run(
    cluster: Cluster,
    dbname: str,
    program: str,
    *arguments: str | Path,
    stdin: str | None = None,
    variables: Mapping[str, str] | None = None,
) -> Finished:
    """Run one of an install's client programs on a database; see :meth:`Lab.run`."""
    argv, environment = cluster.program(program, *arguments)
    try:
        done = subprocess.run(
            argv,
            env=environment | {"PGDATABASE": dbname, **(variables or {})},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=PROGRAM_DEADLINE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise LabError(
            f"{program} was still running after {PROGRAM_DEADLINE} seconds: {command_line(program, arguments)}"
        ) from None
    return Finished(tuple(argv), done.returncode, done.stdout, done.stderr)


def run_as_server(cluster: Cluster, program: str, *arguments: str | Path) -> Finished:
    """Run one of an install's programs as the account that runs the server; see :meth:`Lab.run_server_program`."""
    argv, environment = cluster.program(program, *arguments)
    output = cluster.log.path.with_name(f"{program}-{secrets.token_hex(4)}.log")
    return cluster.supervisor.run(argv, output=output, environment=environment, timeout=PROGRAM_DEADLINE)


def command_line(
    program: str | Path, arguments: tuple[str | Path, ...], variables: Mapping[str, str] | None = None
) -> str:
    """The command as a shell would show it, without the program's directory."""
    given = [f"{name}={value}" for name, value in (variables or {}).items()]
    return " ".join([*given, *map(str, (program, *arguments))])


def entry(session: str, command: str, finished: Finished) -> Entry:
    """A program's run, in the form of transcripts."""
    lines = [*finished.output.splitlines(), *finished.errors.splitlines()]
    left = len(lines) - ROWS_KEPT
    return Entry(
        session,
        f"$ {command}",
        output=(*lines[:ROWS_KEPT], *([f"... ({left} more lines)"] if left > 0 else ())),
        status=f"exit status {finished.status}" if finished.status else None,
    )
