"""Data directories of removed servers, used again: the next server finds nothing of the last one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.install import Store
from pytest_pgfeatures.server import Cluster, Clusters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pgfeatures.install import Install

pytestmark = pytest.mark.pg("9.6,14,18")


@pytest.fixture
def clusters() -> Iterator[Clusters]:
    with Clusters(Store.open()) as opened:
        yield opened


@pytest.fixture
def install(pg_cluster: Cluster) -> Install:
    return pg_cluster.install


def tree(directory: Path) -> dict[str, tuple[int, bytes]]:
    """The mode and the contents of all that is below a directory; a link's contents is where it leads."""
    found = {}
    for path in (directory, *directory.rglob("*")):
        facts = path.lstat()
        contents = b""
        if path.is_symlink():
            contents = os.fsencode(path.readlink())
        elif path.is_file():
            contents = path.read_bytes()
        found[str(path.relative_to(directory))] = facts.st_mode, contents
    return found


def made(clusters: Clusters, install: Install) -> Cluster:
    """A new cluster that was never started."""
    cluster = clusters.prepare(install)
    cluster.make()
    return cluster


def same_but_for_the_socket(one: Cluster, other: Cluster) -> bool:
    """Whether the data directories are the same; their files postgresql.conf name their sockets' directories."""
    trees = [tree(cluster.datadir) for cluster in (one, other)]
    for cluster, files in zip((one, other), trees, strict=True):
        mode, conf = files["postgresql.conf"]
        files["postgresql.conf"] = mode, conf.replace(os.fsencode(cluster.socket_directory), b"")
    return trees[0] == trees[1]


def version_file(cluster: Cluster) -> int:
    """Identifies a file that servers only read."""
    return (cluster.datadir / "PG_VERSION").stat().st_ino


def test_the_next_server_finds_nothing_of_the_last_one(clusters: Clusters, install: Install) -> None:
    new = made(clusters, install)  # before any is left
    used = clusters.create(install)
    used.sql("CREATE TABLE t AS SELECT 1 AS a")
    used.sql("CREATE DATABASE shop")
    used.sql("CREATE TABLE t (a int)", dbname="template1")
    used.sql("CREATE ROLE joe LOGIN")
    used.sql("ALTER SYSTEM SET work_mem = '7MB'")
    used.append_conf(max_connections=17)
    used.sql("CHECKPOINT")
    left = version_file(used)
    clusters.remove(used)
    assert not used.datadir.exists()
    again = made(clusters, install)
    assert version_file(again) == left
    assert same_but_for_the_socket(again, new)
    again.start()
    assert again.sql("SELECT count(*) FROM pg_roles WHERE rolname = 'joe'") == [(0,)]


def test_whatever_was_done_to_the_files(clusters: Clusters, install: Install) -> None:
    new = made(clusters, install)
    used = made(clusters, install)
    there = used.datadir
    version, hba, ident = (there / name for name in ("PG_VERSION", "pg_hba.conf", "pg_ident.conf"))
    version.write_bytes(b"x" * version.stat().st_size)
    hba.unlink()
    ident.unlink()
    ident.symlink_to("/etc/passwd")
    control = there / "global" / "pg_control"
    (there / "another name").hardlink_to(control)
    one, two, *_ = sorted((there / "base" / "1").glob("[0-9]*"))
    one.chmod(0o400)
    two.unlink()
    two.symlink_to("/etc")
    (there / "base" / "elsewhere").mkdir()
    (there / "global").chmod(0o500)
    (there / "pg_multixact").rename(there / "pg_other")
    there.chmod(0o755)
    clusters.remove(used)
    assert same_but_for_the_socket(made(clusters, install), new)


def test_files_that_the_next_server_could_not_remove(clusters: Clusters, install: Install) -> None:
    new = made(clusters, install)
    several = [made(clusters, install) for _ in range(2)]
    for used in several:
        (used.datadir / "of another user").mkdir()  # if we are root
        (used.datadir / "of another user" / "file").touch()
    clusters.remove(several[0])
    assert same_but_for_the_socket(made(clusters, install), new)
    clusters.remove(several[1])
    assert clusters.create(install).sql("SELECT 1") == [(1,)]
    assert not list(new.datadir.parent.parent.glob("left-*"))


def test_what_is_no_directory_is_not_used_again(clusters: Clusters, install: Install, tmp_path: Path) -> None:
    used = made(clusters, install)
    used.datadir.rename(used.datadir.with_name("moved"))
    used.datadir.symlink_to(tmp_path)
    clusters.remove(used)
    assert not os.path.lexists(used.datadir)
    made(clusters, install).start()
    assert not list(tmp_path.iterdir())


def test_a_copy_of_a_server_is_none_of_a_template(clusters: Clusters, install: Install) -> None:
    original = made(clusters, install)
    copy = clusters.copy(original, "copy")
    left = version_file(copy)
    clusters.remove(copy)
    assert version_file(made(clusters, install)) != left


def test_few_are_kept(clusters: Clusters, install: Install) -> None:
    several = [made(clusters, install) for _ in range(5)]
    run = several[0].datadir.parent.parent
    for cluster in several:
        clusters.remove(cluster)
    assert len(list(run.glob("left-*"))) == 3
