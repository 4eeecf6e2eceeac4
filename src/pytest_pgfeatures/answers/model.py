"""A server's answer to one query."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_GIVEN_OID = 10000
"""OIDs from here on are assigned anew on each major, or by each cluster: a type of the user's, or a domain of
information_schema, has a different OID on each (FirstGenbkiObjectId,
https://www.postgresql.org/docs/current/system-catalog-initial-data.html)."""

Row = tuple[str | None, ...]
"""A row's values as text; None for NULL."""


@dataclass(frozen=True, slots=True)
class SentColumn:
    """A column of a result.

    Parameters:
        name: the column's name.
        oid: the OID of its type.
        type: the type's name, as ``format_type`` returns it.
    """

    name: str
    oid: int
    type: str

    @property
    def key(self) -> tuple[str, int | str]:
        """The properties that must be the same on every server."""
        return self.name, self.oid if self.oid < FIRST_GIVEN_OID else self.type

    def __str__(self) -> str:
        return f"{self.name} {self.type}"


@dataclass(frozen=True, slots=True)
class Sent:
    """The result of one statement.

    Parameters:
        columns: the result's columns; empty for a command that returns no rows.
        rows: the rows, in the order received.
        tag: the command tag, such as ``INSERT 0 5``.
    """

    columns: tuple[SentColumn, ...]
    rows: tuple[Row, ...]
    tag: str


@dataclass(frozen=True, slots=True)
class Message:
    """A NOTICE, WARNING or INFO message that the server sent with an answer."""

    severity: str
    sqlstate: str
    text: str

    def __str__(self) -> str:
        code = "" if self.sqlstate == "00000" else f"{self.sqlstate}: "
        return f"{self.severity}:  {code}{self.text}"


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """Everything that a server sent in answer to a query.

    Parameters:
        sent: the result of each statement of the query; empty if there was an error.
        messages: notices and warnings, in order.
        sqlstate: the error's SQLSTATE; None if there was no error.
        error: the error's message, which is shown but not compared: its wording changes with every major.
    """

    sent: tuple[Sent, ...]
    messages: tuple[Message, ...] = ()
    sqlstate: str | None = None
    error: str = ""
