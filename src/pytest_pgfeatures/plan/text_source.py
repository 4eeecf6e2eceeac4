"""The lines of a plan out of what surrounds them: psql's table, a server log, a document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Line:
    """One line that may belong to a plan."""

    number: int
    """Counted from 1 in the whole text."""
    column: int
    """How many columns of white space it starts with."""
    text: str
    """The rest, without white space around it."""
    raw: str
    """All of it, but for what psql or the log put before it."""


HEADER = "QUERY PLAN"
_MARKS = frozenset("-_=+|─━═┌└├│╌╴(`~")
"""What a line of psql's frame, its row count and a document's fence start with."""
FENCE = "```"
_HEADER = re.compile(r"[|│\s]*[QO]UERY[ _]PLAN[|│\s]*").fullmatch  # OCR reads Q as O
_RULE = re.compile(r"[-_=+|─━═┌┐└┘├┤┬┴┼│╌╴\s]{3,}").fullmatch
_ROW_COUNT = re.compile(r"\(\d+ [^\s()=]+\)").fullmatch
_FENCE = re.compile(r"(```|~~~)\w*").fullmatch
_LOG_ENTRY = re.compile(r"duration: [\d.]+ ms  plan:\s*$").search
_BOX = re.compile(r"\s?([|│])(.*)\1").fullmatch
_RECORD = re.compile(r"[-─]\[ RECORD \d+ \][-─+┬]*").fullmatch
_FIELD = re.compile(r"(?:QUERY PLAN|\s{10}) [|│](?: (.*))?").fullmatch
_MORE = ("+", "↵")
"""What psql puts at a row's end where its value goes on in the next row."""


def plain_newlines(text: str) -> str:
    """The text with a newline alone at the end of each line, whatever ends them."""
    if "\r\n" in text and text.count("\r\n") == text.count("\n"):  # else they are within literals
        text = text.replace("\r\n", "\n")
    return text.removeprefix("\ufeff")


def lines(raw: list[str]) -> Iterator[Line | str]:
    """What may be a plan's lines; :data:`HEADER` stands before, ``""`` after each stretch of them.

    A document's :data:`FENCE` stands where it may be the end of a plan, or of a page.

    An empty line comes as one, for it parts the plans of one statement.
    """
    in_log = in_record = False
    width = 0
    for number, line in enumerate(raw, 1):
        first = line[:1]
        if in_record or first == "-" or first == "─":  # psql's expanded format
            in_record = _RECORD(line.rstrip()) is not None
            if in_record:
                yield from () if width else (HEADER,)
                width = -1
                continue
            field = _FIELD(line)
            if field is not None and width == -1:
                in_record = True
                value = field[1] or ""
                yield _line(number, value[:-1].rstrip() if _has_more(raw, number, 0) else value)
                continue
        if in_log:
            if line[:1] == "\t":
                yield _line(number, line[1:])
                continue
            in_log = False
            yield ""
        if line.endswith("plan:") and _LOG_ENTRY(line):
            in_log = True
            yield HEADER
            continue
        stripped = line.strip()
        first = stripped[:1]
        if (first in _MARKS and stripped[:2] != "->") or (first in "QO" and _HEADER(stripped)):
            boxed = _BOX(line.rstrip())
            if boxed is not None:
                line = boxed[2]
                if line[-1:] in _MORE:  # a row that ends has a blank there
                    line = line[:-1]
                line = line.rstrip()
                stripped = line.strip()
            if _HEADER(stripped):
                yield HEADER
                width = 0
                continue
            if _RULE(stripped):
                width = width or len(line.rstrip())
                continue
            if _FENCE(stripped):
                yield FENCE
                continue
            if _ROW_COUNT(stripped):
                yield ""
                width = 0
                continue
        if stripped[-1:] in _MORE and _has_more(raw, number, width):
            line = line.rstrip()[:-1].rstrip()
        yield _line(number, line)
    yield ""


def _has_more(raw: list[str], number: int, width: int) -> bool:
    """Whether psql says at a row's end that its value goes on: in the column after the widest line's last one.

    Parameters:
        raw: all lines.
        number: the row's, from 1.
        width: how long the rule below the header is; without one (0), the next or the last row says the same.
    """
    line = raw[number - 1].rstrip()
    if line[-1:] not in _MORE:
        return False
    if width > 0:
        return len(line) in (width, width + 1)
    near = (raw[at].rstrip() for at in (number, number - 2) if 0 <= at < len(raw))
    return any(other[-1:] == line[-1:] and len(other) == len(line) for other in near)


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


def _line(number: int, line: str) -> Line:
    text = line.lstrip()
    column = len(line) - len(text)
    if column and "\t" in line[:column]:
        column = len(line[:column].expandtabs())
    return Line(number, column, text.rstrip(), line)
