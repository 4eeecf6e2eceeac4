"""What we make for runs: how it is told from what others made, and how it is removed.

A directory of ours has a mark: a file that says so, whose it is and what for. Only what is below a marked directory
is ever removed. All is opened and removed relative to descriptors, and links are removed, never followed: the
servers' user may put what he likes into his directories while we remove them, as long as he can't write in the one
that these are in.

The supervisor uses this module, too, by itself: nothing of the package is imported here.
"""

from __future__ import annotations

import errno
import os
import stat

MARK = ".pytest-pgfeatures"
"""The file that marks a directory of ours. That of a run is locked (flock) as long as the run lives."""
ELSEWHERE = "elsewhere"
"""A link in a run's directory to the directory of its sockets, where that had to have a shorter path."""
_MAGIC = "pytest-pgfeatures made this directory, and removes what is in it"
_BYTES_OF_A_MARK = 4096
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEP = 64
"""Levels that we go down before directories are moved up, as each takes a descriptor."""
_MOVES = 10_000
_TRIES = 3
"""A server that was just killed may still let go of files, which makes us try again."""


def open_directory(name: str | os.PathLike[str], parent: int | None = None) -> int:
    """The descriptor of a directory, which must not be a link.

    Parameters:
        name: relative to ``parent``, if there is one.
        parent: descriptor of a directory.
    """
    return os.open(name, _DIRECTORY, dir_fd=parent)


def mark_text(purpose: str) -> bytes:
    """What a mark has in it.

    Parameters:
        purpose: what the directory is for.
    """
    return f"{_MAGIC}\nowner {os.geteuid()}\nboot {this_boot()}\nfor {purpose}\n".encode()


def marked(directory: int, purpose: str) -> str | None:
    """Whether a directory has our mark: the boot of its making if so, else None.

    Parameters:
        directory: its descriptor.
        purpose: what it has to be for.
    """
    try:
        mark = os.open(MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except OSError:
        return None
    try:
        facts = os.fstat(mark)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
            return None
        lines = os.read(mark, _BYTES_OF_A_MARK).decode(errors="replace").split("\n")
    finally:
        os.close(mark)
    ours = len(lines) == 5 and (lines[0], lines[1]) == (_MAGIC, f"owner {os.geteuid()}")
    return lines[2].removeprefix("boot ") if ours and lines[3] == f"for {purpose}" else None


def write_mark(directory: int, purpose: str) -> None:
    """Write a directory's mark. Who does so at the same time writes the same."""
    mark = os.open(MARK, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=directory)
    try:
        os.write(mark, mark_text(purpose))
    except OSError:
        os.unlink(MARK, dir_fd=directory)
        raise
    finally:
        os.close(mark)


def for_run(name: str) -> str:
    """The purpose of a run's directory."""
    return f"run {name}"


def for_sockets(name: str) -> str:
    """The purpose of the directory elsewhere that has a run's sockets."""
    return f"sockets of run {name}"


def this_boot() -> str:
    """What tells this boot of the machine from others: processes and locks are of one boot. Empty where the system
    does not say."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return ""


def remove_run(run: int, name: str) -> bool:
    """Remove a run's directory, and that of its sockets elsewhere.

    Parameters:
        run: its descriptor.
        name: its name.

    Returns:
        whether it is gone. What can't be removed keeps its mark, and is the next run's to remove.
    """
    _remove_sockets(run, name)
    ours = open_directory("..", run)
    try:
        return _remove_marked(name, run, ours)
    finally:
        os.close(ours)


def remove(name: str, parent: int) -> bool:
    """Remove a file, a link or a tree.

    Parameters:
        name: relative to ``parent``.
        parent: descriptor of a directory that only we can write in.

    Returns:
        whether it is gone.
    """
    removal = _Removal(parent)
    return removal.all_gone(name)


def _remove_marked(name: str, directory: int, parent: int) -> bool:
    """Remove a directory; its mark last, so that what stays is known as ours."""
    gone = [remove(below, directory) for below in os.listdir(directory) if below != MARK]
    if not all(gone):
        return False
    try:
        os.unlink(MARK, dir_fd=directory)
        os.rmdir(name, dir_fd=parent)
    except OSError as error:
        return error.errno == errno.ENOENT
    return True


def _remove_sockets(run: int, name: str) -> None:
    """Remove what the link leads to, if it is what we have made: its owner and its mark say so."""
    try:
        above, place = os.path.split(os.readlink(ELSEWHERE, dir_fd=run))
        parent = open_directory(above)
    except OSError:
        return
    try:
        directory = open_directory(place, parent)
        try:
            if os.fstat(directory).st_uid != os.geteuid():
                return
            if marked(directory, for_sockets(name)) is not None:
                _remove_marked(place, directory, parent)
            else:
                os.rmdir(place, dir_fd=parent)  # if it is empty: we were killed before it had its mark
        finally:
            os.close(directory)
    except OSError:
        return
    finally:
        os.close(parent)


class _Removal:
    """One tree being removed."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.device = os.fstat(top).st_dev
        self.moved: list[str] = []
        self.moves = 0

    def all_gone(self, name: str) -> bool:
        """Remove the tree, and what was moved up from its depths; whether all is gone."""
        left = [name]
        for _ in range(_TRIES):
            waiting, left = left, []
            while waiting:
                one = waiting.pop()
                if not self.gone(one, self.top, 0):
                    left.append(one)
                waiting += self.moved
                self.moved = []
            if not left:
                return True
        return False

    def gone(self, name: str, parent: int, depth: int) -> bool:
        """Remove what has this name; whether nothing has it any more."""
        try:
            os.unlink(name, dir_fd=parent)
            return True
        except FileNotFoundError:
            return True
        except OSError as error:
            if error.errno not in (errno.EISDIR, errno.EPERM):  # Linux' and POSIX' word for a directory
                return False
        if depth == _DEEP:
            return self.move_up(name, parent)
        try:
            directory = self.open(name, parent)
        except OSError as error:
            return error.errno == errno.ENOENT
        try:
            if os.fstat(directory).st_dev != self.device:
                return False  # another file system that somebody has mounted there is not ours
            for below in os.listdir(directory):
                self.gone(below, directory, depth + 1)
        finally:
            os.close(directory)
        try:
            os.rmdir(name, dir_fd=parent)
        except OSError as error:
            return error.errno == errno.ENOENT
        return True

    def move_up(self, name: str, parent: int) -> bool:
        """Move a directory to where we have begun, to be removed from there."""
        self.moves += 1
        new = f".moved-{os.urandom(8).hex()}"
        if self.moves > _MOVES:
            return False  # somebody makes them faster than we remove them
        try:
            os.rename(name, new, src_dir_fd=parent, dst_dir_fd=self.top)
        except OSError as error:
            return error.errno == errno.ENOENT
        self.moved.append(new)
        return True

    def open(self, name: str, parent: int) -> int:
        """Open a directory to remove what is in it."""
        if os.geteuid() == 0:
            return open_directory(name, parent)
        try:
            directory = open_directory(name, parent)
        except PermissionError:
            os.chmod(name, 0o700, dir_fd=parent)  # it is ours, as all else that we could change by this
            directory = open_directory(name, parent)
        if os.fstat(directory).st_mode & 0o700 != 0o700:
            os.fchmod(directory, 0o700)
        return directory
