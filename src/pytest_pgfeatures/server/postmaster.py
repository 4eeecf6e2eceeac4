"""The process that serves a data directory, where nobody is left who has started it."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
from pathlib import Path


def end_postmaster(data: Path) -> None:
    """Have the server of a data directory shut down immediately, by which it lets go of shared memory.

    The file with its number can be written by the servers' user, and we may be root: what gets the signal is a
    process of his own, which has the directory among its arguments.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):
        descriptor = os.open(data / "postmaster.pid", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor) as file:
            facts = os.fstat(descriptor)
            if not stat.S_ISREG(facts.st_mode) or facts.st_uid == 0:
                return
            pid = int(file.readline())
        uid, arguments = _process(pid)
        if pid > 1 and uid == facts.st_uid and str(data) in arguments:
            os.kill(pid, signal.SIGQUIT)


def _process(pid: int) -> tuple[int, str]:
    """The user of a process, and its arguments.

    Raises:
        OSError: there is none such.
    """
    proc = Path(f"/proc/{pid}")
    if Path("/proc/self").exists():
        return proc.stat().st_uid, (proc / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
    asked = subprocess.run(
        ["ps", "-ww", "-o", "uid=,args=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    uid, _, arguments = asked.stdout.strip().partition(" ")
    return int(uid), arguments
