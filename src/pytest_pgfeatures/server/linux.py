"""Linux functions for a process that starts others: signals at a parent's death, orphans, lists of descendants.

The supervisor uses this module, so it needs only the standard library. On other systems, most functions do nothing
or find nothing.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # typing has it too, but takes longer to import than everything else here
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Prctl = Callable[[int, int | bytes], object]

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15
PR_SET_CHILD_SUBREAPER = 36
_FLAGS = 6
_PF_SIGNALED = 0x400
"""include/linux/sched.h: the process was killed by a signal."""
_PENDING = 31 - 3
_EXIT_CODE = 52 - 3
"""Positions of fields of /proc/PID/stat after the program's name: proc(5)'s number minus 3."""


def prctl() -> Prctl:
    """The system call prctl(2); a function that does nothing if the system doesn't have it.

    Call this before the change to another account, while modules can still be read.
    """
    if not sys.platform.startswith("linux"):
        return lambda _option, _value: None
    import ctypes

    try:
        found: Prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return lambda _option, _value: None
    return found


def children(pid: int) -> list[int]:
    """The child processes of a process, including zombies."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def parent(pid: int) -> int | None:
    """The parent of a process; None if the process no longer exists, or the system does not report it."""
    fields = _stat(pid)
    return int(fields[1]) if fields else None


def descendants(pid: int) -> list[int]:
    """The descendants of a process, parents before their children."""
    found = []
    for child in children(pid):
        found += [child, *descendants(child)]
    return found


def runs(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    fields = _stat(pid)
    return bool(fields) and fields[0] not in (b"Z", b"X")


def is_gone(pid: int) -> bool:
    """Whether a process no longer exists, not even as a zombie. False if the system does not report it."""
    return os.path.exists("/proc/self") and not os.path.exists(f"/proc/{pid}")


def is_killed(pid: int) -> bool:
    """Whether a process was killed by a signal but still exists, perhaps as a zombie.

    Only a process that may trace a zombie can see which signal killed it.
    """
    fields = _stat(pid)
    if not fields:
        return False
    if fields[0] == b"Z":
        return int(fields[_EXIT_CODE]) & 0x7F != 0
    pending = int(fields[_PENDING]) >> (signal.SIGKILL - 1) & 1
    return bool(pending or int(fields[_FLAGS]) & _PF_SIGNALED)  # the process is ending, but not a zombie yet


def waits(pid: int) -> bool:
    """Whether a process waits for something, or doesn't exist, or the system does not report it."""
    return _stat(pid)[:1] != [b"R"]


def _stat(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the program's name; none if there is no such process, or no such file."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)  # open() takes twice as long
    except OSError:
        return []
    try:
        return os.read(descriptor, 4096).rpartition(b")")[2].split()
    except OSError:
        return []
    finally:
        os.close(descriptor)


def kill(pids: Iterable[int], number: int = signal.SIGKILL) -> None:
    """Send a signal to processes. Skip those that no longer exist or that we may not signal."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue
