"""End the servers of a run whose supervisor and monitors were killed, and remove what they left in the kernel.

The next run starts this program in the same way as the supervisor: with the standard library and the modules beside
this one. It runs as the account that runs servers. Servers end when their monitor is killed, but not always: if the
postmaster was killed too, its children look for it only when they are idle.
"""

from __future__ import annotations

import glob
import json
import os
import sys

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.server import ipc, monitor
    from pytest_pgfeatures.server.removal import MARK
else:
    import ipc  # beside this file, as the next ones
    import monitor
    from removal import MARK

_PROGRAMS = ("initdb", "postgres")
"""The programs to end; initdb starts servers."""
_PID_FILES = "*/data/postmaster.pid"
_SECONDS_FOR_MARKS = 5.0
"""Time for a server to create and mark its objects in the kernel, from its start time in the pid file."""


def main() -> None:
    """Run the program. Its arguments are the run's directory and the account as JSON."""
    directory, account = sys.argv[1], json.loads(sys.argv[2])
    begun = os.stat(f"{directory}/{MARK}", follow_symlinks=False).st_mtime
    started = dict(_noted(directory))
    noted = set(started)
    system = monitor.System()
    if account:
        monitor.become(account)
    running = set(_running(directory))
    monitor.end(system, running, begun, noted - running)
    for pid, since in started.items():
        ipc.remove_unmarked(system.libc, pid, since, _SECONDS_FOR_MARKS)


def _noted(directory: str) -> Iterator[tuple[int, int]]:
    """The process ids of servers that have not shut down, and when they were started, in seconds since 1970.

    The ids come from the servers' pid files; initdb's servers negate theirs.
    """
    for path in glob.glob(f"{glob.escape(directory)}/{_PID_FILES}"):
        try:
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                lines = os.read(file, 1024).split(b"\n")
            finally:
                os.close(file)
        except OSError:
            continue
        pid, since = lines[0].strip().lstrip(b"-"), lines[2].strip() if len(lines) > 2 else b""
        if pid.isdigit():
            yield int(pid), int(since) if since.isdigit() else 0


def _running(directory: str) -> Iterator[int]:
    """The servers and initdbs whose working directory is the run's or below it (Linux)."""
    for path in glob.glob("/proc/[0-9]*"):
        try:
            program, place = os.readlink(f"{path}/exe"), os.readlink(f"{path}/cwd")
        except OSError:
            continue  # it has ended, or is not ours
        if os.path.basename(program) in _PROGRAMS and f"{place}/".startswith(f"{directory}/"):
            yield int(os.path.basename(path))
