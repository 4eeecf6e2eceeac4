"""The monitor of a program: its parent process, which ends it and all processes that it has started.

The supervisor forks a monitor for each program that it starts. The monitor becomes the account that servers run as,
so it can signal them even where root can't (without CAP_KILL, as in containers). It reads orders from a pipe. When
the supervisor ends, for whatever reason, that pipe is closed, and the monitor ends its program. If the monitor
itself is killed, the kernel (Linux) sends a signal to its program, and makes the supervisor the parent of what the
program has started.

A program may start other processes and end before them: make and its compilers, pg_upgrade and its servers, a
killed postmaster and its server processes. They become the monitor's children (Linux), and the monitor ends them
with the program. It reports the program's end only after all of them have ended, and after it has removed what a
killed server leaves in the kernel.

An order is a byte: the number of a signal to send to the program, or 0 to kill the program and all that it has
started. Reports are lines of JSON: ``{"pid": 123}``, then ``{"status": as os.waitstatus_to_exitcode, "trouble": why
the program could not be started, or null}``.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from pytest_pgfeatures.server import ipc, linux
    from pytest_pgfeatures.server.renewal import make_directory

    Request = dict[str, Any]
    Account = tuple[int, int, list[int]]
else:
    import ipc  # beside this file, as the others
    import linux
    from renewal import make_directory

SECONDS_FOR_SHUTDOWN = 1.0
"""Time for an immediate shutdown; after that, the server's processes are killed."""
SECONDS_FOR_KILLED = 5.0
"""Time for killed processes to end: the kernel may have to finish something for them first."""
KILL = 0
"""The order to kill the program and all that it has started."""
_NAME = b"pgf-monitor"
_IGNORED_BY_US = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ")


class NotMadeError(Exception):
    """The program's working directory could not be made. It has the arguments of the OSError."""


class NotPermittedError(OSError):
    """Root may not become the account that runs servers. It has the user's number and the reason."""


class System:
    """C functions, loaded before the change to an account that may not be able to read modules."""

    def __init__(self) -> None:
        self.prctl = linux.prctl()
        self.libc = ipc.library()


