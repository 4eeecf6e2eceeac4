"""The same values in another text: the new server reads what the old one sent, and writes it again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.ask import ask

if TYPE_CHECKING:
    import psycopg

    from pytest_pgfeatures.answers.model import Sent, SentColumn, ServerAnswer

_OF_ANY_LENGTH = {"character": '"bpchar"', "bit": '"bit"'}
"""Names without a length that mean a length of 1, and what means any length."""


def rewritten(connection: psycopg.Connection, answer: ServerAnswer, new: ServerAnswer) -> ServerAnswer:
    """The answer of the old server, with its values as the new server writes them.

    Parameters:
        connection: to the new server, in autocommit mode.
        answer: of the old server.
        new: of the new server. Columns that have another type there, or the same values, keep their text.
    """
    pairs = zip(answer.sent, new.sent, strict=False)
    sent = tuple(_rewritten(connection, *both) for both in pairs)
    return replace(answer, sent=sent + answer.sent[len(sent) :])


def _rewritten(connection: psycopg.Connection, old: Sent, new: Sent) -> Sent:
    columns = [list(values) for values in zip(*old.rows, strict=True)]
    others = (list(values) for values in zip(*new.rows, strict=True))
    for at, (values, theirs) in enumerate(zip(columns, others, strict=False)):
        if old.columns[at].key == new.columns[at].key and values != theirs:
            texts = _texts(connection, old.columns[at], {each for each in values if each is not None})
            columns[at] = [value if value is None else texts.get(value, value) for value in values]
    return replace(old, rows=tuple(zip(*columns, strict=True)) or old.rows)


def _texts(
    connection: psycopg.Connection, column: SentColumn, values: set[str]
) -> dict[str | None, str | None]:
    """The new text for each old one; empty if the server refuses one of them."""
    type_ = _OF_ANY_LENGTH.get(column.type, column.type).replace("%", "%%")
    query = f"SELECT value, value::{type_}::text FROM pg_catalog.unnest(%s::text[]) AS value"
    answer = ask(connection, query, [sorted(values)])
    return {row[0]: row[1] for row in answer.sent[0].rows} if answer.sent else {}
