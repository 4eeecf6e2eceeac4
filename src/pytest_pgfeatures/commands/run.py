"""Runs a command once per version, with a fresh server in its environment.

This is like Debian's ``pg_virtualenv -v``, for every version that this library can get.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.commands.environment import borrowed_tools, command_environment, substituted
from pytest_pgfeatures.errors import CapabilityMissingError, PgFeaturesError
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access
from pytest_pgfeatures.threads import Pool, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pgfeatures.install import Cell
    from pytest_pgfeatures.server import Clusters

SECONDS_TO_END = 5.0
"""The seconds that a command may take to terminate before it is killed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command to run, and requirements for its servers.

    Parameters:
        arguments: the command line; ``{version}``, ``{major}`` and ``{dsn}`` in it are replaced for each server.
        needs: capabilities that the installs must have.
        settings: server settings, under their newest names.
        access: how clients reach the servers; TCP is for clients that don't support Unix-domain sockets.
    """

    arguments: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    settings: Mapping[str, str] | None = None
    access: Access = SOCKET_ONLY


def run_command(
    command: Command,
    cells: Sequence[Cell],
    clusters: Clusters,
    *,
    at_once: int = 1,
    captured: bool = False,
) -> Iterator[Result]:
    """Run a command once per version. A failure doesn't stop the others.

    If the iteration ends early, such as by KeyboardInterrupt, the running commands are terminated.

    Parameters:
        cells: the versions.
        at_once: how many versions to run at the same time.
        captured: capture the command's output instead of passing it through; always done with several at once.

    Yields:
        the results, in the order of the versions.
    """
    captured = captured or at_once > 1
    running = _Running()
    with Pool(at_once) as pool:
        try:
            yield from in_order(pool, lambda cell: _run_on(command, cell, clusters, captured, running), cells)
        finally:
            running.end()


class _Running:
    """The running commands."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[str]] = set()
        self._ended = False
        self._lock = threading.Lock()

    def start(self, arguments: list[str], **options: Any) -> subprocess.Popen[str]:
        """Start a command, unless :meth:`end` has been called.

        Raises:
            OSError: the command can't be started.
        """
        with self._lock:
            if self._ended:
                raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))
            process = subprocess.Popen(arguments, text=True, errors="replace", **options)
            self._processes.add(process)
        return process

    def end(self) -> None:
        """Terminate the running commands, and kill those that don't end in time."""
        with self._lock:
            self._ended = True
        running = [process for process in self._processes if process.poll() is None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + SECONDS_TO_END
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            process.kill()


def _run_on(
    command: Command,
    cell: Cell,
    clusters: Clusters,
    captured: bool,
    running: _Running,
) -> Result:
    item = Item("command", shlex.join(command.arguments))
    result = Result(item=item, cell=cell.id, major=str(cell.major), outcome=Outcome.ERROR)
    try:
        install = clusters.resolver.resolve(cell.request, command.needs)
        result = replace(result, installs=(InstallUsed.of(install),))
        cluster = clusters.create(install, name=cell.id, settings=command.settings, access=command.access)
    except PgFeaturesError as error:
        return _not_run(result, error)
    try:
        tools, borrowed = borrowed_tools(install, clusters.resolver, cluster)
        result = replace(result, installs=(InstallUsed.of(install, borrowed),))
        arguments = [substituted(argument, cluster) for argument in command.arguments]
        return _run(result, arguments, command_environment(cluster, tools), captured, running)
    finally:
        cluster.stop("immediate")


def _not_run(result: Result, error: PgFeaturesError) -> Result:
    lacks = error.capability if isinstance(error, CapabilityMissingError) else None
    return replace(
        result,
        outcome=Outcome.UNAVAILABLE if lacks else Outcome.ERROR,
        absent=lacks is None,
        summary=error.problem.partition("\n")[0],
        capability=lacks,
        evidence=Evidence(details=tuple(str(error).splitlines())),
    )


def _run(
    result: Result, arguments: list[str], environment: dict[str, str], captured: bool, running: _Running
) -> Result:
    started = time.monotonic()
    try:
        process = running.start(
            arguments,
            env=environment,
            stdin=subprocess.DEVNULL if captured else None,
            stdout=subprocess.PIPE if captured else None,
            stderr=subprocess.STDOUT if captured else None,
        )
    except OSError as error:
        trouble = f"can't run {arguments[0]}: {_why_not(error, arguments[0], environment['PATH'])}"
        return replace(result, summary=trouble, evidence=Evidence(details=(trouble,)))
    output, _ = process.communicate()
    finished = Finished(tuple(arguments), process.returncode, output or "")
    return replace(
        result,
        outcome=Outcome.FAILED if finished.status else Outcome.PASSED,
        ran=True,
        seconds=time.monotonic() - started,
        summary=str(finished) if finished.status else "",
        evidence=Evidence(program=finished),
    )


def _why_not(error: OSError, program: str, path: str) -> str | None:
    """Return the cause of exec's error. exec says "Permission denied" if a directory of PATH is inaccessible."""
    if os.sep not in program and shutil.which(program, os.F_OK, path) is None:
        return os.strerror(errno.ENOENT)
    return error.strerror
