"""The supervisor: a small process that starts servers for the test process and outlives it.

It starts every server, and the programs that work on a server's files or copy its data: initdb, pg_upgrade,
pg_dump. If the test process ends, by whatever signal, the supervisor ends what still runs and removes the run's
files. It has a session of its own, so a signal to the test's process group does not reach it. Each program has
a monitor between itself and the supervisor. If the supervisor is killed, the monitor ends the program; the next
run removes the files.

It runs as ``python -I -S`` with only this directory in its path. So it has the standard library and the modules
beside this one, and imports as little of both as it can. Requests and replies are lines of JSON on a socket:

    {"do": "spawn", "number": 7, "argv": [...], "env": {...}, "cwd": "...", "output": "...",
     "directory": null, or the arguments of copying.make_directory, or of backup.back_up}   -> {"pid": 123}
    {"do": "poll", "number": 7}  -> {"status": null while it runs, else as os.waitstatus_to_exitcode,
                                     "trouble": why it was not even started}
    {"do": "signal", "number": 7, "signal": 2}
    {"do": "kill", "number": 7}             kills it with all that it has started

The test process numbers its programs, because the system reuses the pid of a program that has ended. If a
request names a directory, the new process first fills it (a server's data directory, for example) and then
becomes the program. The test process does something else meanwhile. Without a program the process fills the
directory and ends.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False  # as in typing, which would take longer to import than all the rest
if TYPE_CHECKING:
    from typing import Any

    from pytest_pgfeatures.server import linux, monitor
    from pytest_pgfeatures.server.removal import remove_run

    Request = dict[str, Any]
else:
    import linux  # beside this file, as the next ones
    import monitor
    from removal import remove_run

SECONDS_BETWEEN_LOOKS = 0.5
"""Between looks at whether the test process still lives, where the socket alone does not tell."""
SECONDS_FOR_INTERRUPTED = 1.0
"""For a worker whose controller is gone to end by itself."""
SECONDS_FOR_ENDING = monitor.SECONDS_FOR_SHUTDOWN + monitor.SECONDS_FOR_KILLED + 1
"""For the monitors to end their programs."""
_NAME = b"pgf-supervisor"


class Program:
    """A program, by way of its monitor.

    Attributes:
        pid: the program's process id; its monitor's if it was not even started.
        monitor: its monitor's process id.
        orders: descriptor of the pipe that its monitor takes orders from.
        reports: descriptor of the pipe that its monitor reports to; None when all is reported.
        status: its exit status; None while it runs.
        trouble: why it was not even started, told once.
    """

    def __init__(self, pid: int, orders: int, reports: int) -> None:
        self.monitor = pid
        self.orders = orders
        self.reports: int | None = reports
        self.status: int | None = None
        self.trouble: Request | None = None
        self._unread = b""
        report = self._read()
        self.pid: int = pid if report is None else report["pid"]
        os.set_blocking(reports, False)

    def order(self, order: int) -> None:
        """Have the monitor do something; nothing happens if all has ended."""
        if self.reports is None:
            return  # by now the descriptors may be others
        try:
            os.write(self.orders, bytes([order]))
        except OSError:
            return

    def poll(self) -> bool:
        """Take note of what the monitor has reported; whether it was killed, and will not report any more."""
        if self.reports is None:
            return False
        try:
            report = self._read()
        except BlockingIOError:
            return False
        os.close(self.reports)
        os.close(self.orders)
        self.reports = None
        self.status = -signal.SIGKILL if report is None else report["status"]
        self.trouble = None if report is None else report["trouble"]
        return report is None

    def _read(self) -> Request | None:
        """The next report; None if there will be none."""
        assert self.reports is not None
        while b"\n" not in self._unread:
            received = os.read(self.reports, 65536)
            if not received:
                return None
            self._unread += received
        line, _, self._unread = self._unread.partition(b"\n")
        report: Request = json.loads(line)
        return report


class Supervisor:
    """Starts, watches and ends the programs of one test process.

    Parameters:
        connection: descriptor of the socket on which the test process asks.
        run_directory: the path of the run's directory.
        run: descriptor of that directory, which is removed at the end.
        account: who the programs run as; None for us.
        controller: of a pytest-xdist worker, the process that it works for; 0 for none.
    """

    def __init__(
        self,
        connection: int,
        run_directory: str,
        run: int,
        account: monitor.Account | None,
        controller: int,
    ) -> None:
        self.connection = connection
        self.run_directory = run_directory
        self.run = run
        self.account = account
        self.controller = controller
        self.interrupted: float | None = None
        self.programs: dict[int, Program] = {}
        self.parent = os.getppid()
        self.system = monitor.System()
        self.system.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self.system.prctl(linux.PR_SET_NAME, _NAME)

    def serve(self) -> None:
        """Answer requests until the test process is gone."""
        lines = b""
        look = 0.0
        while True:
            now = time.monotonic()
            if now >= look:
                if not self.is_wanted(now):
                    return
                look = now + SECONDS_BETWEEN_LOOKS
            readable, _, _ = select.select([self.connection], [], [], look - now)
            if not readable:
                continue
            try:
                received = os.read(self.connection, 65536)
            except OSError:
                return
            if not received:
                return
            *requests, lines = (lines + received).split(b"\n")
            for request in requests:
                reply = json.dumps(self.answer(json.loads(request))).encode() + b"\n"
                try:
                    while reply:
                        reply = reply[os.write(self.connection, reply) :]
                except OSError:
                    return

    def is_wanted(self, now: float) -> bool:
        """Whether the test process lives. One whose controller is gone is interrupted, and killed a second later:
        nobody would know how its tests end."""
        if os.getppid() != self.parent:
            return False
        if self.controller and self.interrupted is None:
            if linux.parent(self.parent) not in (None, self.controller):
                self.interrupted = now
                linux.kill([self.parent], signal.SIGINT)
        elif self.interrupted is not None and now >= self.interrupted + SECONDS_FOR_INTERRUPTED:
            linux.kill([self.parent])
            return False
        return True

    def answer(self, request: Request) -> Request:
        """The reply to one request."""
        do = request["do"]
        if do == "spawn":
            program = self.programs[request["number"]] = self.spawn(request)
            return {"pid": program.pid}
        program = self.programs[request["number"]]
        if do == "poll":
            self.poll(program)
            trouble, program.trouble = program.trouble, None
            return {"status": program.status, "trouble": trouble}
        if do == "signal":
            program.order(request["signal"])
            return {}
        if do == "kill":
            program.order(monitor.KILL)
            return {}
        return {"error": f"no such request: {do}"}

    def spawn(self, request: Request) -> Program:
        """Start a program. Why it could not be started is told when it has ended."""
        taken, orders = os.pipe()
        reports, written = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                # The lock stays open: the run is not over before its last program is.
                for descriptor in (orders, reports, *self._descriptors()):
                    os.close(descriptor)
                monitor.Monitor(self.system, taken, written).watch(request, self.account)
            finally:  # whatever happens, it must not go on as a second supervisor
                os._exit(0)
        os.close(taken)
        os.close(written)
        return Program(pid, orders, reports)

    def _descriptors(self) -> list[int]:
        """Those that are the supervisor's alone."""
        found = [self.connection, self.run]
        for program in self.programs.values():
            if program.reports is not None:
                found += [program.orders, program.reports]
        return found

    def poll(self, program: Program) -> None:
        """Take note of what has become of a program."""
        if program.poll():
            self.end_strays()
        self.reap()

    def reap(self) -> None:
        """Let go of monitors that have ended, and of what those that were killed have left to us."""
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return

    def end_strays(self) -> None:
        """End what monitors that were killed have left to us: as the account that runs it."""
        monitors = {program.monitor for program in self.programs.values() if program.reports is not None}
        strays = set(linux.children(os.getpid())) - monitors
        if not strays:
            return
        helper = os.fork()
        if helper == 0:
            try:
                if self.account:
                    monitor.become(self.account)
                monitor.end(self.system, strays)
            finally:
                os._exit(0)
        os.waitpid(helper, 0)

    def end(self) -> None:
        """Have what runs ended, and remove the files of the run."""
        running = {
            program.reports: program for program in self.programs.values() if program.reports is not None
        }
        for program in running.values():
            os.close(program.orders)
        deadline = time.monotonic() + SECONDS_FOR_ENDING
        while running and (left := deadline - time.monotonic()) > 0:
            for descriptor in select.select(list(running), [], [], left)[0]:
                if not os.read(descriptor, 65536):
                    del running[descriptor]
        self.programs.clear()
        self.end_strays()
        self.reap()
        remove_run(self.run, os.path.basename(self.run_directory))


def main() -> None:
    """Arguments: the descriptors of the socket, of the run's lock (held by being open) and of the run directory;
    its path; the account; the controller."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    descriptor, lock, run = map(int, sys.argv[1:4])
    account, controller = json.loads(sys.argv[5]), int(sys.argv[6])
    for inherited in (descriptor, lock, run):
        os.set_inheritable(inherited, False)
    supervisor = Supervisor(descriptor, sys.argv[4], run, account, controller)
    try:
        supervisor.serve()
    finally:
        supervisor.end()
