"""The places in which installs of the machine and of the user are searched."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from pytest_pgfeatures.errors import InstallNotFoundError, UnusableInstallError
from pytest_pgfeatures.install import Resolver, Store, server_account
from pytest_pgfeatures.install.probe import probe
from pytest_pgfeatures.install.system import PLACES, bindir_in, path_bindirs, system_bindirs


def test_each_directory_is_found_once_and_has_a_server():
    found = [bindir for bindir, _ in system_bindirs()]
    assert len({bindir.resolve() for bindir in found}) == len(found)
    assert all((bindir / "postgres").is_file() for bindir in found)


def test_what_the_packages_put_into_the_usual_places_is_found():
    expected = {path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")}
    assert expected <= {bindir for bindir, _ in system_bindirs()}


@pytest.mark.parametrize(
    "place", [place for place in PLACES if place.pattern.startswith("~")], ids=lambda place: place.packager
)
def test_places_below_the_home_directory(place, shared, monkeypatch, tmp_path):
    bindir = Path(place.pattern.replace("~", str(tmp_path)).replace("*", "17.11"))
    bindir.parent.mkdir(parents=True)
    bindir.symlink_to(shared.resolve("17").bindir)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (bindir, place.packager) in list(system_bindirs())


def test_a_server_on_path_is_found_through_its_link(shared, monkeypatch, tmp_path):
    install = shared.resolve("17")
    (tmp_path / "postgres").symlink_to(install.bindir / "postgres")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert install.bindir in [bindir for bindir, _ in system_bindirs()]


def test_a_path_may_name_an_install_or_its_programs(shared, monkeypatch):
    install = shared.resolve("17")
    assert bindir_in(install.bindir.parent) == bindir_in(install.bindir) == install.bindir
    other = shared.resolve("13")
    monkeypatch.setenv("PGFEATURES_PATH", f"{install.bindir}{os.pathsep}{other.bindir.parent}{os.pathsep}")
    assert path_bindirs() == [install.bindir, other.bindir]


@pytest.mark.parametrize("exists", [True, False])
def test_a_path_without_binaries_is_an_error_that_names_it_and_where_it_comes_from(
    tmp_path, monkeypatch, exists
):
    place = tmp_path / "empty"
    if exists:
        place.mkdir()
    monkeypatch.setenv("PGFEATURES_PATH", str(place))
    with pytest.raises(InstallNotFoundError, match=f"PGFEATURES_PATH names {place}") as caught:
        path_bindirs()
    assert str(place / "bin" / "postgres") in caught.value.details[0]


@pytest.mark.root
def test_an_install_that_the_servers_user_can_not_reach_is_refused_with_the_closed_door(shared, tmp_path):
    """pytest's own directories are 0700, as a home directory may be."""
    place = tmp_path / "install"
    shutil.copytree(shared.resolve("13").bindir.parent, place, symlinks=True)
    tmp_path.chmod(0o700)
    resolver = Resolver(shared.store)
    (trouble,) = resolver.inventory.local("path", place)
    assert isinstance(trouble, UnusableInstallError)
    assert "may not enter" in trouble.problem
    assert "chmod go+x" in trouble.remedy


@pytest.mark.root
def test_an_ordinary_user_has_a_store_of_its_own_and_runs_servers_itself(shared, reachable_path, monkeypatch):
    """In a forked process, as the interpreter's own files may be out of another user's reach."""
    install = shared.resolve("13")
    probe(install.bindir, "path")  # so that all that it needs has been imported
    with shared.store.lock("import"):
        pass
    reachable_path.chmod(0o1777)
    account = server_account()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setgid(account.gid)
            os.setuid(account.uid)
            monkeypatch.setenv("PGFEATURES_PATH", str(install.bindir))
            store = Store.open(reachable_path / "store")
            found = Resolver(store, offline=True).resolve("13")
            status = 0 if server_account() is None and found.source == "path" else 2
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert {path.stat().st_uid for path in (reachable_path / "store").rglob("*")} == {account.uid}