class Monitor:
    """Starts, watches and ends one program.

    Parameters:
        system: the C functions that the supervisor has loaded.
        orders: descriptor of the pipe to read orders from; the supervisor has the other end.
        reports: descriptor of the pipe to write reports to.
    """

    def __init__(self, system: System, orders: int, reports: int) -> None:
        self.system = system
        self.orders = orders
        self.reports = reports
        self.pid = os.getpid()
        self.program: int | None = None
        self.status: int | None = None
        self.ended: set[int] = set()
        self.mapped: set[str] = set()

    def watch(self, request: Request, account: Account | None) -> None:
        """Start a program, wait until it ends, and report that."""
        trouble = None
        self.make = _maker(request)  # now, while we can still read the module
        try:
            if account:
                become(account)
            trouble_pipe = self._start(request)
        except OSError as error:
            self.report(pid=self.pid)
            self.status, trouble = 127, _as_json(error)
        else:
            self.report(pid=self.program)
            self._attend()
            self._end_family()
            trouble = _read_trouble(trouble_pipe)
        self.report(status=-signal.SIGKILL if self.status is None else self.status, trouble=trouble)

    def report(self, **facts: object) -> None:
        """Send a report to the supervisor, if it still runs."""
        try:
            os.write(self.reports, json.dumps(facts).encode() + b"\n")
        except OSError:
            return

    def _start(self, request: Request) -> int:
        """Start the program. Return a descriptor from which to read why it could not be started."""
        self.system.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self.system.prctl(linux.PR_SET_NAME, _NAME)
        self.woken, wake = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        trouble_pipe, writing_end = os.pipe()
        self.begun = time.time()
        self.program = os.fork()
        if self.program == 0:
            try:
                self._become_program(request)
            except BaseException as error:  # whatever the error, the child must not go on as a second monitor
                os.write(writing_end, json.dumps(_as_json(error)).encode())
            finally:
                os._exit(127)
        os.close(writing_end)
        return trouble_pipe

    def _become_program(self, request: Request) -> None:
        """In the child process, become the program. Return only by an exception."""
        os.setsid()
        for name in _IGNORED_BY_US:
            signal.signal(signal.Signals[name], signal.SIG_DFL)
        # Set this after a change of account, which would clear it. Then see if the monitor was killed before.
        self.system.prctl(linux.PR_SET_PDEATHSIG, signal.SIGQUIT)
        if os.getppid() != self.pid:
            os._exit(127)
        os.umask(0o077)
        if request["directory"]:
            try:
                self.make(**request["directory"])
            except OSError as error:
                raise NotMadeError(error.errno, error.strerror, error.filename) from error
        if not request["argv"]:
            os._exit(0)
        os.chdir(request["cwd"])
        null = os.open(os.devnull, os.O_RDONLY)
        output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.execve(request["argv"][0], request["argv"], request["env"])

    def _attend(self) -> None:
        """Follow orders until the program has ended. If the supervisor ends, end the program."""
        while self._reap() and self.status is None:
            if self.orders in self._wait(None, self.orders):
                orders = os.read(self.orders, 1024)
                if not orders:
                    return self._shut_down()
                for order in orders:
                    self._obey(order)
        return None

    def _obey(self, order: int) -> None:
        assert self.program is not None
        if order == KILL:
            self._kill_family()
        else:  # it has not been waited for yet, so the system has not reused its process id
            linux.kill([self.program], order)

    def _shut_down(self) -> None:
        """Send SIGQUIT: an immediate shutdown for a server, the end for other programs."""
        self._obey(signal.SIGQUIT)
        deadline = time.monotonic() + SECONDS_FOR_SHUTDOWN
        while self._reap() and self.status is None and (left := deadline - time.monotonic()) > 0:
            self._wait(left)

    def _end_family(self) -> None:
        """Kill all processes below us, and remove what servers have left in the kernel."""
        deadline = time.monotonic() + SECONDS_FOR_KILLED
        while self._reap() and (left := deadline - time.monotonic()) > 0:
            self._kill_family()
            self._wait(min(left, 0.05))
        ipc.remove(self.system.libc, self.begun, self.ended, self.mapped)
        if self.status != 0 and self.program is not None:
            ipc.remove_unmarked(self.system.libc, self.program, self.begun)

    def _kill_family(self) -> None:
        family = linux.descendants(self.pid)
        self.mapped |= ipc.mapped_by(family)
        linux.kill(family)

    def _wait(self, timeout: float | None, *descriptors: int) -> list[int]:
        """Wait until a child has ended or a descriptor can be read. Return the descriptors that can be read."""
        readable, _, _ = select.select([self.woken, *descriptors], [], [], timeout)
        if self.woken in readable:
            os.read(self.woken, 1024)
        return readable

    def _reap(self) -> bool:
        """Record the children that have ended. Return whether any are left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            self.ended.add(pid)
            if pid == self.program:
                self.status = os.waitstatus_to_exitcode(status)


def _maker(request: Request) -> Callable[..., None]:
    """The function that fills a program's directory: with a copy, or with a backup of a running server."""
    if not (request["directory"] and "tablespaces" in request["directory"]):
        return make_directory
    if TYPE_CHECKING:
        from pytest_pgfeatures.server import backup
    else:
        import backup
    return backup.back_up


def become(account: Account) -> None:
    """Become the account that runs servers. This can't be undone."""
    uid, gid, groups = account
    try:
        os.setgroups(groups)
        os.setgid(gid)
        os.setuid(uid)
    except OSError as error:
        raise NotPermittedError(uid, error.strerror) from error


def _as_json(error: BaseException) -> Request:
    """An error as a JSON object."""
    kinds: dict[type, str] = {NotMadeError: "not made", NotPermittedError: "not permitted"}
    kind = kinds.get(type(error))
    return {kind: error.args} if kind else {"error": str(error)}


def _read_trouble(trouble_pipe: int) -> Request | None:
    trouble = os.read(trouble_pipe, 65536)
    return json.loads(trouble) if trouble else None


def end(system: System, pids: Iterable[int], since: float, ended: Iterable[int] = ()) -> None:
    """Kill processes and all their descendants, and remove what servers have left in the kernel.

    Parameters:
        system: the C functions that were loaded before the change of account.
        pids: the processes; they need not be our children.
        since: ignore what was created before this time, in seconds since 1970.
        ended: other processes, which have already ended.
    """
    family = [member for pid in pids for member in (pid, *linux.descendants(pid))]
    mapped = ipc.mapped_by(family)
    linux.kill(family)
    deadline = time.monotonic() + SECONDS_FOR_KILLED
    while any(map(linux.runs, family)) and time.monotonic() < deadline:
        time.sleep(0.005)
    ipc.remove(system.libc, since, {*family, *ended}, mapped)
