"""Find an install's capabilities by probing its files and programs, whatever source it comes from.

``pg_config --configure`` shows how the server was *meant* to be built, and many builds have no pg_config. So an
optional library counts if the server program loads it.
"""

from __future__ import annotations

import mmap
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import UnusableInstallError
from pytest_pgfeatures.install.capabilities import CONTRIB_MODULES, FEATURES, is_program
from pytest_pgfeatures.install.loading import (
    LIBRARY_PATH,
    missing_libraries,
    remedy_for,
    resolved_library,
    run,
    version_of,
)
from pytest_pgfeatures.install.model import Install

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.version import PgVersion


@dataclass(frozen=True, slots=True)
class Layout:
    """The directories of an install."""

    bindir: Path
    sharedir: Path | None
    pkglibdir: Path | None
    pgxs: Path | None
    """pgxs.mk, if it is there with the server's headers and pg_config."""


def probe(bindir: Path, source: str) -> Install:
    """Find out the version and the capabilities of the binaries in a directory.

    Parameters:
        bindir: the directory that holds ``postgres``.
        source: its source, one of :data:`~pytest_pgfeatures.install.model.SOURCES`.

    Raises:
        UnusableInstallError: its server can't be loaded on this host, or lacks initdb.
    """
    postgres = bindir / "postgres"
    if not (bindir / "initdb").exists():
        raise UnusableInstallError(
            f"{bindir} has postgres but not initdb",
            remedy="name the directory of a complete server install",
        )
    version = version_of(postgres, {})
    layout = find_layout(bindir, version)
    environment = _environment(bindir, layout)
    unloadable = _unloadable_modules(layout, dict(environment)) | _pythons_without_library(layout)
    if unloadable.get("libpqwalreceiver"):
        libraries = unloadable["libpqwalreceiver"]
        raise UnusableInstallError(
            f"{bindir.parent} can't replicate: its libpqwalreceiver lacks {', '.join(libraries)}",
            remedy=remedy_for(libraries),
        )
    capabilities = {
        feature.name for feature in FEATURES if feature.library and _mentions(postgres, feature.library)
    }
    capabilities |= {
        path.name for path in bindir.iterdir() if is_program(path.name) and os.access(path, os.X_OK)
    }
    capabilities |= _extensions(layout, unloadable) | _modules(layout, unloadable)
    if layout.pkglibdir and _module(layout.pkglibdir, "llvmjit") and "llvmjit" not in unloadable:
        capabilities.add("llvm")
    if layout.pgxs:
        capabilities.add("pgxs")
    return Install(version, source, bindir, frozenset(capabilities), environment)


def find_layout(bindir: Path, version: PgVersion) -> Layout:
    """Find this install's shared files and modules: in pg_config's directories, else in the usual places."""
    variables = _pg_config(bindir)
    prefix, major = bindir.parent, str(version.major)
    sharedirs = [
        *([_path(bindir, variables["SHAREDIR"])] if "SHAREDIR" in variables else []),
        prefix / "share" / "postgresql",
        prefix / "share",
        prefix / "share" / f"postgresql@{major}",  # Homebrew
        prefix / "share" / "pgsql",  # Fedora
        prefix.parent / "share" / f"postgresql{major}",  # Alpine
        prefix.parent.parent / "share" / f"postgresql-{major}",  # Gentoo
        prefix.parent.parent.parent / "share" / "postgresql" / major,  # Debian
    ]
    libdirs = [
        *([_path(bindir, variables["PKGLIBDIR"])] if "PKGLIBDIR" in variables else []),
        prefix / "lib" / "postgresql",
        prefix / "lib",
        prefix / "lib" / f"postgresql@{major}",  # Homebrew
        prefix / "lib64" / "pgsql",  # Fedora
        prefix / "lib64",  # Gentoo
        prefix.parent / "lib" / f"postgresql{major}",  # Alpine
    ]
    pgxs = None
    if "PGXS" in variables and "INCLUDEDIR-SERVER" in variables:
        makefile, headers = _path(bindir, variables["PGXS"]), _path(bindir, variables["INCLUDEDIR-SERVER"])
        pgxs = makefile if makefile.is_file() and (headers / "postgres.h").is_file() else None
    return Layout(
        bindir,
        next((path for path in sharedirs if (path / "postgres.bki").is_file()), None),
        next((path for path in libdirs if _module(path, "plpgsql")), None),
        pgxs,
    )


