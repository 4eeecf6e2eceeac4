"""The supervisor: a small process that starts servers for the test process and outlives it.

It starts every server, and the programs that work on a server's files or copy its data: initdb, pg_upgrade,
pg_dump. When the test process ends, by whatever signal, the supervisor ends all programs that still run and removes
the run's files. It has a session of its own, so a signal to the test's process group does not reach it. It forks a
monitor for each program, which is the program's parent. If the supervisor is killed, the monitor ends the program,
and the next run removes the files.

It runs as ``python -I -S`` with only this directory added to its path. So it has the standard library and the
modules beside this one, and it imports as few of both as possible. Requests and replies are lines of JSON on a
socket:

    {"do": "spawn", "number": 7, "argv": [...], "env": {...}, "cwd": "...", "output": "...",
     "directory": null, or the arguments of renewal.make_directory, or of backup.back_up;
                  renewed: true if the source is a template, whose listing is kept}
                                                   -> {"pid": 123, "monitor": its monitor's process id}
    {"do": "poll", "number": 7}  -> {"status": null while it runs, else as os.waitstatus_to_exitcode,
                                     "trouble": why it could not be started}
    {"do": "signal", "number": 7, "signal": 2}
    {"do": "kill", "number": 7}             kills it and all that it has started

The test process numbers its programs, because the system reuses the pid of a program that has ended. If a
request names a directory, the new process first fills it (a server's data directory, for example) and then
becomes the program. Meanwhile the test process can do something else. If the request has no program, the process
fills the directory and ends.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from typing import Any

    from pytest_pgfeatures.server import linux, monitor
    from pytest_pgfeatures.server.removal import remove_run
    from pytest_pgfeatures.server.renewal import Listing, listing

    Request = dict[str, Any]
else:
    import linux  # beside this file, as the next ones
    import monitor
    from removal import remove_run
    from renewal import listing

SECONDS_BETWEEN_LOOKS = 0.5
"""Time between checks that the test process still runs, as the socket alone does not always show it."""
SECONDS_FOR_INTERRUPTED = 1.0
"""Time for a worker whose controller has ended to end by itself."""
SECONDS_FOR_ENDING = monitor.SECONDS_FOR_SHUTDOWN + monitor.SECONDS_FOR_KILLED + 1
"""Time for the monitors to end their programs."""
_NAME = b"pgf-supervisor"


class Program:
    """A program, which the supervisor controls through a monitor.

    Attributes:
        pid: the program's process id; its monitor's if the program could not be started.
        monitor: the monitor's process id.
        orders: descriptor of the pipe from which the monitor reads orders.
        reports: descriptor of the pipe to which the monitor writes reports; None after the last report.
        status: the program's exit status; None while it runs.
        trouble: why the program could not be started; reported once.
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
        """Send an order to the monitor. Do nothing if it has sent its last report."""
        if self.reports is None:
            return  # the descriptors are closed, and may have been reused
        try:
            os.write(self.orders, bytes([order]))
        except OSError:
            return

    def poll(self) -> bool:
        """Record the monitor's last report, if it is there. Return whether the monitor ended without one."""
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
        """The next report; None if the monitor has ended without one."""
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
        connection: descriptor of the socket on which the test process sends requests.
        run_directory: the path of the run's directory.
        run: descriptor of that directory, which is removed at the end.
        account: the account that programs run as; None for the current user.
        controller: if the test process is a pytest-xdist worker, its controller's process id; otherwise 0.
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
        self.templates: dict[str, Listing | None] = {}
        self.parent = os.getppid()
        self.begun = time.time()
        self.system = monitor.System()
        self.system.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self.system.prctl(linux.PR_SET_NAME, _NAME)

    def serve(self) -> None:
        """Answer requests until the test process has ended."""
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
        """Whether the test process still runs.

        If it is a pytest-xdist worker whose controller has ended, nobody would get its tests' results. So it is
        sent SIGINT, and killed a second later.
        """
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
        """Carry out a request, and return the reply."""
        do = request["do"]
        if do == "spawn":
            program = self.programs[request["number"]] = self.spawn(request)
            return {"pid": program.pid, "monitor": program.monitor}
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
        """Start a program. If it can't be started, :meth:`poll` gives the reason."""
        if request["directory"] and request["directory"].pop("renewed", False):
            request["directory"]["listed"] = self._listed(request["directory"]["source"])
        taken, orders = os.pipe()
        reports, written = os.pipe()
        gc.freeze()  # or a collection in the monitor writes to all memory that it shares with us
        pid = os.fork()
        if pid == 0:
            try:
                gc.disable()
                os.setsid()
                # The lock stays open: the run lasts until its last program has ended.
                for descriptor in (orders, reports, *self._descriptors()):
                    os.close(descriptor)
                monitor.Monitor(self.system, taken, written).watch(request, self.account)
            finally:  # whatever happens, the child must not go on as a second supervisor
                os._exit(0)
        os.close(taken)
        os.close(written)
        return Program(pid, orders, reports)

    def _listed(self, template: str) -> Listing | None:
        """A template's listing; None if it can't be read."""
        if template not in self.templates:
            try:
                self.templates[template] = listing(template)
            except OSError:
                self.templates[template] = None
        return self.templates[template]

    def _descriptors(self) -> list[int]:
        """The descriptors that only the supervisor may have open."""
        found = [self.connection, self.run]
        for program in self.programs.values():
            if program.reports is not None:
                found += [program.orders, program.reports]
        return found

    def poll(self, program: Program) -> None:
        """Update the status of a program."""
        if program.poll():
            self.end_strays()
        self.reap()

    def reap(self) -> None:
        """Wait for child processes that have ended: monitors, and the children of killed monitors."""
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return

    def end_strays(self) -> None:
        """End the children of killed monitors, as the account that they run as."""
        monitors = {program.monitor for program in self.programs.values() if program.reports is not None}
        strays = set(linux.children(os.getpid())) - monitors
        if not strays:
            return
        helper = os.fork()
        if helper == 0:
            try:
                if self.account:
                    monitor.become(self.account)
                monitor.end(self.system, strays, self.begun)
            finally:
                os._exit(0)
        os.waitpid(helper, 0)

    def end(self) -> None:
        """End all programs that still run, and remove the run's files."""
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
        # A monitor that has closed its pipe is about to end. One that has not is ended as a stray.
        for number in [number for number, program in self.programs.items() if program.reports in running]:
            del self.programs[number]
        self.end_strays()
        self.reap()
        remove_run(self.run, os.path.basename(self.run_directory))


def main() -> None:
    """Run the supervisor.

    Its arguments are the descriptors of the socket, of the run's lock (an open descriptor holds the lock) and of
    the run's directory; the path of that directory; the account as JSON; and the controller's process id.
    """
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
    os._exit(0)  # the test process waits, and Python would clear its modules first
