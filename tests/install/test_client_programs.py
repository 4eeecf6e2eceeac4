"""Directories of client programs for PATH."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess

import pytest

from pytest_pgfeatures.install import Resolver, Store, parse_requests
from pytest_pgfeatures.install.clean import clean
from pytest_pgfeatures.install.client_programs import PROGRAMS, client_directory


def said_by(directory, program, *arguments, **environment):
    return subprocess.run(
        [directory / program, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_install_with_all_programs_has_its_own_and_nothing_else(shared):
    install = shared.resolve(parse_requests("pypi:17")[0])
    directory = client_directory(shared, install, shared.store.clients)
    found = {path.name: path.resolve() for path in directory.iterdir()}
    assert found == {name: install.bindir / name for name in PROGRAMS if install.has(name)}
    assert {"psql", "pg_dump", "createdb", "pg_restore", "vacuumdb"} <= found.keys()
    assert not {"postgres", "initdb", "pg_ctl", "pg_config", "pg_upgrade"} & found.keys()
    assert str(install.version) in said_by(directory, "psql", "--version").stdout
    assert client_directory(shared, install, shared.store.clients) == directory


def test_what_it_lacks_is_a_newer_majors(shared):
    install = shared.resolve(parse_requests("maven:13")[0])
    directory = client_directory(shared, install, shared.store.clients)
    nearest = shared.client("psql", install.version)
    assert (directory / "psql").resolve() == nearest.bindir / "psql"
    assert str(nearest.version) in said_by(directory, "pg_dump", "--version").stdout
    assert not (directory / "pg_verifybackup").exists()  # which serves no other major


def test_others_may_use_it_and_not_change_it_whatever_the_umask(shared, reachable_path):
    install = shared.resolve(parse_requests("maven:13")[0])
    before = os.umask(0o077)
    try:
        directory = client_directory(shared, install, reachable_path / "clients")
    finally:
        os.umask(before)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (directory, directory.parent)] == [0o755, 0o755]


@pytest.fixture
def bare(shared, reachable_path, no_installs_around):
    """A store with 13 from Maven, which has no client programs, and nothing else."""
    install = shared.resolve(parse_requests("maven:13")[0])
    store = Store.open(reachable_path / "store")
    shutil.copytree(install.bindir.parent, store.installs / install.bindir.parent.name, symlinks=True)
    return store


@pytest.fixture(autouse=True)
def nothing_around_scripts(monkeypatch, tmp_path):
    """What scripts start finds no installs of this machine either."""
    place = tmp_path / "python"
    place.mkdir()
    (place / "sitecustomize.py").write_text(
        "from pytest_pgfeatures.install import system\nsystem.PLACES = ()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(place))


@pytest.mark.usefixtures("only_wheels")
def test_a_program_that_is_not_at_hand_is_fetched_when_it_is_called(bare):
    resolver = Resolver(bare)
    directory = client_directory(resolver, resolver.resolve(parse_requests("13")[0]), bare.clients)
    assert [path.name.split("-")[0] for path in bare.installs.iterdir()] == ["maven"]
    said = said_by(directory, "psql", "--version", PGFEATURES_CACHE=str(bare.root))
    assert (said.stdout.split()[:2], said.returncode) == (["psql", "(PostgreSQL)"], 0), said.stderr
    assert sorted(path.name.split("-")[0] for path in bare.installs.iterdir()) == ["maven", "pypi"]


def test_a_program_that_can_not_be_had_is_the_hosts_and_said_to_be_missing_where_there_is_none(
    bare, monkeypatch, tmp_path
):
    resolver = Resolver(bare, offline=True)
    directory = client_directory(resolver, resolver.resolve(parse_requests("13")[0]), bare.clients)
    surroundings = {"PGFEATURES_CACHE": str(bare.root), "PGFEATURES_OFFLINE": "1"}
    missing = said_by(directory, "psql", "--version", **surroundings, PATH=str(directory))
    assert missing.returncode == 127
    assert "psql: no install of PostgreSQL >=13 has psql" in missing.stderr
    host = tmp_path / "psql"
    host.write_text('#!/bin/sh\necho "the host\'s $*"\n')
    host.chmod(0o755)
    found = said_by(directory, "psql", "a b", **surroundings, PATH=f"{directory}:{tmp_path}")
    assert found.stdout == "the host's a b\n"
    assert "psql: no install of PostgreSQL >=13 has psql" in found.stderr


@pytest.mark.processes
def test_clean_takes_them(bare):
    resolver = Resolver(bare, offline=True)
    directory = client_directory(resolver, resolver.resolve(parse_requests("13")[0]), bare.clients)
    assert [removal.kept for removal in clean(bare, ("clients",))] == ["in use"]
    resolver.close()
    assert [(removal.path, removal.kept) for removal in clean(bare, ("clients",))] == [(directory, "")]
    assert list(bare.clients.iterdir()) == []
