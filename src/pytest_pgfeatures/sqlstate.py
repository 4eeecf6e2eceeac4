"""SQLSTATEs that print their condition names.

>>> refused = SqlState("42601")
>>> print(refused)
42601 syntax_error
>>> refused == "42601", refused.condition
(True, 'syntax_error')
"""

from __future__ import annotations

import functools
import re

_CODE = re.compile(r"[0-9A-Z]{5}")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


class SqlState(str):
    """A PostgreSQL error code: a string of five characters that prints with its condition name.

    It equals the plain string of the code, and is that string in JSON. Codes and names: "PostgreSQL Error Codes"
    (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    """

    __slots__ = ()

    @property
    def condition(self) -> str | None:
        """The condition name, such as ``syntax_error``; None for a code that the installed psycopg doesn't know.

        Functions can raise codes of their own.
        """
        return _condition(str.__str__(self))

    def __str__(self) -> str:
        code = str.__str__(self)
        return f"{code} {self.condition}" if self.condition else code

    def __repr__(self) -> str:
        return f"SqlState({str.__repr__(self)})"

    @classmethod
    def recognized(cls, text: str) -> SqlState | None:
        """Return ``text`` as an SQLSTATE; None if it is not a code with a known condition."""
        return cls(text) if _condition(text) else None


@functools.cache
def _condition(code: str) -> str | None:
    if not _CODE.fullmatch(code):
        return None
    from psycopg.errors import lookup  # slow to import

    try:
        name = lookup(code).__name__
    except KeyError:
        return None
    # Some of psycopg's class names have a suffix, to avoid the name of another class or of a Python built-in.
    return _WORD.sub("_", name.rstrip("_").removesuffix("Ext")).lower()
