"""Templates: initdb once, copies that share nothing."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install import Resolver, Store, server_account
from pytest_pgfeatures.server import Cluster, Clusters
from pytest_pgfeatures.server.copying import copy_tree, punch_zeros

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pgfeatures.install import Install

PROCESSES = 16
ASK_FOR_THE_TEMPLATE = """
import sys
from pathlib import Path
from pytest_pgfeatures.install import Resolver, Store, server_account
from pytest_pgfeatures.server.process import SupervisorClient
from pytest_pgfeatures.server.run_directory import RunDirectory
from pytest_pgfeatures.server.template import template

store = Store.open(Path(sys.argv[1]))
install = Resolver(store).resolve("18")
run = RunDirectory(store, server_account())
supervisor = SupervisorClient(run)
print(template(store, supervisor, install))
supervisor.close()
"""


@pytest.fixture(scope="module")
def install() -> Install:
    return Resolver().resolve("18")


@pytest.fixture
def store(reachable_path: Path) -> Store:
    return Store.open(reachable_path / "cache")


def contents(directory: Path) -> dict[str, str]:
    """The digest of each file below a directory."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in directory.rglob("*")
        if path.is_file()
    }


def inodes(directory: Path) -> set[int]:
    return {path.stat().st_ino for path in directory.rglob("*") if path.is_file()}


@pytest.mark.thorough
def test_initdb_runs_once_for_sixteen_processes(
    install: Install, store: Store, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = reachable_path / "counted"
    counted.touch()
    counted.chmod(0o666)  # initdb is another user's where we are root
    bindir = reachable_path / "install" / "bin"
    bindir.mkdir(parents=True)
    for program in install.bindir.iterdir():
        (bindir / program.name).symlink_to(program.resolve())
    (bindir / "initdb").unlink()
    initdb = install.program("initdb")
    (bindir / "initdb").write_text(
        f'#!/bin/sh\ncase "$*" in *--pgdata*) echo "$*" >> {counted};; esac\nexec {initdb} "$@"\n'
    )
    (bindir / "initdb").chmod(0o755)
    monkeypatch.setenv("PGFEATURES_PATH", str(bindir.parent))
    monkeypatch.setenv("PGFEATURES_OFFLINE", "1")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ASK_FOR_THE_TEMPLATE, str(store.root)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    ended = [(*process.communicate(), process.returncode) for process in processes]
    assert {status for _, _, status in ended} == {0}, ended
    (place,) = {printed for printed, _, _ in ended}
    assert [str(path) for path in store.templates.iterdir()] == [place.strip()]
    assert len(counted.read_text().splitlines()) == 1


def test_what_a_copy_writes_is_not_in_the_template(install: Install, store: Store) -> None:
    with Clusters(store) as clusters:
        first = clusters.create(install)
        (template,) = store.templates.iterdir()
        before = contents(template)
        first.sql("CREATE TABLE t AS SELECT generate_series(1, 100000) AS a")
        first.sql("VACUUM FULL")
        first.sql("SELECT pg_switch_wal()")
        first.restart("immediate")
        first.sql("CREATE DATABASE d")
        assert not inodes(template) & inodes(first.datadir)
        second = clusters.create(install)
        assert second.sql("SELECT count(*) FROM pg_class WHERE relname = 't'") == [(0,)]
        assert contents(template) == before
        identifier = "SELECT system_identifier FROM pg_control_system()"
        assert first.sql(identifier) == second.sql(identifier)


def test_each_set_of_initdb_options_has_its_own(install: Install, store: Store) -> None:
    with Clusters(store) as clusters:
        for options in ((), ("--wal-segsize=1",), ("--no-data-checksums",), ()):
            clusters.create(install, initdb_options=options).stop("immediate")
    assert len(list(store.templates.iterdir())) == 3


@pytest.mark.parametrize("umask", [0o077, 0])
def test_templates_are_ours_and_the_servers_user_only_reads_them(
    install: Install, store: Store, umask: int
) -> None:
    before = os.umask(umask)
    try:
        with Clusters(store) as clusters:
            clusters.create(install)
    finally:
        os.umask(before)
    account = server_account()
    directories, files = (0o700, 0o600) if account is None else (0o750, 0o640)
    (template,) = store.templates.iterdir()
    for path in (template, *template.rglob("*")):
        facts = path.stat()
        assert facts.st_uid == os.geteuid()
        assert account is None or facts.st_gid == account.gid
        assert stat.S_IMODE(facts.st_mode) == (directories if path.is_dir() else files), path


def test_nothing_in_the_store_can_be_written_by_everyone(install: Install, store: Store) -> None:
    with Clusters(store) as clusters:
        clusters.create(install, initdb_options=("--wal-segsize=1",))
        for path in (store.root, *store.root.rglob("*")):
            apart = path.is_symlink() or path.is_socket()  # a socket is in a private directory
            assert apart or not path.stat().st_mode & stat.S_IWOTH, path


@pytest.mark.root
def test_a_full_disk_is_a_clear_error_and_leaves_nothing(
    install: Install, store: Store, reachable_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Clusters(store) as clusters:
        clusters.create(install)
    disk = reachable_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=755", "tmpfs", disk], check=True)
    monkeypatch.setenv("PGFEATURES_RUN", str(disk))
    try:
        with Clusters(store) as clusters:
            for make in (Cluster.start, Cluster.make):
                with pytest.raises(StoreError, match="is full") as caught:
                    make(clusters.prepare(install))
                assert "PGFEATURES_RUN" in str(caught.value.remedy)
                assert "/data/" in caught.value.details[0]
                assert not list(disk.glob("*/*/*/data"))
    finally:
        subprocess.run(["umount", disk], check=True)


# --- copying -----------------------------------------------------------------------------------------------


def test_a_copy_has_the_same_content_and_the_same_holes(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "below" / "further").mkdir(parents=True)
    (source / "empty").touch()
    (source / "small").write_bytes(b"x" * 100)
    block = 65536
    (source / "below" / "holes").write_bytes(b"a" * block + bytes(40 * block) + b"b" * 10)
    (source / "below" / "further" / "zeros").write_bytes(bytes(8 * block))
    (source / "link").symlink_to("small")
    for name in ("holes", "further/zeros"):
        punch_zeros(source / "below" / name)
    copy_tree(source, tmp_path / "copy")
    assert contents(tmp_path / "copy") == contents(source)
    assert (tmp_path / "copy" / "link").readlink().name == "small"
    for name in ("holes", "further/zeros"):
        original, copy = source / "below" / name, tmp_path / "copy" / "below" / name
        assert copy.stat().st_size == original.stat().st_size
        assert copy.stat().st_blocks <= original.stat().st_blocks
    assert (source / "below" / "holes").stat().st_blocks * 512 < 10 * block


def test_punching_keeps_every_byte(tmp_path: Path) -> None:
    content = bytes(65536) + b"x" + bytes(65535) + b"y" * 65536 + bytes(100)
    path = tmp_path / "file"
    path.write_bytes(content)
    punch_zeros(path)
    assert path.read_bytes() == content
