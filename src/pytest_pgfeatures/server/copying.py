"""Copy a data directory in the fastest way that the file system offers.

On Linux a file of the copy shares its blocks with the original until one of them is written, if the file system
supports that (FICLONE: Btrfs, XFS). If it doesn't, the kernel copies the data (sendfile), and holes stay holes:
most of a new WAL file is a hole. On other systems this process reads and writes the data.

The supervisor's children import this module without the package. So it imports only the standard library.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

if sys.platform.startswith("linux"):
    import fcntl  # at once: the supervisor's children may not be allowed to read modules any more

TYPE_CHECKING = False  # as in typing, which would take the supervisor too long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_FICLONE = 0x40049409
"""linux/fs.h: make the blocks of one file those of another, copied on write."""
_NO_CLONING = (errno.EOPNOTSUPP, errno.EXDEV, errno.EINVAL, errno.ENOTTY, errno.ENOSYS, errno.EPERM)


class ForeignFileError(PermissionError):
    """A file is not owned by the user whose files are copied."""


def change_files(directory: str | Path, appended: Mapping[str, str], written: Mapping[str, str]) -> None:
    """Append to some files of a directory, and rewrite others.

    Parameters:
        directory: its path.
        appended: text to append, by file name.
        written: the new contents of other files.
    """
    for mode, texts in (("a", appended), ("w", written)):
        for name, text in texts.items():
            with open(f"{directory}/{name}", mode, encoding="utf-8") as file:
                file.write(text)


def copy_tree(
    source: str | Path,
    target: str | Path,
    owner: tuple[int, int] | None = None,
    *,
    group_reads: bool = False,
    only_of: int | None = None,
    leave_out: Callable[[str], bool] = lambda _: False,
    live: bool = False,
) -> None:
    """Copy a directory tree. Only the owner may use the copied files and directories; executable files stay
    executable. No link below either directory is followed. Anything but files, directories and links is left
    out.

    A directory is given to its owner when it is complete, so that he can't exchange anything meanwhile.

    Parameters:
        source: an existing directory.
        target: an empty directory, or one to be created.
        owner: uid and gid of the copy's owner; None for the current user.
        group_reads: whether that group may read it.
        only_of: the uid of the user whose files are copied. He can write in ``source``, and must not make root
            read other users' files.
        leave_out: called with each path relative to ``source``; true if it is not to be copied.
        live: whether files may vanish during the copy, as in a running server's data directory.

    Raises:
        ForeignFileError: there is a file of another user.
        OSError: the file system's error; the files copied so far remain.
    """
    Copy(os.fspath(target), owner, group_reads, only_of, leave_out, live).all_of(os.fspath(source))


_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Copy:
    """A copy in progress.

    Parameters:
        dated: whether files have their originals' times of modification.

    The others are those of :func:`copy_tree`.
    """

    def __init__(
        self,
        target: str,
        owner: tuple[int, int] | None = None,
        group_reads: bool = False,
        only_of: int | None = None,
        leave_out: Callable[[str], bool] = lambda _: False,
        live: bool = False,
        *,
        dated: bool = False,
    ) -> None:
        self.target = target
        self.owner = owner
        self.group_reads = group_reads
        self.only_of = only_of
        self.leave_out = leave_out
        self.gone = (FileNotFoundError,) if live else ()
        self.dated = dated
        self.cloning = _Cloning()

    def all_of(self, source: str) -> None:
        read_from = os.open(source, _DIRECTORY)
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(self.target, 0o700)
            self.directory(read_from, os.open(self.target, _DIRECTORY | os.O_NOFOLLOW), "")
        finally:
            os.close(read_from)

    def directory(self, source: int, target: int, path: str) -> None:
        """Copy the contents of a directory into another, and close the latter.

        Parameters:
            source: the first directory's descriptor.
            target: the other's.
            path: the path of both, relative to the top directories, with a slash at its end.
        """
        try:
            self.check(source)
            with os.scandir(source) as entries:
                for entry in entries:
                    if self.leave_out(path + entry.name):
                        continue
                    with contextlib.suppress(*self.gone):
                        self.named_entry(entry, source, target, path)
            self.give(target, 0o700)
        finally:
            os.close(target)

    def named_entry(self, entry: os.DirEntry[str], source: int, target: int, path: str) -> None:
        """Copy one entry of a directory. An error names it."""
        try:
            self.entry(entry, source, target, path)
        except OSError as error:
            if not os.path.isabs(error.filename or ""):  # operations by descriptor don't name it
                error.filename = f"{self.target}/{path}{entry.name}"
            raise

    def entry(self, entry: os.DirEntry[str], source: int, target: int, path: str) -> None:
        """Copy one entry of a directory."""
        name = entry.name
        if entry.is_symlink():
            os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)
        elif entry.is_dir(follow_symlinks=False):
            below = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=source)
            try:
                os.mkdir(name, 0o700, dir_fd=target)
                created = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=target)
                self.directory(below, created, f"{path}{name}/")
            finally:
                os.close(below)
        elif entry.is_file(follow_symlinks=False):
            self.file(name, source, target)

    def file(self, name: str, source: int, target: int) -> None:
        """Copy a file."""
        read_from = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=source)
        try:
            facts = self.check(read_from)
            mode = 0o600 | facts.st_mode & 0o100
            write_to = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=target)
            try:
                if facts.st_size and not self.cloning.clone(read_from, write_to):
                    if facts.st_blocks * 512 < facts.st_size:
                        _copy_around_holes(read_from, write_to, facts.st_size)
                    else:
                        _copy_bytes(read_from, write_to, 0, facts.st_size)
                self.give(write_to, mode)
                if self.dated:
                    os.utime(write_to, ns=(facts.st_atime_ns, facts.st_mtime_ns))
            finally:
                os.close(write_to)
        finally:
            os.close(read_from)

    def check(self, descriptor: int) -> os.stat_result:
        """The properties of an open file, which must belong to the user whose files are copied."""
        facts = os.fstat(descriptor)
        if self.only_of is not None and facts.st_uid != self.only_of:
            raise ForeignFileError(errno.EPERM, f"is of another user, with the number {facts.st_uid}")
        return facts

    def give(self, descriptor: int, mode: int) -> None:
        """Give a file or directory to its owner."""
        if self.group_reads:
            os.fchmod(descriptor, mode | (mode & 0o500) >> 3)
        if self.owner is not None:
            os.fchown(descriptor, *self.owner)


class _Cloning:
    """Copies by reflink, unless the first try shows that they don't work here."""

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
    """Rewrite a file with holes instead of blocks of zeros, so that it is quick to copy."""
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
