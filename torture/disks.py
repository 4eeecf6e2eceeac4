"""Full and nearly full disks: for the store, for temporary files, for runs."""

from __future__ import annotations

import itertools
import os
import subprocess
from typing import TYPE_CHECKING

from torture import namespaces, wheels
from torture.kills import SHORT
from torture.model import Check
from torture.place import place
from torture.said import problems_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = {"0": "nr_inodes=1", "0 for content": "size=4k", "1": "size=1m", "50": "size=50m"}
"""Megabytes, and the options of tmpfs (whose size=0 means no limit)."""
USES = ("PGFEATURES_CACHE", "TMPDIR", "PGFEATURES_RUN")


def _disks(count: int) -> list[str]:
    turns: Iterator[tuple[str, str]] = itertools.islice(
        itertools.cycle(itertools.product(USES, SIZES)), count
    )
    return [f"{use}, {size} MB: {'; '.join(found)}" for use, size in turns if (found := _on_disk(use, size))]


def _on_disk(use: str, size: str) -> list[str]:
    with place() as where:
        disk = where.path / "disk"
        disk.mkdir()
        options = f"{SIZES[size]},mode={'1777' if use == 'TMPDIR' else '755'}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], check=True)
        try:
            where.environment[use] = str(disk)
            where.write(SHORT)
            if use == "PGFEATURES_CACHE":
                del where.environment["PGFEATURES_OFFLINE"]
                where.environment |= wheels.only_here(where.path / "jgo.conf")
            run = where.start(f"--pg={wheels.WANTED if use == 'PGFEATURES_CACHE' else '18'}")
            problems = problems_of(where, run, full=True)
            left = [os.path.join(top, name) for top, _, names in os.walk(disk) for name in names]
            kept = ("/locks/", "/probes/", ".pytest-pgfeatures", "/pgfeatures.lock")
            unexpected = [path for path in left if not any(part in path for part in kept)]
            if use == "PGFEATURES_CACHE":
                unexpected = [path for path in unexpected if "/.incoming" in path]
            return problems + unexpected[:5] + where.left()
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)


CHECKS = (
    Check(
        "disks of 0, 1 and 50 MB",
        len(USES) * len(SIZES),
        _disks,
        unit=len(USES) * len(SIZES),
        missing=lambda: namespaces.missing_mounts() or wheels.missing(),
    ),
)
