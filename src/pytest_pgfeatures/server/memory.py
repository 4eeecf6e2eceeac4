"""Memory that programs can still take: the machine's free memory, within the limits of the control groups
(Linux)."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Version(NamedTuple):
    """The names of control groups' files."""

    file_system: str
    controller: str
    """In ``/proc/self/cgroup``; in version 2, all controllers have one hierarchy."""
    limit: str
    usage: str
    reclaimable: str
    """The line of ``memory.stat`` with the bytes of files that the kernel can forget."""


_VERSIONS = (
    _Version("cgroup2", "", "memory.max", "memory.current", "inactive_file"),
    _Version("cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""https://docs.kernel.org/admin-guide/cgroup-v2.html and https://docs.kernel.org/admin-guide/cgroup-v1/memory.html."""


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes of memory that can still be taken; None if the system does not report it. Files in memory count
    as taken.

    Parameters:
        root: the directory that contains ``proc`` and ``sys``.
    """
    rooms = [*_of_machine(root), *_of_groups(root)]
    return min(rooms, default=None)


def _of_machine(root: Path) -> Iterator[int]:
    with contextlib.suppress(OSError):
        for line in (root / "proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024


def _of_groups(root: Path) -> Iterator[int]:
    """The memory that our control groups, and their parents, may still take, in bytes."""
    try:
        lines = [line.split(":", 2) for line in (root / "proc/self/cgroup").read_text().splitlines()]
        mounts = [line.split() for line in (root / "proc/self/mounts").read_text().splitlines()]
    except OSError:
        return
    for version in _VERSIONS:
        ours = [Path(path) for _, controllers, path in lines if version.controller in controllers.split(",")]
        tops = [
            root / mount[1].lstrip("/")
            for mount in mounts
            if mount[2] == version.file_system and version.controller in ("", *mount[3].split(","))
        ]
        for top in tops:
            for group in ours:
                for step in (group, *group.parents):  # a container may see its own group as the top
                    yield from _room(top / str(step).lstrip("/"), version)


def _room(group: Path, version: _Version) -> Iterator[int]:
    """The memory that a group may still take; nothing if it has no limit, or does not exist."""
    with contextlib.suppress(OSError, ValueError):  # ValueError: the limit is "max"
        limit = int((group / version.limit).read_text())
        usage = int((group / version.usage).read_text())
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        yield max(0, limit - usage + int(stat.get(version.reclaimable, 0)))
