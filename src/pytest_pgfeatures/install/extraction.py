"""Extract an untrusted tar archive: completely, and nothing outside the directory.

Python's tarfile reads the headers; it writes nothing. Its filters have let links through several times
(CVE-2024-12718, CVE-2025-4138, CVE-2025-4330, CVE-2025-4517), because they follow links that the archive itself has
made. Here no link exists while files are written, and the finished tree's links are resolved by hand.
"""

from __future__ import annotations

import os
import stat
import tarfile
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BYTES = 1 << 30
"""The maximum size of an unpacked archive, in bytes. A full install with LLVM has a third of it."""
_BYTES_OF_HEADERS = 64 << 20
"""Room for the rest of an archive: headers, and the padding of each file's last block."""
MEMBERS = 20_000
"""The maximum number of members of an archive. An install has some 1,500."""
_NAME = 1_000
_COMPONENT = 255
"""The number of bytes that file systems allow in one component of a path (NAME_MAX)."""
_DEPTH = 40
_HEADER = 8 << 10
"""The number of bytes that one header may have besides its block of 512: a name of :data:`_NAME` bytes fits
several times."""
_LINKS_FOLLOWED = 40
"""The number of links that Linux follows in one path (path_resolution(7))."""
_CHUNK = 1 << 20

Parts = tuple[str, ...]
"""A path inside the archive."""


class UnsafeArchiveError(Exception):
    """The archive has something that no archive of binaries needs. The message names it."""


def extract(stream: IO[bytes], root: Path) -> list[Parts]:
    """Extract all files, directories and links of a tar archive.

    Everyone may read the extracted files, only the owner may write them, and bits such as setuid are not kept.
    ``root``
    itself stays as it is. Links may still lead out of the tree: see :func:`check_links`.

    Parameters:
        stream: the archive, decompressed; it is read to its end.
        root: an empty directory that no other user may enter.

    Returns:
        the paths of the files.

    Raises:
        UnsafeArchiveError: it has a member that is refused.
        OSError, tarfile.TarError, ValueError: it is damaged, or the disk is full.
    """
    bounded = _Bounded(stream)
    files: list[Parts] = []
    links: list[tuple[Parts, str]] = []
    total = 0
    with tarfile.open(fileobj=cast("IO[bytes]", bounded), mode="r:") as tar:
        for number, member in enumerate(tar):
            parts = _checked(member)
            total += member.size if member.isreg() else 0
            if number >= MEMBERS:
                raise UnsafeArchiveError(f"it has more than {MEMBERS:,} members")
            if total > BYTES:
                raise UnsafeArchiveError(f"it unpacks to more than {BYTES:,} bytes")
            path = root.joinpath(*parts)
            if member.isdir():
                path.mkdir(parents=True, exist_ok=True)
                continue
            if not parts:
                raise UnsafeArchiveError("a member has no name")
            path.parent.mkdir(parents=True, exist_ok=True)
            if member.issym():
                links.append((parts, member.linkname))
            elif member.islnk():
                target = _inside(member.linkname)
                if target not in files:
                    raise UnsafeArchiveError(f"the hard link {_shown(member.name)} is to no file before it")
                os.link(root.joinpath(*target), path, follow_symlinks=False)
            else:
                _write(bounded, member, path)
                files.append(parts)
        bounded.check_end()
    for parts, target_text in links:
        root.joinpath(*parts).symlink_to(target_text)
    _open_directories(root)
    return files


def _open_directories(root: Path) -> None:
    """Let everyone enter the directories: the mode that mkdir gave them depends on the umask."""
    for place, names, _ in os.walk(root):
        for name in names:
            path = root.joinpath(place, name)
            if not path.is_symlink():
                path.chmod(0o755)


def check_links(root: Path) -> None:
    """Refuse a tree with a link that leads out of it, wherever the tree is moved to. Nothing is followed.

    Raises:
        UnsafeArchiveError: a link is absolute, never ends, or leads up too far, alone or through other links.
    """
    for link in _links_in(root):
        place: list[str] = list(link.relative_to(root).parts)
        pending = [place.pop()]
        followed = 0
        while pending:
            part = pending.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not place:
                    raise UnsafeArchiveError(
                        f"the link {_shown(str(link.relative_to(root)))} leads out of it"
                    )
                place.pop()
                continue
            target = _link_target(root.joinpath(*place, part))
            if target is None:
                place.append(part)
                continue
            followed += 1
            if target.startswith("/") or followed > _LINKS_FOLLOWED:
                what = "is absolute" if target.startswith("/") else "never ends"
                raise UnsafeArchiveError(f"the link {_shown(str(link.relative_to(root)))} {what}")
            pending += reversed(target.split("/"))


