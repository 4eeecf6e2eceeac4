"""Find out whether another process has ended, from the kernel alone."""

from __future__ import annotations

import os
import select
import sys
import weakref


class ProcessEnd:
    """The end of a process, as a descriptor that then becomes readable (Linux, pidfd_open(2)).

    Parameters:
        descriptor: a pidfd; closed with this object.
    """

    def __init__(self, descriptor: int) -> None:
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        weakref.finalize(self, os.close, descriptor)

    @classmethod
    def of(cls, pid: int) -> ProcessEnd | None:
        """The end of a process; None if there is no such process, or the system has no such descriptors."""
        if not sys.platform.startswith("linux"):
            return None
        try:
            return cls(os.pidfd_open(pid))
        except OSError:  # also a kernel older than 5.3, and a sandbox that refuses the system call
            return None

    def reached(self, seconds: float = 0.0) -> bool:
        """Whether the process has ended; it may still be a zombie. Wait so long for it."""
        return bool(self._poll.poll(seconds * 1000))
