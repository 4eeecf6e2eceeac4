"""Finding other Pythons on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from devtools.newest_python import pythons

if TYPE_CHECKING:
    import pytest


def test_a_python_on_path_is_found_and_a_broken_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    this = f"python3.{sys.version_info[1]}"
    (tmp_path / this).symlink_to(Path(sys.executable).resolve())
    broken = tmp_path / "python3.99"
    broken.write_text("#!/bin/sh\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    found = pythons()
    assert found == {sys.version_info[:2]: tmp_path / this}
