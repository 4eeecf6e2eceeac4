"""Installs that this host can't load: found out before use, with the library that is missing.

Each is a real install in which one name was changed, so that the loader's own words are read.
"""

from __future__ import annotations

import sys

import pytest

from pytest_pgfeatures.errors import InstallNotFoundError, UnusableInstallError
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.install.loading import explain_failure, remedy_for
from pytest_pgfeatures.install.probe import probe

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="changes ELF files")


def change(path, before: bytes, after: bytes):
    """Replace a text in a file by one of the same length."""
    content = path.read_bytes()
    assert before in content
    assert len(before) == len(after)
    path.write_bytes(content.replace(before, after))


def test_a_missing_library_is_named_and_how_to_get_it(copy_of):
    place = copy_of("pypi:17")
    change(place / "bin/postgres", b"libxml2.so.2", b"libxmlX.so.2")
    with pytest.raises(UnusableInstallError, match=r"the shared library libxmlX\.so\.2 is missing") as caught:
        probe(place / "bin", "path")
    assert "libxmlX.so.2" in caught.value.remedy


def test_the_resolver_goes_on_to_the_next_source_and_says_why_at_the_end(copy_of, shared, monkeypatch):
    place = copy_of("pypi:17")
    change(place / "bin/postgres", b"libxml2.so.2", b"libxmlX.so.2")
    monkeypatch.setenv("PGFEATURES_PATH", str(place))
    resolver = Resolver(shared.store)
    found = resolver.resolve("17")
    assert found.source != "path"
    assert place not in found.bindir.parents
    (only_path,) = parse_requests("path:" + str(place))
    with pytest.raises(UnusableInstallError, match="libxmlX"):
        resolver.cells([only_path])
    with pytest.raises(InstallNotFoundError) as caught:
        resolver.resolve(only_path)
    assert any("libxmlX.so.2 is missing" in line for line in caught.value.details)


def test_a_c_library_that_is_too_old_is_told_from_a_missing_one(copy_of):
    place = copy_of("maven:17")
    change(place / "bin/postgres", b"GLIBC_2.14\0", b"GLIBC_9.99\0")
    with pytest.raises(UnusableInstallError, match=r"needs GLIBC_9\.99, newer than this host has"):
        probe(place / "bin", "path")


def test_binaries_for_another_processor_are_told(copy_of):
    place = copy_of("maven:17")
    program = place / "bin/postgres"
    content = bytearray(program.read_bytes())
    content[18:20] = (0x02).to_bytes(2, sys.byteorder)  # e_machine: SPARC
    program.write_bytes(content)
    with pytest.raises(UnusableInstallError, match="can't be run") as caught:
        probe(place / "bin", "path")
    assert "another platform" in caught.value.remedy


def test_binaries_for_another_c_library_are_told(copy_of):
    place = copy_of("maven:17")
    change(place / "bin/postgres", b"/ld-linux-", b"/ld-nowhr-")
    with pytest.raises(UnusableInstallError, match="can't be run") as caught:
        probe(place / "bin", "path")
    assert "C library" in caught.value.remedy


def test_a_program_that_may_not_be_executed_is_told(copy_of):
    place = copy_of("maven:17")
    (place / "bin/postgres").chmod(0o644)
    with pytest.raises(UnusableInstallError, match="can't be run") as caught:
        probe(place / "bin", "path")
    assert "noexec" in caught.value.remedy


def test_a_module_that_the_server_opens_only_when_it_replicates_is_looked_at_too(copy_of):
    place = copy_of("maven:17")
    change(place / "lib/postgresql/libpqwalreceiver.so", b"libpq.so.5", b"libpX.so.5")
    with pytest.raises(UnusableInstallError, match=r"can't replicate: .* lacks libpX\.so\.5"):
        probe(place / "bin", "path")


def test_an_extension_whose_module_can_not_be_loaded_does_not_count(copy_of):
    place = copy_of("maven:17")
    assert probe(place / "bin", "path").has("contrib:xml2", "contrib:hstore")
    change(place / "lib/postgresql/pgxml.so", b"libxslt.so.1", b"libxslX.so.1")
    install = probe(place / "bin", "path")
    assert install.has("contrib:hstore")
    assert not install.has("contrib:xml2")


def test_a_directory_without_initdb_is_no_install(copy_of):
    place = copy_of("maven:17")
    (place / "bin/initdb").unlink()
    with pytest.raises(UnusableInstallError, match="postgres but not initdb"):
        probe(place / "bin", "path")


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        # what macOS and musl say, on hosts that we do not have here
        ("dyld[42]: Library not loaded: @rpath/libicui18n.73.dylib", "libicui18n.73.dylib is missing"),
        (
            "Error loading shared library libxml2.so.2: No such file or directory (needed by x)",
            "libxml2.so.2 is missing",
        ),
    ],
)
def test_other_loaders_words_are_understood(tmp_path, message, problem):
    assert problem in explain_failure(tmp_path / "postgres", message).problem


def test_a_remedy_names_the_package_or_at_least_the_library():
    assert "libxml2" in remedy_for(["libxml2.so.2"])
    assert "libnobody.so.7" in remedy_for(["libnobody.so.7"])
