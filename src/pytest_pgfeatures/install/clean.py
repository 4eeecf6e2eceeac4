"""Remove files from the store, unless they are in use."""

from __future__ import annotations

import contextlib
import secrets
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install.store import SESSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.install.store import Store

KINDS = ("installs", "templates", "clients", "compiled", "leftovers")


@dataclass(frozen=True, slots=True)
class Removal:
    """A file or directory in the store that may be removed.

    Parameters:
        kind: one of :data:`KINDS`.
        path: the file or directory.
        size: in bytes of disk space.
        kept: why it was not removed; empty if it was, or would be.
    """

    kind: str
    path: Path
    size: int
    kept: str = ""


def clean(store: Store, kinds: tuple[str, ...] = KINDS, *, dry_run: bool = False) -> Iterator[Removal]:
    """Remove installs, templates, client programs, compiled objects and the remains of killed processes;
    yield each.

    An install that a process uses is kept. While any process uses the store, the rest is kept. Everything is
    renamed before it is removed, so that no process finds it half removed.

    Parameters:
        store: the store to clean.
        kinds: the kinds to remove, from :data:`KINDS`.
        dry_run: only report what would be removed.

    Raises:
        StoreError: the store can't be written.
    """
    for kind, path, lock, use in _found(store):
        if kind not in kinds:
            continue
        size = _size(path)
        if dry_run:
            with store.unused(use) as free:
                yield Removal(kind, path, size, "" if free else _IN_USE)
            continue
        yield Removal(kind, path, size, _remove(store, path, lock, use))


_IN_USE = "in use"


def _found(store: Store) -> Iterator[tuple[str, Path, str, str]]:
    """Kind, path, the lock held during its creation, and the lock held during its use."""
    with store.explaining():
        installs, templates = sorted(store.installs.iterdir()), sorted(store.templates.iterdir())
        clients = sorted(store.clients.iterdir()) if store.clients.is_dir() else []
        names = (store.compiled.name, f".{store.compiled.name}-")
        compiled = sorted(path for path in store.root.iterdir() if path.name.startswith(names))
    for path in installs:
        if path.name.startswith("."):
            yield "leftovers", path, _maker(path), f"{_maker(path)}.leftover"
        else:
            yield "installs", path, path.name, path.name
    for kind, paths in (("templates", templates), ("clients", clients), ("compiled", compiled)):
        for path in paths:
            if path.name.startswith("."):
                yield "leftovers", path, _maker(path), f"{_maker(path)}.leftover"
            else:
                yield kind, path, path.name, SESSION


def _maker(leftover: Path) -> str:
    """The name of the lock held during the creation: ``.incoming-NAME-xyz`` and ``.NAME-xyz``."""
    return leftover.name.removeprefix(".").removeprefix("incoming-").rpartition("-")[0]


def _remove(store: Store, path: Path, lock: str, use: str) -> str:
    """Remove a file or directory unless a process creates or uses it. Return the reason if it was kept."""
    try:
        with store.lock(lock, timeout=0), store.unused(use) as free, store.explaining():
            if not free:
                return _IN_USE
            doomed = path.with_name(f".{lock}-{secrets.token_hex(4)}")
            path.rename(doomed)
            shutil.rmtree(doomed)
            return ""
    except StoreError as error:
        if isinstance(error.__cause__, OSError):
            raise
        return _IN_USE


def _size(path: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for found in (path, *path.rglob("*")):
            with contextlib.suppress(OSError):
                total += found.lstat().st_blocks * 512
    return total
