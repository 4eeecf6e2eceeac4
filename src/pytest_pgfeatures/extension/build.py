"""The stages ``build`` and ``install``: PGXS (https://www.postgresql.org/docs/current/extend-pgxs.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.extension.install_copy import control_files, copy_install, written_to
from pytest_pgfeatures.extension.model import Done, LackingError, NothingToDoError, StageError
from pytest_pgfeatures.extension.source import copy_sources, snapshot, written

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.extension.trial import Trial

_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<message>.*)$", re.MULTILINE
)
_MAKE_ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+): \*\*\* (?P<message>.*)$", re.MULTILINE)
_NOT_THERE = re.compile(
    r"^(?:make(?:\[\d+\])?|(?:/\S*/)?(?:ba|da)?sh)(?:: line \d+|: \d+)?: (?P<program>[^\s:]+): "
    r"(?P<why>No such file or directory|Permission denied|command not found|not found)$",
    re.MULTILINE,
)
_LINES = 40
_PRIVATE = ".install"
"""The directory of the copy of the install, beside the copy of the sources."""


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
    trial.tree = trial.home / re.sub(r"[^A-Za-z0-9_.-]", "_", directory.name)  # make can't have spaces there
    if copy_sources(directory, trial.tree, account):  # what is there may be another major's
        trial.make("clean")
    _make(trial, "all")
    return Done("built")


def install(trial: Trial) -> Done:
    """Install into the copy of the install."""
    if trial.tree is None:
        raise NothingToDoError(f"{trial.source.name} is installed already")
    root = trial.home / _PRIVATE
    shared = {place: snapshot(place) for place in written_to(trial.install)}
    before = snapshot(root)
    _make(trial, "install")
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


def _make(trial: Trial, target: str) -> None:
    ended = trial.make(target)
    if ended.status == 0:
        return
    lines = ended.output.splitlines()
    if match := _NOT_THERE.search(ended.output):
        raise LackingError(
            match["program"],
            f"make can't run {match['program']}: {match['why']}",
            (*lines[-_LINES:], f"what to do: install {match['program']}, or name another with --make CC=..."),
        )
    match = _ERROR.search(ended.output) or _MAKE_ERROR.search(ended.output)
    if match is None:
        last = next((line for line in reversed(lines) if "error" in line.lower() or "***" in line), "")
        raise StageError(
            last.strip() or f"make {target} ended with status {ended.status}", tuple(lines[-_LINES:])
        )
    first = ended.output[: match.start()].count("\n")
    summary = f"{match['file']}:{match['line']}: {match['message']}"
    details = tuple(lines[first : first + _LINES])
    assert trial.tree is not None
    if not (trial.tree / match["file"]).is_relative_to(trial.tree):  # a header or makefile of the server's
        raise StageError(summary, details)
    raise StageError(summary, details, file=match["file"], line=int(match["line"]))
