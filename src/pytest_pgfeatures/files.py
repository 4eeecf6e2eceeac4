"""Writes files atomically, and detects changed files."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from pathlib import Path

from pytest_pgfeatures.json_values import to_plain


def write_atomically(path: Path, content: str | bytes, *, mode: int | None = None) -> None:
    """Replace a file's content so that readers see either the old or the new content.

    Parameters:
        path: the file; its directory must exist. Symbolic links are followed. A file that isn't regular, such as a
            pipe or ``/dev/stdout``, is written to and not replaced.
        content: text is written as UTF-8.
        mode: the file's permission bits, regardless of the umask. By default an existing file keeps its permissions
            and its owner, and the umask applies to a new file.

    Raises:
        OSError: the file can't be written; the old content stays.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        before = path.stat()
    except FileNotFoundError:
        before = None
    if (number := _descriptor(path)) is not None:
        with os.fdopen(os.dup(number), "wb") as file:
            file.write(data)
        return
    if before is not None and not stat.S_ISREG(before.st_mode):
        path.write_bytes(data)
        return
    path = path.resolve()
    beside = path.with_name(f".{os.urandom(8).hex()}.pgfeatures")
    try:
        with beside.open("xb") as file:
            file.write(data)
            if before is not None:
                if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                    with contextlib.suppress(PermissionError):
                        os.fchown(file.fileno(), before.st_uid, before.st_gid)
                os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_json(path: Path, document: object) -> None:
    """Write a document, such as a dataclass, as JSON: atomically, as UTF-8. Missing directories are created.

    Raises:
        OSError: the file can't be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(to_plain(document), indent=2, ensure_ascii=False) + "\n"
    write_atomically(path, text.encode("utf-8", "backslashreplace"))  # a path may have bytes that are no text


def check_writable(path: Path) -> None:
    """Check that :func:`write_atomically` can write a file, without changing anything. A directory that is missing
    is no error, since reports create it.

    Raises:
        OSError: the file can't be written.
    """
    above = path.resolve()
    if above.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not above.exists() or above.is_file():
        above = above.parent  # where the new content is written before it takes the file's place
    while not above.exists() and above != above.parent:
        above = above.parent
    if above.is_file():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(above))
    if not os.access(above, os.W_OK | (os.X_OK if above.is_dir() else 0)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 hash of a file's content, in hexadecimal.

    Raises:
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _descriptor(path: Path) -> int | None:
    """Return the number of our file descriptor that a path stands for, such as 1 for ``/dev/stdout``."""
    target = path.parent / path.readlink() if path.is_symlink() else path
    for place in (path, target):
        if place.name.isdecimal() and place.parent.resolve() == Path(f"/proc/{os.getpid()}/fd"):
            return int(place.name)
    return None


LIMIT = "PGFEATURES_INPUT_MB"
"""The environment variable that raises the limit of input files."""
_LIMIT_MB = 256


def largest_input() -> int:
    """The most bytes that are read of an input file: 256 MB, or what PGFEATURES_INPUT_MB says."""
    given = os.environ.get(LIMIT, "")
    return (int(given) if given.isdecimal() else _LIMIT_MB) << 20


def read_regular(path: Path, most: int | None = None) -> bytes:
    """Read a file that somebody else wrote: a regular one, which is not too large for memory.

    Parameters:
        path: the file. Symbolic links are followed.
        most: read at most so many bytes of its beginning. By default, all of the file, up to the limit.

    Raises:
        OSError: it can't be read, is a pipe or a device, or is larger than the limit.
    """
    descriptor = os.open(
        path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    )  # a pipe's open would wait for a writer
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        limit = largest_input()
        try:
            content = file.read(limit + 1 if most is None else most)
        except OSError as error:
            error.filename = str(path)  # only that of open has it
            raise
    if most is not None:
        return content
    if len(content) > limit:
        said = f"it has more than {limit >> 20} MB; {LIMIT}={2 * limit >> 20} in the environment raises the limit"
        raise OSError(errno.EFBIG, said, str(path))
    return content


def read_regular_text(path: Path, *, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Read a text that somebody else wrote, with newlines as ``\\n``; see :func:`read_regular`."""
    text = read_regular(path).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")