def _links_in(root: Path) -> Iterator[Path]:
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                path = root.joinpath(entry.path)
                if entry.is_symlink():
                    yield path
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(path)


def _link_target(path: Path) -> str | None:
    """The target of a symbolic link; None for anything else, and if there is nothing."""
    try:
        return str(path.readlink()) if stat.S_ISLNK(path.lstat().st_mode) else None
    except (FileNotFoundError, NotADirectoryError):
        return None


def _checked(member: tarfile.TarInfo) -> Parts:
    """The path of a member, if it is a file, a directory or a link with a reasonable name."""
    known = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE, tarfile.LNKTYPE, tarfile.SYMTYPE)
    if member.type not in known or member.issparse():
        raise UnsafeArchiveError(f"{_shown(member.name)} is no file, directory or link")
    if member.size < 0:
        raise UnsafeArchiveError(f"{_shown(member.name)} has a size below 0")
    if any(ord(character) < 32 for character in member.linkname):
        raise UnsafeArchiveError(f"the link {_shown(member.name)} has a control character in its target")
    return _inside(member.name)


def _inside(name: str) -> Parts:
    """The components of a member's name."""
    if any(ord(character) < 32 for character in name):
        raise UnsafeArchiveError(f"{_shown(name)} has a control character in its name")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts:
        raise UnsafeArchiveError(f"{_shown(name)} leads out of it")
    if len(os.fsencode(name)) > _NAME or any(len(os.fsencode(part)) > _COMPONENT for part in parts):
        raise UnsafeArchiveError(f"{_shown(name)} is too long a name")
    if len(parts) > _DEPTH:
        raise UnsafeArchiveError(f"{_shown(name)} is {len(parts)} levels deep")
    return parts


def _write(bounded: _Bounded, member: tarfile.TarInfo, path: Path) -> None:
    """Write a file, which must not exist, with the archive's time and a mode by which all may read it."""
    mode = 0o755 if member.mode & 0o111 else 0o644
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        bounded.seek(member.offset_data)
        bounded.copy(file, member.size)
        os.fchmod(file.fileno(), mode)
        file.flush()
        os.utime(file.fileno(), (int(member.mtime), int(member.mtime)))


def _shown(name: str) -> str:
    """A name for a message: no control characters, and not too long."""
    text = ascii(name)
    return text if len(text) <= 100 else f"{text[:60]}...{text[-30:]}"


class _Bounded:
    """The decompressed archive as tarfile reads it, with checks of the headers that tarfile trusts.

    A header gives the length of its own extension, which tarfile reads into memory at once.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._last = b""

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _HEADER:
            raise UnsafeArchiveError(f"it has a header of {size:,} bytes")
        self._last = self._stream.read(size)
        return self._last

    def seek(self, position: int) -> None:
        if not self._stream.tell() <= position <= BYTES + _BYTES_OF_HEADERS:
            raise UnsafeArchiveError(f"it goes on at its byte {position:,}")
        self._stream.seek(position)

    def tell(self) -> int:
        return self._stream.tell()

    def copy(self, file: IO[bytes], size: int) -> None:
        """Copy the next ``size`` bytes to a file."""
        while size:
            chunk = self._stream.read(min(size, _CHUNK))
            if not chunk:
                raise tarfile.ReadError("it ends in the middle of a file")
            file.write(chunk)
            size -= len(chunk)

    def check_end(self) -> None:
        """Refuse an archive without the mark of its end, which tarfile accepts; read the rest of it."""
        if self._last != bytes(tarfile.BLOCKSIZE):
            raise tarfile.ReadError("it ends without the mark of its end, or has a damaged header")
        while self._stream.read(_CHUNK):
            if self._stream.tell() > BYTES + _BYTES_OF_HEADERS:
                raise UnsafeArchiveError(f"it unpacks to more than {BYTES:,} bytes")
