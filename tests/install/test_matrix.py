"""The cells that --pg spans."""

from __future__ import annotations

import re

import pytest

from pytest_pgfeatures.errors import InstallNotFoundError, VersionError
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.version import PgMajor, PgVersion


def ids(resolver, text):
    return [cell.id for cell in resolver.cells(parse_requests(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14..16", ["pg14", "pg15", "pg16"]),
        ("16,14", ["pg14", "pg16"]),
        ("9.3..10", ["pg9.3", "pg9.4", "pg9.5", "pg9.6", "pg10"]),
        ("16,16", ["pg16"]),
        ("16.2", ["pg16"]),
        ("16.2,16.4", ["pg16.2", "pg16.4"]),
        ("pypi:17,maven:17", ["pg17-pypi", "pg17-maven"]),
        ("pypi:17.6,pypi:17.7", ["pg17.6-pypi", "pg17.7-pypi"]),
        ("14..16,maven:15", ["pg14", "pg15", "pg16"]),
        ("pypi:14..15,maven:15", ["pg14", "pg15-pypi", "pg15-maven"]),
    ],
)
def test_versions_that_are_spelled_out(shared, text, expected):
    assert ids(shared, text) == expected


def test_a_named_source_takes_the_place_of_an_open_one(shared):
    cells = {cell.id: cell.request for cell in shared.cells(parse_requests("14..16,maven:15"))}
    assert {name: request.source for name, request in cells.items()} == {
        "pg14": None,
        "pg15": "maven",
        "pg16": None,
    }


def test_open_ranges_take_in_what_can_be_had(shared):
    assert ids(shared, ">=13") == [
        name for name in ids(shared, "all") if PgMajor(name.removeprefix("pg")) >= PgMajor("13")
    ]
    had = ids(shared, "all")
    assert {"pg9.3", "pg9.5", "pg9.6", "pg10", "pg11", "pg12", "pg13", "pg14", "pg18"} <= set(had)
    assert "pg9.4" not in had  # no source has one


def test_latest_is_the_newest_final_release(shared):
    (cell,) = shared.cells(parse_requests("latest"))
    assert cell.id == ids(shared, "pypi:all,maven:all")[-1].partition("-")[0]
    assert not shared.resolve(cell.request).version.stage


def test_a_path_install_is_a_cell_by_the_version_it_has(shared):
    install = shared.resolve("17")
    (cell,) = shared.cells(parse_requests(f"path:{install.bindir.parent}"))
    assert (cell.id, cell.major) == ("pg17", PgMajor("17"))
    found = shared.resolve(cell.request)
    assert (found.source, found.version, found.bindir) == ("path", install.version, install.bindir)


@pytest.mark.parametrize("text", [">=99", "99", "<9.3", "pypi:>=99"])
def test_a_set_with_no_version_in_it_is_an_error_that_lists_what_there_is(shared, text):
    with pytest.raises(VersionError, match="no such version") as caught:
        shared.cells(parse_requests(text))
    assert "18" in caught.value.details[-1]


def test_without_a_request_the_newest_at_hand_is_used(shared):
    (cell,) = shared.cells()
    assert cell.major == max(install.version.major for install in shared.inventory.at_hand())


@pytest.mark.processes
@pytest.mark.usefixtures("no_installs_around")
def test_without_a_request_and_nothing_at_hand_the_newest_release_is_fetched(empty_store, shared):
    resolver = Resolver(empty_store)
    (cell,) = resolver.cells()
    assert cell.id == ids(shared, "pypi:all,maven:all")[-1].partition("-")[0]


@pytest.mark.usefixtures("no_installs_around")
def test_without_anything_at_hand_and_offline_there_is_no_latest(empty_store):
    with pytest.raises(InstallNotFoundError, match="no release at hand") as caught:
        Resolver(empty_store, offline=True).cells()
    assert "offline" in str(caught.value)


@pytest.fixture
def release_candidate(copy_of, monkeypatch):
    """An install at PGFEATURES_PATH that calls itself 20rc1: a major that this release knows nothing of."""
    place = copy_of("pypi:16")
    relabel(place / "bin/postgres", "20rc1")
    monkeypatch.setenv("PGFEATURES_PATH", str(place))
    return place


def relabel(postgres, version):
    """Change the version that a server program prints to one of the same length."""
    content = postgres.read_bytes()
    own = re.search(rb"\(PostgreSQL\) ([\d.]+)\n", content)[1]
    assert len(own) == len(version)
    postgres.write_bytes(content.replace(b"(PostgreSQL) " + own, b"(PostgreSQL) " + version.encode()))


@pytest.mark.processes
def test_a_future_major_works_from_a_path_without_a_change_here(release_candidate, empty_store):
    resolver = Resolver(empty_store)
    for text in ("20", f"path:{release_candidate}", ">=20", ""):
        (cell,) = resolver.cells(parse_requests(text) if text else ())
        assert cell.id == "pg20", text
        install = resolver.resolve(cell.request, {"psql"})
        assert (str(install.version), install.source) == ("20rc1", "path")


@pytest.mark.processes
@pytest.mark.parametrize("named", ["by the environment", "by the request"])
def test_a_release_candidate_that_is_named_dumps_its_own_server(
    named, release_candidate, empty_store, monkeypatch
):
    """The server's number is that of 20.0."""
    requests = ()
    if named == "by the request":
        monkeypatch.delenv("PGFEATURES_PATH")
        requests = parse_requests(f"path:{release_candidate}")
    install = Resolver(empty_store, asked=requests).client("pg_dump", PgVersion.from_num(200000))
    assert install.program("pg_dump") == release_candidate / "bin/pg_dump"


@pytest.mark.processes
def test_a_release_candidate_is_not_the_latest_release(release_candidate, shared):
    assert release_candidate
    resolver = Resolver(shared.store)
    assert "pg20" in ids(resolver, "all")
    assert "pg20" not in ids(resolver, "latest")


@pytest.mark.parametrize(
    ("asked", "version", "expected"),
    [
        ("pypi:14,18", "14", "pypi:14"),
        ("pypi:14,18", "18", "18"),
        ("pypi:14..17", "16", "pypi:16"),
        ("17,maven:17,pypi:17", "17", "maven:17"),
        ("pypi:14,18", "maven:14", "maven:14"),
        ("pypi:14,18", "14.5", "14.5"),  # a release may be of another source only
        ("14,18", "14", "14"),
    ],
)
def test_a_version_beside_the_matrix_has_the_matrixs_source(shared, asked, version, expected):
    resolver = Resolver(shared.store, asked=parse_requests(asked))
    assert str(resolver.cell(version).request) == expected
