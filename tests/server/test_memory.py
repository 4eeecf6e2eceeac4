"""Memory that is left for files in memory: the machine's, and that of control groups."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError
from pytest_pgfeatures.server import runs
from pytest_pgfeatures.server.memory import available_memory

GIB = 1024**3


def machine(root: Path, available: int, **files: str) -> Path:
    """The files of a machine with so many bytes of available memory."""
    for name, text in {
        "proc/meminfo": f"MemTotal: 99999999 kB\nMemFree: 1 kB\nMemAvailable: {available // 1024} kB\n",
        **{name.replace("__", "."): text for name, text in files.items()},
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def group(directory: str, version: int, limit: int | str, usage: int, reclaimable: int) -> dict[str, str]:
    """The files of a control group, as the kernel writes them."""
    if version == 2:
        names = ("memory.max", "memory.current")
        stat = f"anon 4096\nfile 4096\nshmem 0\ninactive_file {reclaimable}\n"
    else:
        names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
        stat = f"cache 4096\nshmem 0\ninactive_file 1\ntotal_inactive_file {reclaimable}\n"
    values = (f"{limit}\n", f"{usage}\n")
    files = {f"{directory}/{name}": value for name, value in zip(names, values, strict=True)}
    return {**files, f"{directory}/memory.stat": stat}


V2 = {
    "proc/self/cgroup": "0::/user.slice/job\n",
    "proc/self/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n",
}
V1 = {
    "proc/self/cgroup": "5:cpu,cpuacct:/elsewhere\n4:memory:/docker/abc\n0::/\n",
    "proc/self/mounts": "cgroup /sys/fs/cgroup/memory cgroup ro,memory 0 0\n"
    "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n",
}


@pytest.mark.parametrize(
    ("files", "room"),
    [
        ({}, 20 * GIB),
        (V2 | group("sys/fs/cgroup/user.slice/job", 2, "max", GIB, 0), 20 * GIB),
        (V2 | group("sys/fs/cgroup/user.slice/job", 2, 4 * GIB, 3 * GIB, 0), GIB),
        (V2 | group("sys/fs/cgroup/user.slice/job", 2, 4 * GIB, 3 * GIB, 2 * GIB), 3 * GIB),
        (V2 | group("sys/fs/cgroup/user.slice", 2, 4 * GIB, 5 * GIB, 0), 0),
        (V2 | group("sys/fs/cgroup", 2, 4 * GIB, GIB, 0), 3 * GIB),
        (V2 | group("sys/fs/cgroup/neighbour", 2, GIB, GIB, 0), 20 * GIB),
        (V1 | group("sys/fs/cgroup/memory/docker/abc", 1, 6 * GIB, 5 * GIB, 0), GIB),
        (V1 | group("sys/fs/cgroup/memory", 1, 6 * GIB, 5 * GIB, GIB), 2 * GIB),
        (V1 | group("sys/fs/cgroup/memory", 1, 2**63 - 4096, 5 * GIB, 0), 20 * GIB),
    ],
    ids=[
        *("machine", "no limit", "limit", "files that can be forgotten", "limit of a parent", "a container"),
        *("another's limit", "version 1", "version 1 in a container", "version 1 without limit"),
    ],
)
def test_the_least_room_counts(tmp_path: Path, files: dict[str, str], room: int) -> None:
    assert available_memory(machine(tmp_path, 20 * GIB, **files)) == room


def test_a_system_that_does_not_tell(tmp_path: Path) -> None:
    assert available_memory(tmp_path) is None


@pytest.mark.parametrize(("room", "used"), [(None, True), (64 * GIB, True), (GIB, False)])
def test_files_are_in_memory_only_if_there_is_memory(monkeypatch: pytest.MonkeyPatch, room, used) -> None:
    """Whatever size the file system in memory has."""
    monkeypatch.setattr(runs, "IN_MEMORY", Path("/"))  # with room enough
    monkeypatch.setattr(runs, "available_memory", lambda: room)
    assert runs._has_room_in_memory() is used


HIERARCHY = Path("/sys/fs/cgroup/memory")
ASK = """
import os, sys
with open(sys.argv[1] + "/cgroup.procs", "w") as file:
    file.write(str(os.getpid()))
from pytest_pgfeatures.server import runs
from pytest_pgfeatures.server.memory import available_memory
print(available_memory(), runs._has_room_in_memory())
"""


@pytest.mark.root
def test_the_limit_of_a_real_group() -> None:
    version = 1 if HIERARCHY.is_dir() else 2
    top = HIERARCHY if version == 1 else Path("/sys/fs/cgroup")
    ours = top / f"pytest-pgfeatures-{os.getpid()}"
    try:
        ours.mkdir()
        (ours / ("memory.limit_in_bytes" if version == 1 else "memory.max")).write_text(str(GIB))
    except OSError as error:
        raise CapabilityMissingError(
            f"this machine allows no control groups: {error}", capability="cgroup"
        ) from error
    try:
        ended = subprocess.run(
            [sys.executable, "-c", ASK, str(ours)], capture_output=True, text=True, check=True
        )
    finally:
        ours.rmdir()
    room, used = ended.stdout.split()
    assert 0 < int(room) < GIB
    assert used == "False"
