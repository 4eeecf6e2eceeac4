"""The files of running clusters are in a directory of ours, whatever is around it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pgfeatures.errors import StoreError
from pytest_pgfeatures.install import Resolver, Store, server_account
from pytest_pgfeatures.install.trusted import trusted_directory
from pytest_pgfeatures.server import Clusters
from pytest_pgfeatures.server.removal import MARK
from pytest_pgfeatures.server.run_directory import RunDirectory
from pytest_pgfeatures.server.runs import VARIABLE, directory_of_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.install import Install

LONG = "/".join(["a-directory-with-a-long-name"] * 6)


@pytest.fixture(scope="module")
def install() -> Install:
    return Resolver().resolve("18")


@pytest.fixture
def store(reachable_path: Path) -> Store:
    return Store.open(reachable_path / "cache")


@pytest.fixture
def place(reachable_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that PGFEATURES_RUN names."""
    monkeypatch.setenv(VARIABLE, str(reachable_path / "run"))
    return reachable_path / "run"


def works(store: Store, install: Install) -> Path:
    """Start a server and ask it; the directory of its socket."""
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        assert cluster.sql("SELECT 1") == [(1,)]
        return cluster.socket_directory


def runs(place: Path) -> list[Path]:
    """What is in our directory beside its mark."""
    return [path for path in directory_of_runs(place).iterdir() if path.name != MARK]


@pytest.mark.parametrize("variable", [VARIABLE, "TMPDIR"])
def test_a_long_path_does_not_matter(
    store: Store, install: Install, reachable_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    place = reachable_path / LONG
    place.mkdir(parents=True)
    monkeypatch.setenv(variable, str(place))
    socket_directory = works(store, install)
    assert len(str(socket_directory)) < 90
    assert not socket_directory.exists()
    if variable == VARIABLE:
        assert not runs(place)
        assert socket_directory.parent.name.startswith("pgf-")
        assert not socket_directory.parent.exists()


def test_a_store_with_a_long_path_does_not_matter(install: Install, reachable_path: Path) -> None:
    works(Store.open(reachable_path / LONG), install)


def facts(path: Path) -> tuple[int, int, int]:
    """The owner, the group and the mode of a file."""
    found = path.lstat()
    return found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)


def test_its_directory_is_private_and_gone_afterwards(store: Store, install: Install, place: Path) -> None:
    account = server_account()
    with Clusters(store) as clusters:
        cluster = clusters.create(install)
        ours = directory_of_runs(place)
        (run,) = runs(place)
        assert cluster.datadir.parent.parent == run
        if account is None:
            directories = (ours, run, cluster.datadir.parent, cluster.datadir, cluster.socket_directory)
            assert {facts(path) for path in directories} == {(os.geteuid(), os.getegid(), 0o700)}
        else:
            assert facts(ours) == (0, 0, 0o711)
            assert {facts(path) for path in (run, cluster.datadir.parent)} == {(0, account.gid, 0o710)}
            theirs = (cluster.datadir, cluster.socket_directory)
            assert {facts(path) for path in theirs} == {(account.uid, account.gid, 0o700)}
        assert {facts(path / MARK)[2] for path in (ours, run)} == {0o600}
    assert not runs(place)
    assert (directory_of_runs(place) / MARK).read_text().startswith("pytest-pgfeatures made this directory")


# --- what is not ours stays ---------------------------------------------------------------------------------

NAMES_OF_RUNS = ("deadbeef", "0badc0de", "01234567")


def planted(place: Path) -> set[Path]:
    """What a project has, and things that look like ours."""
    place.mkdir(parents=True, exist_ok=True)
    for name in ("poetry", "uv", "Cargo", *NAMES_OF_RUNS):
        (place / f"{name}.lock").touch()
        (place / name).mkdir()
        (place / name / "precious").write_text("precious")
    (place / "src" / "x").mkdir(parents=True)
    (place / "x.elsewhere").symlink_to(place / "src")
    (place / NAMES_OF_RUNS[0] / MARK).touch()
    (place / NAMES_OF_RUNS[1] / MARK).write_text("something else")
    return set(place.rglob("*"))


