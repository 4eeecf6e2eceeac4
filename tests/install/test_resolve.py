"""From a request to an install: the order, the capabilities, and the error if there is no install."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pytest_pgfeatures.errors import CapabilityMissingError, InstallError, InstallNotFoundError
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.version import PgMajor, PgVersion


def resolve(resolver, text, *needs):
    (request,) = parse_requests(text)
    return resolver.resolve(request, needs)


def test_two_installs_of_one_major_serve_different_needs(shared):
    with_icu = resolve(shared, "17", "icu", "contrib:pageinspect")
    with_tools = resolve(shared, "17", "pg_dump", "pgxs")
    assert with_icu.has("icu")
    assert with_tools.has("pg_dump", "pgxs")
    assert with_icu.version.major == with_tools.version.major
    assert with_tools.program("pg_dump").is_file()


@pytest.mark.parametrize("source", ["pypi", "maven"])
def test_a_named_source_is_the_only_one_asked(shared, source):
    install = resolve(shared, f"{source}:17")
    assert install.source == source
    assert shared.store.installs in install.bindir.parents


def test_what_the_user_points_at_comes_first(shared, monkeypatch):
    pointed_at = resolve(shared, "maven:17")
    monkeypatch.setenv("PGFEATURES_PATH", str(pointed_at.bindir.parent))
    found = resolve(Resolver(shared.store), "17")
    assert (found.source, found.bindir) == ("path", pointed_at.bindir)


def test_what_lacks_a_capability_is_passed_over(shared, monkeypatch):
    monkeypatch.setenv("PGFEATURES_PATH", str(resolve(shared, "maven:17").bindir.parent))
    found = resolve(Resolver(shared.store), "17", "pg_dump")
    assert found.source != "path"
    assert found.has("pg_dump")


@pytest.mark.processes
def test_the_stores_installs_come_before_newer_releases_in_a_registry(shared, empty_store):
    old = resolve(Resolver(empty_store), "maven:9.6.10")
    assert str(old.version) == "9.6.10"
    assert resolve(Resolver(empty_store), "maven:9.6") == old


def test_no_install_of_a_major_has_a_capability(shared):
    with pytest.raises(CapabilityMissingError) as caught:
        resolve(shared, "12", "pg_dump")
    assert caught.value.capability == "pg_dump"
    assert any(line.startswith("maven: 12.") and "lacks pg_dump" in line for line in caught.value.details)
    assert any(line.startswith("pypi: no release") for line in caught.value.details)
    assert "PGFEATURES_PATH" in caught.value.remedy


def test_a_release_that_nobody_has_is_not_replaced_by_another_one(shared):
    with pytest.raises(InstallNotFoundError, match=r"PostgreSQL 17\.999 is not available") as caught:
        resolve(shared, "17.999")
    sources = {line.partition(":")[0] for line in caught.value.details}
    assert {"system", "pypi", "maven"} <= sources
    assert "list --available" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "near"),
    [("icuu", "'icu'"), ("pgdump", "'pg_dump'"), ("contrib:", "icu, lz4"), ("gpu", "contrib:NAME")],
)
def test_a_capability_that_nobody_knows_is_an_error_with_the_nearest_name(shared, name, near):
    with pytest.raises(InstallError, match="there is no capability") as caught:
        resolve(shared, "17", name)
    assert not isinstance(caught.value, InstallNotFoundError)
    assert near in caught.value.remedy


def test_offline_the_missing_version_is_named(empty_store):
    with pytest.raises(InstallNotFoundError, match="PostgreSQL maven:13 is not available offline") as caught:
        resolve(Resolver(empty_store, offline=True), "maven:13")
    assert "pgfeatures install maven:13" in caught.value.remedy
    assert list(empty_store.installs.iterdir()) == []


@pytest.mark.usefixtures("no_registry")
def test_offline_is_enough_for_what_the_store_has(shared):
    resolve(shared, "maven:13")
    assert resolve(Resolver(shared.store, offline=True), "maven:13").version.major == PgMajor("13")


@pytest.mark.processes
@pytest.mark.usefixtures("no_registry")
def test_registries_out_of_reach_are_reported_with_each_clients_words(empty_store):
    with pytest.raises(InstallNotFoundError) as caught:
        resolve(Resolver(empty_store), "10.23")
    said = "\n".join(caught.value.details)
    assert "pypi could not be asked: 127.0.0.1 refuses connections" in said
    assert "maven could not be asked: 127.0.0.1 refuses connections" in said
    assert "PGFEATURES_OFFLINE=1" in said


@pytest.mark.parametrize(
    ("tool", "server"),
    [
        ("psql", "9.3.5"),
        ("pg_dump", "12.1"),
        ("pgbench", "9.6.1"),
        ("pg_basebackup", "13.1"),
        ("pg_recvlogical", "10.1"),
    ],
)
def test_a_client_program_is_that_of_the_nearest_newer_major_that_has_it(shared, tool, server):
    needed = PgVersion(server)
    client = shared.client(tool, needed)
    assert client.has(tool)
    assert client.version >= needed
    nearer = [one for one in shared.inventory.at_hand() if one.has(tool) and one.version >= needed]
    assert client.version == min(one.version for one in nearer)


def test_a_program_of_the_same_major_comes_before_that_of_a_newer_one(shared):
    resolve(shared, "17", "pg_dump")
    assert shared.client("pg_dump", PgVersion("17.1")).version.major == PgMajor("17")


def test_a_program_comes_from_a_directory_that_a_cell_names(shared):
    install = shared.client("pg_dump", PgVersion("17.1"))
    resolver = Resolver(shared.store, offline=True)
    resolver.cells(parse_requests(f"path:{install.bindir.parent}"))
    assert resolver.client("pg_dump", install.version).bindir == install.bindir
    assert resolver.client("pg_dump", install.version).source == "path"


@pytest.mark.parametrize(
    ("tool", "server"), [("pg_upgrade", "12.1"), ("pg_recvlogical", "9.3.5"), ("pg_ctl", "9.4.1")]
)
def test_programs_that_only_serve_their_own_major_come_from_no_other(shared, tool, server):
    with pytest.raises(InstallNotFoundError):
        shared.client(tool, PgVersion(server))


def test_a_warm_resolve_starts_no_process_and_loads_no_heavy_library(shared):
    for text in ("maven:13", "pypi:17", "maven:17"):
        resolve(shared, text)
    code = """
import sys
sys.addaudithook(lambda event, args: (_ for _ in ()).throw(RuntimeError(event)) if event in (
    "subprocess.Popen", "os.posix_spawn", "os.fork", "socket.connect") else None)
from pytest_pgfeatures.install import Resolver, parse_requests
resolver = Resolver()
for cell in resolver.cells(parse_requests("maven:13,pypi:17,maven:17")):
    print(resolver.resolve(cell.request).version)
heavy = {*"psycopg sqlglot hypothesis rich jinja2 msgspec click filelock platformdirs jgo".split()}
print(sorted(heavy & set(sys.modules)))
"""
    environment = {**os.environ, "PGFEATURES_CACHE": str(shared.store.root)}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 4
    assert ran.stdout.splitlines()[-1] == "[]"
