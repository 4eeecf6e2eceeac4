"""The command that repeats an item where it ran."""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING

from pytest_pgfeatures.report.differences import natural
from pytest_pgfeatures.version import read_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.results.model import InstallUsed, JobResults, Result


def rerun_command(result: Result, run: JobResults, asked: Mapping[str, str] | None = None) -> str:
    """Return the command that repeats an item in its cell of the matrix.

    Parameters:
        result: the item's result; its own command, if it has one, is returned.
        run: the run, whose subject is the command that ran behaviors or tests, an extension's directory, or a
            command line.
        asked: the value of ``--pg`` for each cell, if it is known.
    """
    if result.again:
        return result.again
    subject, item, asked = run.subject, result.item, asked or {}
    pg = asked.get(result.cell) or _versions(result)
    if (item.kind, item.area) == ("stage", "upgrade"):
        pg = ",".join((pg, *_later(result.cell, run, asked)))
    pg = shlex.quote(pg)
    if item.kind == "behavior":
        return f"pgfeatures verify --pg {pg} -k {shlex.quote(item.id)}"
    if item.kind == "test":
        return f"pytest --pg {pg} {shlex.quote(item.id)}"
    if item.kind == "stage":
        return f"pgfeatures extension {shlex.quote(subject)} --pg {pg} --stage {shlex.quote(item.area)}"
    return f"pgfeatures run --pg {pg} -- {subject}"


def _versions(result: Result) -> str:
    """Return the value of ``--pg`` for the cell of a result."""
    if not result.installs:
        return result.major or result.cell.removeprefix("pg").replace("-pg", ",")
    return ",".join(dict.fromkeys(_version(install, result.cell) for install in result.installs))


def _later(cell: str, run: JobResults, asked: Mapping[str, str]) -> list[str]:
    """Return the value of ``--pg`` for the later cells, to which an extension was upgraded."""
    return [
        asked.get(other) or _version(install, other)
        for other, install in run.installs.items()
        if install is not None and natural(other) > natural(cell)
    ]


def _version(install: InstallUsed, cell: str) -> str:
    if install.source == "path":
        return f"path:{PurePath(install.bindir).parent}"
    major = str(read_version(install.version).major)
    return f"{install.source}:{major}" if cell.endswith(f"-{install.source}") else major
