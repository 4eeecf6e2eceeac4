"""The monitor of a program: its parent, and the one who ends it, with all that it has started.

Each program that the supervisor starts has one: a fork of the supervisor that has become the account which servers
run as, and so may signal them even where root may not (without CAP_KILL, as in containers). It ends its program
when the supervisor is gone: the pipe that it takes orders from is then closed, whatever killed the supervisor, and
whenever. If the monitor itself is killed, the kernel (Linux) tells its program by a signal, and gives what that has
started to the supervisor.

A program may start others and end before they do: make and its compilers, pg_upgrade and its servers, a postmaster
that is killed and its server processes. They become the monitor's own children (Linux), and end with the program.
Only when all have ended, and what a killed server leaves in the kernel is removed, the program's end is reported.

Orders are bytes: the number of a signal, for the program; 0 to kill it with all that it has started. Reports are
lines of JSON: ``{"pid": 123}``, then ``{"status": as os.waitstatus_to_exitcode, "trouble": why it was not even
started, or null}``.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time

TYPE_CHECKING = False  # as in typing, which would take longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from pytest_pgfeatures.server import ipc, linux
    from pytest_pgfeatures.server.copying import make_directory

    Request = dict[str, Any]
    Account = tuple[int, int, list[int]]
else:
    import ipc  # beside this file, as the others
    import linux
    from copying import make_directory

SECONDS_FOR_SHUTDOWN = 1.0
"""For an immediate shutdown; after that the server's processes are killed one by one."""
SECONDS_FOR_KILLED = 5.0
"""For killed processes to go: the kernel may have to finish something for them first."""
KILL = 0
"""The order to kill the program with all that it has started."""
_NAME = b"pgf-monitor"
_IGNORED_BY_US = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGXFSZ")


class NotMadeError(Exception):
    """The directory that a program is to work in could not be made: the arguments of the OSError."""


class NotPermittedError(OSError):
    """Root may not become the account that runs servers: its number, and why."""


class System:
    """What is loaded before the change to an account that may not read modules."""

    def __init__(self) -> None:
        self.prctl = linux.prctl()
        self.libc = ipc.library()


class Monitor:
    """One program's.

    Parameters:
        system: what the supervisor has loaded.
        orders: descriptor of a pipe to read from; its end is the supervisor's.
        reports: descriptor of a pipe to write to.
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
        """Start a program, see it to its end, and report it."""
        trouble = None
        self.make = _maker(request)  # now, while we may read it
        try:
            if account:
                become(account)
            told = self._start(request)
        except OSError as error:
            self.report(pid=self.pid)
            self.status, trouble = 127, _told(error)
        else:
            self.report(pid=self.program)
            self._attend()
            self._end_family()
            trouble = _read_trouble(told)
        self.report(status=-signal.SIGKILL if self.status is None else self.status, trouble=trouble)

    def report(self, **facts: object) -> None:
        """Tell the supervisor, if it is there."""
        try:
            os.write(self.reports, json.dumps(facts).encode() + b"\n")
        except OSError:
            return

    def _start(self, request: Request) -> int:
        """Start the program; a descriptor from which to read why it could not be."""
        self.system.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self.system.prctl(linux.PR_SET_NAME, _NAME)
        self.woken, wake = os.pipe()
        os.set_blocking(self.woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        told, tell = os.pipe()
        self.begun = time.time()
        self.program = os.fork()
        if self.program == 0:
            try:
                self._become_program(request)
            except BaseException as error:  # whatever it is, it must not go on as a second monitor
                os.write(tell, json.dumps(_told(error)).encode())
            finally:
                os._exit(127)
        os.close(tell)
        return told

    def _become_program(self, request: Request) -> None:
        """In the child: turn into the program. Returns only by an exception."""
        os.setsid()
        for name in _IGNORED_BY_US:
            signal.signal(signal.Signals[name], signal.SIG_DFL)
        # After any change of account, which would clear it. The monitor may have been killed before.
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
        """Obey orders until the program has ended; end it if the supervisor is gone."""
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
        else:  # not waited for yet, so that the number is still its own
            linux.kill([self.program], order)

    def _shut_down(self) -> None:
        """An immediate shutdown to a server; other programs die of it."""
        self._obey(signal.SIGQUIT)
        deadline = time.monotonic() + SECONDS_FOR_SHUTDOWN
        while self._reap() and self.status is None and (left := deadline - time.monotonic()) > 0:
            self._wait(left)

    def _end_family(self) -> None:
        """Kill what is left below us until nothing is, and remove what servers have left."""
        deadline = time.monotonic() + SECONDS_FOR_KILLED
        while self._reap() and (left := deadline - time.monotonic()) > 0:
            self._kill_family()
            self._wait(min(left, 0.05))
        if self.status == 0:
            return ipc.remove(self.system.libc, self.ended, self.mapped)
        ipc.remove(self.system.libc, self.ended | ipc.dead_makers(self.system.libc, self.begun), self.mapped)
        if self.program is not None:
            ipc.remove_unmarked(self.system.libc, self.program, self.begun)
        return None

    def _kill_family(self) -> None:
        family = linux.descendants(self.pid)
        self.mapped |= ipc.mapped_by(family)
        linux.kill(family)

    def _wait(self, timeout: float | None, *descriptors: int) -> list[int]:
        """Wait until a child has ended, or one of the descriptors can be read; those that can."""
        readable, _, _ = select.select([self.woken, *descriptors], [], [], timeout)
        if self.woken in readable:
            os.read(self.woken, 1024)
        return readable

    def _reap(self) -> bool:
        """Take note of who has ended; whether anyone is left."""
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
    """The function that fills the directory of a program: with a copy, or with a backup of a running server."""
    if not (request["directory"] and "tablespaces" in request["directory"]):
        return make_directory
    if TYPE_CHECKING:
        from pytest_pgfeatures.server import backup
    else:
        import backup
    return backup.back_up


def become(account: Account) -> None:
    """Turn into the account that runs servers, for good."""
    uid, gid, groups = account
    try:
        os.setgroups(groups)
        os.setgid(gid)
        os.setuid(uid)
    except OSError as error:
        raise NotPermittedError(uid, error.strerror) from error


def _told(error: BaseException) -> Request:
    """An error, in words that JSON has."""
    kinds: dict[type, str] = {NotMadeError: "not made", NotPermittedError: "not permitted"}
    kind = kinds.get(type(error))
    return {kind: error.args} if kind else {"error": str(error)}


def _read_trouble(told: int) -> Request | None:
    trouble = os.read(told, 65536)
    return json.loads(trouble) if trouble else None


def end(system: System, pids: Iterable[int], ended: Iterable[int] = ()) -> None:
    """Kill processes that need not be our children, with all below them; remove what servers have left.

    Parameters:
        system: what was loaded before the change of account.
        pids: the processes.
        ended: others, that have ended already.
    """
    family = [member for pid in pids for member in (pid, *linux.descendants(pid))]
    mapped = ipc.mapped_by(family)
    linux.kill(family)
    deadline = time.monotonic() + SECONDS_FOR_KILLED
    while any(map(linux.runs, family)) and time.monotonic() < deadline:
        time.sleep(0.005)
    ipc.remove(system.libc, {*family, *ended}, mapped)
