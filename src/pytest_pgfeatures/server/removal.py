"""Mark the directories made for runs, and remove them.

Each directory that pytest-pgfeatures makes has a mark: a file that names its owner and purpose. Only files
below a marked directory are ever removed. Everything is opened and removed relative to descriptors, and links
are removed, never followed. So the removal is safe whatever the servers' user puts into his directories meanwhile,
as long as he can't write in their parent.

The supervisor imports this module without the package, so this module imports nothing from the package.
"""

from __future__ import annotations

import errno
import os
import stat

MARK = ".pytest-pgfeatures"
"""The file that marks our directories. A run's mark is locked (flock) as long as the run lives."""
ELSEWHERE = "elsewhere"
"""A link in a run's directory to its socket directory, if that needed a shorter path."""
_MAGIC = "pytest-pgfeatures made this directory, and removes what is in it"
_BYTES_OF_A_MARK = 4096
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_DEEP = 64
"""Levels that we descend before we move directories up, because each level takes a descriptor."""
_MOVES = 10_000
_TRIES = 3
"""Number of tries. A server that was just killed may still be removing files."""


def open_directory(name: str | os.PathLike[str], parent: int | None = None) -> int:
    """Open a directory, which must not be a link, and return its descriptor.

    Parameters:
        name: relative to ``parent``, if there is one.
        parent: descriptor of a directory.
    """
    return os.open(name, _DIRECTORY, dir_fd=parent)


def mark_text(purpose: str) -> bytes:
    """The text of a mark.

    Parameters:
        purpose: what the directory is for.
    """
    return f"{_MAGIC}\nowner {os.geteuid()}\nboot {this_boot()}\nfor {purpose}\n".encode()


def marked(directory: int, purpose: str) -> str | None:
    """The boot in which a marked directory was made; None if it has no mark of ours.

    Parameters:
        directory: its descriptor.
        purpose: the purpose that the mark must name.
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
    """Write a directory's mark. A process that does the same at this time writes the same text."""
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
    """The purpose of a run's socket directory outside of the run's directory."""
    return f"sockets of run {name}"


def this_boot() -> str:
    """The identifier of this boot of the machine; empty if the system has none. Processes and locks don't outlast a
    boot."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return ""


def remove_run(run: int, name: str) -> bool:
    """Remove a run's directory, and its socket directory if that is outside of it.

    Parameters:
        run: the descriptor of the run's directory.
        name: the directory's name.

    Returns:
        whether it was removed. What can't be removed keeps its mark, so that the next run tries again.
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
        parent: descriptor of a directory that no other user can write.

    Returns:
        whether it is gone.
    """
    removal = _Removal(parent)
    return removal.all_gone(name)


def _remove_marked(name: str, directory: int, parent: int) -> bool:
    """Remove a directory. Its mark is removed last."""
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
    """Remove the directory that the link to the sockets names, if its owner and its mark show that it is ours."""
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
                os.rmdir(place, dir_fd=parent)  # if empty: its process was killed before marking it
        finally:
            os.close(directory)
    except OSError:
        return
    finally:
        os.close(parent)


class _Removal:
    """The removal of one tree."""

    def __init__(self, top: int) -> None:
        self.top = top
        self.device = os.fstat(top).st_dev
        self.moved: list[str] = []
        self.moves = 0

    def all_gone(self, name: str) -> bool:
        """Remove the tree, and the directories that were moved up. Return whether everything is removed."""
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
        """Remove the entry of this name. Return whether it is gone."""
        try:
            os.unlink(name, dir_fd=parent)
            return True
        except FileNotFoundError:
            return True
        except OSError as error:
            if error.errno not in (errno.EISDIR, errno.EPERM):  # what Linux and POSIX report for a directory
                return False
        if depth == _DEEP:
            return self.move_up(name, parent)
        try:
            directory = self.open(name, parent)
        except OSError as error:
            return error.errno == errno.ENOENT
        try:
            if os.fstat(directory).st_dev != self.device:
                return False  # a file system mounted there is not ours
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
        """Move a directory to the top of the tree, to be removed there."""
        self.moves += 1
        new = f".moved-{os.urandom(8).hex()}"
        if self.moves > _MOVES:
            return False  # someone creates them faster than they are removed
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
            os.chmod(name, 0o700, dir_fd=parent)  # it is ours, as is everything else that this could change
            directory = open_directory(name, parent)
        if os.fstat(directory).st_mode & 0o700 != 0o700:
            os.fchmod(directory, 0o700)
        return directory
