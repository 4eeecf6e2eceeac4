"""The repository is cloned for README's reader, from any repository that CI may have."""

from __future__ import annotations

import os
import pwd
import subprocess
from typing import TYPE_CHECKING

import pytest

from devtools import readers

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.processes

TWO_COMMITS = """
git init --quiet whole
cd whole
git config user.name somebody
git config user.email somebody@example.org
echo first > file
git add file
git commit --quiet -m first
echo second > file
git commit --quiet -am second
cd ..
git clone --quiet --depth 1 "file://$PWD/whole" shallow
cd shallow
git checkout --quiet --detach
"""


@pytest.mark.parametrize("repository", ["whole", "shallow"])
def test_the_reader_gets_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: str) -> None:
    subprocess.run(["bash", "-ec", TWO_COMMITS], cwd=tmp_path, check=True)
    monkeypatch.setattr(readers, "TOP", tmp_path / repository)
    home = tmp_path / "home"
    home.mkdir()
    name = pwd.getpwuid(os.geteuid()).pw_name
    place = readers.clone(readers.User(name, home, variables={"HOME": str(home), "PATH": os.environ["PATH"]}))
    assert (place / "file").read_text() == "second\n"
    listed = subprocess.run(["git", "ls-files"], cwd=place, check=True, capture_output=True, text=True)
    assert listed.stdout == "file\n"


@pytest.mark.root
def test_an_account_that_exists_is_lent_a_home_and_stays() -> None:
    users = readers.Users()
    try:
        user = users.make("nobody")
        assert user is not None
        command = [*user.prefix, "bash", "-c", 'id -un; cd; touch "$TMPDIR/file"; pwd']
        ran = subprocess.run(command, env=user.variables, check=True, capture_output=True, text=True)
        assert ran.stdout.split() == ["nobody", str(user.home)]
        assert user.home.owner() == "nobody"
    finally:
        users.remove()
    assert not user.home.exists()
    assert pwd.getpwnam("nobody").pw_dir != str(user.home)
