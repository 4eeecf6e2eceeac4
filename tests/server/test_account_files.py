"""Root, and a servers' user who would like to have what is root's: by ``COPY ... TO PROGRAM`` he runs anything.

Where we are not root, servers run as us, and there is nothing that he could gain.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from pytest_pgfeatures.errors import PgFeaturesError, StoreError
from pytest_pgfeatures.install import Account, Resolver, Store, server_account
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.account_files import append_to_file, read_file, write_file
from pytest_pgfeatures.server.own_programs import end_leftovers
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.runs import VARIABLE, directory_of_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.install import Install
    from pytest_pgfeatures.server import Cluster

    CreatePg = Callable[..., Cluster]

pytestmark = pytest.mark.root


@pytest.fixture
def account() -> Account:
    found = server_account()
    assert found is not None
    return found


@pytest.fixture
def secret(reachable_path: Path) -> Path:
    """A directory of root's, with a file that only root may read."""
    place = reachable_path / "roots"
    place.mkdir()
    (place / "secret").write_text("root's secret")
    (place / "secret").chmod(0o600)
    return place


@pytest.fixture
def store(reachable_path: Path) -> Store:
    return Store.open(reachable_path / "cache")


@pytest.fixture
def run(reachable_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory of runs, and what is in it afterwards: nothing."""
    monkeypatch.setenv(VARIABLE, str(reachable_path / "run"))
    ours = directory_of_runs(reachable_path / "run")
    yield ours
    assert [path.name for path in ours.iterdir()] == [MARK]


@pytest.fixture(scope="module")
def install() -> Install:
    return Resolver().resolve("18")


def attack(cluster: Cluster, command: str) -> str:
    """Run a shell command as the servers' user; what the server says of it, empty if it succeeds."""
    try:
        cluster.sql(f"COPY (SELECT 1 WHERE false) TO PROGRAM $$ {command} $$")
    except psycopg.Error as error:
        return str(error.diag.message_detail)
    return ""


def test_he_writes_only_in_the_data_and_the_socket_directory(
    run: Path, store: Store, install: Install, account: Account, secret: Path
) -> None:
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        home = cluster.datadir.parent
        (template,) = store.templates.iterdir()
        for place in (run, home.parent, home, store.root, store.templates, template, template / "base"):
            assert attack(cluster, f"touch {place}/x.elsewhere"), place
            assert attack(cluster, f"ln -s {secret} {place}/x.elsewhere"), place
        for taken in (cluster.datadir, cluster.socket_directory, cluster.log.path, template):
            assert attack(cluster, f"mv {taken} {taken}-away"), taken
        for file in (home.parent / MARK, template / "postgresql.conf"):
            assert attack(cluster, f"echo x >> {file}"), file
        for theirs in (cluster.datadir, cluster.socket_directory):
            assert not attack(cluster, f"ln -s {secret} {theirs}/x.elsewhere"), theirs
        writable = [
            Path(place)
            for place, _, _ in os.walk(home.parent)
            if (facts := Path(place).stat()).st_uid == account.uid or facts.st_mode & 0o022
        ]
        assert set(cluster.datadir.parents) & set(writable) == set()
        assert all({cluster.datadir, cluster.socket_directory} & {path, *path.parents} for path in writable)
    assert (secret / "secret").exists()


def test_what_he_plants_is_removed_and_not_followed(
    run: Path, store: Store, install: Install, secret: Path
) -> None:
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        data = cluster.datadir
        deep = "x/" * 300
        assert not attack(
            cluster, f"ln -s {secret} {data}/link && mkfifo {data}/pipe && mkdir -p {data}/{deep}"
        )
        assert not attack(cluster, f"mv {data}/pg_stat {data}/pg_stat-away && ln -s {secret} {data}/pg_stat")
        other = clusters.create(install)
        assert not attack(other, f"mkdir {other.datadir}/x && ln -s {secret} {other.datadir}/x/link")
        clusters.remove(other)
        assert not other.datadir.exists()
    assert (secret / "secret").exists()


def test_nothing_is_appended_to_what_a_link_leads_to(
    run: Path, store: Store, install: Install, secret: Path
) -> None:
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        conf = cluster.datadir / "postgresql.conf"
        assert not attack(cluster, f"mv {conf} {conf}-away && ln -s {secret}/secret {conf}")
        with pytest.raises(PgFeaturesError, match=r"postgresql\.conf"):
            cluster.append_conf(work_mem="5MB")
        assert not attack(cluster, f"rm {conf} && mkfifo {conf}")
        with pytest.raises(PgFeaturesError, match=r"postgresql\.conf"):
            cluster.append_conf(work_mem="5MB")
        assert not attack(cluster, f"rm {conf} && mv {conf}-away {conf}")
        cluster.append_conf(work_mem="5MB")
        cluster.restart()
        assert cluster.sql("SHOW work_mem") == [("5MB",)]
    assert (secret / "secret").read_text() == "root's secret"


def test_a_standby_has_nothing_of_roots(run: Path, store: Store, install: Install, secret: Path) -> None:
    with Clusters(store) as clusters:
        primary = clusters.create(install)
        data = primary.datadir
        assert not attack(primary, f"ln -s {secret} {data}/x && ln -s {secret}/secret {data}/global/x")
        standby = primary.standby()
        copied = [
            path for path in standby.datadir.parent.rglob("*") if path.is_file() and not path.is_symlink()
        ]
        assert not [path for path in copied if b"root's secret" in path.read_bytes()]
        assert (standby.datadir / "x").is_symlink()
        clusters.remove(standby)
        assert not attack(primary, f"ln -s {secret} {data}/pg_tblspc/12345")
        with pytest.raises(StoreError, match="can't be written") as caught:
            primary.standby("another")
        assert "Permission denied" in str(caught.value)
        assert "secret" in str(caught.value)
    assert [path.name for path in secret.iterdir()] == ["secret"]


INITDB = """#!/bin/sh
case "$*" in *--pgdata*) ;; *) exec {initdb} "$@";; esac
{initdb} "$@" || exit
for argument; do case $argument in --pgdata=*) cd "${{argument#--pgdata=}}";; esac; done
{attack}
"""


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("ln -s {secret} planted", None),
        ("mkfifo planted", None),
        ("rm -r pg_stat; ln -s {secret} pg_stat", None),
        ("ln {secret}/readable planted", r"planted"),
    ],
    ids=["a link", "a pipe", "a link for a directory", "another user's file"],
)
def test_a_template_has_only_what_is_his(
    run: Path,
    store: Store,
    install: Install,
    secret: Path,
    reachable_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    problem: str | None,
) -> None:
    (secret / "readable").write_text("root's")
    (secret / "readable").chmod(0o666)  # such a file anybody may link to
    bindir = reachable_path / "install" / "bin"
    bindir.mkdir(parents=True)
    for program in install.bindir.iterdir():
        (bindir / program.name).symlink_to(program.resolve())
    (bindir / "initdb").unlink()
    script = INITDB.format(initdb=install.program("initdb"), attack=command.format(secret=secret))
    (bindir / "initdb").write_text(script)
    (bindir / "initdb").chmod(0o755)
    monkeypatch.setenv("PGFEATURES_PATH", str(bindir.parent))
    monkeypatch.setenv("PGFEATURES_OFFLINE", "1")
    hostile = Resolver(store).resolve("18")
    with Clusters(store) as clusters:
        if problem is not None:
            with pytest.raises(PgFeaturesError, match="of another user") as caught:
                clusters.create(hostile)
            assert re.search(problem, str(caught.value))
            assert not list(store.templates.iterdir())
            return
        clusters.prepare(hostile)
        (template,) = store.templates.iterdir()
        for path in template.rglob("*"):
            assert path.is_symlink() or stat.S_ISREG(path.stat().st_mode) or path.is_dir()
            assert path.lstat().st_uid == 0
            assert path.is_symlink() or secret not in path.resolve().parents
    assert (secret / "secret").read_text() == "root's secret"


