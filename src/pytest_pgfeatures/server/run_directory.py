"""Where running clusters have their files: one directory a test process, gone when that process is.

A directory in memory (``/dev/shm``) is taken where there is one with room: making a cluster or a database is
little else than copying some hundred files, which takes several times as long on a disk. ``PGFEATURES_RUN``
names another place.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install.store import FULL
from pytest_pgfeatures.server.process import end_leftovers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Account, Store

VARIABLE = "PGFEATURES_RUN"
_IN_MEMORY = Path("/dev/shm")
_BYTES_OF_ROOM = 2 * 1024**3
"""Free memory below which the disk is used instead."""
_SOCKET_PATH_LIMIT = 103
"""Bytes in a Unix socket's path: 107 on Linux, 103 on macOS and the BSDs."""
_SOCKET_NAME = ".s.PGSQL.65535"


class RunDirectory:
    """A private directory below the place for runs, with the lock that tells others that we live.

    Attributes:
        path: the directory, of mode 0700, owned by the user who runs servers.
        lock: descriptor of the lock file; whoever has it open holds the lock.
    """

    def __init__(self, store: Store, account: Account | None) -> None:
        root = _root(store, account)
        _sweep(root, account)
        self.lock, self.path = _claim(root)
        try:
            self.path.mkdir(mode=0o700)
            if account is not None:
                os.chown(self.path, account.uid, account.gid)
        except OSError as error:
            os.close(self.lock)
            raise self.refused(error) from error

    @contextlib.contextmanager
    def explaining(self) -> Iterator[None]:
        """Turn what the file system refuses inside the block into a :class:`StoreError` with a remedy."""
        try:
            yield
        except OSError as error:
            raise self.refused(error) from error

    def refused(self, error: OSError) -> StoreError:
        """The error to show for what the file system refused below this directory."""
        root = self.path.parent
        problem = f"the disk of {root}, where servers run, is full"
        return StoreError(
            problem if error.errno in FULL else f"a server's files can't be written to {root}",
            details=(f"{error.strerror or error}: {error.filename or self.path}",),
            remedy=f"free some space there, or set {VARIABLE} to another directory",
        )

    def socket_directory(self, name: str, account: Account | None) -> Path:
        """A private directory for a server's Unix socket, whose path is short enough for every platform.

        Raises:
            StoreError: there is no place for it with a short path.
        """
        place = self.path / name
        if len(os.fsencode(place / _SOCKET_NAME)) > _SOCKET_PATH_LIMIT:
            place = _short_directory()
            (self.path / f"{name}.elsewhere").symlink_to(place)
        else:
            place.mkdir(mode=0o700)
        if account is not None:
            os.chown(place, account.uid, account.gid)
        return place


def _short_directory() -> Path:
    for parent in (Path("/tmp"), Path("/var/tmp")):
        place = parent / f"pgf-{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            place.mkdir(mode=0o700)
            return place
    raise StoreError(
        "no place for a Unix socket: the run directory's path is too long, and /tmp can't be written",
        remedy=f"set {VARIABLE} to a directory with a short path",
    )


def _root(store: Store, account: Account | None) -> Path:
    """The directory that holds the run directories of all our processes."""
    named = os.environ.get(VARIABLE)
    if named:
        root = Path(named).expanduser().absolute()
        if account is not None and (barrier := account.barrier(root)) is not None:
            raise StoreError(
                f"{VARIABLE}={named} is out of reach of the user {account.name}, who runs the servers: "
                f"it may not enter {barrier}",
                remedy="name a directory that everyone may enter",
            )
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"{VARIABLE}={named} can't be used: {error.strerror}",
                remedy="name a directory that can be written",
            ) from error
        return root
    in_memory = _IN_MEMORY / f"pytest-pgfeatures-{os.geteuid()}"
    return in_memory if _is_roomy(in_memory) else store.run


def _is_roomy(place: Path) -> bool:
    """Whether this directory in memory is ours alone, can be made, and has room."""
    try:
        room = os.statvfs(_IN_MEMORY)
        if room.f_bavail * room.f_frsize < _BYTES_OF_ROOM:
            return False
        with contextlib.suppress(FileExistsError):
            place.mkdir(mode=0o755)
        facts = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid() and not facts.st_mode & 0o022


def _claim(root: Path) -> tuple[int, Path]:
    """A new name in ``root``, locked: the lock's descriptor, and the path that is ours to make."""
    while True:
        lock = root / f"{secrets.token_hex(4)}.lock"
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise StoreError(
                f"can't write to {root}: {error.strerror}",
                remedy=f"set {VARIABLE} to a directory that can be written",
            ) from error
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # A sweep may have taken the file for a dead one's between our opening and our locking it.
        if lock.exists():
            return descriptor, lock.with_suffix("")
        os.close(descriptor)


def _sweep(root: Path, account: Account | None) -> None:
    """Remove what dead runs left: those whose lock nobody holds."""
    for lock in root.glob("*.lock"):
        with _held_if_free(lock) as free:
            if free:
                _remove_run(lock.with_suffix(""), account)
                lock.unlink(missing_ok=True)


@contextlib.contextmanager
def _held_if_free(lock: Path) -> Iterator[bool]:
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def _remove_run(path: Path, account: Account | None) -> None:
    """End what a run has left whose keeper was killed, and remove its files."""
    if path.is_dir() and any(path.iterdir()):
        end_leftovers(path, account)
    for elsewhere in path.glob("*.elsewhere"):
        shutil.rmtree(elsewhere.readlink(), ignore_errors=True)
    shutil.rmtree(path, ignore_errors=True)
