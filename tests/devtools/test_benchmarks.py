"""The environment that benchmarks make where root's own is out of others' reach."""

from __future__ import annotations

import pwd
import subprocess
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest
from benchmarks.environment import TOP, python_for

from pytest_pgfeatures.install import Account

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def nobody() -> Account:
    facts = pwd.getpwnam("nobody")
    return Account(facts.pw_name, facts.pw_uid, facts.pw_gid)


@pytest.fixture
def roots_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our Python is in a directory that nobody else may enter."""
    tmp_path.chmod(0o700)
    own = tmp_path / "python"
    own.touch()
    monkeypatch.setattr("benchmarks.environment.sys.executable", str(own))


@pytest.mark.root
@pytest.mark.usefixtures("roots_own")
def test_where_there_is_no_python_for_others_it_says_so(
    nobody: Account, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SystemExit, match=r"the user nobody, who may not enter .*: install one"):
        python_for(nobody, reachable_path / "environment")


@pytest.mark.root
def test_others_run_this_checkout_in_an_environment_that_is_made_for_them(
    nobody: Account, reachable_path: Path
) -> None:
    python = python_for(nobody, reachable_path / "environment", ("--no-deps", str(TOP)))
    show = "import pytest_pgfeatures.errors, importlib.metadata as m; print(m.version('pytest-pgfeatures'))"
    as_nobody = {"user": nobody.uid, "group": nobody.gid, "extra_groups": []}
    shown = subprocess.run(
        [python, "-I", "-c", show], cwd="/", capture_output=True, text=True, check=True, **as_nobody
    )
    assert shown.stdout.strip() == version("pytest-pgfeatures")
