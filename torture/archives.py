"""Hostile archives: each is rejected with one kind of error or is harmless; none writes outside its directory."""

from __future__ import annotations

import itertools
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install.archive import unpack
from torture.hostile_archives import hostile_archives
from torture.model import Check

if TYPE_CHECKING:
    from torture.hostile_archives import Hostile


def _archives(count: int) -> list[str]:
    failures = []
    with tempfile.TemporaryDirectory(prefix="torture-") as top:
        around = Path(top) / "around"
        outside = around / "outside"
        outside.mkdir(parents=True)
        (outside / "secret").write_text("kept")
        before = _facts(around)
        for hostile in itertools.islice(hostile_archives(outside), count):
            found = _judged(hostile, Path(top) / "carrier.jar", around / "to")
            shutil.rmtree(around / "to", ignore_errors=True)
            if _facts(around) != before:
                found.append("it wrote outside")
            if found:
                failures.append(f"{hostile.name}: {'; '.join(found)}")
    return failures


def _judged(hostile: Hostile, path: Path, place: Path) -> list[str]:
    path.write_bytes(hostile.content)
    problems = []
    try:
        root = unpack(path, place)
    except ArchiveError as error:
        unpacked = False
        if "\n" in error.problem or not error.remedy:
            problems.append(f"refused with {error}")
    except Exception as error:
        return [f"{type(error).__name__}: {error}"[:300]]
    else:
        unpacked = True
        modes = {stat.S_IMODE(found.stat().st_mode) for found in root.rglob("*") if found.exists()}
        if not modes <= {0o644, 0o755}:
            problems.append(f"modes {[oct(mode) for mode in modes]}")
    if unpacked != hostile.kept:
        problems.append("unpacked" if unpacked else "refused")
    return problems


def _facts(directory: Path) -> dict[str, tuple[object, ...]]:
    """Return all entries below a directory, of any type, with their properties."""
    facts: dict[str, tuple[object, ...]] = {}
    for top, directories, names in os.walk(directory):
        for name in (*directories, *names):
            path = Path(top, name)
            found = path.lstat()
            content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            facts[str(path)] = (found.st_mode, found.st_nlink, content)
    return facts


NUMBER = 131
"""The number of archives from :func:`hostile_archives`: counting them would take as long as trying them."""
CHECKS = (Check("hostile archives", NUMBER, _archives, unit=NUMBER),)
