"""initdb once, then copies.

A template is a data directory as initdb made it, in the store: one for each install, set of initdb options
and release of this library. Nothing ever runs in it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import secrets
import shutil
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ServerError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.configuration import INITDB_ENVIRONMENT, initdb_arguments
from pytest_pgfeatures.server.copying import copy_tree, punch_zeros

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Install, Store
    from pytest_pgfeatures.server.process import KeeperClient


def template(
    store: Store, keeper: KeeperClient, install: Install, initdb_options: tuple[str, ...] = ()
) -> Path:
    """The data directory to copy for clusters of this install; made now if there is none yet.

    Parameters:
        initdb_options: beside ours, such as ``--wal-segsize=1``
            (https://www.postgresql.org/docs/current/app-initdb.html).

    Raises:
        ServerError: initdb refused; the details are what it printed.
        StoreError: the store can't be written.
    """
    arguments = initdb_arguments(initdb_options)
    place = store.templates / f"pg{install.version.major}-{_key(install, arguments, keeper)}"
    if not place.exists():
        with store.lock(place.name):
            if not place.exists():
                _make(store, keeper, install, arguments, place)
    return place


def _key(install: Install, arguments: tuple[str, ...], keeper: KeeperClient) -> str:
    program = (install.bindir / "postgres").stat()
    facts = (
        str(install.version),
        str(install.bindir),
        program.st_mtime_ns,
        program.st_size,
        arguments,
        keeper.account.uid if keeper.account else os.geteuid(),
        _our_version(),
    )
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


@functools.cache
def _our_version() -> str:
    from importlib.metadata import version

    return version("pytest-pgfeatures")


def _make(
    store: Store, keeper: KeeperClient, install: Install, arguments: tuple[str, ...], place: Path
) -> None:
    """Run initdb beside ``place``, and move the result there in one step."""
    work = keeper.run_directory / f"initdb-{secrets.token_hex(4)}"
    output = keeper.run_directory / f"{work.name}.log"
    ended = keeper.run(
        [install.program("initdb"), f"--pgdata={work}", *arguments],
        output=output,
        environment=program_environment(install) | INITDB_ENVIRONMENT,
    )
    if ended.status != 0:
        shutil.rmtree(work, ignore_errors=True)
        raise ServerError(
            f"initdb of {install} ended with status {ended.status}",
            details=(" ".join(ended.argv), *ended.output.splitlines()[-20:]),
            remedy=_remedy(ended.output),
        )
    for segment in (*work.glob("pg_wal/0*"), *work.glob("pg_xlog/0*")):
        punch_zeros(segment)
    for leftover in place.parent.glob(f".{place.name}-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    unfinished = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
    with store.explaining():
        try:
            copy_tree(work, unfinished, keeper.account)
            unfinished.rename(place)
        except OSError:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _remedy(output: str) -> str:
    if match := re.search(r"(?:unrecognized|invalid) option.*", output):
        return f"this major's initdb does not know an option ({match[0]}); see its manual page"
    if "No space left" in output:
        return "free some space on the disk"
    return "see what it printed"
