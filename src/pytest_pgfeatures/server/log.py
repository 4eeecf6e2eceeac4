"""A server's log: its standard error, in a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.server.log_excerpt import ENTRY, shortened

if TYPE_CHECKING:
    from pathlib import Path

_SESSION_LINE = re.compile(r"\S+ \S+ \S+ \[\d+\] (?P<database>\S+) [A-Z0-9]+: ")
_TROUBLE = re.compile(r"\S+ \S+ \S+ \[\d+\] (?:WARNING|ERROR|FATAL|PANIC): ")


class ServerLog:
    """A server's log since its cluster was created, across restarts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def position(self) -> int:
        """The length of the log in bytes. Pass it to the other methods to read only later entries."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def text(self, since: int = 0) -> str:
        """The text of the log after position ``since``."""
        if not self.path.exists():
            return ""
        with self.path.open("rb") as file:
            file.seek(since)
            return file.read().decode(errors="replace")

    def lines(self, since: int = 0) -> tuple[list[str], int]:
        """The complete lines after position ``since``, and the position after the last one."""
        if self.position() <= since:
            return [], since
        with self.path.open("rb") as file:
            file.seek(since)
            whole = file.read().rpartition(b"\n")[0]
        return whole.decode(errors="replace").splitlines(), since + len(whole) + bool(whole)

    def contains(self, pattern: str, since: int = 0) -> bool:
        """Whether a regular expression matches in the log after position ``since``."""
        return re.search(pattern, self.text(since), re.MULTILINE) is not None

    def tail(self, lines: int = 20) -> tuple[str, ...]:
        """The last lines, long ones shortened."""
        return tuple(map(shortened, self.text().splitlines()[-lines:]))

    def of_database(self, name: str, since: int = 0) -> str:
        """The entries from position ``since`` on that belong to sessions in a database, and those about the
        server's own problems."""
        kept: list[str] = []
        keep = True
        for line in self.text(since).splitlines():
            if ENTRY.match(line):  # the following lines, up to the next entry, belong to it
                session = _SESSION_LINE.match(line)
                keep = session["database"] == name if session else bool(_TROUBLE.match(line))
            if keep:
                kept.append(line)
        return "\n".join(kept)
