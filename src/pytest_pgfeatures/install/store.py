"""The store: the cache directory that all runs of one user share.

    <root>/installs/    unpacked archives, one directory each
    <root>/templates/   data directories to copy from
    <root>/run/         what running clusters use
    <root>/probes/      what was found out about installs, and what registries offer
    <root>/clients/     client programs for PATH
    <root>/ccache/      compiled objects of extensions, where ccache keeps them
    <root>/locks/       lock files

``PGFEATURES_CACHE`` names the root. By default it is the user's cache directory on this platform; for root, a
directory that the account that runs servers can read.
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

from pytest_pgfeatures.errors import StoreError, UnusableInstallError
from pytest_pgfeatures.install.account import server_account
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.trusted import doubt, trusted_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VARIABLE = "PGFEATURES_CACHE"
NAME = "pytest-pgfeatures"
LOCK_NAME = "pgfeatures.lock"
"""The name of the record of archives: a project's, and the store's own."""
RECORD = "pgfeatures.json"
"""The file in an unpacked install that names its archive."""
MANIFEST = "pgfeatures.files"
"""The file in an unpacked install with the size, time and SHA-256 of each file."""
SESSION = "session"
"""A lock that every process holds that uses any install, and so may copy templates; see :meth:`Store.hold`."""
_MODE = 0o755
_MODE_OF_LOCKS = 0o700
"""Only the owner may open lock files: another user could hold the lock and block the owner."""
FULL = (errno.ENOSPC, errno.EDQUOT)
"""The error numbers of a full disk."""
_REMEDY_FOR_DOUBT = f"set {VARIABLE} to a directory that only you can write to, like all its parents"
_DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
_SECONDS_TO_WAIT = 900.0
"""Seconds to wait for a process that holds a lock: more than a slow download of an archive takes."""
_SECONDS_TO_CLEAN = 120.0
"""Seconds to wait for a process that removes something from the store."""
_SECONDS_OF_SILENCE = 5.0
"""Seconds after which a waiting process reports what it waits for."""
_SECONDS_BETWEEN_TRIES = 0.05


def _print_message(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Store:
    """A cache directory; :meth:`open` creates one.

    The user owns its directories. Others may read them, except the locks, but never write them.

    Parameters:
        root: the directory.
        report: called with a message while waiting for another process; by default it prints to standard error.
    """

    root: Path
    report: Callable[[str], object] = field(default=_print_message, compare=False, repr=False)

    @classmethod
    def open(cls, root: Path | None = None, *, report: Callable[[str], object] | None = None) -> Store:
        """The store in ``root``, by default in the place that the environment or the platform determines.
        Missing directories are created.

        Raises:
            InstallError: this is Windows.
            StoreError: it can't be created or written, is out of reach of the account that servers run as, or
                another user could replace what is in it.
        """
        this_platform()
        place = Path(
            os.path.realpath(root or _default_root())
        )  # resolved once: the target of a link may change
        store = cls(place, report or _print_message)
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
            store._trust()
            for directory in (store.installs, store.templates, store.run, store.probes):
                store._have(directory, _MODE)
            store._have(store.locks, _MODE_OF_LOCKS)
        return store

    def _trust(self) -> None:
        """Raise a :class:`StoreError` if other users could replace what is in the store: its programs run as us."""
        try:
            trusted_directory(self.root)
        except StoreError as error:
            raise StoreError(
                f"the store {self.root} can't be used: {error.problem}", remedy=_REMEDY_FOR_DOUBT
            ) from error
        for directory in (self.installs, self.templates, self.run, self.probes, self.clients, self.locks):
            if os.path.lexists(directory) and (problem := doubt(directory)):
                raise StoreError(
                    f"the store {self.root} can't be used: {directory} {problem}, who could replace its contents",
                    remedy=f"remove it, or {_REMEDY_FOR_DOUBT}",
                )

    def check(self, place: Path) -> None:
        """Check that no other user could change the programs and libraries of an install in this store.

        Parameters:
            place: its directory.

        Raises:
            UnusableInstallError: another user could.
        """
        paths = [place]
        for directory in (place / "bin", place / "lib"):
            for top, _, names in os.walk(directory):
                paths += [Path(top), *(Path(top, name) for name in names)]
        for path in paths:
            if os.path.lexists(path) and (problem := doubt(path)):
                raise UnusableInstallError(
                    f"{path} {problem}, who could replace our programs",
                    remedy=f"remove {place}, or {_REMEDY_FOR_DOUBT}",
                )

    def _have(self, directory: Path, mode: int) -> None:
        """Create one of the store's directories. A store that can't be written still provides its contents."""
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
        """The directory with the files of running clusters."""
        return self.root / "run"

    @property
    def probes(self) -> Path:
        """The results of probes, and the lists of releases in the registries."""
        return self.root / "probes"

    @property
    def clients(self) -> Path:
        """Directories of client programs for PATH; created on first use."""
        return self.root / "clients"

    @property
    def compiled(self) -> Path:
        """Objects that ccache keeps, in a directory of the user who compiles; created on first use."""
        return self.root / "ccache"

    @property
    def locks(self) -> Path:
        """Lock files."""
        return self.root / "locks"

    @contextlib.contextmanager
    def lock(self, name: str, *, timeout: float = _SECONDS_TO_WAIT) -> Iterator[None]:
        """Hold the exclusive lock ``name`` of this store. The system releases it if this process dies.

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
        """Hold a shared lock: this process uses ``name``, an install's directory or :data:`SESSION`, until it
        ends.

        Any number of processes may do this; meanwhile :meth:`unused` yields false. The system releases the lock
        if this process dies.

        Returns:
            a descriptor, to be closed after use; None if the store belongs to another user, can't be written,
            or is on a file system without locks.

        Raises:
            StoreError: another process seems to have removed things from the store the whole time.
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
        """Call ``taken`` until it returns true; if that takes long, report what this process waits for.

        Parameters:
            taken: tries once.
            path: the lock file.
            who: which process has it.
            timeout: the deadline, from now.

        Raises:
            StoreError: the deadline passed.
        """
        begun = time.monotonic()
        reported = False
        while not taken():
            waited = time.monotonic() - begun
            if waited >= timeout:
                raise StoreError(
                    f"another process held the lock {path} for {timeout:.0f} seconds",
                    remedy="find the process that uses it (fuser or lsof) and end it, or wait and try again",
                )
            if waited >= _SECONDS_OF_SILENCE and not reported:
                reported = True
                self.report(
                    f"pytest-pgfeatures: waiting for another process, {who} (lock {path}), "
                    f"for {timeout - waited:.0f} seconds at most"
                )
            time.sleep(min(_SECONDS_BETWEEN_TRIES, timeout - waited))

    @contextlib.contextmanager
    def unused(self, name: str) -> Iterator[bool]:
        """Yield whether no process uses ``name``. If so, none can start to use it before the end of the block."""
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
        """Convert a refusal of the file system inside the block to a :class:`StoreError` with a remedy."""
        try:
            yield
        except OSError as error:
            raise self.refused(error) from error

    def refused(self, error: OSError) -> StoreError:
        """The error to raise for a refusal of the file system."""
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
    """Create a directory of the store and its parents, or set the mode of an existing one that the user owns,
    whatever the umask."""
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
        if error.errno != errno.EROFS:  # where nobody can take a lock, or write anything
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
    """The user's directory for caches (https://specifications.freedesktop.org/basedir/latest/).

    The library platformdirs knows it, too, but is a pytest plugin since 4.14: every run of pytest would import it.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    if Path(named).is_absolute():
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")


def _root_of_root() -> Path:
    """The directory of root's store. It is not below root's home directory, which others can't enter."""
    return Path("/Library/Caches" if sys.platform == "darwin" else "/var/cache") / NAME
