"""The report of ``pgfeatures doctor`` on the host."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("pgfeatures"))


@pytest.mark.root
@pytest.mark.parametrize(
    ("prefix", "said"),
    [
        ((), "signals to servers root may send them"),
        (("setpriv", "--bounding-set=-kill", "--inh-caps=-kill"), "signals to servers CAP_KILL is missing:"),
    ],
)
def test_it_says_whether_root_may_signal_servers(tmp_path: Path, prefix: tuple[str, ...], said: str) -> None:
    ended = subprocess.run(
        [*prefix, PROGRAM, "doctor"],
        env=os.environ | {"PGFEATURES_OFFLINE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in " ".join(ended.stdout.split())
