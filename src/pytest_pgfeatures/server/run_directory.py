"""The directory of a run: one for each test process, removed when the process ends.

    pytest-pgfeatures-1000/       the current user's; see :mod:`pytest_pgfeatures.server.runs`
        .pytest-pgfeatures        its mark
        1f0c66d2/                 the directory of a run
            .pytest-pgfeatures    its mark, locked as long as the run lives
            1-pg18/               the directory of a server
                data/  s/  log    its data directory, its socket directory, its log

If root runs the tests, the servers' user may enter these directories, but may write only in ``data`` and ``s`` and
to the log.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install.trusted import trusted_directory
from pytest_pgfeatures.server.removal import (
    ELSEWHERE,
    MARK,
    for_run,
    for_sockets,
    mark_text,
    open_directory,
    remove,
    remove_run,
    write_mark,
)
from pytest_pgfeatures.server.runs import SHORT, VARIABLE, open_runs, refused_below, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Account, Store

_BYTES_OF_A_SERVER = 64 * 1024**2
"""Bytes that a new data directory needs, with some WAL. If the disk has less, this is the cause of a server's
failure."""
_SOCKET_PATH_LIMIT = 103
"""Maximum bytes in a Unix socket's path: 107 on Linux, 103 on macOS and the BSDs."""
_SOCKET_NAME = ".s.PGSQL.65535"


