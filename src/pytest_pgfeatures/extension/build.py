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
    from pytest_pgfeatures.extension.workspace import Workspace

_LINES = 40
_PRIVATE = ".install"
"""The directory of the copy of the install, beside the copy of the sources."""
_STUBS = ".libraries"


def build(workspace: Workspace) -> Done:
    """Build in a copy of the sources, against a copy of the install."""
    source, install = workspace.source, workspace.install
    if source.directory is None:
        raise NothingToDoError(f"{source.name} is installed already")
    if not install.has("pgxs"):
        raise LackingError(
            "pgxs",
            f"PostgreSQL {install.version} from {install.source} has no PGXS to build extensions with",
            (f"looked beside {install.bindir}",),
        )
    root = workspace.home / _PRIVATE
    root.mkdir(mode=0o700)
    workspace.install_copy = copy_install(workspace.install, root, workspace.clusters.account)
    workspace.clusters.copied(workspace.install, workspace.install_copy)
    stubs = workspace.home / _STUBS
    stubs.mkdir(mode=0o755)
    compiler = workspace.options.make.get("CC", "").split() or ["cc"]
    if sys.platform == "linux" and make_stubs(libraries_of(workspace.install), stubs, compiler[0]):
        workspace.library_path = stubs
    workspace.cache_compiled(compiler_of(workspace.install))
    for number, directory in enumerate(workspace.options.requires):
        _build_required(workspace, source.directory / directory, f"required-{number}")
    top = source.root or source.directory
    copy, built = _copied(workspace, top)
    workspace.tree = copy / source.directory.relative_to(top)
    if workspace.options.build:
        ended = workspace.shell(workspace.options.build)
        check(workspace, workspace.options.build, ended, workspace.tree)
        return Done("built", compiled=compiler_warnings(ended))
    if built:  # the build's files may be another major's
        workspace.make("clean")
    ended = workspace.make("all", f"--jobs={os.cpu_count() or 1}")
    if ended.status == 0:
        return Done("built", compiled=compiler_warnings(ended))
    repeated = workspace.make("all")
    check(workspace, "make all", repeated, workspace.tree)
    warning = f"the Makefile doesn't build with --jobs: {(ended.output.splitlines() or [''])[-1]}"
    return Done(
        "built", warnings=(warning,), compiled=(*compiler_warnings(ended), *compiler_warnings(repeated))
    )


def _copied(workspace: Workspace, directory: Path, below: str = "") -> tuple[Path, bool]:
    """Copy the sources; return the copy, and whether they include files of an earlier build."""
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", directory.name)  # make can't have spaces there
    place = workspace.home / below if below else workspace.home
    place.mkdir(mode=0o755, exist_ok=True)
    return place / name, copy_sources(directory, place / name, workspace.clusters.account)


def _build_required(workspace: Workspace, directory: Path, below: str) -> None:
    """Build and install an extension that the tests require."""
    required = find_source(directory)
    if required.directory is None:
        raise StageError(f"{directory}, named in requires, is not a directory")
    tree, _ = _copied(workspace, required.directory, below)
    try:
        for targets in (("clean",), ("all",), ("install",)):
            ended = workspace.make(*targets, tree=tree)
            if targets != ("clean",):
                check(workspace, f"make {targets[0]}", ended, tree)
    except StageError as error:
        raise StageError(f"{required.name}, named in requires: {error.summary}", error.details) from None


def install(workspace: Workspace) -> Done:
    """Install into the copy of the install."""
    if workspace.tree is None:
        raise NothingToDoError(f"{workspace.source.name} is installed already")
    root = workspace.home / _PRIVATE
    shared = {place: snapshot(place) for place in written_to(workspace.install)}
    before = snapshot(root)
    if workspace.options.install:
        check(
            workspace, workspace.options.install, workspace.shell(workspace.options.install), workspace.tree
        )
    else:
        check(workspace, "make install", workspace.make("install"), workspace.tree)
    for place, files in shared.items():
        if strayed := written(files, snapshot(place)):
            raise StageError(f"it wrote to {place}, outside of the private copy", tuple(strayed))
    installed = written(before, snapshot(root))
    controls = [
        path
        for path in control_files(workspace.install, root).glob("*.control")
        if str(path.relative_to(root)) in installed
    ]
    workspace.names = tuple(sorted(path.stem for path in controls))
    workspace.modules = tuple(
        sorted(Path(name).stem for name in installed if Path(name).suffix in (".so", ".dylib"))
    )
    if not workspace.names and not (workspace.source.is_module and workspace.modules):
        wanted = "module" if workspace.source.is_module else "control file"
        raise StageError(
            f"make install installed no {wanted}",
            (f"{len(installed)} files below {root}:", *installed[:_LINES]),
        )
    return Done(f"{len(installed)} files")
