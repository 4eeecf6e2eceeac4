"""The stages ``build`` and ``install``: PGXS (https://www.postgresql.org/docs/current/extend-pgxs.html), or the
commands that the configuration names."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.build_errors import check, compiler_warnings
from pytest_pgfeatures.extension.install_copy import (
    compiler_of,
    control_files,
    copy_install,
    libraries_of,
    written_to,
)
from pytest_pgfeatures.extension.libraries import make_stubs
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.source import copy_sources, find_source, snapshot, written

if TYPE_CHECKING:
    from pytest_pgfeatures.extension.trial import Trial

_LINES = 40
_PRIVATE = ".install"
"""The directory of the copy of the install, beside the copy of the sources."""
_STUBS = ".libraries"


def build(trial: Trial) -> Done:
    """Build in a copy of the sources, against a copy of the install."""
    source = trial.source
    if source.directory is None:
        raise NothingToDoError(f"{source.name} is installed already")
    if not trial.install.has("pgxs"):
        raise LackingError(
            "pgxs",
            f"PostgreSQL {trial.install.version} from {trial.install.source} has no PGXS to build extensions with",
            (f"looked beside {trial.install.bindir}",),
        )
    root = trial.home / _PRIVATE
    root.mkdir(mode=0o700)
    trial.install_copy = copy_install(trial.install, root, trial.clusters.account)
    trial.clusters.copied(trial.install, trial.install_copy)
    stubs = trial.home / _STUBS
    stubs.mkdir(mode=0o755)
    compiler = trial.options.make.get("CC", "").split() or ["cc"]
    if sys.platform == "linux" and make_stubs(libraries_of(trial.install), stubs, compiler[0]):
        trial.library_path = stubs
    trial.cache_compiled(compiler_of(trial.install))
    for number, directory in enumerate(trial.options.requires):
        _build_required(trial, source.directory / directory, f"required-{number}")
    top = source.root or source.directory
    copy, built = _copied(trial, top)
    trial.tree = copy / source.directory.relative_to(top)
    if trial.options.build:
        ended = trial.shell(trial.options.build)
        check(trial, trial.options.build, ended, trial.tree)
        return Done("built", compiled=compiler_warnings(ended))
    if built:  # the build's files may be another major's
        trial.make("clean")
    ended = trial.make("all", f"--jobs={os.cpu_count() or 1}")
    if ended.status == 0:
        return Done("built", compiled=compiler_warnings(ended))
    repeated = trial.make("all")
    check(trial, "make all", repeated, trial.tree)
    warning = f"the Makefile doesn't build with --jobs: {(ended.output.splitlines() or [''])[-1]}"
    return Done(
        "built", warnings=(warning,), compiled=(*compiler_warnings(ended), *compiler_warnings(repeated))
    )


def _copied(trial: Trial, directory: Path, below: str = "") -> tuple[Path, bool]:
    """Copy the sources; return the copy, and whether they include files of an earlier build."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", directory.name)  # make can't have spaces there
    place = trial.home / below if below else trial.home
    place.mkdir(mode=0o755, exist_ok=True)
    return place / name, copy_sources(directory, place / name, trial.clusters.account)


def _build_required(trial: Trial, directory: Path, below: str) -> None:
    """Build and install an extension that the tests require."""
    required = find_source(directory)
    if required.directory is None:
        raise StageError(f"{directory}, named in requires, is not a directory")
    tree, _ = _copied(trial, required.directory, below)
    try:
        for targets in (("clean",), ("all",), ("install",)):
            ended = trial.make(*targets, tree=tree)
            if targets != ("clean",):
                check(trial, f"make {targets[0]}", ended, tree)
    except StageError as error:
        raise StageError(f"{required.name}, named in requires: {error.summary}", error.details) from None


def install(trial: Trial) -> Done:
    """Install into the copy of the install."""
    if trial.tree is None:
        raise NothingToDoError(f"{trial.source.name} is installed already")
    root = trial.home / _PRIVATE
    shared = {place: snapshot(place) for place in written_to(trial.install)}
    before = snapshot(root)
    if trial.options.install:
        check(trial, trial.options.install, trial.shell(trial.options.install), trial.tree)
    else:
        check(trial, "make install", trial.make("install"), trial.tree)
    for place, files in shared.items():
        if strayed := written(files, snapshot(place)):
            raise StageError(f"it wrote to {place}, outside of the private copy", tuple(strayed))
    installed = written(before, snapshot(root))
    controls = [
        path
        for path in control_files(trial.install, root).glob("*.control")
        if str(path.relative_to(root)) in installed
    ]
    trial.names = tuple(sorted(path.stem for path in controls))
    trial.modules = tuple(
        sorted(Path(name).stem for name in installed if Path(name).suffix in (".so", ".dylib"))
    )
    if not trial.names and not (trial.source.is_module and trial.modules):
        wanted = "module" if trial.source.is_module else "control file"
        raise StageError(
            f"make install installed no {wanted}",
            (f"{len(installed)} files below {root}:", *installed[:_LINES]),
        )
    return Done(f"{len(installed)} files")
