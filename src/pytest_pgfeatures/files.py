"""Writing a file as a whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace a file's content so that a reader sees all of the old or all of the new.

    Parameters:
        path: the file; its directory must be there. A symbolic link is followed. What is no regular file, such as
            ``/dev/stdout``, is written to and not replaced.
        content: text is written as UTF-8.

    Raises:
        OSError: it can't be written; the old content stays.
    """
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
