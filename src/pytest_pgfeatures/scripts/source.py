"""The text of a script: an SQL file, a dump in any of pg_dump's formats, or SQL as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ScriptError
from pytest_pgfeatures.files import read_regular

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pgfeatures.install import Resolver

_NOT_TEXT = {
    b"\x1f\x8b": "is compressed (gzip)",
    b"\x28\xb5\x2f\xfd": "is compressed (zstd)",
    b"\x04\x22\x4d\x18": "is compressed (lz4)",
    b"BZh": "is compressed (bzip2)",
    b"\xff\xfe": "is in UTF-16",
    b"\xfe\xff": "is in UTF-16",
}
"""The first bytes of files that are not scripts."""


def read_script(path: Path, resolver: Callable[[], Resolver]) -> str:
    """The script in a file, or in a dump that pg_restore converts.

    Bytes that are not UTF-8 become surrogates (Python's ``surrogateescape``) and are sent to the server unchanged:
    the script sets its encoding (``SET client_encoding``).

    Parameters:
        path: a file, or a directory that pg_dump wrote.
        resolver: returns the resolver that finds an install with pg_restore; called for archives only.

    Raises:
        ScriptError: the file can't be read, or is not a script.
    """
    from pytest_pgfeatures.scripts.archive import is_archive, script_of

    try:
        if is_archive(path):
            return _decoded(script_of(path, resolver()))
        if path.is_dir():
            raise ScriptError(
                f"{path} is a directory, and none that pg_dump wrote",
                file=str(path),
                remedy="name the files in it, in the order in which they are loaded",
            )
        raw = read_regular(path)
    except OSError as error:
        raise ScriptError(
            f"can't read {path}: {error.strerror}",
            file=str(path),
            remedy="correct its name, or who may read it",
        ) from error
    wrong = next((said for beginning, said in _NOT_TEXT.items() if raw.startswith(beginning)), None)
    if wrong is None and b"\0" in raw:
        wrong = f"is no text (byte {raw.index(0)} is zero)"
    if wrong:
        raise ScriptError(
            f"{path} {wrong}",
            file=str(path),
            remedy="give a script, or what pg_dump wrote, as it was written",
        )
    return _decoded(raw)


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes from which a text was read."""
    return text.encode("utf-8", "surrogateescape")
