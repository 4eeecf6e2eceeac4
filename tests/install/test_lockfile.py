"""pgfeatures.lock: what it records, and that it fails closed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install.lockfile import LockedArchive, LockFile
from pytest_pgfeatures.version import VersionSet

ENTRY = LockedArchive("pypi", "linux-x86_64", "17.11", "17.11.0", "some.whl", "a" * 64)


@pytest.fixture
def lock(tmp_path):
    return LockFile(tmp_path / "pgfeatures.lock")


def test_no_file_records_nothing(lock):
    assert lock.entries() == ()
    lock.check(ENTRY)


def test_entries_come_back_sorted_one_to_a_line(lock):
    older = replace(ENTRY, version="14.23", label="14.23.0", file="other.whl")
    for entry in (ENTRY, older, ENTRY):
        lock.add(entry)
    assert lock.entries() == (older, ENTRY)
    assert len(lock.path.read_text().splitlines()) == 4
    json.loads(lock.path.read_text())


def test_another_hash_under_the_same_name_is_refused_with_both(lock):
    lock.add(ENTRY)
    lock.check(ENTRY)
    with pytest.raises(ArchiveError, match="is not the archive that") as caught:
        lock.check(replace(ENTRY, sha256="b" * 64))
    assert "a" * 64 in caught.value.details[0]
    assert "b" * 64 in caught.value.details[1]


def test_another_platforms_archive_of_the_same_name_is_another_one(lock):
    lock.add(ENTRY)
    lock.check(replace(ENTRY, platform="linux-aarch64", sha256="b" * 64))


def test_the_newest_entry_that_will_do_is_the_locked_one(lock):
    newer = replace(ENTRY, version="17.12", label="17.12.0", file="newer.whl")
    lock.add(ENTRY)
    lock.add(newer)
    assert lock.locked("pypi", "linux-x86_64", VersionSet("17")) == newer
    assert lock.locked("pypi", "linux-x86_64", VersionSet("17.11")) == ENTRY
    assert lock.locked("maven", "linux-x86_64", VersionSet("17")) is None
    assert lock.locked("pypi", "linux-x86_64", VersionSet("16")) is None


GOOD = asdict(ENTRY)


def lock_with(*entries: object) -> bytes:
    return json.dumps({"format": 1, "archives": [GOOD, *entries]}).encode()


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"", "line 1 column 1"),
        (b'{"format": 1,\n "archives": nothing}', "line 2 column 14"),
        (b"\xff\xfe", "position 0"),
        (b"[]", r"\$.format: missing"),
        (b"{}", r"\$.format: missing"),
        (b'{"format": 1}', r"\$.archives: expected array"),
        (b'{"format": 1, "archives": {}}', r"\$.archives: expected array"),
        (lock_with(["pypi"]), r"\$.archives\[1\]: expected object"),
        (lock_with({**GOOD, "x": "1"}), r"\$.archives\[1\].x: unknown name"),
        (lock_with({**GOOD, "sha256": 1}), r"\$.archives\[1\].sha256: expected string"),
        (lock_with(GOOD, {"source": "pypi"}), r"\$.archives\[2\].platform: expected string"),
        (lock_with({**GOOD, "version": "none"}), r"\$.archives\[1\].version: .*none"),
        pytest.param(b"[" * 100_000, "recursion", id="deeply nested"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_place_of_its_fault(lock, content, where):
    lock.path.write_bytes(content)
    for ask in (lock.entries, lambda: lock.check(ENTRY), lambda: lock.add(ENTRY)):
        with pytest.raises(ArchiveError, match=f"is not a lock file: .*{where}"):
            ask()
    assert lock.path.read_bytes() == content


def test_a_directory_in_its_place_is_refused(lock):
    lock.path.mkdir()
    with pytest.raises(ArchiveError, match=r"is not a lock file: .*directory"):
        lock.check(ENTRY)
    with pytest.raises(ArchiveError, match=r"is not a lock file: .*directory"):
        lock.add(ENTRY)


@pytest.mark.parametrize("format", [0, 2, "1"])
def test_an_earlier_or_later_format_is_refused(lock, format):
    lock.path.write_text(json.dumps({"format": format, "archives": []}))
    with pytest.raises(ArchiveError, match=f"has format {format!r}; this release reads 1") as caught:
        lock.entries()
    assert "use the release of pytest-pgfeatures that wrote it" in str(caught.value)
