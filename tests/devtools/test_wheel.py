"""The content of the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path


def test_the_wheel_has_the_library_and_nothing_that_only_develops_it(tmp_path: Path) -> None:
    top = Path(__file__).parents[2]
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        f"--wheel-dir={tmp_path}",
        str(top),
    ]
    subprocess.run(build, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"pytest_pgfeatures"}
    assert not [name for name in names if "conformance" in name or "coverage" in name]
