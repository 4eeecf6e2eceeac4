"""Check whether this host can load an install's programs, and name missing shared libraries."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import UnusableInstallError
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SECONDS = 90.0
"""The time limit of a program, in seconds. On an overloaded machine, ldd takes over 20 seconds."""
_VERSION = re.compile(r"\(PostgreSQL\) (\d+[\d.]*(?:devel|(?:alpha|beta|rc)\d+)?)")

LIBRARY_PATH = "DYLD_LIBRARY_PATH" if sys.platform == "darwin" else "LD_LIBRARY_PATH"

_MESSAGES = (
    # glibc, musl and macOS each have their own message
    re.compile(r"error while loading shared libraries: (?P<library>[^\s:]+): cannot open shared object"),
    re.compile(r"Error loading shared library (?P<library>[^\s:]+):"),
    re.compile(r"Library not loaded: (?P<library>\S+)"),
)
_TOO_OLD = re.compile(r"version [`'](?P<symbol>(?:GLIBC|GLIBCXX)_[\d.]+)' not found")
_NOT_FOUND = re.compile(r"^\s*(?P<library>\S+) => not found", re.MULTILINE)
_NOT_FOUND_MUSL = re.compile(r"Error loading shared library (?P<library>[^\s:]+): ")


@dataclass(frozen=True, slots=True)
class Package:
    """The packages that contain a shared library, by family of distributions."""

    library: str
    """A library's name up to ``.so``."""
    debian: str
    fedora: str
    alpine: str
    brew: str


PACKAGES: tuple[Package, ...] = (
    Package("libxml2", "libxml2", "libxml2", "libxml2", "libxml2"),
    Package("libxslt", "libxslt1.1", "libxslt", "libxslt", "libxslt"),
    Package("liblz4", "liblz4-1", "lz4-libs", "lz4-libs", "lz4"),
    Package("libzstd", "libzstd1", "libzstd", "zstd-libs", "zstd"),
    Package("libssl", "libssl3", "openssl-libs", "libssl3", "openssl@3"),
    Package("libcrypto", "libssl3", "openssl-libs", "libcrypto3", "openssl@3"),
    Package("libgssapi_krb5", "libgssapi-krb5-2", "krb5-libs", "krb5-libs", "krb5"),
    Package("libicui18n", "libicu-dev", "libicu", "icu-libs", "icu4c"),
    Package("libicuuc", "libicu-dev", "libicu", "icu-libs", "icu4c"),
    Package("libreadline", "libreadline8", "readline", "readline", "readline"),
    Package("libldap", "libldap-2.5-0", "openldap", "libldap", "openldap"),
    Package("libpam", "libpam0g", "pam-libs", "linux-pam", "openpam"),
    Package("libossp-uuid", "libossp-uuid16", "uuid", "ossp-uuid", "ossp-uuid"),
    Package("libz", "zlib1g", "zlib", "zlib", "zlib"),
    Package("libpq", "libpq5", "libpq", "libpq", "libpq"),
)


def version_of(postgres: Path, environment: Mapping[str, str]) -> PgVersion:
    """The output of ``postgres --version``, which also shows that the host can load the program.

    Parameters:
        postgres: the program.
        environment: variables to add to this process's environment.

    Raises:
        UnusableInstallError: it can't be run here. The message names a missing library.
    """
    said = run([str(postgres), "--version"], environment)
    found = _VERSION.search(said.stdout)
    if said.returncode == 0 and found:
        return PgVersion(found[1])
    raise explain_failure(postgres, (said.stderr or said.stdout).strip() or f"exit status {said.returncode}")