@pytest.mark.parametrize("planted", ["file", "link", "pipe"])
def test_no_process_of_roots_is_ended_as_a_server_of_a_dead_run(
    reachable_path: Path, account: Account, planted: str
) -> None:
    data = reachable_path / "1-pg18" / "data"
    data.mkdir(parents=True)
    roots = subprocess.Popen(["/bin/sleep", "600"], cwd=data)
    try:
        noted = f"{roots.pid}\n{data}\n"
        pid_file = data / "postmaster.pid"
        if planted == "file":
            pid_file.write_text(noted)
            shutil.chown(pid_file, account.uid)
        elif planted == "link":
            (reachable_path / "pid").write_text(noted)
            pid_file.symlink_to(reachable_path / "pid")
        else:
            os.mkfifo(pid_file)
        end_leftovers(reachable_path, account)
        assert roots.poll() is None
    finally:
        roots.kill()
        roots.wait()


# --- the functions ------------------------------------------------------------------------------------------


@pytest.fixture
def his(reachable_path: Path, account: Account) -> Path:
    """A directory of his, with a file."""
    place = reachable_path / "his"
    place.mkdir()
    (place / "file").write_text("his")
    for path in (place / "file", place):
        os.chown(path, account.uid, account.gid)
    return place


def test_files_of_his_are_read_written_and_appended_to(his: Path, account: Account) -> None:
    append_to_file(his / "file", " own", account)
    assert read_file(his / "file", account) == b"his own"
    write_file(his / "file", b"new", account)
    write_file(his / "another", b"new", account)
    for name in ("file", "another"):
        facts = (his / name).stat()
        assert (his / name).read_bytes() == b"new"
        assert (facts.st_uid, facts.st_gid) == (account.uid, account.gid)
    assert stat.S_IMODE((his / "another").stat().st_mode) == 0o600


@pytest.mark.parametrize("plant", ["link", "link to a directory", "pipe", "hard link", "root's file"])
def test_nothing_else_is(his: Path, secret: Path, account: Account, plant: str) -> None:
    path = his / "planted"
    if plant == "link":
        path.symlink_to(secret / "secret")
    elif plant == "link to a directory":
        path.symlink_to(secret)
        path = path / "secret"
    elif plant == "pipe":
        os.mkfifo(path)
    elif plant == "hard link":
        path.hardlink_to(secret / "secret")
    else:
        path.write_text("root's secret")
    for use in (
        lambda: read_file(path, account),
        lambda: append_to_file(path, "x", account),
        lambda: write_file(path, b"x", account),
    ):
        with pytest.raises(OSError, match=r"planted|secret"):
            use()
    assert (secret / "secret").read_text() == "root's secret"


def test_nothing_is_made_in_directories_of_others(his: Path, secret: Path, account: Account) -> None:
    (his / "link").symlink_to(secret)
    for path in (secret / "new", his / "link" / "new"):
        with pytest.raises(OSError, match="is not the own file"):
            write_file(path, b"x", account)
        assert not path.exists()