class RunDirectory:
    """A private directory for this run, with a lock that shows other processes that the run is alive.

    Attributes:
        path: the directory.
        descriptor: its descriptor, opened once.
        lock: the descriptor of its mark. A process that has it open holds the lock.
        account: the account that runs the servers; None for the current user.
    """

    def __init__(self, store: Store, account: Account | None) -> None:
        self.account = account
        place, ours = open_runs(store, account)
        try:
            sweep(place, ours, account)
            try:
                name, self.descriptor, self.lock = _claim(ours)
            except OSError as error:
                raise refused_below(error, place) from error
        finally:
            os.close(ours)
        self.path = place / name
        try:
            self._give(self.descriptor, theirs=False)
        except StoreError:
            remove_run(self.descriptor, name)
            os.close(self.descriptor)
            os.close(self.lock)
            raise

    def close(self) -> None:
        """Close the directory's descriptor. The supervisor has already removed the directory."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    @contextlib.contextmanager
    def explaining(self) -> Iterator[None]:
        """Convert an OSError in the block to a :class:`StoreError` with a remedy."""
        try:
            yield
        except OSError as error:
            raise self.refused(error) from error

    def refused(self, error: OSError) -> StoreError:
        """The error to raise if the file system refuses something below this directory."""
        return refused_below(error, self.path.parent)

    def full(self, *said: str) -> StoreError:
        """The error to raise if a program reported that the disk is full.

        Parameters:
            said: lines of the program's output.
        """
        error = self.refused(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path)))
        error.details = (*error.details, *said)
        return error

    def is_full(self) -> bool:
        """Whether the disk has less free space than a new server needs."""
        room = os.fstatvfs(self.descriptor)
        return room.f_bavail * room.f_frsize < _BYTES_OF_A_SERVER or room.f_files > room.f_favail == 0

    def directory(self, name: str, *, theirs: bool = False) -> Path:
        """Create a directory.

        Parameters:
            name: its name, relative to the run's directory.
            theirs: whether the servers' user may write in it; otherwise he may only enter it.

        Raises:
            StoreError: there is no room.
        """
        with self.explaining():
            os.mkdir(name, 0o700, dir_fd=self.descriptor)
            created = open_directory(name, self.descriptor)
        try:
            self._give(created, theirs=theirs)
        finally:
            os.close(created)
        return self.path / name

    def output(self, path: Path) -> None:
        """Create an empty file for a program's output, unless it exists.

        The servers' user may write to it, but can't replace it, because he can't create files in its directory.
        """
        if self.account is None:
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        with self.explaining(), contextlib.suppress(FileExistsError):
            created = os.open(path.relative_to(self.path), flags, 0o600, dir_fd=self.descriptor)
            try:
                os.fchown(created, self.account.uid, self.account.gid)
            finally:
                os.close(created)

    def remove(self, path: Path) -> None:
        """Remove a file or a tree, if it exists. What can't be removed now is removed with the run's directory."""
        with contextlib.suppress(OSError):
            parent = open_directory(path.parent.relative_to(self.path), self.descriptor)
            try:
                remove(path.name, parent)
            finally:
                os.close(parent)

    def socket_directory(self, home: Path) -> Path:
        """A private directory for a server's Unix socket, whose path is short enough for every platform.

        Parameters:
            home: the server's directory.

        Raises:
            StoreError: there is no place for it with a short path.
        """
        place = home / "s"
        if len(os.fsencode(place / _SOCKET_NAME)) <= _SOCKET_PATH_LIMIT:
            return self.directory(str(place.relative_to(self.path)), theirs=True)
        with self.explaining():
            place, parent = self._elsewhere()
        try:
            number = home.name.partition("-")[0]
            with self.explaining():
                os.mkdir(number, 0o700, dir_fd=parent)
                created = open_directory(number, parent)
            try:
                self._give(created, theirs=True)
            finally:
                os.close(created)
        finally:
            os.close(parent)
        return place / number

    def _elsewhere(self) -> tuple[Path, int]:
        """The directory of sockets with a short path, and its descriptor; created on first use."""
        with contextlib.suppress(FileNotFoundError):
            place = Path(os.readlink(ELSEWHERE, dir_fd=self.descriptor))
            return place, open_directory(place)
        for short in SHORT:
            with contextlib.suppress(OSError, StoreError):
                return self._make_elsewhere(trusted_directory(short) / f"pgf-{secrets.token_hex(4)}")
        raise StoreError(
            "no place for a Unix socket: the run directory's path is too long, and /tmp can't be used",
            remedy=f"set {VARIABLE} to a directory with a short path",
        )

    def _make_elsewhere(self, place: Path) -> tuple[Path, int]:
        os.symlink(place, ELSEWHERE, dir_fd=self.descriptor)  # first, so that it is removed with the run
        with contextlib.ExitStack() as failing:
            failing.callback(os.unlink, ELSEWHERE, dir_fd=self.descriptor)
            place.mkdir(mode=0o700)
            failing.callback(place.rmdir)
            created = open_directory(place)
            failing.callback(os.close, created)
            write_mark(created, for_sockets(self.path.name))
            self._give(created, theirs=False)
            failing.pop_all()
        return place, created

    def _give(self, descriptor: int, *, theirs: bool) -> None:
        """Set the owner and the mode of a new directory, independently of the umask."""
        account = self.account
        if account is None:
            os.fchmod(descriptor, 0o700)
            return
        try:
            os.fchown(descriptor, account.uid if theirs else -1, account.gid)
        except OSError as error:
            raise _not_given(error, account, self.path) from error
        os.fchmod(descriptor, 0o700 if theirs else 0o710)


def _not_given(error: OSError, account: Account, path: Path) -> StoreError:
    """The error to raise if root lacks a right that it usually has."""
    details = (f"{error.strerror}: {path}",)
    if error.errno == errno.EINVAL:
        return StoreError(
            f"in this user namespace there is no user {account.name} ({account.uid}), who runs the servers: "
            "PostgreSQL refuses to run as root",
            details=details,
            remedy="map more users into the namespace, or run the tests in it as another user than root",
        )
    return StoreError(
        f"root may not give files to the user {account.name}, who runs the servers: "
        "PostgreSQL refuses to run as root",
        details=details,
        remedy="run the tests as another user than root, or give the container the capabilities CAP_CHOWN, "
        "CAP_SETUID and CAP_SETGID",
    )


def _claim(ours: int) -> tuple[str, int, int]:
    """Create a run's directory. Return its name, its descriptor, and the descriptor of its locked mark."""
    while True:
        name = secrets.token_hex(4)
        try:
            os.mkdir(name, 0o700, dir_fd=ours)
        except FileExistsError:
            continue
        with contextlib.ExitStack() as failing:
            try:
                run = open_directory(name, ours)
                failing.callback(os.close, run)
                mark = os.open(MARK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=run)
                failing.callback(os.close, mark)
                fcntl.flock(mark, fcntl.LOCK_EX)
            except FileNotFoundError:
                continue  # another process's sweep removed it, because it had no mark yet
            if os.fstat(mark).st_nlink == 0:
                continue  # or because its mark was not locked yet
            failing.callback(os.rmdir, name, dir_fd=ours)
            failing.callback(os.unlink, MARK, dir_fd=run)
            os.write(mark, mark_text(for_run(name)))
            failing.pop_all()
            return name, run, mark
