"""Reuse compiled objects of earlier runs through `ccache <https://ccache.dev>`_, if it is on PATH."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account

_SIZE = "500M"


def ccache(directory: Path, home: Path, account: Account | None) -> tuple[str, dict[str, str]] | None:
    """The program to put before the compiler, and its environment; None if there is no ccache.

    Each run uses new directories. ccache still finds the objects, because it hashes paths below ``home`` as
    relative ones.

    Parameters:
        directory: the cache, which is created for the user who compiles; ccache limits its size.
        home: the directory with the copies of sources and install.
        account: the user who compiles; None for the current user.
    """
    program = shutil.which("ccache")
    if program is None:
        return None
    owner = os.geteuid() if account is None else account.uid
    try:
        directory.mkdir(mode=0o700)
        if account is not None:
            os.chown(directory, account.uid, account.gid)
    except FileExistsError:
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner:
            return None
    except OSError:
        return None  # only other users can write the store; compiling works without a cache
    return program, {
        "CCACHE_DIR": str(directory),
        "CCACHE_BASEDIR": str(home),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_MAXSIZE": _SIZE,
    }
