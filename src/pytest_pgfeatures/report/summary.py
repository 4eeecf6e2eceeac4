"""The table at the end of a pytest run: one line for each cell of the matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

UNAVAILABLE = "pg_unavailable"
"""The user property that tells an unavailable test from a skipped one; its value is the reason."""


@dataclass(slots=True)
class Line:
    """What became of one cell's tests."""

    installs: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    unavailable: dict[str, str] = field(default_factory=dict)


def summarize(terminal: Any, reports: Iterable[pytest.TestReport]) -> None:
    """Print the table, and the reason for each unavailable test."""
    lines = _lines(reports)
    terminal.write_sep("=", "PostgreSQL versions")
    heads = ("cell", "version", "asked", "passed", "failed", "unavailable", "install")
    rows: list[tuple[str, ...]] = [heads]
    for name, line in lines.items():
        counts = (line.asked, line.passed, line.failed, line.unavailable)
        installs = list(line.installs.items()) or [("-", "none")]
        for number, (install, version) in enumerate(installs):
            first = number == 0
            figures = [str(len(count)) if first else "" for count in counts]
            rows.append((name if first else "", version, *figures, install))
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads) - 1)]
    for number, row in enumerate(rows):
        cells = [
            text.rjust(width) if 2 <= column <= 5 else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        room = terminal.config.get_terminal_writer().fullwidth - sum(widths) - 2 * len(widths) - 1
        terminal.write_line("  ".join((*cells, _shortened(row[-1], room))), bold=number == 0)
    for line in lines.values():
        for nodeid, reason in line.unavailable.items():
            terminal.write_line(f"unavailable: {nodeid}: {reason.splitlines()[0]}", yellow=True)


def _shortened(install: str, room: int) -> str:
    """``SOURCE: DIRECTORY``, with the end of the directory where there is no room for all of it."""
    source, _, directory = install.partition(": ")
    room -= len(source) + 2
    return install if len(directory) <= room or room < 12 else f"{source}: …{directory[1 - room :]}"


def _lines(reports: Iterable[pytest.TestReport]) -> dict[str, Line]:
    lines: dict[str, Line] = {}
    for report in reports:
        properties: list[tuple[str, Any]] = list(report.user_properties)
        names = [value for name, value in properties if name == "pg_cell"]
        line = lines.setdefault(str(names[0]), Line())
        line.asked.add(report.nodeid)
        versions = [str(value) for name, value in properties if name == "pg_version"]
        installs = [str(value) for name, value in properties if name == "pg_install"]
        line.installs.update(zip(installs, versions, strict=False))
        reasons = [str(value) for name, value in properties if name == UNAVAILABLE]
        if reasons:
            line.unavailable[report.nodeid] = reasons[0]
        elif report.failed:
            line.failed.add(report.nodeid)
        elif report.passed and report.when == "call":
            line.passed.add(report.nodeid)
    for line in lines.values():
        line.passed -= line.failed
    return lines