def test_what_a_project_has_survives(store: Store, install: Install, place: Path) -> None:
    before = planted(place)
    for _ in range(2):
        works(store, install)
        works(store, install)
        assert before <= set(place.rglob("*"))
        before |= planted(directory_of_runs(place)) if not runs(place) else set()


def test_a_directory_of_our_name_that_has_no_mark_is_somebodys(
    store: Store, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = planted(directory_of_runs(place))
    with pytest.raises(StoreError, match="was not made by pytest-pgfeatures") as caught:
        RunDirectory(store, server_account())
    assert f"{VARIABLE}={place}" in caught.value.problem
    assert "move it away" in str(caught.value.remedy)
    assert set(directory_of_runs(place).rglob("*")) == before


def test_a_link_of_our_name_is_not_followed(store: Store, place: Path, reachable_path: Path) -> None:
    before = planted(reachable_path / "victim")
    place.mkdir()
    directory_of_runs(place).symlink_to(reachable_path / "victim")
    with pytest.raises(StoreError, match="can't be used: Not a directory"):
        RunDirectory(store, server_account())
    assert set((reachable_path / "victim").rglob("*")) == before


def test_links_that_look_like_runs_are_not_followed(
    store: Store, install: Install, place: Path, reachable_path: Path
) -> None:
    works(store, install)
    before = planted(reachable_path / "victim")
    link = directory_of_runs(place) / "89abcdef"
    link.symlink_to(reachable_path / "victim" / NAMES_OF_RUNS[0])
    works(store, install)
    assert set((reachable_path / "victim").rglob("*")) == before
    assert link.is_symlink()


@pytest.mark.root
def test_a_directory_of_our_name_that_another_user_has_made_is_refused(store: Store, place: Path) -> None:
    place.mkdir()
    place.chmod(0o1777)
    directory_of_runs(place).mkdir()
    shutil.chown(directory_of_runs(place), "nobody")
    with pytest.raises(StoreError, match="belongs to the user nobody"):
        RunDirectory(store, server_account())


# --- what is around it --------------------------------------------------------------------------------------


def test_a_directory_that_everyone_may_write_has_to_be_sticky(store: Store, place: Path) -> None:
    (place / "in").mkdir(parents=True)
    place.chmod(0o777)
    with pytest.raises(StoreError, match=f"{place} can be written by all users"):
        trusted_directory(place / "in")
    with pytest.raises(StoreError, match=f"{VARIABLE}={place} can't be used: {place} can be written by"):
        RunDirectory(store, server_account())
    assert not directory_of_runs(place).exists()
    place.chmod(0o1777)
    assert trusted_directory(place / "in") == place / "in"
    works_without_server(store)


def works_without_server(store: Store) -> None:
    run = RunDirectory(store, server_account())
    os.close(run.lock)
    run.close()


@pytest.mark.root
def test_a_directory_of_another_user_is_not_for_root(store: Store, place: Path) -> None:
    (place / "in").mkdir(parents=True)
    shutil.chown(place, "nobody")
    with pytest.raises(StoreError, match=f"{place} belongs to the user nobody, who could replace"):
        trusted_directory(place / "in")


@pytest.mark.root
def test_a_directory_of_a_group_is_not_for_its_members(place: Path) -> None:
    place.mkdir()
    place.chmod(0o775)
    assert trusted_directory(place) == place, "root's own group"
    shutil.chown(place, group="nogroup")
    with pytest.raises(StoreError, match="can be written by the users of its group"):
        trusted_directory(place)


def test_what_is_made_on_the_way_has_a_mode_of_its_own(place: Path) -> None:
    for umask, name in ((0, "open"), (0o077, "closed")):
        with a_umask(umask):
            trusted_directory(place / name / "in")
        assert stat.S_IMODE((place / name / "in").stat().st_mode) == 0o755


@contextlib.contextmanager
def a_umask(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


@pytest.mark.parametrize("mode", [0o700, 0o711, 0o777, 0o1777, 0o500])
def test_another_mode_of_our_directory_is_mended(
    store: Store, install: Install, place: Path, mode: int
) -> None:
    works_without_server(store)
    right = facts(directory_of_runs(place))
    directory_of_runs(place).chmod(mode)
    works_without_server(store)
    assert facts(directory_of_runs(place)) == right


# --- other users, other limits: real runs in processes of their own -----------------------------------------

RUN = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pg=18", "test_it.py"]
# Reading everything is for the interpreter, which may be below root's home.
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
AS_NOBODY += ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]


@pytest.fixture
def environment(reachable_path: Path, install: Install) -> dict[str, str]:
    """Of a pytest run with a store of its own, which downloads nothing."""
    (reachable_path / "test_it.py").write_text(
        "def test_it(pg_connection): pg_connection.execute('SELECT 1')"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return kept | {
        "HOME": str(reachable_path),
        "PGFEATURES_CACHE": str(reachable_path / "cache"),
        "PGFEATURES_PATH": str(install.bindir.parent),
        "PGFEATURES_OFFLINE": "1",
    }


def pytest_run(
    environment: dict[str, str], *, within: tuple[str, ...] = (), **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a test that asks for a server."""
    place = environment["HOME"]
    return subprocess.run(
        [*within, *RUN], cwd=place, env=environment, capture_output=True, text=True, check=False, **options
    )


def passes(*arguments: Any, **options: Any) -> None:
    ended = pytest_run(*arguments, **options)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "within", [(), pytest.param(tuple(AS_NOBODY), marks=pytest.mark.root)], ids=["us", "nobody"]
)
def test_no_umask_of_an_earlier_run_hinders_a_later_one(
    environment: dict[str, str], reachable_path: Path, within: tuple[str, ...]
) -> None:
    if within:
        shutil.chown(reachable_path, "nobody")
    for place in ({}, {VARIABLE: str(reachable_path / "run")}):
        for umask in (0o077, 0o022):
            passes(environment | place, within=within, umask=umask)


@pytest.mark.thorough
def test_root_with_umask_077_in_memory(environment: dict[str, str]) -> None:
    """Where there is no directory of ours in memory yet: in a file system of its own."""
    script = 'mount -t tmpfs -o mode=1777,size=4g tmpfs /dev/shm && umask {} && exec "$@"'
    for umask in ("077", "022"):
        if os.geteuid() == 0:
            passes(environment, within=("unshare", "--mount", "sh", "-c", script.format(umask), "sh"))
        else:
            passes(environment, within=("sh", "-c", f'umask {umask} && exec "$@"', "sh"))


@pytest.mark.parametrize("user", [None, pytest.param("nobody", marks=pytest.mark.root)])
def test_it_works_as_us_and_without_privileges(
    environment: dict[str, str], reachable_path: Path, user: str | None
) -> None:
    if user is not None:
        shutil.chown(reachable_path, user)
    passes(environment, within=tuple(AS_NOBODY) if user else ())


SAID = {
    "no CAP_CHOWN": (("setpriv", "--bounding-set=-chown"), "*root may not give files to the user*"),
    "user namespace": (
        ("unshare", "--user", "--map-root-user"),
        "*in this user namespace there is no user*",
    ),
}


@pytest.mark.root
@pytest.mark.parametrize("case", SAID)
def test_root_who_may_less_than_root_is_told_so(environment: dict[str, str], case: str) -> None:
    within, said = SAID[case]
    ended = pytest_run(environment, within=within)
    assert ended.returncode == 1
    pytest.LineMatcher(ended.stdout.splitlines()).fnmatch_lines(
        [said, "*what to do: *another user than root*"]
    )
    assert "free some space" not in ended.stdout


@pytest.mark.root
def test_root_who_may_not_become_another_user_is_told_so(environment: dict[str, str]) -> None:
    ended = pytest_run(environment, within=("setpriv", "--bounding-set=-setuid,-setgid"))
    assert ended.returncode == 1
    pytest.LineMatcher(ended.stdout.splitlines()).fnmatch_lines(
        ["*root may not become the user*", "*what to do: *another user than root*CAP_SETUID*"]
    )


@pytest.mark.root
@pytest.mark.parametrize(
    ("template", "options"),
    [("there", size) for size in ("size=4k", "size=12m", "size=32m")]
    + [("not there", size) for size in ("size=16k", "size=1m", "nr_inodes=40")],
)
def test_a_full_disk_is_told_as_that(
    environment: dict[str, str], reachable_path: Path, options: str, template: str
) -> None:
    """Whatever has no room: what initdb prints, our mark, the copy, the server."""
    if template == "there":
        passes(environment)
    disk = reachable_path / "disk"
    disk.mkdir()
    script = f'mount -t tmpfs -o {options},mode=755 tmpfs {disk} && exec "$@"'
    ended = pytest_run(
        environment | {VARIABLE: str(disk)}, within=("unshare", "--mount", "sh", "-c", script, "sh")
    )
    assert ended.returncode == 1, ended.stdout
    pytest.LineMatcher(ended.stdout.splitlines()).fnmatch_lines(
        ["*is full*", "*what to do: free some space*"]
    )
    assert "see what it printed" not in ended.stdout


# --- dead runs ----------------------------------------------------------------------------------------------


STOPPED = """
import os, signal, sys
from pathlib import Path
from pytest_pgfeatures.install import Store, server_account
from pytest_pgfeatures.server import run_directory

os_write, mkdir, os_open, stage = os.write, os.mkdir, os.open, sys.argv[2]
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
if stage == "without a mark": os.open = lambda path, *rest, **options: (
    die() if path == run_directory.MARK and rest[0] & os.O_EXCL else os_open(path, *rest, **options))
if stage == "with an empty mark": run_directory.mark_text = die
run = run_directory.RunDirectory(Store.open(Path(sys.argv[1])), server_account())
(run.directory("1-pg18", theirs=True) / "file").touch()
die()
"""


@pytest.mark.parametrize("stage", ["without a mark", "with an empty mark", "with files"])
def test_what_a_killed_run_left_is_removed_by_the_next(store: Store, place: Path, stage: str) -> None:
    works_without_server(store)
    ended = subprocess.run([sys.executable, "-c", STOPPED, store.root, stage], check=False)
    assert ended.returncode == -signal.SIGKILL
    dead = [path for path in runs(place) if stage != "with files" or (path / "1-pg18" / "file").exists()]
    assert dead
    works_without_server(store)
    assert not [path for path in dead if path.exists()]


LOCKED = "import sys; from pathlib import Path; from pytest_pgfeatures.install import Store, server_account\n"
LOCKED += "from pytest_pgfeatures.server.run_directory import RunDirectory\n"
LOCKED += (
    "print(RunDirectory(Store.open(Path(sys.argv[1])), server_account()).path, flush=True); sys.stdin.read()"
)


def test_a_living_run_is_left_alone(store: Store, place: Path) -> None:
    command = [sys.executable, "-c", LOCKED, store.root]
    living = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert living.stdout is not None
    run = Path(living.stdout.readline().strip())
    works_without_server(store)
    assert run.is_dir()
    living.communicate("")
    works_without_server(store)
    assert not run.exists()


# --- errors -------------------------------------------------------------------------------------------------


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


def test_a_home_of_nobody_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "~no-such-user/run")
    with pytest.raises(StoreError, match=r"PGFEATURES_RUN=~no-such-user/run can't be used"):
        RunDirectory(store, server_account())
