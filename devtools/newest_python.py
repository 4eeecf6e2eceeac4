"""Run the quick tests on this machine's newest Python; the last step of ``make test-all``.

``python -m devtools.newest_python`` looks for a newer Python than its own, on PATH and in pyenv, creates a virtual
environment for it in ``build/``, and runs the tests there. If there is none, it says so.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[1]
NEEDED = (
    *("pytest<9.2", "pytest-asyncio", "pytest-postgresql", "pytest-xdist", "sybil"),
    *("hypothesis", "syrupy", "jsonschema", "matplotlib"),
)
"""Packages that these tests need besides the project's own dependencies."""

_NAME = re.compile(r"python3\.(\d+)")
_ASKS = "import sys, venv, ensurepip; print(*sys.version_info[:2])"


def pythons() -> dict[tuple[int, int], Path]:
    """Return the Pythons that run here and can create virtual environments, by version."""
    places = [Path(place) for place in os.environ.get("PATH", "").split(os.pathsep) if place]
    places += (Path.home() / ".pyenv" / "versions").glob("*/bin")
    found: dict[tuple[int, int], Path] = {}
    for place in places:
        for path in sorted(place.glob("python3.*")):
            if _NAME.fullmatch(path.name):
                asked = subprocess.run([path, "-c", _ASKS], capture_output=True, text=True, check=False)
                if asked.returncode == 0:  # a pyenv shim fails if its version is not selected
                    major, minor = map(int, asked.stdout.split())
                    found.setdefault((major, minor), path)
    return found


def environment_of(python: Path, version: tuple[int, int]) -> Path:
    """Return the Python of a virtual environment with the project in ``build/``; rebuild an outdated one."""
    place = TOP / "build" / f"python{version[0]}.{version[1]}"
    ready = place / ".ready"
    made = place / "bin" / "python"
    if not ready.exists() or ready.stat().st_mtime < (TOP / "pyproject.toml").stat().st_mtime:
        subprocess.run([python, "-m", "venv", "--clear", place], check=True)
        install = [str(made), "-m", "pip", "install", "--quiet", "--editable", f"{TOP}[readiness]", *NEEDED]
        subprocess.run(install, check=True)
        ready.touch()
    return made


def main() -> int:
    """Run the tests. The exit status is pytest's, or 0 if no newer Python is found."""
    found = pythons()
    newest = max(found, default=(0, 0))
    if newest <= sys.version_info[:2]:
        print(f"no newer Python than {sys.version_info[0]}.{sys.version_info[1]} here; the tests ran on one")
        return 0
    print(f"Python {newest[0]}.{newest[1]}, quick tests:", flush=True)
    options = ["-q", "-n", "2", "-m", "quick and not hypothesis", "tests"]
    command = [str(environment_of(found[newest], newest)), "-m", "pytest", *options]
    return subprocess.run(command, cwd=TOP, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
