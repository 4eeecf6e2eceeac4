"""Root without CAP_KILL, as in containers whose bounding set lacks it (Linux)."""

from __future__ import annotations

import ctypes
import os

from torture import processes

_PR_CAPBSET_DROP = 24  # linux/prctl.h
_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3 of linux/capability.h
_CAP_KILL = 5


def drop_kill() -> None:
    """Give up the right to signal other users' processes, for this process and all that it starts.

    Raises:
        OSError: the kernel refused.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_CAPBSET_DROP, _CAP_KILL, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same for the higher numbers
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    for number in range(3):
        sets[number] &= ~(1 << _CAP_KILL)
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")


def missing() -> str:
    """Why that can't be tried; empty if it can."""
    return processes.missing() or ("" if os.geteuid() == 0 else "only root has capabilities to lose")
