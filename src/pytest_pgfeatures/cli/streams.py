"""The standard streams of the command. They survive a full disk, a reader that has gone, and a poor encoding."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable


class _Kept(io.FileIO):
    """A descriptor whose first error is kept instead of raised. Later output is dropped. So the work
    continues to its end: files are written, servers end, and the command reports once what is missing.
    """

    failure: OSError | None = None

    def write(self, data: Any, /) -> int:
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
        return memoryview(data).nbytes


def open_streams() -> Callable[[], str]:
    """Replace the standard output and error.

    A character that their encoding lacks is written as an escape sequence, as Python does on the standard error.
    A closed descriptor is opened in the wrong direction, so that no other file gets its number, and using it
    is an error.

    Returns:
        a function to call at the end. It flushes, and returns why the standard output is incomplete; empty if
        it isn't..
    """
    for number, way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, way), True)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    output, raw = _stream(1, sys.stdout)
    error, _ = _stream(2, sys.stderr)
    sys.stdout, sys.stderr = output, error

    def failure() -> str:
        output.flush()
        error.flush()
        return (raw.failure.strerror or str(raw.failure)) if raw.failure is not None else ""

    return failure


def _stream(number: int, before: TextIO | None) -> tuple[io.TextIOWrapper, _Kept]:
    raw = _Kept(number, "w", closefd=False)
    stream = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=before.encoding if before is not None else None,
        errors="backslashreplace",
        line_buffering=getattr(before, "line_buffering", False) or getattr(before, "write_through", False),
    )
    return stream, raw
