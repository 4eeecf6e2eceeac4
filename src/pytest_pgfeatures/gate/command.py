"""Any command, once for each version, with a fresh server in its environment.

What Debian's ``pg_virtualenv -v`` does, for every version the library can get.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.libpq import NO_FILE, without_libpq
from pytest_pgfeatures.server.configuration import SOCKET_ONLY, Access

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pgfeatures.install import Cell, Install, Resolver
    from pytest_pgfeatures.server import Cluster, Clusters

DBNAME = "postgres"
"""The database that the command is led to: the one initdb makes."""
SECONDS_TO_END = 5.0
"""For a command that is told to terminate."""
NO_PASSWORDS = {"PGPASSFILE": NO_FILE}
"""The servers' password, where they have one, is in PGPASSWORD."""
_BORROWABLE = ("psql", "pg_dump", "pgbench")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended on one version.

    Parameters:
        cell: the cell's id, such as ``pg16``.
        install: what the server ran; None if there was none.
        status: the command's exit status, negative for a signal; None if it was not run.
        seconds: how long the command took.
        trouble: why it was not run.
        output: what it printed, where that was not shown at once.
        borrowed: client programs of another install, as ``psql of 18.6``.
    """

    cell: str
    install: Install | None
    status: int | None
    seconds: float = 0.0
    trouble: str = ""
    output: str = ""
    borrowed: str = ""

    @property
    def passed(self) -> bool:
        """Whether the command ran and exited with 0."""
        return self.status == 0


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, and on what servers.

    Parameters:
        arguments: the command line; ``{version}``, ``{major}`` and ``{dsn}`` in it stand for the server's.
        needs: capabilities that the installs must have.
        settings: of the servers, under their newest names.
        access: how the servers are reached; by TCP for clients that know no sockets.
    """

    arguments: tuple[str, ...]
    needs: frozenset[str] = frozenset()
    settings: Mapping[str, str] | None = None
    access: Access = SOCKET_ONLY


def run_command(
    command: Command,
    cells: Sequence[Cell],
    resolver: Resolver,
    clusters: Clusters,
    *,
    at_once: int = 1,
    captured: bool = False,
) -> Iterator[Ran]:
    """Run a command on each version; one that fails does not stop the others.

    If the iteration ends early, by an exception such as KeyboardInterrupt, commands that run are ended.

    Parameters:
        cells: the versions.
        at_once: how many versions side by side.
        captured: keep what the command prints, instead of letting it through; so it is with several at once.

    Yields:
        how it ended, in the order of the versions.
    """
    captured = captured or at_once > 1
    running = _Running()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            yield from pool.map(
                lambda cell: _run_on(command, cell, resolver, clusters, captured, running), cells
            )
        finally:
            running.end()


class _Running:
    """The commands that run."""

    def __init__(self) -> None:
        self._processes: set[subprocess.Popen[str]] = set()
        self._ended = False
        self._lock = threading.Lock()

    def start(self, arguments: list[str], **options: Any) -> subprocess.Popen[str]:
        """Start one, unless all are to end.

        Raises:
            OSError: it can't be started.
        """
        with self._lock:
            if self._ended:
                raise InterruptedError(errno.EINTR, os.strerror(errno.EINTR))
            process = subprocess.Popen(arguments, text=True, errors="replace", **options)
            self._processes.add(process)
        return process

    def end(self) -> None:
        """Terminate those that run, and kill what is still there after a while."""
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
    resolver: Resolver,
    clusters: Clusters,
    captured: bool,
    running: _Running,
) -> Ran:
    install = None
    try:
        install = resolver.resolve(cell.request, command.needs)
        cluster = clusters.create(install, name=cell.id, settings=command.settings, access=command.access)
    except PgFeaturesError as error:
        return Ran(cell.id, install, None, trouble=str(error))
    try:
        tools, borrowed = _borrowed_tools(install, resolver, cluster)
        environment = command_environment(cluster, tools)
        arguments = [substituted(argument, cluster) for argument in command.arguments]
        return _run(cell, install, arguments, environment, captured, borrowed, running)
    finally:
        cluster.stop("immediate")


def _run(
    cell: Cell,
    install: Install,
    arguments: list[str],
    environment: dict[str, str],
    captured: bool,
    borrowed: str,
    running: _Running,
) -> Ran:
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
        return Ran(cell.id, install, None, trouble=trouble, borrowed=borrowed)
    output, _ = process.communicate()
    seconds = time.monotonic() - started
    return Ran(cell.id, install, process.returncode, seconds, output=output or "", borrowed=borrowed)


def command_environment(cluster: Cluster, tools: Iterable[Path] = ()) -> dict[str, str]:
    """Our environment, led to a server: libpq's variables, DATABASE_URL, PG_CONFIG, its programs first on PATH.

    Parameters:
        tools: directories of further programs, searched after the install's own.
    """
    config = cluster.install.bindir / "pg_config"
    search = [str(cluster.install.bindir), *map(str, tools), os.environ.get("PATH", os.defpath)]
    given = {
        "PGHOST": cluster.host,
        "PGPORT": str(cluster.port),
        "PGUSER": cluster.user,
        "PGDATABASE": DBNAME,
        "PGPASSWORD": cluster.password,
        "PG_CONFIG": str(config) if config.exists() else None,
        "DATABASE_URL": database_url(cluster),
        "PATH": os.pathsep.join(search),
    }
    return (
        without_libpq() | NO_PASSWORDS | {name: value for name, value in given.items() if value is not None}
    )


def database_url(cluster: Cluster, dbname: str = DBNAME) -> str:
    """The server as a connection URI
    (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS)."""
    if cluster.password is not None:
        login = f"{quote(cluster.user)}:{quote(cluster.password, safe='')}"
        return f"postgresql://{login}@{cluster.host}:{cluster.port}/{quote(dbname)}"
    where = urlencode({"host": cluster.host, "port": cluster.port})
    return f"postgresql://{quote(cluster.user)}@/{quote(dbname)}?{where}"


def _why_not(error: OSError, program: str, path: str) -> str | None:
    """What is wrong with a program; exec says "Permission denied" if it may not even look in one place of PATH."""
    if os.sep not in program and shutil.which(program, os.F_OK, path) is None:
        return os.strerror(errno.ENOENT)
    return error.strerror


def substituted(argument: str, cluster: Cluster) -> str:
    """An argument of the command with what stands for the server's version and connection string filled in."""
    values: dict[str, Callable[[], str]] = {
        "{version}": lambda: str(cluster.version),
        "{major}": lambda: cluster.version.major,
        "{dsn}": lambda: cluster.dsn(DBNAME),
    }
    for name, value in values.items():
        if name in argument:
            argument = argument.replace(name, value())
    return argument


def _borrowed_tools(install: Install, resolver: Resolver, cluster: Cluster) -> tuple[list[Path], str]:
    """A directory of links to client programs of another install, where this one has none; and what they are."""
    lacking = [tool for tool in _BORROWABLE if not install.has(tool)]
    if not lacking:
        return [], ""
    tools = cluster.datadir.parent / "tools"
    tools.mkdir()
    lent: dict[str, list[str]] = {}
    for tool in lacking:
        try:
            lender = resolver.borrow(tool, install.version)
        except PgFeaturesError:
            continue  # the command may not want it; if it does, it says so itself
        (tools / tool).symlink_to(lender.program(tool))
        lent.setdefault(str(lender.version), []).append(tool)
    return [tools], "; ".join(f"{', '.join(names)} of {version}" for version, names in lent.items())
