"""Information about processes from /proc."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")


def pids() -> list[int]:
    """Return all processes but this one."""
    return [int(name) for name in os.listdir(PROC) if name.isdigit() and int(name) != os.getpid()]


def command_line(pid: int) -> str:
    """Return a process's arguments; empty if it is gone."""
    try:
        with open(f"{PROC}/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").replace("\0", " ").strip()
    except OSError:
        return ""


def status(pid: int) -> dict[str, str]:
    """Return some facts of a process: its parent (``ppid``), session and state; empty if it is gone."""
    try:
        with open(f"{PROC}/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return {}
    return {"state": fields[0], "ppid": fields[1], "session": fields[3]}


def children(pid: int) -> list[int]:
    """Return the living children of a process."""
    facts = {child: status(child) for child in pids()}
    return [
        child for child, fact in facts.items() if fact and fact["ppid"] == str(pid) and fact["state"] != "Z"
    ]


def resident(pid: int) -> int:
    """Return the bytes of memory that a process doesn't share; 0 if it is gone."""
    try:
        with open(f"{PROC}/{pid}/statm") as file:
            _, all_of_it, shared, *_ = map(int, file.read().split())
    except OSError:
        return 0
    return (all_of_it - shared) * os.sysconf("SC_PAGE_SIZE")


def missing() -> str:
    """Return the reason why this information is unavailable; empty if it is available."""
    return "" if (PROC / "self" / "stat").exists() else "there is no /proc to find leftovers in"
