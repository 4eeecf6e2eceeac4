"""Whether the machine has room for the files of an experiment."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.measure.model import Experiment, Point

_MARGIN = 256 * 1024**2
"""Bytes that servers need besides an experiment's own files."""


def no_room(experiment: Experiment, point: Point, datadirs: Sequence[Path]) -> str | None:
    """Why the files of a point don't fit; None if they do.

    Parameters:
        datadirs: the servers' data directories, on one file system.
    """
    if (files := files_of(experiment, point)) is None:
        return None
    needed = files + _MARGIN
    home = next(parent for parent in (datadirs[0], *datadirs[0].parents) if parent.exists())
    free = _free(home) + sum(map(_reusable, datadirs))
    if needed <= free:
        return None
    return (
        f"no room: it needs about {_gigabytes(needed)}, and {_mount(home)} has {_gigabytes(free)} free"
        " (PGFEATURES_RUN names another directory)"
    )


def files_of(experiment: Experiment, point: Point) -> int | None:
    """The bytes of the files of all sides and the control; None if the experiment does not declare them."""
    if experiment.room is None:
        return None
    files = experiment.room(**point.values)
    return int(files * (1 + 1 / len(experiment.sides)) if experiment.by_version else files)


def _free(directory: Path) -> int:
    """The bytes that files in a directory may take. Files in memory take at most the memory that programs
    don't use."""
    free = shutil.disk_usage(directory).free
    memory, facts = Path("/dev/shm"), Path("/proc/meminfo")
    if memory.exists() and facts.exists() and directory.stat().st_dev == memory.stat().st_dev:
        available = re.search(r"^MemAvailable: +(\d+) kB", facts.read_text(), re.MULTILINE)
        free = min(free, int(available[1]) * 1024) if available else free
    return free


def _reusable(datadir: Path) -> int:
    """The bytes of WAL files, which earlier points filled and the server uses again."""
    wal = next((datadir / name for name in ("pg_wal", "pg_xlog") if (datadir / name).is_dir()), None)
    total = 0
    for file in wal.iterdir() if wal else ():
        with contextlib.suppress(FileNotFoundError):  # the server renames them
            total += file.stat().st_size
    return total


def _mount(directory: Path) -> Path:
    """The directory where its file system is mounted."""
    device = directory.stat().st_dev
    above = [each for each in (directory, *directory.parents) if each.stat().st_dev == device]
    return above[-1]


def _gigabytes(count: int) -> str:
    return f"{count / 1024**3:.1f} GB"
