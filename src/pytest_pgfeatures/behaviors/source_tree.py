"""PostgreSQL's own sources in a lab, for behaviors about building PostgreSQL."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.client_programs import command_line, entry
from pytest_pgfeatures.errors import CapabilityMissingError, LabError
from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.version import read_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.results.transcript import Entry
    from pytest_pgfeatures.version import PgMajor

VARIABLE = "PGFEATURES_SOURCE_TREES"
"""The environment variable that names directories of sources, one for each major, as ``PATH`` does."""

STEP_DEADLINE = 1800
"""The time limit of one step of a build, in seconds."""

_VERSION = re.compile(r"^PACKAGE_VERSION='([^']*)'$", re.MULTILINE)


class SourceTree:
    """The sources of one release, which are only read, and a directory to build them in.

    Parameters:
        path: their directory.
        record: called with the output of each step, for the transcript.
    """

    def __init__(self, path: Path, record: Callable[[Entry], None]) -> None:
        self.path = path
        self._record = record
        self.place = Path(tempfile.mkdtemp(prefix="pgf-build-"))
        self.place.chmod(0o755)  # servers built here run as another user

    def run(self, program: str | Path, *arguments: str | Path, directory: Path) -> Finished:
        """Run a step of a build, without judging its exit status.

        Parameters:
            program: the program's name, such as ``ninja``, or its path.
            arguments: the program's arguments.
            directory: the working directory; created if it doesn't exist.

        Raises:
            CapabilityMissingError: this machine has no such program.
            LabError: it ran for more than half an hour.
        """
        directory.mkdir(parents=True, exist_ok=True)
        beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        found = shutil.which(program, path=beside_python)
        if found is None:
            raise CapabilityMissingError(
                f"building PostgreSQL needs {program}, which is not on this machine",
                capability=Path(program).name,
                remedy="install it: pip has meson and ninja, the system's packages have bison, flex, make and perl",
            )
        try:
            done = subprocess.run(
                [found, *map(str, arguments)],
                cwd=directory,
                env=os.environ | {"PATH": beside_python},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="backslashreplace",
                timeout=STEP_DEADLINE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise LabError(f"{program} was still running after {STEP_DEADLINE} seconds") from None
        finished = Finished(tuple(done.args), done.returncode, done.stdout, done.stderr)
        self._record(entry("build", command_line(program, arguments), finished))
        return finished

    def close(self) -> None:
        """Remove the build directory."""
        shutil.rmtree(self.place, ignore_errors=True)


def source_tree(major: PgMajor) -> Path:
    """The directory that ``PGFEATURES_SOURCE_TREES`` names for a major.

    Raises:
        CapabilityMissingError: it names no directory for the major.
        LabError: the directory has no sources of PostgreSQL.
    """
    for name in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        path = Path(name).expanduser().absolute()
        try:
            found = _VERSION.search((path / "configure").read_text(encoding="utf-8", errors="replace"))
        except OSError:
            found = None
        if found is None:
            raise LabError(f"{VARIABLE} names {path}, which has no configure of PostgreSQL's")
        if read_version(found[1]).major == major:
            return path
    raise CapabilityMissingError(
        f"no source tree of PostgreSQL {major} is at hand",
        capability="sources",
        remedy=f"unpack its sources and name their directory in {VARIABLE}",
    )
