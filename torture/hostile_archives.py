"""Archives of binaries that are built to attack the program that unpacks them.

    for hostile in hostile_archives(outside):
        path.write_bytes(hostile.content)

Each contains a server in ``top/bin/postgres``, so that nothing but its defect can prevent unpacking.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = tarfile.BLOCKSIZE
END = bytes(2 * BLOCK)
TOP = "top"
INNER = "postgres-linux-x86_64.txz"


@dataclass(frozen=True, slots=True)
class Hostile:
    """One hostile archive.

    Parameters:
        name: its defect.
        content: the file's content.
        kept: whether it is harmless and gets unpacked; all others are rejected.
    """

    name: str
    content: bytes
    kept: bool = False


def hostile_archives(outside: Path) -> Iterator[Hostile]:
    """All hostile archives.

    Parameters:
        outside: an existing directory that the archives try to write to; it must be a sibling of the directory into
            which they are unpacked.
    """
    for name, members in {**_names(outside), **_links(outside), **_special(), **_sizes()}.items():
        yield Hostile(name, jar(tar(SERVER, *members)))
    for name, members in _harmless(outside).items():
        yield Hostile(name, jar(tar(SERVER, *members)), kept=True)
    yield from _without_server(outside)
    yield from _damaged()
    yield from _bombs()


# --- building --------------------------------------------------------------------------------------------------


def header(
    name: str | bytes, *, size: int = 0, type: bytes = tarfile.REGTYPE, link: str = "", **facts: int
) -> bytes:
    """A header block of a tar archive, as POSIX describes it, with any values."""
    info = tarfile.TarInfo(os.fsdecode(name))
    info.type, info.linkname, info.mode = type, link, facts.pop("mode", 0o644)
    for fact, value in facts.items():
        setattr(info, fact, value)
    blocks = bytearray(info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape"))
    # tarfile writes no impossible size: base-256, two's complement, as GNU tar has it
    last = blocks[-BLOCK:]
    last[124:136] = bytes([0xFF if size < 0 else 0x80]) + (size % 256**11).to_bytes(11, "big")
    return bytes(blocks[:-BLOCK]) + with_checksum(last)


def with_checksum(block: bytes | bytearray) -> bytes:
    """A header with the correct checksum."""
    blank = bytearray(block)
    blank[148:156] = b" " * 8
    blank[148:156] = b"%06o\0 " % sum(blank)
    return bytes(blank)


def padded(content: bytes) -> bytes:
    """Content, padded to the end of its last block."""
    return content + bytes(-len(content) % BLOCK)


def file(name: str | bytes, content: bytes = b"x", **facts: Any) -> bytes:
    """A regular file."""
    return header(name, size=len(content), **facts) + padded(content)


def directory(name: str) -> bytes:
    return header(name, type=tarfile.DIRTYPE, mode=0o755)


def symlink(name: str, target: str) -> bytes:
    return header(name, type=tarfile.SYMTYPE, link=target)


def hardlink(name: str, target: str) -> bytes:
    return header(name, type=tarfile.LNKTYPE, link=target)


def pax(records: bytes, *, size: int | None = None, type: bytes = tarfile.XHDTYPE) -> bytes:
    """A POSIX extended header: records for the next member."""
    return header("pax", size=len(records) if size is None else size, type=type) + padded(records)


def record(key: str, value: bytes) -> bytes:
    """One record of an extended header; its decimal length includes the length field itself."""
    length = len(key) + len(value) + 3
    while len(str(length)) + len(key) + len(value) + 3 != length:
        length = len(str(length)) + len(key) + len(value) + 3
    return b"%d %s=%s\n" % (length, key.encode(), value)


def tar(*members: bytes) -> bytes:
    return b"".join(members) + END


def jar(content: bytes, name: str = INNER) -> bytes:
    """A jar that contains a compressed archive."""
    return jar_of({name: lzma.compress(content, preset=0)})


def jar_of(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


SERVER = file(f"{TOP}/bin/postgres", b"\x7fELF", mode=0o755)


# --- defects ---------------------------------------------------------------------------------------------------


def _names(outside: Path) -> dict[str, tuple[bytes, ...]]:
    return {
        "an absolute name": (file(f"{outside}/planted"),),
        "an absolute name with two slashes": (file(f"/{outside}/planted"),),
        "a name that leads up": (file("../outside/planted"),),
        "a name that leads up from below": (file(f"{TOP}/../../outside/planted"),),
        "a name that leads up from deep below": (file(f"{TOP}/a/b/../../../../outside/planted"),),
        "a directory that leads up": (directory("../planted"),),
        "the name ..": (file(".."),),
        "a file of the name .": (file("."),),
        "a file without a name": (file(""),),
        "a line feed in a name": (file(f"{TOP}/a\nb"),),
        "an escape sequence in a name": (file(f"{TOP}/\x1b[2J"),),
        "a NUL in a name": (pax(record("path", b"top/a\0b")), file("x")),
        "a name of 5,000 characters": (file(f"{TOP}/" + "n/" * 2_500),),
        "a name of 5,000 characters by POSIX": (pax(record("path", b"top/" + b"n" * 5_000)), file("x")),
        "a component of 256 bytes": (file(f"{TOP}/" + "n" * 256),),
        "a component of 200 characters and 400 bytes": (file(f"{TOP}/" + "ä" * 200),),
        "1,500 levels of folders": (pax(record("path", b"d/" * 1_500 + b"f")), file("x")),
        "1,500 levels of folders, one by one": tuple(
            pax(record("path", b"top/" + b"d/" * level)) + directory("x") for level in range(1, 1_501)
        ),
        "the same name twice": (file(f"{TOP}/a", b"1"), file(f"{TOP}/a", b"2")),
        "the same name in two spellings": (file(f"{TOP}/a", b"1"), file(f"./{TOP}//./a", b"2")),
        "a directory in the place of a file": (file(f"{TOP}/a"), directory(f"{TOP}/a")),
        "a file in the place of a directory": (directory(f"{TOP}/a"), file(f"{TOP}/a")),
        "a file in a file": (file(f"{TOP}/a"), file(f"{TOP}/a/b")),
        "a time that there is not": (pax(record("mtime", b"1e300")) + file(f"{TOP}/a"),),
        "a time that is no number": (pax(record("mtime", b"nan")) + file(f"{TOP}/a"),),
    }


def _links(outside: Path) -> dict[str, tuple[bytes, ...]]:
    long = "d" * 247
    chain: list[bytes] = []
    # CVE-2025-4517: each link makes the path longer than PATH_MAX, where realpath(3) stops to resolve
    place = TOP
    for letter in "abcdefghijklmnop":
        chain += [directory(f"{place}/{long}"), symlink(f"{place}/{letter}", long)]
        place = f"{place}/{letter}"
    letters = "/".join("abcdefghijklmnop")
    chain += [
        pax(record("path", f"{TOP}/{letters}/{'l' * 254}".encode()) + record("linkpath", b"../" * 16)),
        symlink("x", "x"),
        symlink(f"{TOP}/escape", f"{letters}/{'l' * 254}/../../outside"),
        file(f"{TOP}/escape/planted"),
    ]
    return {
        "a symbolic link with an absolute target": (symlink(f"{TOP}/link", str(outside)),),
        "a symbolic link that leads up": (symlink(f"{TOP}/link", "../../outside"),),
        "a symbolic link that leads up from below": (symlink(f"{TOP}/a/b/link", "../../../../outside"),),
        "a symbolic link that leads beside the server's directory": (
            file("beside/secret"),
            symlink(f"{TOP}/link", "../beside/secret"),
        ),
        "a symbolic link that leads up and in again": (symlink(f"{TOP}/link", f"../{TOP}/bin/postgres"),),
        "a symbolic link by the root of a process": (symlink(f"{TOP}/link", "/proc/self/root/etc"),),
        "a file through a symbolic link": (symlink(f"{TOP}/link", str(outside)), file(f"{TOP}/link/planted")),
        "a file through a symbolic link that stays": (
            symlink(f"{TOP}/link", "bin"),
            file(f"{TOP}/link/planted"),
        ),
        "a file in the place of a symbolic link": (
            symlink(f"{TOP}/link", f"{outside}/planted"),
            file(f"{TOP}/link"),
        ),
        "a symbolic link in the place of a file": (file(f"{TOP}/a"), symlink(f"{TOP}/a", "../../outside")),
        "a symbolic link in the place of a directory": (
            file(f"{TOP}/a/b"),
            symlink(f"{TOP}/a", "../../outside"),
        ),
        "two symbolic links of one name": (symlink(f"{TOP}/a", "bin"), symlink(f"{TOP}/a", str(outside))),
        "a chain of symbolic links": (
            directory(f"{TOP}/d"),
            symlink(f"{TOP}/here", "d/.."),
            symlink(f"{TOP}/up", "here/.."),
            symlink(f"{TOP}/out", "up/../outside"),
        ),
        "a chain of symbolic links with a file at its end": (
            symlink(f"{TOP}/here", "."),
            symlink(f"{TOP}/up", "here/.."),
            symlink(f"{TOP}/up/up", "../outside"),
            file(f"{TOP}/up/up/planted"),
        ),
        "a chain of symbolic links longer than a path may be": tuple(chain),
        "a long chain of symbolic links, and up again": (
            *(directory(f"{TOP}/" + "d/" * level) for level in range(1, 17)),
            *(symlink(f"{TOP}/" + "d/" * level + "l", "d") for level in range(16)),
            symlink(f"{TOP}/up", "l/" * 16 + "../" * 17),
            symlink(f"{TOP}/escape", "up/outside"),
        ),
        "a symbolic link to itself": (symlink(f"{TOP}/a", "a"),),
        "symbolic links in a circle": (symlink(f"{TOP}/a", "b"), symlink(f"{TOP}/b", "a")),
        "a hundred symbolic links in a row": tuple(symlink(f"{TOP}/l{n}", f"l{n + 1}") for n in range(100)),
        "a symbolic link with a target of 5,000 characters": (symlink(f"{TOP}/link", "t" * 5_000),),
        "a symbolic link without a target": (symlink(f"{TOP}/link", ""),),
        "a line feed in a link's target": (symlink(f"{TOP}/link", "bin\n"),),
        "a hard link with an absolute target": (hardlink(f"{TOP}/link", f"{outside}/secret"),),
        "a hard link that leads up": (hardlink(f"{TOP}/link", "../outside/secret"),),
        "a hard link to a file that comes later": (hardlink(f"{TOP}/link", f"{TOP}/a"), file(f"{TOP}/a")),
        "a hard link to nothing": (hardlink(f"{TOP}/link", f"{TOP}/none"),),
        "a hard link to itself": (hardlink(f"{TOP}/link", f"{TOP}/link"),),
        "a hard link to a symbolic link": (
            symlink(f"{TOP}/a", f"{outside}/secret"),
            hardlink(f"{TOP}/link", f"{TOP}/a"),
        ),
        "a file through a hard link to a symbolic link": (
            symlink(f"{TOP}/a", f"{outside}/planted"),
            hardlink(f"{TOP}/b", f"{TOP}/a"),
            file(f"{TOP}/b"),
        ),
        "a hard link through a symbolic link": (
            symlink(f"{TOP}/a", str(outside)),
            hardlink(f"{TOP}/link", f"{TOP}/a/secret"),
        ),
        "our own record as a symbolic link": (symlink(f"{TOP}/pgfeatures.json", f"{outside}/planted"),),
        "our own record": (file(f"{TOP}/pgfeatures.json", b"{}"),),
    }


def _special() -> dict[str, tuple[bytes, ...]]:
    return {
        "a character device": (header(f"{TOP}/null", type=tarfile.CHRTYPE, devmajor=1, devminor=3),),
        "a block device": (header(f"{TOP}/disk", type=tarfile.BLKTYPE, devmajor=8),),
        "a pipe": (header(f"{TOP}/pipe", type=tarfile.FIFOTYPE),),
        "a contiguous file": (header(f"{TOP}/a", type=tarfile.CONTTYPE),),
        "a member of an unknown type": (header(f"{TOP}/a", type=b"Z"),),
        "the rest of a file of another volume": (header(f"{TOP}/a", type=b"M"),),
        "a sparse file": (header(f"{TOP}/a", type=tarfile.GNUTYPE_SPARSE),),
        "a sparse file of a terabyte": (
            pax(
                record("GNU.sparse.major", b"1")
                + record("GNU.sparse.minor", b"0")
                + record("GNU.sparse.name", b"top/a")
                + record("GNU.sparse.realsize", b"1099511627776")
            ),
            file("x", padded(b"1\n1099511627776\n0\n")),
        ),
    }


def _sizes() -> dict[str, tuple[bytes, ...]]:
    return {
        "a file of a terabyte": (header(f"{TOP}/a", size=1 << 40),),
        "a file of more bytes than there are": (header(f"{TOP}/a", size=1 << 80),),
        "a file that is longer than the archive": (header(f"{TOP}/a", size=1 << 20), b"short"),
        "a size below zero": (header(f"{TOP}/a", size=-BLOCK),),
        "a size below zero, back to the first member": (header(f"{TOP}/a", size=-4 * BLOCK),),
        "a size by POSIX below zero": (pax(record("size", b"-512")), file(f"{TOP}/a")),
        "a directory of a terabyte": (header(f"{TOP}/a", type=b"Z", size=1 << 40),),
        "an extended header of ten gigabytes": (pax(b"", size=10 << 30),),
        "an extended header with a size below zero": (pax(b"", size=-1),),
        "a name that is said to have ten gigabytes": (
            header("././@LongLink", type=tarfile.GNUTYPE_LONGNAME, size=10 << 30),
        ),
        "2,000 extended headers in a row": (pax(record("comment", b"c")) * 2_000, file(f"{TOP}/a")),
        "an extended header of a million digits": (pax(b"1" * 1_000_000), file(f"{TOP}/a")),
        "an extended header that takes long to read": (pax(b"2 " * 4_000 + b"="), file("../outside/planted")),
        "a record without length": (pax(b"0 a=b\n"), file("../outside/planted")),
    }


def _harmless(outside: Path) -> dict[str, tuple[bytes, ...]]:
    return {
        "bits for another user's rights": (
            file(f"{TOP}/setuid", mode=0o4755),
            file(f"{TOP}/setgid", mode=0o2755),
            file(f"{TOP}/sticky", mode=0o1777),
            file(f"{TOP}/nobody", mode=0),
        ),
        "another user's files": (file(f"{TOP}/a", uid=65534, gid=65534),),
        "names that differ in case": (file(f"{TOP}/a", b"1"), file(f"{TOP}/A", b"2")),
        "names that differ in composition": (file(f"{TOP}/\u00e9", b"1"), file(f"{TOP}/e\u0301", b"2")),
        "a name that is not UTF-8": (file(b"top/\xff\xfe"),),
        "a name that is written from right to left": (file(f"{TOP}/\u202egnp.exe"),),
        "a name for Windows": (file("..\\outside\\planted"), file("C:\\planted")),
        "a symbolic link to nothing": (symlink(f"{TOP}/link", "none"),),
        "a symbolic link that stays": (symlink(f"{TOP}/lib/link", "../bin/postgres"),),
        "a hard link that stays": (hardlink(f"{TOP}/link", f"./{TOP}/bin/postgres"),),
        "a directory twice": (directory(f"{TOP}/a"), directory(f"{TOP}/a/")),
        "another archive's file beside": (file("beside", str(outside).encode()),),
    }


def _without_server(outside: Path) -> Iterator[Hostile]:
    yield Hostile("no server", jar(tar(file("top/README"))))
    yield Hostile("a directory as server", jar(tar(directory("top/bin/postgres"))))
    yield Hostile("a link as server", jar(tar(symlink("top/bin/postgres", "/bin/sh"))))
    server = header(f"{TOP}/bin/postgres", type=tarfile.SYMTYPE, link="/bin/sh")
    yield Hostile("a link as server, with a file behind", jar(tar(server, SERVER)))
    yield Hostile("a link as the server's directory", jar(tar(symlink(TOP, str(outside)), SERVER)))
    yield Hostile("no archive inside", jar_of({"README": b"x"}))
    inner = lzma.compress(tar(SERVER))
    yield Hostile("two archives inside", jar_of({INNER: inner, f"other-{INNER}": inner}))
    yield Hostile("a directory in the place of the archive", jar_of({f"{INNER}/": b""}))
    yield Hostile("nothing", b"")
    yield Hostile("no zip file", os.urandom(1_000))
    yield Hostile("a file that isn't an archive", jar_of({INNER: os.urandom(1_000)}))
    yield Hostile("an empty archive", jar(b""))
    yield Hostile("an archive of an end", jar(END))


def _damaged() -> Iterator[Hostile]:
    good = tar(SERVER, file(f"{TOP}/filler", os.urandom(50_000)), file(f"{TOP}/last"))
    compressed = lzma.compress(good)
    whole = jar_of({INNER: compressed})
    for part in (1, 50, 99):
        yield Hostile(f"a zip file cut at {part} %", whole[: len(whole) * part // 100])
        cut = jar_of({INNER: compressed[: len(compressed) * part // 100]})
        yield Hostile(f"a compressed archive cut at {part} %", cut)
        yield Hostile(f"an archive cut at {part} %", jar(good[: len(good) * part // 100]))
    yield Hostile("an archive cut between two members", jar(SERVER))
    yield Hostile("an archive cut after its first block", jar(SERVER[:BLOCK]))
    header_flipped = bytearray(good)
    header_flipped[-4 * BLOCK + 2] ^= 1
    yield Hostile("a damaged header in the middle", jar(bytes(header_flipped)))
    for where, content in (("zip file", whole), ("compressed archive", compressed)):
        flipped = bytearray(content)
        flipped[len(flipped) // 2] ^= 1
        yield Hostile(
            f"a flipped bit in a {where}",
            bytes(flipped) if content is whole else jar_of({INNER: bytes(flipped)}),
        )
    gzipped = bytearray(gzip.compress(good))
    gzipped[-8] ^= 1
    yield Hostile("a wrong checksum of gzip", jar_of({"postgresql.tar.gz": bytes(gzipped)}))
    bzipped = bytearray(bz2.compress(good))
    bzipped[len(bzipped) // 2] ^= 1
    yield Hostile("a wrong checksum of bzip2", jar_of({"postgresql.tar.bz2": bytes(bzipped)}))
    yield Hostile("a wrong checksum of the zip file", whole.replace(_crc(whole), bytes(4)))
    yield Hostile("encryption", _with_flags(whole, 1))
    yield Hostile("strong encryption", _with_flags(whole, 0x41))
    yield Hostile("patched data", _with_flags(whole, 0x20))
    yield Hostile("an unknown compression", _with_method(whole, 99))
    yield Hostile("a central directory that is elsewhere", whole[:-6] + b"\xff\xff\xff\x7f" + whole[-2:])


def _crc(content: bytes) -> bytes:
    (info,) = zipfile.ZipFile(io.BytesIO(content)).infolist()
    return info.CRC.to_bytes(4, "little")


def _with_flags(content: bytes, flags: int) -> bytes:
    """A zip file whose one member has these flags, here and in the central directory."""
    changed = bytearray(content)
    central = content.index(b"PK\x01\x02")
    for place in (6, central + 8):
        changed[place] |= flags
    return bytes(changed)


def _with_method(content: bytes, method: int) -> bytes:
    changed = bytearray(content)
    for place in (8, content.index(b"PK\x01\x02") + 10):
        changed[place : place + 2] = method.to_bytes(2, "little")
    return bytes(changed)


def _bombs() -> Iterator[Hostile]:
    """Small files that decompress to large ones; a compressed archive may consist of several streams."""
    zeros = lzma.compress(bytes(16 << 20), preset=0)
    head = lzma.compress(SERVER + header(f"{TOP}/a", size=(3 << 30)))
    end = lzma.compress(END)
    yield Hostile("three gigabytes of zeros", jar_of({INNER: head + zeros * 192 + end}))
    small = lzma.compress(SERVER)
    yield Hostile("two gigabytes after the end", jar_of({INNER: small + end + zeros * 128}))
    several = lzma.compress(header(f"{TOP}/d", type=tarfile.DIRTYPE) * 1_000)
    yield Hostile("100,000 members", jar_of({INNER: small + several * 100 + end}))
    files = b"".join(
        lzma.compress(header(f"{TOP}/f{number}", size=400 << 20)) + zeros * 25 for number in range(3)
    )
    yield Hostile("three files of a third of a gigabyte and more", jar_of({INNER: small + files + end}))
    yield Hostile(
        "128 megabytes of zeros in the place of the archive",
        jar_of({INNER: bytes(128 << 20)}, zipfile.ZIP_DEFLATED),
    )
