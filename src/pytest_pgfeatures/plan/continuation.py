"""A value of text EXPLAIN that may continue on the next lines."""

from __future__ import annotations

import re

_LITERALS = re.compile(r"""'[^']*'?|"[^"]*"?""").findall
"""The quoted parts; only the last one can be without its second quote."""


class Continuation:
    """The part of a property's value, or of a node's first line, that has been read.

    Parameters:
        key: the property's key; empty for a node's first line.
        text: its part in the property's first line.
        number: that line's number, from 1.
    """

    __slots__ = ("key", "number", "parts", "quote", "tries", "until")

    def __init__(self, key: str, text: str, number: int) -> None:
        self.key = key
        self.parts = [text]
        self.number = number
        self.until = number
        """The number of the last line that was read."""
        self.quote = open_quote(text) if "'" in text or '"' in text else ""
        """The quote that is open at the end, if any."""
        self.tries = 0
        """The number of lines that were added because the value could not be read."""

    def add(self, text: str, number: int) -> None:
        """Append the text of a further line."""
        self.parts.append(text)
        self.until = number
        if self.quote or "'" in text or '"' in text:
            self.quote = open_quote(text, self.quote)

    @property
    def text(self) -> str:
        """The complete text."""
        return self.parts[0] if len(self.parts) == 1 else "".join(self.parts)


def open_quote(text: str, sign: str = "") -> str:
    """The quote that is open at the end of ``text``, if any; ``sign`` is open at its start."""
    if sign:
        _, closing, text = text.partition(sign)
        if not closing:
            return sign
    literals = _LITERALS(text)
    if not literals:
        return ""
    last: str = literals[-1]
    return "" if len(last) > 1 and last[-1] == last[0] else last[0]
