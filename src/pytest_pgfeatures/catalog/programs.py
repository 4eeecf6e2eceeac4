"""The programs of an install and their options, as ``--help`` lists them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import UnusableInstallError
from pytest_pgfeatures.install.capabilities import is_program
from pytest_pgfeatures.install.loading import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Install

_OPTION = re.compile(r"^\s+(?:(-\w)\b,? ?)?(?:[A-Z]+,? ?)?(--[a-z][a-z0-9-]*(?:-[a-z0-9]+)*)?", re.MULTILINE)


def program_options(install: Install) -> dict[str, dict[str, str]]:
    """``program --option`` for each option of each program, with its short form as a property.

    Programs that don't support ``--help`` are left out.
    """
    return dict(_options(install))


def _options(install: Install) -> Iterator[tuple[str, dict[str, str]]]:
    for path in sorted(install.bindir.iterdir()):
        if not is_program(path.name):
            continue
        try:
            answered = run([str(path), "--help"], dict(install.environment))
        except UnusableInstallError:
            continue
        if answered.returncode != 0:
            continue
        yield path.name, {}
        for short, long in _OPTION.findall(answered.stdout):
            if long:
                yield f"{path.name} {long}", {"short form": short} if short else {}
            elif short:
                yield f"{path.name} {short}", {}
