"""Read-only stores and other users' stores: their installs are used, or the error says what to do."""

from __future__ import annotations

import functools
import itertools
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

from pytest_pgfeatures.install import Store, server_account
from torture import capabilities, namespaces
from torture.installs import install
from torture.kills import SHORT
from torture.model import Check
from torture.place import Place, place
from torture.said import problems_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAJOR = "14"
NOBODY = 65534


def _copy(where: Place) -> Path:
    """Create a store with one install."""
    source = install(MAJOR).bindir.parent
    store = Store.open(where.path / "store")
    shutil.copytree(source, store.installs / source.name, symlinks=True)
    where.environment["PGFEATURES_CACHE"] = str(store.root)
    return store.root


def _read_only(where: Place) -> list[str]:
    store = _copy(where)
    subprocess.run(["mount", "--bind", store, store], check=True)
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", store], check=True)
        return problems_of(where, where.start(f"--pg={MAJOR}"))
    finally:
        subprocess.run(["umount", "--lazy", store], check=True)


def _no_write_bits(where: Place) -> list[str]:
    store = _copy(where)
    for directory in (store, *store.iterdir()):
        if directory.is_dir():
            directory.chmod(0o555)
    try:
        return problems_of(where, where.start(f"--pg={MAJOR}"))
    finally:
        for directory in (store, *store.iterdir()):
            if directory.is_dir():
                directory.chmod(0o755)


def _of_root_for_nobody(where: Place) -> list[str]:
    _copy(where)
    return problems_of(
        where, where.start(f"--pg={MAJOR}", prepare=functools.partial(capabilities.become, NOBODY))
    )


def _of_nobody_for_root(where: Place) -> list[str]:
    store = _copy(where)
    for top, directories, names in os.walk(store):
        for name in (".", *directories, *names):
            os.chown(os.path.join(top, name), NOBODY, NOBODY, follow_symlinks=False)
    return problems_of(where, where.start(f"--pg={MAJOR}"))


def _of_the_servers_account(where: Place) -> list[str]:
    store = _copy(where)
    account = server_account()
    assert account is not None
    for directory in (store, *store.iterdir()):
        os.chown(directory, account.uid, account.gid)
    return problems_of(where, where.start(f"--pg={MAJOR}"))


AS_ROOT: dict[str, Callable[[Place], list[str]]] = {
    "read-only file system": _read_only,
    "root's, for nobody": _of_root_for_nobody,
    "nobody's, for root": _of_nobody_for_root,
    "the servers' user's, for root": _of_the_servers_account,
}
AS_ANYBODY: dict[str, Callable[[Place], list[str]]] = {"no write bits": _no_write_bits}


def _stores(kinds: dict[str, Callable[[Place], list[str]]], count: int) -> list[str]:
    failures = []
    for name, kind in itertools.islice(itertools.cycle(kinds.items()), count):
        with place() as where:
            where.write(SHORT)
            where.path.chmod(0o1777)
            (where.path / "run").mkdir()
            os.chmod(where.path / "run", 0o1777)
            found = kind(where) + where.left()
        if found:
            failures.append(f"{name}: {'; '.join(found)}")
    return failures


CHECKS = (
    Check(
        "stores: read-only, foreign-owned",
        4 * len(AS_ROOT),
        lambda count: _stores(AS_ROOT, count),
        unit=len(AS_ROOT),
        missing=namespaces.missing_mounts,
    ),
    Check("stores: without write bits", 4, lambda count: _stores(AS_ANYBODY, count), unit=4),
)
