"""The keeper: a small process of its own that starts servers for the test process and outlives it.

It is the parent of every PostgreSQL program that a test process starts. When the test process goes away, by
whatever signal, the keeper kills what still runs, and removes the run's files. It is in a session of its own, so
that a signal to the test's process group does not reach it. If the keeper itself is killed, its children are
told by the kernel (Linux), and the files are left for the next run to remove.

It starts with ``python -I -S`` and only this directory in its path, and so has only the standard library and the
modules beside this one, and as little of either as it can. Requests and replies are lines of JSON on a socket:

    {"do": "spawn", "argv": [...], "env": {...}, "cwd": "...", "output": "...", "account": [uid, gid, [gids]],
     "directory": null, or the arguments of copying.make_directory, or of backup.back_up}   -> {"pid": 123}
    {"do": "poll", "pid": 123}  -> {"status": null while it runs, else as os.waitstatus_to_exitcode,
                                    "trouble": why it was not even started}
    {"do": "signal", "pid": 123, "number": 2}
    {"do": "kill", "pid": 123}              kills it with all that it has started

A program's process first fills the directory that it is to work in, if there is one to fill: a server's data
directory, while the test process goes on with something else. Without a program it does only that.

Programs that it starts may start others, and end before those do: make and its compilers, pg_upgrade and its
servers. The kernel (Linux) then makes them the keeper's own children, so that they too end with it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time

# beside this file
from copying import make_directory  # type: ignore[import-not-found]
from removal import remove_run  # type: ignore[import-not-found]

TYPE_CHECKING = False  # as in typing, which would take longer to import than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Request = dict[str, Any]

SECONDS_FOR_SHUTDOWN = 1.0
"""For an immediate shutdown; after that the server's processes are killed one by one."""
SECONDS_BETWEEN_LOOKS = 0.5
"""Between looks at whether the test process still lives, where the socket alone does not tell."""
SEGMENT = "/dev/shm/PostgreSQL."
"""What the files of dynamic shared memory begin with (Linux); a number follows."""
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


class NotMadeError(Exception):
    """The directory that a program is to work in could not be made: the arguments of the OSError."""


class NotPermittedError(Exception):
    """We may not become the user that a program is to run as: his number, and what the system says."""


