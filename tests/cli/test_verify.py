"""`pgfeatures verify`, as a process."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_no_plugin_is_loaded_but_those_that_the_atlas_needs() -> None:
    command = [Path(sys.executable).with_name("pgfeatures"), "verify", "--pg=16", "-k", "16/any-value", "-n1"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (line,) = re.findall(r"^plugins: (.*)", ended.stdout, re.M)
    assert [re.sub(r"-\d.*", "", name) for name in line.split(", ")] == ["pgfeatures", "xdist"]
