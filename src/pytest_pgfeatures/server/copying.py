"""Copying a data directory, the fastest way the file system has, and never sharing what is written to.

Where the file system can, a copy shares blocks until one side writes (reflink: Btrfs, XFS, APFS through
``clonefile`` is left to the kernel's copy); elsewhere the kernel copies, and holes stay holes: most of a new WAL
file is one.

The keeper uses this module, too, by itself: nothing of the package is imported here.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

if sys.platform.startswith("linux"):
    import fcntl  # at once: the keeper's children may not be allowed to read modules any more

TYPE_CHECKING = False  # as in typing, which the keeper has no time to import
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_pgfeatures.install import Account

_FICLONE = 0x40049409
"""linux/fs.h: make the blocks of one file those of another, copied on write."""
_NO_CLONING = (errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.ENOTTY, errno.ENOSYS, errno.EPERM)


def make_directory(
    source: str | Path,
    target: str | Path,
    appended: Mapping[str, str],
    written: Mapping[str, str],
    account: Account | None = None,
) -> None:
    """Copy a directory, and change some of the copy's files.

    Parameters:
        source: an existing directory.
        target: must not exist.
        appended: what files end with in the copy, by their names.
        written: the contents of others.
        account: who will own the copy; None for us.

    Raises:
        OSError: as the file system has it; what is copied so far remains.
    """
    copy_tree(source, target, account)
    change_files(target, appended, written)


def change_files(directory: str | Path, appended: Mapping[str, str], written: Mapping[str, str]) -> None:
    """Append to some files of a directory, and write others anew; see :func:`make_directory`."""
    for mode, texts in (("a", appended), ("w", written)):
        for name, text in texts.items():
            with open(f"{directory}/{name}", mode, encoding="utf-8") as file:
                file.write(text)


def copy_tree(
    source: str | Path,
    target: str | Path,
    account: Account | None,
    *,
    leave_out: Callable[[str], bool] = lambda _: False,
    live: bool = False,
) -> None:
    """Copy a directory with all that is below it; files and directories are for their owner alone, and what can be
    executed still can.

    Parameters:
        source: an existing directory.
        target: must not exist.
        account: who will own the copy; None for us.
        leave_out: is given each path relative to ``source``, and says which not to copy.
        live: whether files may go away meanwhile, as they do under a running server.

    Raises:
        OSError: as the file system has it; what is copied so far remains.
    """
    _Copy(account, leave_out, live).directory(os.fspath(source), os.fspath(target), "")


class _Copy:
    """One copy being made."""

    def __init__(self, account: Account | None, leave_out: Callable[[str], bool], live: bool) -> None:
        self.account = account
        self.leave_out = leave_out
        self.gone = (FileNotFoundError,) if live else ()
        self.cloning = _Cloning()

    def directory(self, source: str, target: str, relative: str) -> None:
        os.mkdir(target, 0o700)
        if self.account is not None:
            os.chown(target, self.account.uid, self.account.gid)
        with os.scandir(source) as entries:
            for entry in entries:
                if self.leave_out(relative + entry.name):
                    continue
                path = f"{target}/{entry.name}"
                with contextlib.suppress(*self.gone):
                    if entry.is_symlink():
                        os.symlink(os.readlink(entry.path), path)
                    elif entry.is_dir():
                        self.directory(entry.path, path, f"{relative}{entry.name}/")
                    else:
                        _copy_file(entry.path, path, self.account, self.cloning)


class _Cloning:
    """Whether reflinks work between these two places: known after the first try."""

    def __init__(self) -> None:
        self.works = sys.platform.startswith("linux")

    def clone(self, source: int, target: int) -> bool:
        if not self.works:
            return False
        try:
            fcntl.ioctl(target, _FICLONE, source)
        except OSError as error:
            if error.errno not in _NO_CLONING:
                raise
            self.works = False
        return self.works


def _copy_file(source: str, target: str, account: Account | None, cloning: _Cloning) -> None:
    read_from = os.open(source, os.O_RDONLY)
    try:
        facts = os.fstat(read_from)
        write_to = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 | facts.st_mode & 0o100)
        try:
            if account is not None:
                os.fchown(write_to, account.uid, account.gid)
            if facts.st_size and not cloning.clone(read_from, write_to):
                if facts.st_blocks * 512 < facts.st_size:
                    _copy_around_holes(read_from, write_to, facts.st_size)
                else:
                    _copy_bytes(read_from, write_to, 0, facts.st_size)
        except OSError as error:
            error.filename = target  # what is done by descriptors does not name it
            raise
        finally:
            os.close(write_to)
    finally:
        os.close(read_from)


def _copy_around_holes(read_from: int, write_to: int, size: int) -> None:
    os.ftruncate(write_to, size)
    position = 0
    while position < size:
        try:
            start = os.lseek(read_from, position, os.SEEK_DATA)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            return  # only a hole is left
        position = os.lseek(read_from, start, os.SEEK_HOLE)
        _copy_bytes(read_from, write_to, start, position)


def _copy_bytes(read_from: int, write_to: int, start: int, end: int) -> None:
    os.lseek(read_from, start, os.SEEK_SET)
    os.lseek(write_to, start, os.SEEK_SET)
    left = end - start
    while left:
        if sys.platform.startswith("linux"):
            done = os.sendfile(write_to, read_from, None, left)
        else:
            done = os.write(write_to, os.read(read_from, min(left, 1 << 20)))
        if not done:
            return
        left -= done


def punch_zeros(path: Path) -> None:
    """Write a file anew with a hole for each of its blocks of zeros, so that copying it is quick."""
    content = path.read_bytes()
    block = 65536
    zeros = bytes(block)
    with path.open("wb") as file:
        for start in range(0, len(content), block):
            piece = content[start : start + block]
            if piece != zeros[: len(piece)]:
                file.seek(start)
                file.write(piece)
        file.truncate(len(content))
