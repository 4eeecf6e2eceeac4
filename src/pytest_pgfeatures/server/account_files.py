"""Read and write small files, possibly as root, in directories where the servers' user can write.

That user could put a link, or another user's file, where his own file is expected. So each file is opened without
following links, and its owner is checked by descriptor before it is read or written. If servers run as the current
user, the owner is not checked.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account

_CAREFULLY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
"""Don't follow a link, and don't wait for the other end of a pipe."""


_AT_ONCE = 1 << 20


def read_file(path: Path | str, account: Account | None) -> bytes:
    """The bytes of a file.

    Parameters:
        path: a file below a directory of the account.
        account: its owner; None for the current user.

    Raises:
        OSError: the file does not exist, or is not the account's.
    """
    descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    try:
        _check(descriptor, path, account)
        content = bytearray()
        while piece := os.read(
            descriptor, _AT_ONCE
        ):  # without a file object: some are read many times a second
            content += piece
        return bytes(content)
    finally:
        os.close(descriptor)


def read_text(path: Path | str, account: Account | None) -> str:
    """The text of a file; bytes that aren't UTF-8 are replaced."""
    return read_file(path, account).decode(errors="replace")


def append_to_file(path: Path, text: str, account: Account | None) -> None:
    """Append to an existing file.

    Raises:
        OSError: as :func:`read_file`.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | _CAREFULLY)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        _check(descriptor, path, account)
        file.write(text)


def read_beginning(path: Path, size: int, account: Account | None) -> bytes:
    """The first ``size`` bytes of a file.

    Raises:
        OSError: as :func:`read_file`.
    """
    descriptor = os.open(path, os.O_RDONLY | _CAREFULLY)
    with os.fdopen(descriptor, "rb") as file:
        _check(descriptor, path, account)
        return file.read(size)


def overwrite_file(path: Path, content: bytes, account: Account | None) -> None:
    """Overwrite the beginning of an existing file; what comes after it stays.

    Raises:
        OSError: as :func:`read_file`.
    """
    descriptor = os.open(path, os.O_WRONLY | _CAREFULLY)
    with os.fdopen(descriptor, "wb") as file:
        _check(descriptor, path, account)
        file.write(content)


def extend_file(path: Path, size: int, account: Account | None) -> None:
    """Extend a file to ``size`` bytes by a hole; create it if it does not exist. A longer one stays as it is.

    Raises:
        OSError: as :func:`write_file`.
    """
    with os.fdopen(_open_to_write(path, account), "wb") as file:
        if os.fstat(file.fileno()).st_size < size:
            os.ftruncate(file.fileno(), size)


def write_file(path: Path, content: bytes, account: Account | None) -> None:
    """Write a file. Existing content is replaced.

    Raises:
        OSError: as :func:`read_file`; or the directory does not belong to the account.
    """
    with os.fdopen(_open_to_write(path, account), "wb") as file:
        os.ftruncate(file.fileno(), 0)
        file.write(content)


def _open_to_write(path: Path, account: Account | None) -> int:
    """Open a file that is the account's; create it if it does not exist."""
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if account is not None and os.fstat(directory).st_uid != account.uid:
            raise _not_his(path.parent, account)
        new = False
        try:
            descriptor = os.open(path.name, os.O_WRONLY | _CAREFULLY, dir_fd=directory)
        except FileNotFoundError:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CAREFULLY
            descriptor = os.open(path.name, flags, 0o600, dir_fd=directory)
            new = True
    finally:
        os.close(directory)
    try:
        if new and account is not None:
            os.fchown(descriptor, account.uid, account.gid)
        _check(descriptor, path, account)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check(descriptor: int, path: Path | str, account: Account | None) -> None:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "is no file", str(path))
    if account is not None and (facts.st_uid != account.uid or facts.st_nlink > 1):
        raise _not_his(path, account)


def _not_his(path: Path | str, account: Account) -> PermissionError:
    return PermissionError(errno.EPERM, f"is not the own file of the user {account.name}", str(path))
