"""Keep only one of several statements that differ in constants alone, as logs often have them."""

from __future__ import annotations

import re

_CONSTANT = re.compile(r"'[^']*+'|\b\d++(?:\.\d++)?\b|\$\d++")
_SPACE = re.compile(r"\s++")
MOST = 100_000
"""The maximum number of different statements to keep from one file."""


class Distinct:
    """Finds out whether a statement is new. It stores a hash of each statement, not the text."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.left_out = 0

    def is_new(self, sql: str) -> bool:
        """Whether this is the first statement of its kind. Constants don't matter."""
        key = hash(_SPACE.sub(" ", _CONSTANT.sub("?", sql)))
        if key in self._seen:
            return False
        if len(self._seen) >= MOST:
            self.left_out += 1
            return False
        self._seen.add(key)
        return True
