"""Reading --pg."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_pgfeatures.errors import VersionError
from pytest_pgfeatures.install import Request, parse_requests
from pytest_pgfeatures.version import PgVersion, VersionSet


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16", [Request(VersionSet("16"))]),
        ("16.2", [Request(VersionSet("16.2"))]),
        ("14..18", [Request(VersionSet("14..18"))]),
        (">=15", [Request(VersionSet(">=15"))]),
        ("14, 16", [Request(VersionSet("14")), Request(VersionSet("16"))]),
        ("all", [Request(VersionSet("all"))]),
        ("latest", [Request(latest=True)]),
        ("pypi:latest", [Request(source="pypi", latest=True)]),
        (
            "pypi:17,maven:12,path:/opt/pg,system:15",
            [
                Request(VersionSet("17"), "pypi"),
                Request(VersionSet("12"), "maven"),
                Request(source="path", directory=Path("/opt/pg")),
                Request(VersionSet("15"), "system"),
            ],
        ),
        ("pypi:14..18, 9.6", [Request(VersionSet("14..18"), "pypi"), Request(VersionSet("9.6"))]),
    ],
)
def test_what_can_be_asked_for(text, expected):
    assert list(parse_requests(text)) == expected


def test_a_relative_path_is_taken_from_the_current_directory(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (request,) = parse_requests("path:build/install")
    assert request.directory == tmp_path / "build/install"


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        ("", "names no version: is the variable", "14..18"),
        ("14,,16", "names nothing", "14..18"),
        ("path:", "path: names nothing", "14..18"),
        ("pypi:", "pypi: names nothing", "14..18"),
        ("pipy:17", "no source 'pipy'", "did you mean pypi:17?"),
        ("docker:17", "no source 'docker'", "path, system, pypi, maven"),
        ("18..14", "runs backwards", "14..18"),
        ("sixteen", "'sixteen' is not a PostgreSQL version", "16"),
        ("14,16.2.1", "'16.2.1' is not a PostgreSQL version", "two numbers"),
        ("pypi:9", "'9' does not name a PostgreSQL major", "9.6"),
    ],
)
def test_what_can_not_be_read_is_named_with_a_remedy(text, problem, remedy):
    with pytest.raises(VersionError) as caught:
        parse_requests(text)
    assert problem in caught.value.problem
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    "text", ["16", "16.2", "14..18", ">=15", "pypi:17", "latest", "maven:latest", "path:/opt/pg"]
)
def test_a_request_is_written_as_it_is_read(text):
    (request,) = parse_requests(text)
    assert str(request) == text


@pytest.mark.parametrize(
    ("text", "version", "source", "does"),
    [
        ("16", "16.2", "system", True),
        ("16", "17.0", "system", False),
        ("system:16", "16.2", "pypi", False),
        (">=18", "19rc1", "system", False),
        (">=18", "19rc1", "path", True),
        ("19", "19rc1", "system", True),
        ("18..19", "19beta2", "system", True),
        ("all", "19devel", "maven", False),
        ("all", "18.6", "maven", True),
    ],
)
def test_a_release_candidate_will_do_only_where_it_is_named_or_pointed_at(text, version, source, does):
    (request,) = parse_requests(text)
    assert request.allows(PgVersion(version), source) is does
