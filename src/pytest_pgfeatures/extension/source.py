"""The extension to test: a directory of sources, or the name of an installed extension."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Account

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # make's own order
_MODULES = re.compile(r"^\s*MODULE(?:S|_big)\s*[:+?]?=", re.MULTILINE)
LEFT_OUT = frozenset({".git", ".hg", ".svn", ".venv", "venv", ".tox", ".pytest_cache", "__pycache__"})
_NOT_COPIED = LEFT_OUT - {".git"}
_BUILT = (".o", ".so", ".bc", ".dylib", ".a")


@dataclass(frozen=True, slots=True)
class Source:
    """The extension to test.

    Parameters:
        name: the name that reports show.
        directory: the sources; None for an extension that the installs already have.
        root: the directory to copy, which contains the sources; by default, the sources themselves.
        is_module: whether it is a library without a control file that servers load, such as an output plugin.
    """

    name: str
    directory: Path | None
    root: Path | None = None
    is_module: bool = False

    @property
    def is_built(self) -> bool:
        """Whether the extension must be built and installed."""
        return self.directory is not None


def find_source(path: Path, *, root: str = "", has_commands: bool = False) -> Source:
    """Find the extension for a path or a name.

    Parameters:
        path: the path or name.
        root: the directory to copy, relative to the sources; empty for the sources.
        has_commands: whether the configuration has build commands, so that no Makefile is needed.

    Raises:
        PgFeaturesError: the directory has no Makefile, or neither a control file nor a module; ``root`` does not
            contain it; or ``path`` is neither a directory nor a valid name of an extension.
    """
    if not path.is_dir():
        if path.exists() or len(path.parts) != 1 or not re.fullmatch(r"[A-Za-z0-9_-]+", path.name):
            raise PgFeaturesError(
                f"{path} is neither a directory nor the name of an extension",
                remedy="name the directory of the extension's sources, or an extension that the installs have",
            )
        return Source(path.name, None)
    directory = path.resolve()
    top = (directory / root).resolve()
    if not directory.is_relative_to(top):
        raise PgFeaturesError(
            f"the root {top} does not contain {directory}", remedy='write one such as root = ".."'
        )
    makefile = makefile_of(directory)
    if not has_commands and not makefile.is_file():
        raise PgFeaturesError(
            f"{directory} has no Makefile",
            details=(f"it has {_listing(directory)}",),
            remedy="name the directory that has the Makefile of an extension built with PGXS, or say how to build "
            f"with build and install in {directory / 'pgfeatures.toml'}",
        )
    has_control = any(directory.glob("**/*.control")) or any(directory.glob("**/*.control.in"))
    is_module = (
        not has_control and makefile.is_file() and bool(_MODULES.search(makefile.read_text(errors="replace")))
    )
    if not has_control and not is_module and not has_commands:
        raise PgFeaturesError(
            f"{directory} has no control file of an extension",
            details=(f"it has {_listing(directory)}", "the Makefile has neither MODULES nor MODULE_big"),
            remedy="an extension has NAME.control beside its Makefile; see "
            "https://www.postgresql.org/docs/current/extend-extensions.html",
        )
    if not has_commands and shutil.which("make") is None:
        raise PgFeaturesError("there is no make on PATH", remedy="install GNU make")
    return Source(directory.name, directory, top, is_module)


def _listing(directory: Path) -> str:
    names = sorted(entry.name for entry in directory.iterdir())
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "") if names else "nothing"


def copy_sources(directory: Path, target: Path, account: Account | None) -> bool:
    """Copy sources, with their modification times and their Git repository, so that the server's user can build.

    Parameters:
        directory: the sources, which are only read.
        target: the copy's path. It must not exist, and no other user may write its parent directory.
        account: the owner of the copy; None for the current user.

    Returns:
        whether the sources include files of an earlier build.
    """
    built = False

    def left_out(_place: str, names: list[str]) -> set[str]:
        nonlocal built
        built = built or any(name.endswith(_BUILT) for name in names)
        return set(_NOT_COPIED.intersection(names))

    shutil.copytree(directory, target, symlinks=True, ignore=left_out)
    if (directory / ".git").is_file():  # a worktree or submodule has its repository elsewhere
        _copy_repository(directory, target)
    # The top directory comes last: until then, the other user can't replace anything below it.
    for place, directories, files in os.walk(target, topdown=False):
        below = [os.path.join(place, name) for name in (*directories, *files)]  # noqa: PTH118
        for path in (*(path for path in below if os.path.islink(path) or not os.path.isdir(path)), place):  # noqa: PTH112, PTH114
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, os.stat(path).st_mode | 0o600)  # noqa: PTH101, PTH116
            if account is not None:
                os.chown(path, account.uid, account.gid, follow_symlinks=False)
    return built


def _copy_repository(directory: Path, target: Path) -> None:
    """Give a copy its own repository, with the same commit checked out. Without git, it gets no repository."""
    (target / ".git").unlink()
    git = shutil.which("git")
    if git is None:
        return
    clone = target.with_name(f"{target.name}.clone")

    def run(*arguments: str) -> str:
        ended = subprocess.run(
            [git, "-c", "safe.directory=*", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        return ended.stdout.strip()

    commit = run("-C", str(directory), "rev-parse", "HEAD")
    run("clone", "--quiet", "--no-checkout", "--no-hardlinks", str(directory), str(clone))
    if commit and (clone / ".git").is_dir():
        (clone / ".git").rename(target / ".git")
        run("-C", str(target), "update-ref", "--no-deref", "HEAD", commit)
        run("-C", str(target), "reset", "--quiet")
    shutil.rmtree(clone, ignore_errors=True)


def makefile_of(directory: Path) -> Path:
    """The Makefile that make would read in a directory."""
    return next(
        (directory / name for name in _MAKEFILES if (directory / name).is_file()), directory / "Makefile"
    )


def snapshot(directory: Path) -> dict[str, tuple[int, int]]:
    """The size and modification time of each file below a directory, to find out later what was written there."""
    found = {}
    for place, directories, files in os.walk(directory):
        directories[:] = [name for name in directories if name not in LEFT_OUT]
        for name in files:
            path = os.path.join(place, name)  # noqa: PTH118
            facts = os.lstat(path)
            found[os.path.relpath(path, directory)] = (facts.st_size, facts.st_mtime_ns)
    return found


def written(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> list[str]:
    """The files that were created, changed or removed between two snapshots."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
