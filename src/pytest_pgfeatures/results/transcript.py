"""The statements of a lab and the server's answers, which reports show as evidence."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROWS_KEPT = 20
"""The number of rows kept of a result, so that evidence stays readable; the row count includes the others."""


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One statement and its answer. JSON has no fields that are empty.

    Parameters:
        session: the connection: ``main``, or the name that ``lab.session`` was given.
        rows: the first rows, at most :data:`ROWS_KEPT`, as text.
        row_count: the number of rows that were returned, or affected where none are returned.
        status: the command tag, such as ``INSERT 0 5``.
        plan: for an EXPLAIN, the plan as text.
        notices: ``SEVERITY:  message`` of each notice and warning.
        output: for a client program, the lines that it printed.
        error: the error's message, if ``sqlstate`` is set or the connection was lost.
    """

    session: str
    statement: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_count: int | None = None
    status: str | None = None
    plan: str | None = None
    notices: tuple[str, ...] = ()
    output: tuple[str, ...] = ()
    sqlstate: str | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a row has more or fewer values than there are columns")

    def render(self) -> str:
        """Return the entry as psql would show it, with the session's name as the prompt."""
        statement = textwrap.indent(self.statement, " " * (len(self.session) + 2)).lstrip()
        return "\n".join((f"{self.session}> {statement}", *self.answer()))

    def answer(self) -> list[str]:
        """Return the lines of the server's answer."""
        lines = [*self.notices, *self.output]
        if self.plan is not None:
            lines += self.plan.splitlines()
        elif self.columns:
            lines += _aligned(self.columns, self.rows)
            shown = "" if self.row_count == len(self.rows) else f", the first {len(self.rows)} shown"
            lines.append(f"({self.row_count} row{'' if self.row_count == 1 else 's'}{shown})")
        elif self.status:
            lines.append(self.status)
        if self.error is not None:
            lines.append(f"ERROR:  {f'{SqlState(self.sqlstate)}: ' if self.sqlstate else ''}{self.error}")
        return lines


@dataclass(slots=True)
class Transcript:
    """The entries of all sessions of one lab, in the order in which the answers arrived."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        """Append an entry."""
        self.entries.append(entry)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def render(self) -> str:
        """Return all entries as text."""
        return "\n".join(entry.render() for entry in self.entries)


def as_text(value: object) -> str:
    """Return a result's value as text for the transcript."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, bytes):
        return f"\\x{value[:32].hex()}{'...' if len(value) > 32 else ''}"
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters)"


def _aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
    lines = [
        " " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (columns, *rows)
    ]
    lines.insert(1, "+".join("-" * (width + 2) for width in widths))
    return lines