def _pg_config(bindir: Path) -> dict[str, str]:
    program = bindir / "pg_config"
    if not program.is_file():
        return {}
    try:
        said = run([str(program)], {})
    except UnusableInstallError:
        return {}
    return dict(re.findall(r"^([A-Z-]+) = (.*)$", said.stdout, re.MULTILINE))


def _path(bindir: Path, text: str) -> Path:
    return bindir / text


def _module(directory: Path, name: str) -> Path | None:
    """The loadable module of this name; its suffix depends on platform and major."""
    paths = (directory / f"{name}{suffix}" for suffix in (".so", ".dylib"))
    return next((path for path in paths if path.is_file()), None)


def _environment(bindir: Path, layout: Layout) -> tuple[tuple[str, str], ...]:
    """The environment with which the server's modules find the libpq of their own install.

    Some builds carry a run path to a directory that does not exist: the loader then finds no libpq, or the
    system's, which may be older than the server.
    """
    own = bindir.parent / "lib" / "libpq.so.5"
    walreceiver = layout.pkglibdir and _module(layout.pkglibdir, "libpqwalreceiver")
    if not walreceiver or not own.exists():
        return ()
    if resolved_library(walreceiver, own.name, {}) == own.resolve():
        return ()
    return ((LIBRARY_PATH, str(own.parent)),)


def _unloadable_modules(layout: Layout, environment: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The modules that can't be loaded, by name without suffix, with the missing libraries of each."""
    if not layout.pkglibdir:
        return {}
    modules = [path for path in layout.pkglibdir.glob("*.so") if not path.is_symlink()]
    return {path.stem: names for path, names in missing_libraries(modules, environment).items()}


def _pythons_without_library(layout: Layout) -> dict[str, tuple[str, ...]]:
    """PL/Python that contains a whole Python. It looks for its standard library in the directory of the
    build, and ends the server if that directory is missing."""
    modules = (_module(layout.pkglibdir, f"plpython{n}") for n in (2, 3)) if layout.pkglibdir else ()
    return {
        module.stem: (f"the standard library of the Python in {module.name}",)
        for module in modules
        if module and not _mentions(module, f"libpython{module.stem[-1]}")
    }


def _extensions(layout: Layout, unloadable: dict[str, tuple[str, ...]]) -> set[str]:
    """``contrib:NAME`` for each extension that can be created, because its module and its requirements are
    available."""
    if layout.sharedir is None:
        return set()
    requires: dict[str, set[str]] = {}
    for control in (layout.sharedir / "extension").glob("*.control"):
        # https://www.postgresql.org/docs/current/extend-extensions.html#EXTEND-EXTENSIONS-FILES
        text = control.read_text(encoding="utf-8", errors="replace")
        found = re.findall(r"^[ \t]*(module_pathname|requires)[ \t]*=[ \t]*'([^']*)'", text, re.MULTILINE)
        parameters = dict(found)
        module = parameters.get("module_pathname", control.stem).rpartition("/")[2]
        if module not in unloadable:
            requires[control.stem] = set(re.findall(r"[^\s,]+", parameters.get("requires", "")))
    while lacking := [name for name, wanted in requires.items() if not wanted <= requires.keys()]:
        for name in lacking:
            del requires[name]
    return {f"contrib:{name}" for name in requires}


def _modules(layout: Layout, unloadable: dict[str, tuple[str, ...]]) -> set[str]:
    """``contrib:NAME`` for each module of contrib that is not an extension and can be loaded."""
    if layout.pkglibdir is None:
        return set()
    found = {name for name in CONTRIB_MODULES if _module(layout.pkglibdir, name)}
    return {f"contrib:{name}" for name in found - unloadable.keys()}


def _mentions(program: Path, library: str) -> bool:
    """Whether an executable names a shared library among those it loads.

    ELF and Mach-O files both hold these names as plain text, and the server's messages name none of them.
    """
    with program.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(library.encode() + b".") >= 0 or content.find(library.encode() + b"-") >= 0
