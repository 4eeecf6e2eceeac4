"""The lines of a plan, extracted from their surroundings: psql's table, a server log, a document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Line:
    """A line that may belong to a plan."""

    number: int
    """In the whole text, counted from 1."""
    column: int
    """The columns of white space that it starts with."""
    text: str
    """The rest, without white space at its end."""
    raw: str
    """The original line, without the text that psql or the log put before it."""


# Marks between lines. Each is a str, where a plan's line is a Line.
HEADER = "QUERY PLAN"
"""A plan comes next."""
END = ""
"""A plan's lines end here."""
FENCE = "```"
"""A document's code block ends here, or its page: the plan may go on after it."""
_NOTHING = "-"
"""A line of a frame: no mark at all."""

_FRAME = frozenset("-_=+|─━═┌└├│╌╴(`~")
"""The characters that lines of psql's frame, its row count and a document's fence start with."""
_FIRST_OF_HEADER = frozenset("QO")
_HEADER = re.compile(r"[|│\s]*[QO]UERY[ _]PLAN[|│\s]*").fullmatch  # OCR reads Q as O
_RULE = re.compile(r"[-_=+|─━═┌┐└┘├┤┬┴┼│╌╴\s]{3,}").fullmatch
_ROW_COUNT = re.compile(r"\(\d+ [^\s()=]+\)").fullmatch
_FENCE = re.compile(r"(?:```|~~~)\w*").fullmatch
_LOG_ENTRY = re.compile(r"duration: [\d.]+ ms  plan:$").search
_RECORD = re.compile(r"[-─]\[ RECORD \d+ \][-─+┬]*").fullmatch
_FIELD = re.compile(r"(?:QUERY PLAN|\s{10}) [|│](?: (.*))?").fullmatch
_MORE = ("+", "↵")
"""The mark that psql prints at the end of a row whose value goes on in the next row."""
_BARS = ("|", "│")
_SPECIAL = _FRAME | _FIRST_OF_HEADER
_SPECIAL_AT_END = frozenset(("+", "↵", ":"))
"""The beginnings and ends of lines that don't belong to a plan, or belong to it in another form."""
_EXPANDED = -1
"""A mark in place of a table's width: psql prints records in its expanded format."""


def plain_newlines(text: str) -> str:
    """The text without a byte order mark, and with a newline alone at the end of each line."""
    if "\r\n" in text and text.count("\r\n") == text.count("\n"):  # else they are part of literals
        text = text.replace("\r\n", "\n")
    return text.removeprefix("\ufeff")


def lines(raw: list[str]) -> Iterator[Line | str]:
    """The lines that may be a plan's, and the marks :data:`HEADER`, :data:`END` and :data:`FENCE` between them.

    Empty lines are among them, since they separate the plans of one statement.
    """
    source = _Source(raw)
    for number, line in enumerate(raw, 1):
        if source.in_log:
            if line[:1] == "\t":
                yield _line(number, line[1:])
                continue
            source.in_log = False
            yield END
        if not line:
            source.in_record = False
            yield Line(number, 0, "", "")
            continue
        text = line.lstrip()
        column = len(line) - len(text)
        text = text.rstrip()
        first, last = text[:1], text[-1:]
        if (first in _SPECIAL and text[:2] != "->") or last in _SPECIAL_AT_END or source.in_record:
            found = source.framed(number, line)
            if found is not _NOTHING:
                yield found
        elif column and "\t" in line[:column]:
            yield _line(number, line)
        else:
            yield Line(number, column, text, line)
    yield END


def json_texts(text: str) -> Iterator[str]:
    """The FORMAT JSON texts in psql's tables and in log entries."""
    found: list[str] = []
    for line in lines(plain_newlines(text).split("\n")):
        if isinstance(line, str):
            if found:
                yield "\n".join(found)
            found = []
        elif found or line.text[:1] in ("[", "{"):
            found.append(line.text.rstrip("".join(_MORE)))


class _Source:
    """The state after the lines so far, which determines the possible next lines.

    Parameters:
        raw: all lines of the text.
    """

    __slots__ = ("in_log", "in_record", "raw", "width")

    def __init__(self, raw: list[str]) -> None:
        self.raw = raw
        self.in_log = False
        """Whether the line before was one of auto_explain's log entry."""
        self.in_record = False
        """Whether the line before was one of a record in psql's expanded format."""
        self.width = 0
        """The width of psql's table: of the rule below its header; 0 if there is none."""

    def framed(self, number: int, line: str) -> Line | str:
        """The line without its frame, or the mark that it represents."""
        first = line[:1]
        if self.in_record or first == "-" or first == "─":
            found = self.record(number, line)
            if found is not None:
                return found
        if line[-5:] == "plan:" and _LOG_ENTRY(line):
            self.in_log = True
            return HEADER
        stripped = line.strip()
        first = stripped[:1]
        if (first in _FRAME and stripped[:2] != "->") or (first in _FIRST_OF_HEADER and _HEADER(stripped)):
            line = _unboxed(line)
            stripped = line.strip()
            mark = self.mark(line, stripped)
            if mark is not None:
                return mark
        if stripped[-1:] in _MORE and self.goes_on(number):
            line = line.rstrip()[:-1].rstrip()
        return _line(number, line)

    def record(self, number: int, line: str) -> Line | str | None:
        """A line of psql's expanded format; None if it is another line."""
        self.in_record = _RECORD(line.rstrip()) is not None
        if self.in_record:
            mark = _NOTHING if self.width else HEADER
            self.width = _EXPANDED
            return mark
        field = _FIELD(line) if self.width == _EXPANDED else None
        if field is None:
            return None
        self.in_record = True
        value = field[1] or ""
        return _line(number, value[:-1].rstrip() if self.goes_on(number, width=0) else value)

    def mark(self, line: str, stripped: str) -> str | None:
        """The mark that a line of psql's table represents; None for a row."""
        if _HEADER(stripped):
            self.width = 0
            return HEADER
        if _RULE(stripped):
            self.width = self.width or len(line.rstrip())
            return _NOTHING
        if _FENCE(stripped):
            return FENCE
        if _ROW_COUNT(stripped):
            self.width = 0
            return END
        return None

    def goes_on(self, number: int, width: int | None = None) -> bool:
        """Whether psql's sign at a row's end, in the column after the widest line, shows that its value continues.

        Parameters:
            number: the row's, from 1.
            width: the table's width, if it is not known yet. If it is 0, the next or the previous row has the
                same sign.
        """
        line = self.raw[number - 1].rstrip()
        if line[-1:] not in _MORE:
            return False
        width = self.width if width is None else width
        if width > 0:
            return len(line) in (width, width + 1)
        near = (self.raw[at].rstrip() for at in (number, number - 2) if 0 <= at < len(self.raw))
        return any(other[-1:] == line[-1:] and len(other) == len(line) for other in near)


def _unboxed(line: str) -> str:
    """A row without the bars around it, and without psql's sign of continuation."""
    row = line.rstrip()
    start = 1 if row[:1].isspace() else 0
    if len(row) < start + 2 or row[start] not in _BARS or row[start] != row[-1]:
        return line
    row = row[start + 1 : -1]
    if row[-1:] in _MORE:  # a row without continuation has a blank there
        row = row[:-1]
    return row.rstrip()


def _line(number: int, line: str) -> Line:
    text = line.lstrip()
    column = len(line) - len(text)
    if column and "\t" in line[:column]:
        column = len(line[:column].expandtabs())
    return Line(number, column, text.rstrip(), line)
