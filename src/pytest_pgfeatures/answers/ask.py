"""Run a query on a connection and record the server's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.answers.model import Message, Sent, SentColumn, ServerAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SUCCESS = "00000"


def ask(
    connection: psycopg.Connection[Any],
    query: str,
    params: Sequence[object] | Mapping[str, object] | None = None,
) -> ServerAnswer:
    """Send a query once, and record what the server sends. Values stay the text that the server sent.

    Parameters:
        params: values for psycopg's placeholders, ``%s`` or ``%(name)s``.

    Raises:
        psycopg.Error: the connection is lost, or placeholders and values don't match. Errors that the server
            reports for the query are part of the answer.
    """
    messages: list[Message] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        severity = (
            notice.severity_nonlocalized or notice.severity or ""
        )  # 9.6 added the severity that is not translated
        messages.append(Message(severity, notice.sqlstate or _SUCCESS, notice.message_primary or ""))

    sent: list[Sent] = []
    connection.add_notice_handler(note)
    try:
        with connection.cursor() as cursor:
            cursor.execute(query.encode("utf-8", "surrogateescape"), params or None, prepare=False)
            more: bool | None = True
            while more:
                sent.append(_sent(cursor))
                more = cursor.nextset()
    except psycopg.Error as error:
        if error.sqlstate is None or connection.closed:
            raise
        return ServerAnswer((), tuple(messages), error.sqlstate, error.diag.message_primary or str(error))
    finally:
        connection.remove_notice_handler(note)
    return ServerAnswer(_with_types(connection, sent), tuple(messages))


def _sent(cursor: psycopg.Cursor[Any]) -> Sent:
    result = cursor.pgresult
    assert result is not None
    columns = tuple(
        SentColumn((result.fname(at) or b"").decode("utf-8", "backslashreplace"), result.ftype(at), "")
        for at in range(result.nfields)
    )
    rows = tuple(
        tuple(_text(result.get_value(row, column)) for column in range(result.nfields))
        for row in range(result.ntuples)
    )
    return Sent(columns, rows, cursor.statusmessage or "")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "backslashreplace")


def _with_types(connection: psycopg.Connection[Any], sent: Sequence[Sent]) -> tuple[Sent, ...]:
    """The same results with the types' names, if the session can still run queries."""
    oids = sorted({column.oid for each in sent for column in each.columns})
    names: dict[int, str] = {}
    if oids and connection.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
        listed = ", ".join(f"({oid}::pg_catalog.oid)" for oid in oids)
        asked = f"SELECT oid, pg_catalog.format_type(oid, NULL) FROM (VALUES {listed}) AS t (oid)"
        with connection.cursor() as cursor:
            names = {int(oid): str(name) for oid, name in cursor.execute(asked.encode(), prepare=False)}
    return tuple(
        Sent(
            tuple(
                SentColumn(column.name, column.oid, names.get(column.oid, f"type {column.oid}"))
                for column in each.columns
            ),
            each.rows,
            each.tag,
        )
        for each in sent
    )
