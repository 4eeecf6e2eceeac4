"""Keep one of each statement, however often logs have it with other constants."""

from __future__ import annotations

import re

_CONSTANT = re.compile(r"'[^']*+'|\b\d++(?:\.\d++)?\b|\$\d++")
_SPACE = re.compile(r"\s++")
MOST = 100_000
"""Different statements that are kept of one file."""


class Distinct:
    """Says of each statement whether it is new, and keeps a number of it instead of its text."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self.left_out = 0

    def is_new(self, sql: str) -> bool:
        """Whether no statement like it, constants aside, came before."""
        key = hash(_SPACE.sub(" ", _CONSTANT.sub("?", sql)))
        if key in self._seen:
            return False
        if len(self._seen) >= MOST:
            self.left_out += 1
            return False
        self._seen.add(key)
        return True
