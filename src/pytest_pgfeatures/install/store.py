"""The store: the cache directory that all runs of one user share.

    <root>/installs/    unpacked archives, one directory each
    <root>/templates/   data directories to copy from
    <root>/run/         what running clusters use
    <root>/probes/      what was found out about installs, and what registries offer
    <root>/clients/     client programs for PATH
    <root>/locks/       lock files

``PGFEATURES_CACHE`` names the root; without it the place is the platform's cache directory of the user,
and for root one that the account servers run as can read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install.account import server_account
from pytest_pgfeatures.install.platform import this_platform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VARIABLE = "PGFEATURES_CACHE"
NAME = "pytest-pgfeatures"
LOCK_NAME = "pgfeatures.lock"
"""The record of archives: a project's, and the one that a store keeps for itself."""
RECORD = "pgfeatures.json"
"""In an install that we unpacked: which archive it came from."""
MANIFEST = "pgfeatures.files"
"""In an install that we unpacked: what each file has to be."""
SESSION = "session"
"""Held by every process that uses any install, and so may copy templates; see :meth:`Store.hold`."""
_MODE = 0o755
_MODE_OF_LOCKS = 0o700
"""Who can open a lock file can hold the lock, and so hang its owner."""
FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says where there is no room."""
_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_SECONDS_TO_WAIT = 900.0
"""For another process that holds a lock: a slow download of one archive, and then some."""
_SECONDS_TO_CLEAN = 120.0
"""For another process that removes something from the store."""
_SECONDS_OF_SILENCE = 5.0
"""After that a process that waits says what for."""
_SECONDS_BETWEEN_TRIES = 0.05


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Store:
    """A cache directory; make one with :meth:`open`.

    Its directories are the user's own, and readable by everyone, but for the locks: never writable by others.

    Parameters:
        root: the directory.
        tell: called with a message while we wait for another process; by default it is written to standard error.
    """

    root: Path
    tell: Callable[[str], object] = field(default=_tell, compare=False, repr=False)

    @classmethod
    def open(cls, root: Path | None = None, *, tell: Callable[[str], object] = _tell) -> Store:
        """The store in ``root``, by default where the environment or the platform says.

        Directories are made where they are missing.

        Raises:
            InstallError: this is Windows.
            StoreError: it can't be made or written, or is out of reach of the account that servers run as.
        """
        this_platform()
        place = (root or _default_root()).absolute()
        store = cls(place, tell)
        account = server_account()
        with store.explaining():
            barrier = account.barrier(place) if account is not None else None
        if account is not None and barrier is not None:
            raise StoreError(
                f"the store {place} is out of reach of the user {account.name}, who runs the servers: "
                f"it may not enter {barrier}",
                remedy=f"set {VARIABLE} to a directory that everyone may enter, such as {_root_of_root()}",
            )
        with store.explaining():
            for directory in (store.installs, store.templates, store.run, store.probes):
                store._have(directory, _MODE)
            store._have(store.locks, _MODE_OF_LOCKS)
        return store

    def _have(self, directory: Path, mode: int) -> None:
        """Make one of the store's directories. A store that can't be written serves what it has."""
        try:
            _make_directory(directory, mode)
        except OSError:
            if not self.installs.is_dir():
                raise

    @property
    def installs(self) -> Path:
        """Unpacked archives."""
        return self.root / "installs"

    @property
    def templates(self) -> Path:
        """Data directories that clusters are copied from."""
        return self.root / "templates"

    @property
    def run(self) -> Path:
        """What running clusters use."""
        return self.root / "run"

    @property
    def probes(self) -> Path:
        """What was found out about installs, so that they need not be probed again, and what registries offer."""
        return self.root / "probes"

    @property
    def clients(self) -> Path:
        """Directories of client programs for PATH; made with the first one."""
        return self.root / "clients"

    @property
    def locks(self) -> Path:
        """Lock files."""
        return self.root / "locks"

    @contextlib.contextmanager
    def lock(self, name: str, *, timeout: float = _SECONDS_TO_WAIT) -> Iterator[None]:
        """Hold the lock ``name`` of this store, alone among all processes; let go by the system if we die.

        Parameters:
            name: what is guarded, usable as a file name.
            timeout: how long to wait for the process that holds it.

        Raises:
            StoreError: another process held it all the time, or the lock file can't be written.
        """
        from filelock import FileLock, Timeout

        path = self.locks / f"{name}.lock"
        lock = FileLock(path, mode=0o600)

        def taken() -> bool:
            try:
                lock.acquire(timeout=0)
            except Timeout:
                return False
            return True

        with self.explaining():
            self._wait_until(taken, path, f"which works on {name}", timeout)
        try:
            yield
        finally:
            lock.release()

    def hold(self, name: str) -> int | None:
        """Say that this process uses ``name``, an install's directory or :data:`SESSION`, until it ends.

        Any number of processes may; meanwhile :meth:`unused` says no. The system lets go when we die.

        Returns:
            a descriptor to close when it is used no more; None if the store is another user's, or
            can't be written, or its file system has no locks.

        Raises:
            StoreError: another process removed things from the store all the time, or so it seems.
        """
        import fcntl  # here, as Windows doesn't have it

        path = self.locks / f"{name}.use"
        try:
            descriptor = os.open(path, _LOCK_FILE, 0o600)
        except OSError:
            return None

        def held() -> bool:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

        try:
            self._wait_until(held, path, f"which removes {name}", _SECONDS_TO_CLEAN)
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, OSError):
                return None  # a file system without locks
            raise
        return descriptor

    def _wait_until(self, taken: Callable[[], bool], path: Path, who: str, timeout: float) -> None:
        """Call ``taken`` until it says that we have a lock; say what we wait for if that takes long.

        Parameters:
            taken: tries once.
            path: the lock file.
            who: which process has it.
            timeout: the deadline, from now.

        Raises:
            StoreError: the deadline passed.
        """
        begun = time.monotonic()
        told = False
        while not taken():
            waited = time.monotonic() - begun
            if waited >= timeout:
                raise StoreError(
                    f"another process held the lock {path} for {timeout:.0f} seconds",
                    remedy="find the process that uses it (fuser or lsof) and end it, or wait and try again",
                )
            if waited >= _SECONDS_OF_SILENCE and not told:
                told = True
                self.tell(
                    f"pytest-pgfeatures: waiting for another process, {who} (lock {path}), "
                    f"for {timeout - waited:.0f} seconds at most"
                )
            time.sleep(min(_SECONDS_BETWEEN_TRIES, timeout - waited))

    @contextlib.contextmanager
    def unused(self, name: str) -> Iterator[bool]:
        """Whether no process holds ``name``; if so, none can begin to before the end of the block."""
        import fcntl

        with self.explaining():
            descriptor = os.open(self.locks / f"{name}.use", _LOCK_FILE, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def explaining(self) -> Iterator[None]:
        """Turn what the file system refuses inside the block into a :class:`StoreError` with a remedy."""
        try:
            yield
        except OSError as error:
            raise self.refused(error) from error

    def refused(self, error: OSError) -> StoreError:
        """The error to show for what the file system refused."""
        where = error.filename or self.root
        if error.errno in FULL:
            return StoreError(
                f"the disk of the store {self.root} is full",
                details=(f"{error.strerror}: {where}",),
                remedy=f"free some space (see pgfeatures clean), or set {VARIABLE} to another disk",
            )
        if error.errno in _DENIED:
            return StoreError(
                f"the store {self.root} can't be written",
                details=(f"{error.strerror}: {where}",),
                remedy=f"set {VARIABLE} to a directory that this user may write",
            )
        return StoreError(
            f"the store {self.root} can't be used",
            details=(f"{error.strerror or error}: {where}",),
            remedy=f"set {VARIABLE} to a directory that this user may write",
        )


_LOCK_FILE = os.O_RDONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def _make_directory(directory: Path, mode: int) -> None:
    """Make a directory of the store, with those that it is in, or set the mode of one that is there if it is ours:
    it is as we want it whatever the umask is, or was."""
    try:
        facts = directory.stat()
    except FileNotFoundError:
        if not directory.parent.is_dir():
            _make_directory(directory.parent, _MODE)
        with contextlib.suppress(FileExistsError):
            directory.mkdir(mode=mode)
        facts = directory.stat()
    if not stat.S_ISDIR(facts.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(directory))
    if facts.st_uid != os.geteuid() or facts.st_mode & 0o777 == mode:
        return
    try:
        directory.chmod(facts.st_mode & 0o7000 | mode)
    except OSError as error:
        if error.errno != errno.EROFS:  # there nobody can take a lock, or write anything
            raise


def _default_root() -> Path:
    named = os.environ.get(VARIABLE)
    try:
        if named:
            return Path(named).expanduser()
        if os.geteuid() == 0:
            return _root_of_root()
        return _caches_of_user() / NAME
    except RuntimeError:
        raise StoreError(
            f"{VARIABLE}={named}: the home directory in it is not known"
            if named
            else f"there is no place for the store: the home directory of user {os.getuid()} is not known",
            remedy=f"set {VARIABLE} to a directory that this user may write",
        ) from None


def _caches_of_user() -> Path:
    """Where programs keep what they can fetch again (https://specifications.freedesktop.org/basedir/latest/).

    The library platformdirs knows it, too, but is a pytest plugin since 4.14: every run of pytest would import it.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _root_of_root() -> Path:
    """Where root's store is: not below its home directory, which others can't enter."""
    return Path("/Library/Caches" if sys.platform == "darwin" else "/var/cache") / NAME
