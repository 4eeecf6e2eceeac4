"""What a server says when it refuses a statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg


def first_line(error: psycopg.Error) -> str:
    """The server's message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def told(error: psycopg.Error) -> tuple[str, ...]:
    """All that the server told."""
    lines = [f"SQLSTATE {error.sqlstate}", *str(error).splitlines()]
    lines += [f"CONTEXT: {line}" for line in (error.diag.context or "").splitlines()]
    return tuple(lines)
