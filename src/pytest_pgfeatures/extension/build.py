"""The stages ``build`` and ``install``: PGXS (https://www.postgresql.org/docs/current/extend-pgxs.html)."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.build_errors import check
from pytest_pgfeatures.extension.install_copy import control_files, copy_install, libraries_of, written_to
from pytest_pgfeatures.extension.libraries import make_stubs
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.source import copy_sources, snapshot, written

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.extension.trial import Trial

_LINES = 40
_PRIVATE = ".install"
"""The directory of the copy of the install, beside the copy of the sources."""
_STUBS = ".libraries"


def build(trial: Trial) -> Done:
    """Build in a copy of the sources, against a copy of the install."""
    directory = trial.source.directory
    if directory is None:
        raise NothingToDoError(f"{trial.source.name} is installed already")
    if not trial.install.has("pgxs"):
        raise LackingError(
            "pgxs",
            f"PostgreSQL {trial.install.version} from {trial.install.source} has no PGXS to build extensions with",
            (f"looked beside {trial.install.bindir}",),
        )
    account = trial.clusters.account
    root = trial.home / _PRIVATE
    root.mkdir(mode=0o700)
    trial.install_copy = copy_install(trial.install, root, account)
    trial.clusters.copied(trial.install, trial.install_copy)
    stubs = trial.home / _STUBS
    stubs.mkdir(mode=0o755)
    compiler = trial.options.make.get("CC", "").split() or ["cc"]
    if sys.platform == "linux" and make_stubs(libraries_of(trial.install), stubs, compiler[0]):
        trial.library_path = stubs
    trial.tree = trial.home / re.sub(r"[^A-Za-z0-9_.-]", "_", directory.name)  # make can't have spaces there
    if copy_sources(directory, trial.tree, account):  # what is there may be another major's
        trial.make("clean")
    check(trial, "make all", trial.make("all"))
    return Done("built")


def install(trial: Trial) -> Done:
    """Install into the copy of the install."""
    if trial.tree is None:
        raise NothingToDoError(f"{trial.source.name} is installed already")
    root = trial.home / _PRIVATE
    shared = {place: snapshot(place) for place in written_to(trial.install)}
    before = snapshot(root)
    check(trial, "make install", trial.make("install"))
    for place, files in shared.items():
        if strayed := written(files, snapshot(place)):
            raise StageError(f"make install wrote to {place}, outside of the private copy", tuple(strayed))
    made = written(before, snapshot(root))
    controls = [
        path for path in control_files(trial.install, root).glob("*.control") if _relative(path, root) in made
    ]
    trial.names = tuple(sorted(path.stem for path in controls))
    if not trial.names:
        raise StageError(
            "make install installed no control file",
            (f"{len(made)} files below {root}:", *made[:_LINES]),
        )
    return Done(f"{len(made)} files")


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root))
