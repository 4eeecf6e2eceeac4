"""Texts that become statements, with their places in the file."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field

from pytest_pgfeatures.readiness.model import line_begins

PLACEHOLDER = "%s"
_WORD = re.compile(r"\w")
_NOT_NEWLINE = re.compile(r"[^\n]")


def place_in(text: str, index: int) -> tuple[int, int]:
    """The line and the column of an index in a text."""
    begins = line_begins(text)
    line = bisect.bisect_right(begins, index)
    return line, index - begins[line - 1] + 1


def blanked(text: str, start: int = 0, end: int | None = None, sign: str = " ") -> str:
    """A text with a sign in place of each character between two indexes, except for newlines."""
    return text[:start] + _NOT_NEWLINE.sub(sign, text[start:end]) + text[len(text) if end is None else end :]


@dataclass(slots=True)
class Text:
    """A text of a program, and the line and column in the file at which each of its lines begins."""

    text: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def add(self, text: str, place: tuple[int, int]) -> Text:
        """Add a part of the file, which begins at a line and column; returns this text."""
        self.places = self.places or [place]
        self.text += text
        self.places += ((place[0] + number, 1) for number in range(1, text.count("\n") + 1))
        return self


def expression(before: str, after: str) -> str:
    """The text that stands for an expression: a parameter, or a letter if it is a part of a word."""
    return "x" if _WORD.match(before[-1:]) or _WORD.match(after[:1]) else PLACEHOLDER


_BETWEEN = frozenset(",()")
"""Punctuation beside which white space may stand."""


def append(whole: Text, part: Text) -> None:
    """Append a text. If it begins on another line of the file, a newline replaces white space between the
    two, so that its place is kept."""
    before, after, places = whole.text, part.text, part.places
    is_same_line = not whole.places or places[0][0] == whole.places[-1][0]
    if before.endswith("\n"):
        del whole.places[-1:]
    elif is_same_line:
        places = places[bool(whole.places) :]
    elif before[-1:].isspace():
        before = before[:-1] + "\n"
    elif after[:1].isspace():
        after = "\n" + after[1:]
    elif after[:1] in _BETWEEN or before[-1:] in _BETWEEN:
        after = "\n" + after
    else:
        places = places[1:]
    whole.text = before + after
    whole.places += places
