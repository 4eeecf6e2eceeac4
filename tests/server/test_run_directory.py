"""Where the files of running clusters are, whatever the paths are like."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install import Resolver, Store, server_account
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.run_directory import VARIABLE, RunDirectory

LONG = "/".join(["a-directory-with-a-long-name"] * 6)


@pytest.fixture(scope="module")
def install():
    return Resolver().resolve("18")


@pytest.fixture
def store(reachable_path: Path) -> Store:
    return Store.open(reachable_path / "cache")


def works(store: Store, install) -> Path:
    """Start a server and ask it; the directory of its socket."""
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        assert cluster.sql("SELECT 1") == [(1,)]
        return Path(cluster.host)


@pytest.mark.parametrize("variable", [VARIABLE, "TMPDIR"])
def test_a_long_path_does_not_matter(
    store: Store, install, reachable_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    place = reachable_path / LONG
    place.mkdir(parents=True)
    monkeypatch.setenv(variable, str(place))
    socket_directory = works(store, install)
    assert len(str(socket_directory)) < 90
    assert not socket_directory.exists()
    assert not list(place.iterdir())


def test_a_store_with_a_long_path_does_not_matter(install, reachable_path: Path) -> None:
    works(Store.open(reachable_path / LONG), install)


def test_its_directory_is_private_and_gone_afterwards(
    store: Store, install, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(reachable_path / "run"))
    account = server_account()
    with Clusters(store) as clusters:
        clusters.create(install)
        (directory,) = [path for path in (reachable_path / "run").iterdir() if path.is_dir()]
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert directory.stat().st_uid == (os.geteuid() if account is None else account.uid)
    assert not list((reachable_path / "run").iterdir())


def test_what_a_dead_run_left_is_removed_by_the_next(
    store: Store, install, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = reachable_path / "run"
    monkeypatch.setenv(VARIABLE, str(root))
    (root / "dead").mkdir(parents=True)
    (root / "dead" / "file").touch()
    (root / "dead.lock").touch()
    works(store, install)
    assert not list(root.iterdir())


def test_a_directory_that_cannot_be_made_is_named(
    store: Store, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reachable_path / "file").touch()
    monkeypatch.setenv(VARIABLE, str(reachable_path / "file" / "run"))
    with pytest.raises(StoreError, match=r"PGFEATURES_RUN=.*file/run can't be used") as caught:
        RunDirectory(store, server_account())
    assert "name a directory that can be written" in str(caught.value)


def test_a_directory_out_of_the_server_users_reach_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = server_account()
    if account is None:
        return  # servers run as ourselves: whatever we may enter they may
    monkeypatch.setenv(VARIABLE, str(tmp_path / "run"))
    with pytest.raises(StoreError, match=f"out of reach of the user {account.name}") as caught:
        RunDirectory(store, account)
    assert "name a directory that everyone may enter" in str(caught.value)


@pytest.mark.parametrize("user", [None, "nobody"])
def test_it_works_as_us_and_without_privileges(reachable_path: Path, install, user: str | None) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pg=18", "test_it.py"]
    if user is not None:
        if os.geteuid() != 0:
            return  # we are one ourselves
        # Reading everything is for the interpreter, which may be below root's home.
        capability = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
        as_user = [f"--reuid={user}", "--regid=nogroup", "--clear-groups", *capability]
        command = ["setpriv", *as_user, *command]
        shutil.chown(reachable_path, user)
    (reachable_path / "test_it.py").write_text(
        "def test_it(pg_connection): pg_connection.execute('SELECT 1')"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    environment |= {
        "HOME": str(reachable_path),
        "PGFEATURES_CACHE": str(reachable_path / "cache"),
        "PGFEATURES_PATH": str(install.bindir.parent),
        "PGFEATURES_OFFLINE": "1",
    }
    ended = subprocess.run(
        command, cwd=reachable_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert not list((reachable_path / "cache" / "run").iterdir())
