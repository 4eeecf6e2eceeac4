"""Installs in the store with flipped bits or with missing, truncated or foreign files: all damage is detected."""

from __future__ import annotations

import functools
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.install.manifest import find_all_damage, find_damage, read_record
from torture.installs import install
from torture.model import Check
from torture.place import place

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.install.manifest import Record

WANTED = "14"


def _flip(path: Path) -> None:
    """Flip one bit and keep the file's modification time, as a failing disk does."""
    content = bytearray(path.read_bytes())
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    path.write_bytes(content)


def _cut(path: Path) -> None:
    os.truncate(path, random.randrange(path.stat().st_size))


def _lengthen(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0" * random.randint(1, 5_000))


def _remove(path: Path) -> None:
    path.unlink()


def _replace_by_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/null")


def _replace_by_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Callable[[Path], None], ...] = (
    *(_flip, _flip, _flip, _cut, _lengthen, _remove),
    *(_replace_by_link, _replace_by_directory),
)
"""Only reading everything, as ``pgfeatures doctor --deep`` does, finds flipped bits; first use finds the rest."""


def _damage(count: int) -> list[str]:
    original = install(WANTED).bindir.parent
    if (record := read_record(original)) is None:
        return [f"{original} has no record"] * count
    with place() as where:
        copied = Path(shutil.copytree(original, where.path / original.name, symlinks=True))
        files = _files(original)
        return [
            f"{kind.__name__.strip('_')} {name}: not noticed"
            for kind, name in ((random.choice(DAMAGES), random.choice(files)) for _ in range(count))
            if not _is_noticed(
                kind, original / name, copied / name, functools.partial(_found, copied, record)
            )
        ]


def _found(place: Path, record: Record, kind: Callable[[Path], None]) -> bool:
    if kind is _flip:
        return bool(find_all_damage(place, (record.entry,)))
    return bool(find_damage(place))


def _is_noticed(
    kind: Callable[[Path], None],
    original: Path,
    damaged: Path,
    found: Callable[[Callable[[Path], None]], bool],
) -> bool:
    kind(damaged)
    if kind in (_flip, _cut, _lengthen):
        facts = original.stat()
        os.utime(damaged, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    try:
        return found(kind)
    finally:
        if damaged.is_dir() and not damaged.is_symlink():
            damaged.rmdir()
        else:
            damaged.unlink(missing_ok=True)
        shutil.copy2(original, damaged)


def _files(place: Path) -> list[Path]:
    return [
        path.relative_to(place)
        for path in sorted(place.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.stat().st_size
    ]


CHECKS = (Check("installs: flipped, cut, missing files", 400, _damage, unit=50),)
