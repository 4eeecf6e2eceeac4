"""Texts that become statements, with their places in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

PLACEHOLDER = "%s"
_WORD = re.compile(r"\w")


@dataclass(slots=True)
class Text:
    """A text of a program, and for each of its lines, the line and column in the file."""

    text: str = ""
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)

    def add(self, text: str, line: int, column: int) -> Text:
        """Add a part of the file, which begins at a line and column; returns this text."""
        if not self.lines:
            self.begin_line(line, column)
        self.text += text
        for number in range(1, text.count("\n") + 1):
            self.begin_line(line + number, 1)
        return self

    def begin_line(self, line: int, column: int) -> None:
        """Note where the text's next line is in the file."""
        self.lines.append(line)
        self.columns.append(column)


def expression(before: str, after: str) -> str:
    """The text that stands for an expression: a parameter, or a letter if it is a part of a word."""
    return "x" if _WORD.match(before[-1:]) or _WORD.match(after[:1]) else PLACEHOLDER


_BETWEEN = frozenset(",()")
"""Punctuation beside which white space may stand."""


def append(whole: Text, part: Text) -> None:
    """Append a text. If it begins on another line of the file, a newline replaces white space between the
    two, so that its place is kept."""
    if not whole.lines:
        whole.lines, whole.columns = list(part.lines), list(part.columns)
        whole.text += part.text
        return
    text, skip = part.text, 1
    if whole.text.endswith("\n"):
        skip = 0
        del whole.lines[-1], whole.columns[-1]
    elif part.lines[0] != whole.lines[-1] and whole.text[-1:].isspace():
        whole.text, skip = whole.text[:-1] + "\n", 0
    elif part.lines[0] != whole.lines[-1] and text[:1].isspace():
        text, skip = "\n" + text[1:], 0
    elif part.lines[0] != whole.lines[-1] and (text[:1] in _BETWEEN or whole.text[-1:] in _BETWEEN):
        text, skip = "\n" + text, 0
    whole.text += text
    whole.lines += part.lines[skip:]
    whole.columns += part.columns[skip:]