class Keeper:
    """Starts, watches and ends the children of one test process."""

    def __init__(self, connection: int, run_directory: str, run: int) -> None:
        self.connection = connection
        self.run_directory = run_directory
        self.run = run
        self.children: dict[int, int | None] = {}
        self.troubles: dict[int, int] = {}
        self.parent = os.getppid()
        prctl = _prctl()
        self.set_death_signal: Callable[[], object] = lambda: prctl(PR_SET_PDEATHSIG, signal.SIGQUIT)
        prctl(PR_SET_CHILD_SUBREAPER, 1)

    def serve(self) -> None:
        """Answer requests until the test process is gone."""
        lines = b""
        while True:
            readable, _, _ = select.select([self.connection], [], [], SECONDS_BETWEEN_LOOKS)
            if not readable:
                if os.getppid() != self.parent:
                    return
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

    def answer(self, request: Request) -> Request:
        """The reply to one request."""
        do = request["do"]
        if do == "spawn":
            return self.spawn(request)
        if do == "poll":
            return {"status": self.poll(request["pid"]), "trouble": self.trouble(request["pid"])}
        if do == "signal":
            if self.poll(request["pid"]) is None:
                os.kill(request["pid"], request["number"])
            return {}
        if do == "kill":
            if self.poll(request["pid"]) is None:
                _kill_family(request["pid"])
            return {}
        return {"error": f"no such request: {do}"}

    def spawn(self, request: Request) -> Request:
        """Start a program; its pid. Why it could not be started is told when it has ended."""
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self.become(request)
            except BaseException as error:  # whatever it is, it must not go on as a second keeper
                os.write(tell, json.dumps(_told(error)).encode())
            finally:
                os._exit(127)
        os.close(tell)
        self.children[pid] = None
        self.troubles[pid] = told
        return {"pid": pid}

    def become(self, request: Request) -> None:
        """In the child: turn into the program. Returns only by an exception."""
        make: Callable[..., None] = make_directory
        if request["directory"] and "tablespaces" in request["directory"]:
            import backup  # type: ignore[import-not-found]  # now, while we may read it

            make = backup.back_up
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        if request["account"]:
            uid, gid, groups = request["account"]
            try:
                os.setgroups(groups)
                os.setgid(gid)
                os.setuid(uid)
            except OSError as error:
                raise NotPermittedError(uid, error.strerror) from error
        self.set_death_signal()
        os.umask(0o077)
        if request["directory"]:
            try:
                make(**request["directory"])
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

    def trouble(self, pid: int) -> Request | None:
        """Why a child that has ended was not even started, None if it was; told once."""
        if self.children[pid] is None or pid not in self.troubles:
            return None
        told = self.troubles.pop(pid)
        trouble = os.read(told, 65536)
        os.close(told)
        return json.loads(trouble) if trouble else None

    def poll(self, pid: int) -> int | None:
        """The exit status of a child, None while it runs."""
        self.reap()
        return self.children[pid]

    def reap(self) -> None:
        """Take note of who has ended; of those that others have left to us there is none to take."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            runs = pid in self.children and self.children[pid] is None
            if runs:  # else it is an orphan, maybe with the number of a child that has ended
                self.children[pid] = os.waitstatus_to_exitcode(status)

    def end(self) -> None:
        """Kill what runs, and remove the files of the run."""
        for pid in self.running():
            # An immediate shutdown to a server; other programs die of it.
            os.kill(pid, signal.SIGQUIT)
        deadline = time.monotonic() + SECONDS_FOR_SHUTDOWN
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.005)
        for pid in {*self.running(), *_descendants(os.getpid())}:
            _kill_family(pid)
        deadline = time.monotonic() + SECONDS_FOR_SHUTDOWN
        while (self.running() or _descendants(os.getpid())) and time.monotonic() < deadline:
            time.sleep(0.001)
        remove_run(self.run, os.path.basename(self.run_directory))

    def running(self) -> list[int]:
        """The children that have not ended."""
        return [pid for pid in self.children if self.poll(pid) is None]


def _told(error: BaseException) -> Request:
    """An error, in words that JSON has."""
    kinds: dict[type, str] = {NotMadeError: "not made", NotPermittedError: "not permitted"}
    kind = kinds.get(type(error))
    return {kind: error.args} if kind else {"error": str(error)}


def _prctl() -> Callable[[int, int], object]:
    """The system call by which a process is told of its parent's death, and given its children's orphans;
    a function that does nothing where the kernel has none."""
    if not sys.platform.startswith("linux"):
        return lambda _option, _value: None
    import ctypes

    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return lambda _option, _value: None
    return prctl


def _kill_family(pid: int) -> None:
    """Kill a process and what is below it."""
    family = [pid, *_descendants(pid)]
    segments = _shared_memory(family) | _listed(_shared_memory([pid]))
    for member in family:
        _kill(member)
    for segment in segments:  # a server that could shut down has removed its own
        _unlink(segment)


def _descendants(pid: int) -> list[int]:
    """The processes below this one, as far as the system tells."""
    found = []
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            below = [int(child) for child in children.read().split()]
    except OSError:
        return []
    for child in below:
        found += [child, *_descendants(child)]
    return found


def _shared_memory(family: list[int]) -> set[str]:
    """The files of dynamic shared memory that these processes have mapped (Linux: below /dev/shm)."""
    found: set[str] = set()
    for pid in family:
        try:
            with open(f"/proc/{pid}/maps") as maps:
                paths = [line.split(maxsplit=5)[-1].strip() for line in maps]
        except OSError:
            continue
        found.update(path for path in paths if path.startswith(SEGMENT))
    return found


def _listed(lists: set[str]) -> set[str]:
    """The segments that these segments name, four bytes each: a postmaster's only one is the list of all that its
    server has, of which some may be in use by nobody just now."""
    found: set[str] = set()
    for path in lists:
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError:
            continue
        directory, prefix = os.path.split(SEGMENT)
        for name in os.listdir(directory):
            number = name.removeprefix(prefix)
            if number != name and number.isdigit() and int(number).to_bytes(4, sys.byteorder) in content:
                found.add(f"{directory}/{name}")
    return found


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def main() -> None:
    """Arguments: the descriptors of the socket, of the run's lock (held by being open) and of the run directory;
    its path."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    descriptor, lock, run = map(int, sys.argv[1:4])
    for inherited in (descriptor, lock, run):
        os.set_inheritable(inherited, False)
    keeper = Keeper(descriptor, sys.argv[4], run)
    try:
        keeper.serve()
    finally:
        keeper.end()
