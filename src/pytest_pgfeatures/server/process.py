"""The test process's side of the supervisor: start programs that end when the test process ends.

Each test process has one supervisor; see :mod:`pytest_pgfeatures.server.supervisor`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import subprocess
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.server.ending import ProcessEnd
from pytest_pgfeatures.server.own_programs import account_as_json, own_program
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.server.run_directory import RunDirectory

SECONDS_FOR_KILLED = 30.0
"""Time for killed processes to end."""
_SECONDS_AT_ONCE = 0.05
"""Seconds of each wait for the kernel to report the end of a program."""


class Reply:
    """The supervisor's reply to a request; ``content`` is None until it has been read."""

    content: dict[str, Any] | None = None


class NewDirectory(NamedTuple):
    """A directory to fill.

    See :func:`pytest_pgfeatures.server.renewal.make_directory`, and with ``tablespaces``
    :func:`pytest_pgfeatures.server.backup.back_up`.
    """

    source: str
    target: str
    appended: dict[str, str]
    written: dict[str, str]
    tablespaces: str | None = None
    renewed: bool | None = None
    """Whether a removed server's directory is made the same as its template, whose listing is then kept."""

    def request(self) -> dict[str, Any]:
        """The directory as a part of a request to the supervisor."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class Process:
    """A program that the supervisor has started."""

    def __init__(
        self, supervisor: SupervisorClient, number: int, spawned: Reply, argv: tuple[str, ...]
    ) -> None:
        self._supervisor = supervisor
        self._number = number
        self._spawned = spawned
        self._end: ProcessEnd | None = None
        self.argv = argv

    @property
    def pid(self) -> int:
        """The program's process id."""
        return int(self._supervisor.read(self._spawned)["pid"])

    def poll(self) -> int | None:
        """The exit status (negative for a signal); None while the program runs.

        Raises:
            ServerError: the program could not be started. Raised once.
            OSError: the program's directory could not be made. Raised once.
        """
        if self._end is not None and not self._end.reached():
            return (
                None  # a test polls so often that a request to the supervisor each time would cost too much
            )
        # The monitor's end, not the program's: a program whose monitor was killed may go on.
        end = self._end or ProcessEnd.of(self._supervisor.read(self._spawned)["monitor"])
        reply = self._supervisor.ask(do="poll", number=self._number)
        if trouble := reply["trouble"]:
            if "not made" in trouble:
                raise OSError(*trouble["not made"])
            if "not permitted" in trouble:
                uid, why = trouble["not permitted"]
                raise ServerError(
                    f"can't run {self.argv[0]}: root may not become the user with the number {uid}, who runs the "
                    f"servers ({why})",
                    remedy="run the tests as another user than root, or give the container the capabilities "
                    "CAP_SETUID and CAP_SETGID",
                )
            raise ServerError(
                f"can't run {self.argv[0]}: {trouble['error']}",
                remedy="see that the file exists, and that the user who runs servers may read it",
            )
        status = reply["status"]
        if status is None:
            self._end = end
            return None
        return int(status)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the program. Do nothing if it has ended."""
        self._supervisor.ask(do="signal", number=self._number, signal=int(number))

    def kill(self) -> None:
        """Kill the program and all that it has started, and wait until they have ended.

        Do nothing if the program has ended.

        Raises:
            WaitTimeoutError: they still exist, because the kernel has something to finish for them.
        """
        self._supervisor.ask(do="kill", number=self._number)
        with contextlib.suppress(OSError):
            self.wait(timeout=SECONDS_FOR_KILLED)

    def wait(self, *, timeout: float) -> int:
        """Wait until the program ends, and return its exit status.

        Raises:
            WaitTimeoutError: the program still runs after ``timeout``.
        """

        def ended() -> tuple[int] | None:
            if self._end is not None:
                self._end.reached(_SECONDS_AT_ONCE)
            status = self.poll()
            return None if status is None else (status,)

        return wait_until(ended, f"the end of {Path(self.argv[0]).name} (pid {self.pid})", timeout=timeout)[0]


class SupervisorClient:
    """Starts the supervisor, and asks it to start programs.

    Parameters:
        run: the run's directory. When this process ends, the supervisor holds its lock and removes it.
        controller: in a pytest-xdist worker, the controller's process id. When the controller ends, the supervisor
            ends this process.

    Attributes:
        directory: the run's directory.
        run_directory: its path.
        account: the account that programs run as; None for the current user.
    """

    def __init__(self, run: RunDirectory, controller: int | None = None) -> None:
        ours, its = socket.socketpair()
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._socket = ours
        self._lines = ours.makefile("rb")
        self._awaited: deque[Reply] = deque()
        self._numbers = itertools.count(1)
        self.directory = run
        self.run_directory = run.path
        self.account = run.account
        inherited = (its.fileno(), run.lock, run.descriptor)
        with its:
            try:
                self._process = subprocess.Popen(
                    [
                        *own_program("supervisor"),
                        *map(str, inherited),
                        str(run.path),
                        account_as_json(run.account),
                        str(controller or 0),
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=inherited,
                    cwd="/",
                    start_new_session=True,
                )
            except OSError as error:
                raise ServerError(
                    f"can't start a process: {error.strerror}",
                    remedy="raise the limits on processes (ulimit -u) and open files (ulimit -n)",
                ) from error

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request, and return the reply.

        Raises:
            ServerError: the supervisor has ended, or refused the request.
        """
        return self.read(self.send(**request))

    def send(self, **request: Any) -> Reply:
        """Send a request without waiting for the reply: a supervisor takes a moment to start."""
        reply = Reply()
        with self._lock:
            self._awaited.append(reply)  # first: an interrupt must not bring replies and requests out of step
            try:
                self._socket.sendall(json.dumps(request).encode() + b"\n")
            except OSError as error:
                raise self._gone() from error
        return reply

    def read(self, reply: Reply) -> dict[str, Any]:
        """Wait for the reply to a request, and return it. Replies come in the order of the requests."""
        with self._lock:
            while reply.content is None:
                try:
                    line = self._lines.readline()
                except (OSError, ValueError) as error:  # ValueError: another thread has closed us
                    raise self._gone() from error
                if not line:
                    raise self._gone()
                self._awaited.popleft().content = json.loads(line)
        if "error" in reply.content:
            raise ServerError(
                f"the supervisor of the servers refused: {reply.content['error']}",
                remedy="report this: it is a mistake here",
            )
        return reply.content

    def _gone(self) -> ServerError:
        return ServerError(
            f"the process that keeps the servers (pid {self._process.pid}) is gone, and they are with it",
            remedy="something killed it; look for the kernel's out-of-memory killer in the system's log",
        )

    def spawn(
        self,
        argv: Sequence[str | Path],
        *,
        output: Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        directory: NewDirectory | None = None,
    ) -> Process:
        """Start a program, which ends at the latest when this process ends.

        This does not wait until the program is started; :meth:`Process.poll` raises an error if it could not be.

        Parameters:
            argv: the program's full path and its arguments.
            output: the file to which the program's output is appended.
            environment: the program's environment; by default, that of this process.
            cwd: the program's working directory; by default, the run's directory.
            directory: a directory that the new process fills before it becomes the program.

        Raises:
            ServerError: the supervisor has ended.
            StoreError: there is no room for the output file.
        """
        arguments = [str(argument) for argument in argv]
        self.directory.output(output)
        return self._spawn(
            tuple(arguments),
            argv=arguments,
            env=dict(os.environ if environment is None else environment),
            cwd=str(cwd or self.run_directory),
            output=str(output),
            directory=None if directory is None else directory.request(),
        )

    def fill(self, directory: NewDirectory, *, timeout: float = 600.0) -> None:
        """Fill a directory as the user who runs the servers, and wait until that is done.

        Raises:
            OSError: the file system's error. What is already in the directory remains.
            ServerError: the supervisor has ended, or the process that fills the directory was killed.
            WaitTimeoutError: it took longer than ``timeout``.
        """
        filling = self._spawn((f"copying {directory.source}",), argv=[], directory=directory.request())
        status = filling.wait(timeout=timeout)
        if status != 0:
            raise ServerError(
                f"copying {directory.source} to {directory.target} ended with status {status}",
                remedy="something killed it; look for the kernel's out-of-memory killer in the system's log",
            )

    def _spawn(self, shown: tuple[str, ...], **request: Any) -> Process:
        number = next(self._numbers)
        return Process(self, number, self.send(do="spawn", number=number, **request), shown)

    def run(
        self,
        argv: Sequence[str | Path],
        *,
        output: Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float = 300.0,
    ) -> Finished:
        """Run a program, and wait until it ends. Its output goes to ``output``, a file that must not exist yet.

        Raises:
            ServerError: the program can't be started.
            WaitTimeoutError: the program still ran after ``timeout``. It is killed with all that it has started.
        """
        process = self.spawn(argv, output=output, environment=environment, cwd=cwd)
        try:
            status = process.wait(timeout=timeout)
        except BaseException:
            with contextlib.suppress(ServerError):
                process.kill()
            raise
        text = output.read_text(errors="replace") if output.exists() else ""
        return Finished(process.argv, status, text)

    def close(self) -> None:
        """Wait until the supervisor has ended all programs and removed the run's files."""
        if os.getpid() != self._pid:
            return  # a forked child must not end its parent's servers
        with self._lock:
            with contextlib.suppress(BrokenPipeError):  # the supervisor has been killed
                self._lines.close()
            self._socket.close()
        self._process.wait()
