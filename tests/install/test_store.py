"""The store: where it is, who may enter it, what it says when it can't be used."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import StoreError, UnusableInstallError
from pytest_pgfeatures.install.account import server_account
from pytest_pgfeatures.install.inventory import Inventory
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.install.store import Store


@pytest.fixture
def reachable_path(tmp_path_factory):
    """A directory that the account which runs servers can enter: pytest's own are 0700 all the way."""
    import shutil
    import tempfile
    from pathlib import Path

    path = Path(tempfile.mkdtemp(prefix="pgfeatures-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def test_directories_are_readable_by_all_and_writable_by_the_owner_whatever_the_umask(reachable_path):
    before = os.umask(0o077)
    try:
        store = Store.open(reachable_path / "a" / "b")
    finally:
        os.umask(before)
    for directory in (store.root, store.installs, store.templates, store.run, store.probes):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o755, directory


@pytest.mark.parametrize("mode", [0o700, 0o555])
def test_directories_of_another_mode_are_mended(reachable_path, mode):
    store = Store.open(reachable_path)
    directories = (store.installs, store.templates, store.run, store.probes, store.locks)
    for directory in directories:
        directory.chmod(mode)
    Store.open(reachable_path)
    modes = [stat.S_IMODE(directory.stat().st_mode) for directory in directories]
    assert modes == [0o755, 0o755, 0o755, 0o755, 0o700]


def test_locks_are_for_their_owner_alone(reachable_path):
    store = Store.open(reachable_path)
    with store.lock("subject"):
        os.close(store.hold("session"))
        assert stat.S_IMODE(store.locks.stat().st_mode) == 0o700
        assert {path.name for path in store.locks.iterdir()} == {"subject.lock", "session.use"}
        for path in store.locks.iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


LOCK_SH = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_SH); print('held')"


@pytest.mark.root
def test_another_user_can_hold_no_lock(reachable_path):
    """In a store whose locks everyone could open before this was so."""
    store = Store.open(reachable_path)
    held = store.hold("session")
    store.locks.chmod(0o755)
    (store.locks / "session.use").chmod(0o644)
    command = [sys.executable, "-c", LOCK_SH, str(store.locks / "session.use")]
    python = Path(sys.executable).resolve()
    as_other = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    if subprocess.run([*as_other, python, "-c", ""], check=False).returncode != 0:
        command[0] = "/usr/bin/python3"  # ours is where others can't enter
    before = subprocess.run([*as_other, *command], capture_output=True, text=True, check=False)
    assert before.stdout == "held\n", before.stderr
    Store.open(reachable_path)
    after = subprocess.run([*as_other, *command], capture_output=True, text=True, check=False)
    assert "PermissionError" in after.stderr
    os.close(held)


@pytest.mark.parametrize("wait", ["lock", "hold"])
def test_waiting_says_for_what_and_ends(reachable_path, monkeypatch, wait):
    told = []
    store = Store.open(reachable_path, report=told.append)
    monkeypatch.setattr("pytest_pgfeatures.install.store._SECONDS_OF_SILENCE", 0.1)
    monkeypatch.setattr("pytest_pgfeatures.install.store._SECONDS_TO_CLEAN", 0.5)
    with store.lock("subject"), store.unused("subject") as free:
        assert free
        with pytest.raises(StoreError, match=r"another process held the lock .*subject\.") as caught:
            store.hold("subject") if wait == "hold" else store.lock("subject", timeout=0.5).__enter__()
    assert "end it, or wait" in caught.value.remedy
    assert len(told) == 1
    assert "waiting for another process" in told[0]
    assert str(store.locks / "subject") in told[0]


def test_environment_names_the_place(reachable_path, monkeypatch):
    monkeypatch.setenv("PGFEATURES_CACHE", str(reachable_path / "elsewhere"))
    assert Store.open().root == reachable_path / "elsewhere"


def test_lock_excludes_another_process_and_ends_with_its_holder(reachable_path):
    store = Store.open(reachable_path)
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, pathlib\n"
            "from pytest_pgfeatures.install.store import Store\n"
            "with Store.open(pathlib.Path(sys.argv[1])).lock('subject'):\n"
            "    print('held', flush=True); sys.stdin.read()",
            str(store.root),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(StoreError, match=r"held the lock .*subject\.lock"), store.lock("subject", timeout=0):
        pass
    with store.lock("something else", timeout=0):
        pass
    holder.kill()
    holder.wait()
    with store.lock("subject", timeout=5):
        pass
    holder.stdin.close()
    holder.stdout.close()


def test_a_file_in_the_place_of_the_store_is_reported(reachable_path):
    (reachable_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="can't be used") as caught:
        Store.open(reachable_path / "file")
    assert "PGFEATURES_CACHE" in caught.value.remedy


@pytest.mark.root
def test_a_store_behind_a_closed_door_is_refused_and_the_door_named(reachable_path):
    door = reachable_path / "private"
    door.mkdir(mode=0o700)
    with pytest.raises(StoreError, match=f"may not enter {door}") as caught:
        Store.open(door / "store")
    assert "PGFEATURES_CACHE" in caught.value.remedy
    assert not (door / "store").exists()


@pytest.mark.root
def test_server_account_is_unprivileged_and_can_be_named(monkeypatch):
    monkeypatch.delenv("PGFEATURES_SERVER_USER", raising=False)
    assert server_account().name in ("postgres", "nobody")
    monkeypatch.setenv("PGFEATURES_SERVER_USER", "nobody")
    assert server_account().name == "nobody"
    assert server_account().uid != 0


@pytest.mark.root
@pytest.mark.parametrize(("name", "problem"), [("root", "is root"), ("no-such-user", "there is no user")])
def test_server_account_that_will_not_do_is_refused(monkeypatch, name, problem):
    monkeypatch.setenv("PGFEATURES_SERVER_USER", name)
    with pytest.raises(StoreError, match=problem):
        server_account()


INTRUDER = """
#!/bin/sh
id -u >>%s
"""
AS_NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """A file to which the intruder's programs write who ran them."""
    return tmp_path / "said"


def plant(installs: Path, said: Path, *, user: bool) -> None:
    """Put a server into a store, as another user or as us."""
    place = installs / f"maven-17.99-{this_platform().name}"
    program = INTRUDER.lstrip() % said
    script = f"mkdir -p {place}/bin && cd {place}/bin && printf %s {shlex.quote(program)} >postgres"
    script += " && chmod 755 postgres && cp postgres pg_config && cp postgres initdb"
    subprocess.run([*(AS_NOBODY if user else ()), "sh", "-c", script], check=True)


def listed(root: Path) -> subprocess.CompletedProcess[str]:
    """What our command says that probes all installs of a store."""
    return subprocess.run(
        [Path(sys.executable).with_name("pgfeatures"), "matrix", "--pg", "maven:17.99"],
        env=os.environ | {"PGFEATURES_CACHE": str(root), "PGFEATURES_OFFLINE": "1", "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.root
def test_a_store_of_another_user_is_refused_before_anything_in_it_is_run(reachable_path, said):
    reachable_path.chmod(0o1777)
    root = reachable_path / "store"
    subprocess.run([*AS_NOBODY, "mkdir", "-p", root / "installs"], check=True)
    plant(root / "installs", said, user=True)
    ended = listed(root)
    assert f"the store {root} can't be used: {root} belongs to the user nobody" in ended.stderr
    assert "like all its parents" in ended.stderr
    assert ended.returncode != 0
    assert not said.exists()


@pytest.mark.root
@pytest.mark.parametrize("open_to_all", ["", "..", "installs", "templates", "locks"])
def test_a_store_that_others_can_write_to_is_refused(reachable_path, said, open_to_all):
    root = reachable_path / "store"
    Store.open(root)
    writable = (root / open_to_all).resolve()
    writable.chmod(0o777)
    if open_to_all == "installs":
        plant(root / "installs", said, user=True)
    ended = listed(root)
    assert f"the store {root} can't be used: {writable} can be written by all users" in ended.stderr
    assert ended.returncode != 0
    assert not said.exists()


@pytest.mark.root
@pytest.mark.parametrize("part", [".", "bin", "bin/postgres", "bin/pg_config"])
def test_an_install_that_another_user_owns_is_not_run(reachable_path, said, part):
    """As one that root has unpacked with its owners."""
    root = reachable_path / "store"
    plant(Store.open(root).installs, said, user=False)
    (place,) = (root / "installs").iterdir()
    shutil.chown(place / part, "nobody")
    inventory = Inventory(Store.open(root), offline=True)
    ((_, source, bindir),) = inventory.cached()
    with pytest.raises(
        UnusableInstallError, match="belongs to the user nobody, who could replace our programs"
    ):
        inventory.probe(bindir, source)
    assert not said.exists()


@pytest.mark.root
def test_a_link_to_a_store_is_followed_once(reachable_path):
    (reachable_path / "link").symlink_to(reachable_path / "store")
    assert Store.open(reachable_path / "link").root == reachable_path / "store"
