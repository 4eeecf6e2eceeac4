"""What a line of text EXPLAIN began to say: the next lines may go on with it."""

from __future__ import annotations

import re

_QUOTE = re.compile("['\"]").search


class Pending:
    """A property's value so far, or a node's first line.

    Parameters:
        key: the property's key; empty for a node's first line.
        text: what its first line has.
        number: that line's number, from 1.
    """

    __slots__ = ("key", "number", "parts", "quote", "tries", "until")

    def __init__(self, key: str, text: str, number: int) -> None:
        self.key = key
        self.parts = [text]
        self.number = number
        self.until = number
        """The number of the last line."""
        self.quote = open_quote(text) if "'" in text or '"' in text else ""
        """The quote that is open at the end of it, or nothing."""
        self.tries = 0
        """How often it could not be read and was given another line."""

    def go_on(self, text: str, number: int) -> None:
        """Add what a further line has."""
        self.parts.append(text)
        self.until = number
        self.quote = open_quote(text, self.quote)

    @property
    def text(self) -> str:
        """All of it."""
        return self.parts[0] if len(self.parts) == 1 else "".join(self.parts)


def open_quote(text: str, sign: str = "") -> str:
    """The quote that is open at the end of ``text``, or nothing; ``sign`` was open before it."""
    at = 0
    while True:
        if not sign:
            found = _QUOTE(text, at)
            if found is None:
                return ""
            sign, at = found[0], found.end()
        at = text.find(sign, at) + 1
        if not at:
            return sign
        sign = ""
