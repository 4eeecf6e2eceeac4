"""The messages of a server that rejects a statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg


def first_line(error: psycopg.Error) -> str:
    """The server's primary message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def details_of(error: psycopg.Error) -> tuple[str, ...]:
    """All fields of the server's message."""
    lines = [f"SQLSTATE {error.sqlstate}", *str(error).splitlines()]
    lines += [f"CONTEXT: {line}" for line in (error.diag.context or "").splitlines()]
    return tuple(lines)
