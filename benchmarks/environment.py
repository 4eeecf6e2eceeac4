"""A Python for the account that runs the benchmarks: the current one, or a virtual environment for that account.

Root's Python is often in a home directory that no other user may enter.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.install import Account

TOP = Path(__file__).parents[1]
PACKAGES = (f"{TOP}[all]", "pytest-xdist", "pytest-asyncio")
"""Packages that affect pytest's start."""
_FIT = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))"


def python_for(account: Account, place: Path, packages: Sequence[str] = PACKAGES) -> Path:
    """Return the Python to run pytest with as another user.

    Parameters:
        account: the other user.
        place: a directory that the user may enter, for a virtual environment if the user can't run our Python.
        packages: the packages to install there, as pip takes them, in the same releases as ours.
    """
    barrier = _barrier(account, Path(sys.executable))
    if barrier is None:
        return Path(sys.executable)
    for python in _others(account):
        return _made(python, place, packages)
    sys.exit(
        f"run as root, this measures as the user {account.name}, who may not enter {barrier}, and there is no "
        "other Python >= 3.11 with venv on PATH that everyone can run: install one, or don't run as root"
    )


def _made(python: Path, place: Path, packages: Sequence[str]) -> Path:
    print(f"making an environment with {python} in {place}", file=sys.stderr, flush=True)
    place.mkdir(mode=0o755)
    ours = _run(sys.executable, "-m", "pip", "freeze", "--exclude-editable").splitlines()
    constraints = place / "constraints.txt"
    constraints.write_text("\n".join(line for line in ours if "==" in line))
    _run(python, "-m", "venv", place / "python")
    interpreter = place / "python" / "bin" / "python"
    _run(interpreter, "-m", "pip", "install", "--quiet", "--constraint", constraints, *packages)
    return interpreter


def _barrier(account: Account, python: Path) -> Path | None:
    """Return the path that keeps an account from using an interpreter or our installed packages, if any."""
    needed = (python.resolve(), Path(sys.prefix), Path(str(pytest_pgfeatures.__file__)).resolve())
    return next(filter(None, map(account.barrier, needed)), None)


def _others(account: Account) -> Iterator[Path]:
    """Return interpreters with which an account may create virtual environments, those of our own release first."""
    own = sys.version_info.minor
    names = [f"python3.{minor}" for minor in (own, *(n for n in range(20, 10, -1) if n != own))]
    places = dict.fromkeys(os.environ.get("PATH", os.defpath).split(os.pathsep))
    for name in (*names, "python3"):
        for directory in places:
            found = shutil.which(name, path=directory)
            if found and account.barrier(Path(found).resolve()) is None:
                as_account = {"user": account.uid, "group": account.gid, "extra_groups": []}
                checked = subprocess.run([found, "-I", "-c", _FIT], cwd="/", check=False, **as_account)
                if checked.returncode == 0:
                    yield Path(found)


def _run(*command: str | Path) -> str:
    """Run a program whose new files are readable by others, and return its output."""
    ended = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, umask=0o022, check=False
    )
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with status {ended.returncode}:\n{ended.stdout}")
    return ended.stdout
