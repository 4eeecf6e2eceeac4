"""Make a data directory: copy a template, or make the one that a removed server left equal to its template.

A copied file has its original's time of modification. So a file of a removed server that still has it, and the
original's size, has the original's content: every write to a file sets its time to that moment. Most of
nearly a thousand files do. Only the others are copied again, and what the template doesn't have is removed.

The supervisor's children import this module without the package.
"""

from __future__ import annotations

import errno
import os
import stat

TYPE_CHECKING = False  # as in typing, which would take the supervisor too long to import
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pgfeatures.server.copying import Copy, change_files
    from pytest_pgfeatures.server.removal import open_directory, remove

    Listing = dict[str, list[os.DirEntry[str]]]
else:
    from copying import Copy, change_files  # beside this file, as the next one
    from removal import open_directory, remove


def listing(top: str) -> Listing:
    """List a directory and all below it, with the facts about each entry, which Python keeps in the entry.

    Parameters:
        top: an existing directory that nobody writes to as long as the listing is used.
    """
    found: Listing = {}
    paths = [""]
    while paths:
        path = paths.pop()
        with os.scandir(f"{top}/{path}") as entries:
            found[path] = list(entries)
        for entry in found[path]:
            entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                paths.append(f"{path}{entry.name}/")
    return found


def make_directory(
    source: str,
    target: str,
    appended: Mapping[str, str],
    written: Mapping[str, str],
    listed: Listing | None = None,
) -> None:
    """Make a directory equal to another one, and change some of its files.

    Parameters:
        source: an existing directory that nobody writes to.
        target: an empty directory, or one that this function made from the same source, whatever its changes since.
        appended: text to append to files of the copy, by their names.
        written: the contents of other files.
        listed: the listing of ``source``, if there is one.

    Raises:
        OSError: the file system's error; the files copied so far remain.
    """
    read_from = open_directory(source)
    try:
        write_to = open_directory(target)
        try:
            _renew(Copy(target, dated=True), read_from, write_to, "", listed or {})
        finally:
            os.close(write_to)
    finally:
        os.close(read_from)
    change_files(target, appended, written)


def _renew(copy: Copy, source: int, target: int, path: str, listed: Listing) -> None:
    """Make a directory, given by its descriptor, equal to another one."""
    os.fchmod(target, 0o700)
    with os.scandir(target) as entries:
        left = {entry.name: entry for entry in entries}
    for entry in listed.get(path) or _entries(source):
        there = left.pop(entry.name, None)
        if there is not None and entry.is_dir(follow_symlinks=False) and there.is_dir(follow_symlinks=False):
            below = open_directory(entry.name, source)
            try:
                renewed = open_directory(entry.name, target)
                try:
                    _renew(copy, below, renewed, f"{path}{entry.name}/", listed)
                finally:
                    os.close(renewed)
            finally:
                os.close(below)
            continue
        if there is not None:
            if _untouched(entry, there):
                continue
            _remove(copy, entry.name, target, path)
        copy.named_entry(entry, source, target, path)
    for name in left:
        _remove(copy, name, target, path)


def _entries(directory: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        yield from entries


def _untouched(original: os.DirEntry[str], there: os.DirEntry[str]) -> bool:
    """Whether a file is unchanged since it was copied."""
    was, now = original.stat(follow_symlinks=False), there.stat(follow_symlinks=False)
    return (
        stat.S_ISREG(was.st_mode)
        and stat.S_ISREG(now.st_mode)
        and now.st_mtime_ns == was.st_mtime_ns
        and now.st_size == was.st_size
        and now.st_nlink == 1  # pg_upgrade --link lets another server write to the same file
        and now.st_mode & 0o777 == 0o600 | was.st_mode & 0o100
    )


def _remove(copy: Copy, name: str, parent: int, path: str) -> None:
    if not remove(name, parent):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), f"{copy.target}/{path}{name}")
