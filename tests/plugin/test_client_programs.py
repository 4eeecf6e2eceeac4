"""Tests, and what they start, find the client programs of their server's version."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.install import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

CALLS = """
import os, subprocess, pytest

def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]

def dump(cluster, database):
    command = f"pg_dump -h {cluster.host} -p {cluster.port} -U {cluster.user} {database.name}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
"""
SUITE = f"""{CALLS}
@pytest.fixture(scope="module", autouse=True)
def tools():
    os.environ["PATH"] += os.pathsep + "/tools/of/the/suite"

def test_own(pg_cluster):
    assert version("psql") == str(pg_cluster.version) or not pg_cluster.install.has("psql")

@pytest.mark.pg
def test_by_the_marker(create_pg):
    assert version("psql") != "host"

def test_dump(pg_cluster, pg_database, pg_connection):
    pg_connection.execute("CREATE TABLE kept (a int)")
    assert "CREATE TABLE public.kept" in dump(pg_cluster, pg_database)

def test_none():
    assert version("psql") == "host"
    assert os.environ["PATH"].endswith("/tools/of/the/suite")
    assert "clients" not in os.environ["PATH"]
"""


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that has programs of its own, first on PATH."""
    directory = tmp_path / "host"
    directory.mkdir()
    for name in ("psql", "pg_dump"):
        (directory / name).write_text("#!/bin/sh\necho version host\n")
        (directory / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(directory), prepend=os.pathsep)


@pytest.mark.usefixtures("host")
def test_they_are_the_cells_while_its_tests_run(run_alone: Run) -> None:
    run_alone(SUITE, "--pg", "maven:9.6,pypi:14,pypi:17").assert_outcomes(passed=10)


@pytest.mark.usefixtures("host")
def test_without_a_matrix_too(run_alone: Run) -> None:
    run_alone(SUITE).assert_outcomes(passed=4)


@pytest.mark.usefixtures("host")
def test_of_a_pair_they_are_the_newer_ones(run_alone: Run) -> None:
    source = f"""{CALLS}
def test_it(pg_pair):
    assert version("psql") == str(pg_pair.new.version)
    assert pg_pair.old.sql("SELECT 1") == [(1,)]
"""
    run_alone(source, "--pg", "pypi:14,pypi:16,pypi:17").assert_outcomes(passed=2)


@pytest.mark.usefixtures("host")
def test_a_suite_may_do_without(run_alone: Run) -> None:
    source = f"{CALLS}\ndef test_it(pg_cluster): assert version('psql') == 'host'"
    run_alone(source, "--pg=pypi:17", "-o", "pg_client_programs=false").assert_outcomes(passed=1)
    run_alone(source, "--pg=pypi:17").assert_outcomes(failed=1)


@pytest.mark.usefixtures("host")
def test_a_store_that_can_not_have_them_does_not_matter(
    run_alone: Run, monkeypatch: pytest.MonkeyPatch, reachable_path: Path
) -> None:
    store = Store.open(reachable_path / "store")
    (place,) = Store.open().installs.glob("pypi-17*")
    (store.installs / place.name).symlink_to(place)
    store.clients.write_text("in the way")
    monkeypatch.setenv("PGFEATURES_CACHE", str(store.root))
    source = f"""{SUITE}
def test_place(pg_cluster):
    assert str(pg_cluster.datadir.parents[1]) in os.environ["PATH"]
"""
    run_alone(source, "--pg", "pypi:17").assert_outcomes(passed=5)
    assert store.clients.read_text() == "in the way"
