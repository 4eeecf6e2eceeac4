"""Servers installed on this machine, and servers that the user names."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import InstallNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

PATH_VARIABLE = "PGFEATURES_PATH"
_PROGRAM = "postgres"


@dataclass(frozen=True, slots=True)
class UsualPlace:
    """The place of a packager's directories of server binaries."""

    packager: str
    pattern: str
    """A glob pattern of directories of binaries; ``~`` is the home directory."""


PLACES: tuple[UsualPlace, ...] = (
    UsualPlace("Debian, Ubuntu and their PGDG packages", "/usr/lib/postgresql/*/bin"),
    UsualPlace("PGDG packages for RHEL, Fedora, SLES", "/usr/pgsql-*/bin"),
    UsualPlace("SUSE", "/usr/lib/postgresql[0-9]*/bin"),
    UsualPlace("Fedora, Arch", "/usr/bin"),
    UsualPlace("Alpine", "/usr/libexec/postgresql*"),
    UsualPlace("Gentoo", "/usr/lib64/postgresql-*/bin"),
    UsualPlace("built from source", "/usr/local/pgsql*/bin"),
    UsualPlace("Homebrew on Apple silicon", "/opt/homebrew/opt/postgresql@*/bin"),
    UsualPlace("Homebrew on Intel", "/usr/local/opt/postgresql@*/bin"),
    UsualPlace("Homebrew on Linux", "/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin"),
    UsualPlace("Postgres.app", "/Applications/Postgres.app/Contents/Versions/[0-9]*/bin"),
    UsualPlace("MacPorts", "/opt/local/lib/postgresql*/bin"),
    UsualPlace("EDB installer on macOS", "/Library/PostgreSQL/*/bin"),
    UsualPlace("EDB installer on Linux", "/opt/PostgreSQL/*/bin"),
    UsualPlace("FreeBSD, OpenBSD", "/usr/local/bin"),
    UsualPlace("mise", "~/.local/share/mise/installs/postgres/*/bin"),
    UsualPlace("asdf", "~/.asdf/installs/postgres/*/bin"),
    UsualPlace("Nix profile of the user", "~/.nix-profile/bin"),
    UsualPlace("Nix profile of the system", "/run/current-system/sw/bin"),
    UsualPlace("Nix default profile", "/nix/var/nix/profiles/default/bin"),
)


def system_bindirs() -> Iterator[tuple[Path, str]]:
    """Directories with a server program in the usual places, each once, with their packager."""
    seen: set[Path] = set()
    for place in PLACES:
        for directory in _matching(place.pattern):
            if _is_new(directory, seen):
                yield directory, place.packager
    for program in ("postgres", "pg_config"):
        if (directory_on_path := _on_path(program)) and _is_new(directory_on_path, seen):
            yield directory_on_path, f"{program} on PATH"


def _is_new(directory: Path, known_directories: set[Path]) -> bool:
    try:
        if not (directory / _PROGRAM).is_file():
            return False
        real = (directory / _PROGRAM).resolve().parent
    except (OSError, RuntimeError):  # it may not be readable, or its links may form a loop
        return False
    if real in known_directories:
        return False
    known_directories.add(real)
    return True


def _matching(pattern: str) -> list[Path]:
    try:
        path = Path(pattern).expanduser()
    except RuntimeError:  # this user's home directory is unknown
        return []
    anchor = path.anchor
    if not anchor:
        return []
    if "*" not in pattern:
        return [path]
    fixed = Path(anchor)
    parts = path.parts[1:]
    while parts and "*" not in parts[0] and "[" not in parts[0]:
        fixed, parts = fixed / parts[0], parts[1:]
    try:
        return sorted(fixed.glob("/".join(parts))) if fixed.is_dir() else []
    except OSError:
        return []


def _on_path(program: str) -> Path | None:
    found = shutil.which(program)
    return Path(found).resolve().parent if found else None


def path_bindirs() -> list[Path]:
    """The directories of binaries named by ``PGFEATURES_PATH``, in its order.

    Raises:
        InstallNotFoundError: one of them holds no server.
    """
    named = os.environ.get(PATH_VARIABLE, "")
    who = f"{PATH_VARIABLE} names"
    return [bindir_in(named_directory(part, who), who) for part in named.split(os.pathsep) if part]


def named_directory(text: str, who: str) -> Path:
    """The absolute path of a directory that a user wrote, with ``~`` and ``~user`` expanded.

    Raises:
        InstallNotFoundError: there is no such user, or the home directory is not known.
    """
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise InstallNotFoundError(
            f"{who} {text}, and the home directory in it is not known",
            remedy="correct the user's name, or write the directory without ~",
        ) from None


def bindir_in(directory: Path, who: str = "path: names") -> Path:
    """The directory of binaries in a directory that the user named: itself, or its ``bin``.

    Raises:
        InstallNotFoundError: there is no server program in either.
    """
    directory = directory.absolute()
    try:
        for candidate in (directory / "bin", directory):
            if (candidate / _PROGRAM).is_file():
                return candidate
        what = "which has no server in it" if directory.is_dir() else "which is not a directory"
    except OSError as error:
        what = f"which can't be looked into: {error.strerror}"
    raise InstallNotFoundError(
        f"{who} {directory}, {what}",
        details=(f"looked for {directory / 'bin' / _PROGRAM}", f"looked for {directory / _PROGRAM}"),
        remedy="name the directory whose bin/ holds postgres and initdb, such as /usr/lib/postgresql/17",
    )
