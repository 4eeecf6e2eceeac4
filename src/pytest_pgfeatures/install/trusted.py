"""Directories and files that no other user can replace or change."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from pytest_pgfeatures.errors import StoreError

_MODE = 0o755


def trusted_directory(path: Path) -> Path:
    """Return the real path of a directory. Create missing directories.

    Each directory in the path belongs to root or to us. Other users can't write in it, or it has the sticky bit, as
    ``/tmp`` has: then they can't rename or remove files of others. So the path always leads to the same directory.

    Parameters:
        path: an absolute path. Links in it are resolved once, here.

    Raises:
        StoreError: other users can write in a directory of the path. The error names it.
        OSError: the directory can't be created, or the path is not a directory.
    """
    real = Path(os.path.realpath(path))
    with contextlib.suppress(FileNotFoundError):
        real.lstat()  # a name that is too long is refused before a part of it is created
    closed = False
    for step in (*reversed(real.parents), real):
        try:
            facts = step.lstat()
        except FileNotFoundError:
            _make(step)
            facts = step.lstat()
        if not stat.S_ISDIR(facts.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(step))
        if not closed and (problem := _problem(facts)):
            raise StoreError(
                f"{step} {problem}, who could replace its contents",
                remedy="choose a directory that only you can write to, like all its parents",
            )
        # Other users can do nothing below a directory that only we may enter.
        closed = closed or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o077)
    return real


def doubt(path: Path) -> str | None:
    """Why another user could change a file, or the contents of a directory; None if he can't. Unlike
    :func:`trusted_directory`, this does not accept the sticky bit: files that others put there would be used.

    Parameters:
        path: a file, link or directory in a trusted directory.
    """
    facts = path.lstat()
    if stat.S_ISLNK(facts.st_mode):
        return _owner_problem(facts)
    return _owner_problem(facts) or _mode_problem(facts)


def user_name(uid: int) -> str:
    """The name of a user, or his number if he has none."""
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _make(directory: Path) -> None:
    """Create a directory with a mode that doesn't depend on the umask."""
    with contextlib.suppress(FileExistsError):
        directory.mkdir()
        directory.chmod(_MODE)


def _problem(facts: os.stat_result) -> str | None:
    """Why other users could rename or remove files in a directory; None if they can't."""
    if problem := _owner_problem(facts):
        return problem
    return None if facts.st_mode & stat.S_ISVTX else _mode_problem(facts)


def _owner_problem(facts: os.stat_result) -> str | None:
    if facts.st_uid not in (0, os.geteuid()) and not _is_unmapped(facts.st_uid):
        return f"belongs to the user {user_name(facts.st_uid)}"
    return None


def _mode_problem(facts: os.stat_result) -> str | None:
    if facts.st_mode & stat.S_IWOTH:
        return "can be written by all users"
    if facts.st_mode & stat.S_IWGRP and not _is_own_group(facts.st_gid):
        return f"can be written by the users of its group ({facts.st_gid})"
    return None


def _is_own_group(gid: int) -> bool:
    """Whether we are the only member of a group. Many systems create such a group for each user."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return user.pw_gid == gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def _is_unmapped(uid: int) -> bool:
    """Whether a user's number stands for all users outside of our user namespace, root among them
    (Linux, https://man7.org/linux/man-pages/man7/user_namespaces.7.html)."""
    try:
        overflow = Path("/proc/sys/kernel/overflowuid").read_text()
        mapped = Path("/proc/self/uid_map").read_text()
    except OSError:
        return False
    return uid == int(overflow) and mapped.split() != ["0", "0", str(2**32 - 1)]