def run(command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run one of an install's programs, in the C locale.

    Raises:
        UnusableInstallError: it can't be executed at all, or does not end.
    """
    program = Path(command[0])
    try:
        return subprocess.run(
            command,
            env={**os.environ, **environment, "LC_ALL": "C", "LANGUAGE": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnusableInstallError(
            f"{program} does not end within {_SECONDS:.0f} seconds when asked for its version",
            remedy="try another source, or reinstall it",
        ) from None
    except OSError as error:
        raise explain_failure(program, error.strerror or str(error)) from None


def explain_failure(program: Path, message: str) -> UnusableInstallError:
    """The error for a program that could not be run, from the loader's or the system's message."""
    for pattern in _MESSAGES:
        if found := pattern.search(message):
            library = Path(found["library"]).name
            return UnusableInstallError(
                f"{program} can't be loaded: the shared library {library} is missing",
                details=(message,),
                remedy=remedy_for([library]),
            )
    if found := _TOO_OLD.search(message):
        return UnusableInstallError(
            f"{program} can't be loaded: it needs {found['symbol']}, newer than this host has",
            details=(message,),
            remedy="use another source, or a newer release of the operating system",
        )
    remedy = "use another source"
    if "Exec format error" in message or "No such file" in message:
        remedy = "it was built for another platform or C library: use another source"
    elif "Permission denied" in message:
        remedy = "make it executable; a file system mounted noexec will not do"
    return UnusableInstallError(f"{program} can't be run", details=(message,), remedy=remedy)


def remedy_for(libraries: Iterable[str]) -> str:
    """The remedy for missing shared libraries on this host's family of distributions."""
    wanted = sorted(set(libraries))
    known = [
        package for package in PACKAGES if any(name.startswith(f"{package.library}.") for name in wanted)
    ]
    tool, family = _family()
    if known and family:
        names = " ".join(dict.fromkeys(getattr(package, family) for package in known))
        return f"install the package that has it ({tool} {names}), or use another source"
    return f"install the package that has {', '.join(wanted)}, or use another source"


def missing_libraries(files: Iterable[Path], environment: Mapping[str, str]) -> dict[Path, tuple[str, ...]]:
    """The missing libraries of each of these shared objects that the host can't load; empty if the host has no ldd.

    Servers open them later by dlopen(3), so ``postgres --version`` does not show this.
    """
    import shutil

    ldd, paths = shutil.which("ldd"), sorted(files)
    if sys.platform == "darwin" or ldd is None or not paths:
        return {}
    missing: dict[Path, tuple[str, ...]] = {}
    for path, answer in _ldd(ldd, paths, environment).items():
        if names := tuple(dict.fromkeys([*_NOT_FOUND.findall(answer), *_NOT_FOUND_MUSL.findall(answer)])):
            missing[path] = names
    return missing


def resolved_library(file: Path, library: str, environment: Mapping[str, str]) -> Path | None:
    """The file that the loader uses for a library that a shared object names; None if it finds none."""
    import shutil

    ldd = shutil.which("ldd")
    if sys.platform == "darwin" or ldd is None:
        return None
    found = re.search(
        rf"^\s*{re.escape(library)} => (/\S+)", _ldd(ldd, [file], environment)[file], re.MULTILINE
    )
    return Path(found[1]).resolve() if found else None


def _ldd(ldd: str, paths: list[Path], environment: Mapping[str, str]) -> dict[Path, str]:
    """ldd's answer for each file. With several files, the file's name and a colon precede each answer."""
    if len(paths) == 1:
        said = run([ldd, str(paths[0])], environment)
        return {paths[0]: said.stdout + said.stderr}
    said = run([ldd, *map(str, paths)], environment)
    pieces = re.split(r"^(/.*):$", said.stdout, flags=re.MULTILINE)
    return {Path(name): answer for name, answer in zip(pieces[1::2], pieces[2::2], strict=True)}


def _family() -> tuple[str, str]:
    """The package manager's command and the column of :data:`PACKAGES` for this host."""
    if sys.platform == "darwin":
        return "brew install", "brew"
    try:
        release = Path("/etc/os-release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    like = " ".join(re.findall(r'^(?:ID|ID_LIKE)="?([^"\n]*)', release, re.MULTILINE)).split()
    for tool, family, members in (
        ("apt-get install", "debian", {"debian", "ubuntu"}),
        ("dnf install", "fedora", {"fedora", "rhel", "centos", "amzn"}),
        ("apk add", "alpine", {"alpine"}),
    ):
        if members & set(like):
            return tool, family
    return "", ""
