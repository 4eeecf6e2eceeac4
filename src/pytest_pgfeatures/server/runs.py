"""The directory of all our runs: find or create it, check its owner, and remove what dead runs left in it.

Its name is ``pytest-pgfeatures-UID``, and it has a mark (see :mod:`pytest_pgfeatures.server.removal`). It is in
memory (``/dev/shm``) if there is room, and memory. To create a cluster or a database is mostly to copy some hundred
files, which takes several times as long on a disk. Set ``PGFEATURES_RUN`` to have it in another directory.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install.store import FULL
from pytest_pgfeatures.install.trusted import trusted_directory, user_name
from pytest_pgfeatures.server.memory import available_memory
from pytest_pgfeatures.server.own_programs import end_leftovers
from pytest_pgfeatures.server.removal import (
    MARK,
    for_run,
    marked,
    open_directory,
    remove_run,
    this_boot,
    write_mark,
)

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Account, Store

VARIABLE = "PGFEATURES_RUN"
SHORT = (Path("/tmp"), Path("/var/tmp"))
"""Directories with short paths, in which every user can create directories."""
IN_MEMORY = Path("/dev/shm")
_BYTES_OF_ROOM = 2 * 1024**3
"""Free bytes of the file system in memory, and of memory; if there are fewer, the disk is used."""
_RUNS = "runs"
"""The purpose that our directory's mark names."""
_HEXADECIMAL = frozenset("0123456789abcdef")


def directory_of_runs(parent: Path) -> Path:
    """Our directory below a given one. Each user has his own."""
    return parent / f"pytest-pgfeatures-{os.geteuid()}"


def open_runs(store: Store, account: Account | None) -> tuple[Path, int]:
    """Open the directory of all our runs. Return its path and its descriptor."""
    named = os.environ.get(VARIABLE)
    if named:
        try:
            return _ours_in(Path(named).expanduser().absolute(), account)
        except (OSError, RuntimeError) as error:  # RuntimeError: "~" stands for no directory
            if isinstance(error, OSError) and error.errno in FULL:
                raise refused_below(error, Path(named)) from error
            raise StoreError(
                f"{VARIABLE}={named} can't be used: {_words(error)}",
                remedy="name a directory that can be written",
            ) from error
        except StoreError as error:
            raise StoreError(
                f"{VARIABLE}={named} can't be used: {error.problem}",
                details=error.details,
                remedy=error.remedy,
            ) from error
    places = [store.run, *SHORT]
    if _has_room_in_memory():
        places.insert(0, IN_MEMORY)
    refusals = []
    for place in places:
        try:
            return _ours_in(place, account)
        except StoreError as error:
            refusals.append(error.problem)
        except OSError as error:
            refusals.append(_words(error))
    raise StoreError(
        "there is no directory for the files of servers",
        details=tuple(refusals),
        remedy=f"set {VARIABLE} to a directory that can be written",
    )


def _words(error: Exception) -> str:
    return f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)


def _has_room_in_memory() -> bool:
    try:
        room = os.statvfs(IN_MEMORY)
    except OSError:
        return False
    memory = available_memory()  # the file system may be larger than the memory
    return min(room.f_bavail * room.f_frsize, _BYTES_OF_ROOM if memory is None else memory) >= _BYTES_OF_ROOM


def _ours_in(parent: Path, account: Account | None) -> tuple[Path, int]:
    """Open our directory below a given one. Create and mark it if it doesn't exist. Return its path and descriptor.

    Raises:
        StoreError: other users have put something else there, or could; or the servers' user can't enter it.
        OSError: it can't be created.
    """
    real = Path(os.path.realpath(parent))
    if account is not None and (barrier := account.barrier(real)) is not None:
        raise StoreError(
            f"it is out of reach of the user {account.name}, who runs the servers: he may not enter {barrier}",
            remedy="name a directory that everyone may enter",
        )
    place = directory_of_runs(trusted_directory(real))
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o700)
    ours = open_directory(place)
    try:
        _make_private(place, ours, 0o700 if account is None else 0o711)
        if marked(ours, _RUNS) is None:
            _mark_ours(place, ours)
    except BaseException:
        os.close(ours)
        raise
    return place, ours


def _make_private(place: Path, ours: int, mode: int) -> None:
    """Set the mode of our directory, because the umask may have changed it at creation."""
    facts = os.fstat(ours)
    if facts.st_uid != os.geteuid():
        raise StoreError(
            f"{place} belongs to the user {user_name(facts.st_uid)}",
            remedy=f"remove it, or set {VARIABLE} to another directory",
        )
    if stat.S_IMODE(facts.st_mode) == mode:
        return
    os.fchmod(ours, mode)
    if stat.S_IMODE(os.fstat(ours).st_mode) & 0o022:
        raise StoreError(
            f"others can write in {place}, and its file system has no modes to forbid that",
            remedy=f"set {VARIABLE} to a directory on another file system",
        )


def _mark_ours(place: Path, ours: int) -> None:
    """Mark our directory. It must be new: one that has other files was not made by us."""
    others = [name for name in os.listdir(ours) if name != MARK or os.stat(MARK, dir_fd=ours).st_size]
    if others and marked(ours, _RUNS) is None:  # another process may have marked and used it just now
        raise StoreError(
            f"{place} was not made by pytest-pgfeatures: it has no file {MARK} of ours, but {sorted(others)[0]}",
            remedy=f"move it away, or set {VARIABLE} to another directory",
        )
    if not others:
        write_mark(ours, _RUNS)


def refused_below(error: OSError, place: Path) -> StoreError:
    """The error to raise if the file system refuses something in our directory."""
    details = (f"{error.strerror or error}: {error.filename or place}",)
    if error.errno in FULL:
        return StoreError(
            f"the disk of {place}, where servers run, is full",
            details=details,
            remedy=f"free some space there, or set {VARIABLE} to another directory",
        )
    return StoreError(
        f"a server's files can't be written to {place}",
        details=details,
        remedy=f"set {VARIABLE} to a directory that can be written",
    )


def sweep(place: Path, ours: int, account: Account | None) -> None:
    """Remove the directories of dead runs: those whose mark no process has locked."""
    for name in os.listdir(ours):
        if len(name) == 8 and _HEXADECIMAL.issuperset(name):  # a run's
            with contextlib.suppress(OSError):
                _remove_if_dead(place / name, ours, account)


def _remove_if_dead(path: Path, ours: int, account: Account | None) -> None:
    run = open_directory(path.name, ours)
    try:
        if os.fstat(run).st_uid != os.geteuid():
            return
        try:
            mark = os.open(MARK, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=run)
        except FileNotFoundError:
            os.rmdir(path.name, dir_fd=ours)  # if empty: its process was killed before marking it
            return
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            facts = os.fstat(mark)
            if facts.st_nlink == 0:
                return
            boot = marked(run, for_run(path.name))
            if boot == this_boot():
                end_leftovers(path, account)
            if boot is not None:
                remove_run(run, path.name)
            elif facts.st_size == 0 and os.listdir(run) == [MARK]:  # noqa: PTH208
                os.unlink(MARK, dir_fd=run)
                os.rmdir(path.name, dir_fd=ours)
        finally:
            os.close(mark)
    finally:
        os.close(run)
