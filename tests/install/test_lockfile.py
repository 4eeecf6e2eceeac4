"""pgfeatures.lock: what it records, and that it fails closed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install.lockfile import Entry, LockFile
from pytest_pgfeatures.version import VersionSet

ENTRY = Entry("pypi", "linux-x86_64", "17.11", "17.11.0", "some.whl", "a" * 64)


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


NUMBERS = {"format": 1, "archives": [dict.fromkeys(asdict(ENTRY), 1)]}
NO_VERSION = {"format": 1, "archives": [asdict(replace(ENTRY, version="none"))]}


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"not json", b"\xff\xfe", b"[]", b"{}", b'{"format": 1}'),
        b'{"format": 1, "archives": [{"x": 1}]}',
        pytest.param(b"[" * 100_000, id="deeply nested"),
        pytest.param(json.dumps(NUMBERS).encode(), id="numbers"),
        pytest.param(json.dumps(NO_VERSION).encode(), id="no version"),
    ],
)
def test_a_file_that_is_none_is_refused_instead_of_taken_for_empty(lock, content):
    lock.path.write_bytes(content)
    for ask in (lock.entries, lambda: lock.check(ENTRY), lambda: lock.add(ENTRY)):
        with pytest.raises(ArchiveError, match="is not a lock file"):
            ask()
    assert lock.path.read_bytes() == content


def test_a_directory_in_its_place_is_refused(lock):
    lock.path.mkdir()
    with pytest.raises(ArchiveError, match=r"is not a lock file: .*directory"):
        lock.check(ENTRY)
    with pytest.raises(ArchiveError, match=r"is not a lock file: .*directory"):
        lock.add(ENTRY)


def test_a_later_format_is_refused(lock):
    lock.path.write_text('{"format": 2, "archives": []}')
    with pytest.raises(ArchiveError, match="format 2"):
        lock.entries()
