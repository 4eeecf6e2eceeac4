"""The same values in another text: the new server reads what the old one sent, and writes it again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.ask import ask

if TYPE_CHECKING:
    import psycopg

    from pytest_pgfeatures.answers.model import SentColumn, ServerAnswer

_OF_ANY_LENGTH = {"character": '"bpchar"', "bit": '"bit"'}
"""Names without a length that mean a length of 1, and what means any length."""


def rewritten(connection: psycopg.Connection, answer: ServerAnswer, new: ServerAnswer) -> ServerAnswer:
    """The answer of the old server, with its values as the new server writes them.

    Parameters:
        connection: to the new server, in autocommit mode.
        answer: of the old server.
        new: of the new server. Columns that have another type there, or the same values, keep their text.
    """
    sent = list(answer.sent)
    for number, (old, other) in enumerate(zip(answer.sent, new.sent, strict=False)):
        columns = list(zip(*old.rows, strict=True))
        for at, (ours, theirs) in enumerate(zip(columns, zip(*other.rows, strict=True), strict=False)):
            if old.columns[at].key == other.columns[at].key and ours != theirs:
                texts = _texts(connection, old.columns[at], {each for each in ours if each is not None})
                columns[at] = tuple(texts.get(each, each) for each in ours)
        sent[number] = replace(old, rows=tuple(zip(*columns, strict=True)) or old.rows)
    return replace(answer, sent=tuple(sent))


def _texts(
    connection: psycopg.Connection, column: SentColumn, values: set[str]
) -> dict[str | None, str | None]:
    """The new text for each old one; empty if the server refuses one of them."""
    type_ = _OF_ANY_LENGTH.get(column.type, column.type).replace("%", "%%")
    query = f"SELECT value, value::{type_}::text FROM pg_catalog.unnest(%s::text[]) AS value"
    answer = ask(connection, query, [sorted(values)])
    return {row[0]: row[1] for row in answer.sent[0].rows} if answer.sent else {}
