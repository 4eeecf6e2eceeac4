"""Directories that nobody else can exchange for others."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from pytest_pgfeatures.errors import StoreError

_MODE = 0o755


def trusted_directory(path: Path) -> Path:
    """The real path of a directory, made where it is missing.

    Each directory on the way belongs to root or us. Others can't write in it, or it has the sticky bit, by which
    they can't rename or remove what is not theirs, as in ``/tmp``. So what has this path now has it later, too.

    Parameters:
        path: an absolute path; links in it are resolved once, here.

    Raises:
        StoreError: others can write in a directory on the way, which is named.
        OSError: it can't be made, or is no directory.
    """
    real = Path(os.path.realpath(path))
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
                f"{step} {problem}, who could exchange what is in it",
                remedy="name a directory in which only you can write, and in those that it is in",
            )
        # Below a directory that only we may enter nobody else can do anything.
        closed = closed or (facts.st_uid == os.geteuid() and not facts.st_mode & 0o077)
    return real


def user_name(uid: int) -> str:
    """The name of a user, or his number."""
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _make(directory: Path) -> None:
    """Make a directory with a mode of its own, whatever the umask is."""
    with contextlib.suppress(FileExistsError):
        directory.mkdir()
        directory.chmod(_MODE)


def _problem(facts: os.stat_result) -> str | None:
    """Who else could rename or remove what is in a directory, in words; None if nobody could."""
    if facts.st_uid not in (0, os.geteuid()) and not _is_unmapped(facts.st_uid):
        return f"belongs to the user {user_name(facts.st_uid)}"
    if facts.st_mode & stat.S_ISVTX:
        return None
    if facts.st_mode & stat.S_IWOTH:
        return "can be written by all users"
    if facts.st_mode & stat.S_IWGRP and not _is_own_group(facts.st_gid):
        return f"can be written by the users of its group ({facts.st_gid})"
    return None


def _is_own_group(gid: int) -> bool:
    """Whether a group is for nobody but us, as many systems make one for each user."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return user.pw_gid == gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def _is_unmapped(uid: int) -> bool:
    """Whether a user's number stands for all who are not in our user namespace, where others are: its root
    (Linux, https://man7.org/linux/man-pages/man7/user_namespaces.7.html)."""
    try:
        overflow = Path("/proc/sys/kernel/overflowuid").read_text()
        mapped = Path("/proc/self/uid_map").read_text()
    except OSError:
        return False
    return uid == int(overflow) and mapped.split() != ["0", "0", str(2**32 - 1)]
