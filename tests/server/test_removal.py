"""The files that are removed, and those that aren't, despite obstacles of other users."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.server.removal import (
    ELSEWHERE,
    MARK,
    for_run,
    for_sockets,
    mark_text,
    marked,
    open_directory,
    remove,
    remove_run,
)
from pytest_pgfeatures.server.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "0123abcd"


@pytest.fixture
def top(tmp_path: Path) -> Iterator[int]:
    """The descriptor of a directory."""
    descriptor = open_directory(tmp_path)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def victim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of somebody else's."""
    place = tmp_path_factory.mktemp("victim")
    (place / "below").mkdir()
    (place / "below" / "file").write_text("precious")
    return place


def is_whole(victim: Path) -> bool:
    return (victim / "below" / "file").read_text() == "precious"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The directory of a run, with a server's files."""
    place = tmp_path / NAME
    (place / "1-pg18" / "data" / "base").mkdir(parents=True)
    (place / "1-pg18" / "data" / "base" / "file").touch()
    (place / MARK).write_bytes(mark_text(for_run(NAME)))
    return place


def removed(run: Path) -> bool:
    descriptor = open_directory(run)
    try:
        return remove_run(descriptor, run.name)
    finally:
        os.close(descriptor)


def test_a_tree_is_removed_and_its_links_are_not_followed(tmp_path: Path, top: int, victim: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "below").mkdir(parents=True)
    (tree / "file").touch()
    (tree / "below" / "link").symlink_to(victim)
    (tree / "file-link").symlink_to(victim / "below" / "file")
    os.mkfifo(tree / "pipe")
    assert remove("tree", top)
    assert not tree.exists()
    assert is_whole(victim)


def test_a_link_in_the_place_of_a_tree_is_what_is_removed(tmp_path: Path, top: int, victim: Path) -> None:
    (tmp_path / "tree").symlink_to(victim)
    assert remove("tree", top)
    assert is_whole(victim)
    assert remove("tree", top), "it is not there any more"


@pytest.mark.thorough
def test_no_depth_is_too_deep(tmp_path: Path, top: int) -> None:
    """More levels than Python's recursion, open files or a path may have."""
    at = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    assert remove("d", top)
    assert not list(tmp_path.iterdir())


def test_directories_without_permissions_are_removed(tmp_path: Path, top: int) -> None:
    (tmp_path / "tree" / "closed" / "below").mkdir(parents=True)
    (tmp_path / "tree" / "closed" / "below").chmod(0)
    (tmp_path / "tree" / "closed").chmod(0o500)
    if os.geteuid() == 0:  # who is not kept from anything by modes
        for path in (tmp_path, *tmp_path.rglob("*")):
            os.chown(path, 65534, 65534)
        at = open_directory(tmp_path)
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            os._exit(not remove("tree", at))
        os.close(at)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    else:
        assert remove("tree", top)
    assert not list(tmp_path.iterdir())


ATTACK = """
import os, sys
os.chdir(sys.argv[1])
while True:
    try:
        os.rename("a", "b")
        os.symlink(sys.argv[2], "a")
        os.unlink("a")
        os.rename("b", "a")
    except OSError:
        try:
            os.mkdir("a")
            os.mkdir("a/c")
        except OSError:
            pass
"""


@pytest.mark.root
def test_who_exchanges_directories_for_links_meanwhile_has_nothing_removed(
    reachable_path: Path, victim: Path
) -> None:
    place = reachable_path / "attacked"
    place.mkdir()
    shutil.chown(place, "nobody")
    victim.chmod(0o755)
    user = {"user": "nobody", "extra_groups": []}
    python = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable
    attacker = subprocess.Popen([python, "-c", ATTACK, place, victim / "below"], **user)
    try:
        wait_until(lambda: any(place.iterdir()), "the attack", timeout=30)
        top = open_directory(place)
        for _ in range(2000):
            remove("a", top)
        os.close(top)
        assert attacker.poll() is None
    finally:
        attacker.send_signal(signal.SIGKILL)
        attacker.wait()
    assert is_whole(victim)


# --- runs --------------------------------------------------------------------------------------------------


def test_a_run_goes_with_all_that_is_in_it(run: Path, victim: Path) -> None:
    (run / "x.elsewhere").symlink_to(victim)
    (run / "1-pg18" / "data" / "pg_wal").symlink_to(victim)
    assert removed(run)
    assert not run.exists()
    assert is_whole(victim)


@pytest.mark.root
def test_what_cannot_be_removed_keeps_the_runs_mark(run: Path) -> None:
    mounted = run / "1-pg18" / "mounted"
    mounted.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", mounted], check=True)
    (mounted / "file").touch()
    try:
        assert not removed(run)
        assert (mounted / "file").exists(), "another file system is not ours to empty"
        assert sorted(path.name for path in run.iterdir()) == [MARK, "1-pg18"]
    finally:
        subprocess.run(["umount", mounted], check=True)
    assert removed(run)


def test_sockets_elsewhere_go_with_the_run(run: Path, tmp_path: Path) -> None:
    sockets = tmp_path / "pgf-01234567"
    (sockets / "1").mkdir(parents=True)
    (sockets / MARK).write_bytes(mark_text(for_sockets(NAME)))
    (run / ELSEWHERE).symlink_to(sockets)
    assert removed(run)
    assert not sockets.exists()


@pytest.mark.parametrize("text", [None, "", "something", mark_text(for_sockets("89abcdef")).decode()])
def test_what_the_link_elsewhere_leads_to_is_kept_without_the_runs_mark(
    run: Path, victim: Path, text: str | None
) -> None:
    if text is not None:
        (victim / MARK).write_text(text)
    (run / ELSEWHERE).symlink_to(victim)
    assert removed(run)
    assert is_whole(victim)


def test_a_link_that_the_link_elsewhere_leads_to_is_kept(run: Path, victim: Path, tmp_path: Path) -> None:
    (victim / MARK).write_bytes(mark_text(for_sockets(NAME)))
    (tmp_path / "link").symlink_to(victim)
    (run / ELSEWHERE).symlink_to(tmp_path / "link")
    assert removed(run)
    assert is_whole(victim)
    assert (tmp_path / "link").is_symlink()


def test_a_mark_has_to_be_a_file_of_ours_with_our_text(tmp_path: Path, top: int) -> None:
    mark = tmp_path / MARK
    assert marked(top, "runs") is None
    mark.write_bytes(mark_text("runs"))
    assert marked(top, "runs") is not None
    assert marked(top, for_run(NAME)) is None
    for text in ("", "runs", mark_text("runs").decode().replace(f"owner {os.geteuid()}", "owner 12345")):
        mark.write_text(text)
        assert marked(top, "runs") is None
    mark.unlink()
    (tmp_path / "elsewhere").write_bytes(mark_text("runs"))
    mark.symlink_to(tmp_path / "elsewhere")
    assert marked(top, "runs") is None
    mark.unlink()
    os.mkfifo(mark)
    assert marked(top, "runs") is None


@pytest.mark.root
def test_a_mark_of_another_user_does_not_count(tmp_path: Path, top: int) -> None:
    (tmp_path / MARK).write_bytes(mark_text("runs"))
    shutil.chown(tmp_path / MARK, "nobody")
    assert marked(top, "runs") is None
