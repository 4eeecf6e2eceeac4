"""Change root's capabilities for a process and its descendants (Linux)."""

from __future__ import annotations

import ctypes
import os

from torture import processes

_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3 of linux/capability.h
_CAP_DAC_READ_SEARCH, _CAP_KILL = 2, 5
_PR_SET_KEEPCAPS, _PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 8, 24, 47, 2  # linux/prctl.h


def drop_kill() -> None:
    """Give up the right to signal other users' processes, as in containers whose bounding set lacks CAP_KILL.

    Raises:
        OSError: the kernel refused.
    """
    _prctl(_PR_CAPBSET_DROP, _CAP_KILL)
    sets = _capabilities()
    for number in range(3):
        sets[number] &= ~(1 << _CAP_KILL)
    _set_capabilities(sets)


def become(uid: int) -> None:
    """Become another user, keeping only root's right to read, since our Python may be in root's home.

    Raises:
        OSError: the kernel refused.
    """
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    _prctl(_PR_SET_KEEPCAPS, 1)
    os.setresuid(uid, uid, uid)
    kept = 1 << _CAP_DAC_READ_SEARCH
    _set_capabilities((ctypes.c_uint32 * 6)(kept, kept, kept))
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_READ_SEARCH)
    os.environ["HOME"] = "/nonexistent"


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _prctl(option: int, value: int, more: int = 0) -> None:
    if _library().prctl(option, value, more, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _capabilities() -> ctypes.Array[ctypes.c_uint32]:
    """Return the effective, permitted and inheritable capabilities, then those of the higher capability numbers."""
    sets = (ctypes.c_uint32 * 6)()
    if _library().capget((ctypes.c_uint32 * 2)(_VERSION, 0), sets):
        raise OSError(ctypes.get_errno(), "capget")
    return sets


def _set_capabilities(sets: ctypes.Array[ctypes.c_uint32]) -> None:
    if _library().capset((ctypes.c_uint32 * 2)(_VERSION, 0), sets):
        raise OSError(ctypes.get_errno(), "capset")


def missing() -> str:
    """Return the reason why capabilities can't be changed; empty if they can."""
    return processes.missing() or ("" if os.geteuid() == 0 else "only root has capabilities to lose")
