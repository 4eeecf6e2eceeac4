"""Shorten a server's log for reports: cut long entries and lines in the middle, and keep at most 200 lines."""

from __future__ import annotations

import re

LINES = 200
"""Maximum lines of an excerpt, not counting those that say how much is left out."""
_HEAD = 50
"""Lines kept from the beginning; the others are kept from the end."""
_ENTRY_HEAD, _ENTRY_TAIL = 10, 5
"""Lines kept of a long entry."""
_LINE_HEAD, _LINE_TAIL = 300, 100
"""Characters kept of a long line."""
ENTRY = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ ")
"""The beginning of each log entry of our servers; other lines continue the previous entry."""


def excerpt(text: str) -> str:
    """Shorten a log for a report.

    Parameters:
        text: lines of a server's log.
    """
    entries: list[list[str]] = []
    for line in text.splitlines():
        if ENTRY.match(line) or not entries:
            entries.append([])
        entries[-1].append(line)
    lines = [shortened(line) for entry in entries for line in _cut(entry, _ENTRY_HEAD, _ENTRY_TAIL)]
    return "\n".join(_cut(lines, _HEAD, LINES - _HEAD))


def shortened(line: str) -> str:
    """A line; if it is long, its middle is left out."""
    left = len(line) - _LINE_HEAD - _LINE_TAIL
    if left < _LINE_TAIL:
        return line
    return f"{line[:_LINE_HEAD]} ... ({left} characters) ... {line[-_LINE_TAIL:]}"


def _cut(lines: list[str], head: int, tail: int) -> list[str]:
    left = len(lines) - head - tail
    return [*lines[:head], f"... ({left} lines) ...", *lines[-tail:]] if left > 1 else lines
