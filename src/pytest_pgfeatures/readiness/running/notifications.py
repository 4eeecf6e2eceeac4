"""The notifications of a transaction: the server sends them at COMMIT, and ours are rolled back."""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Sent = tuple[str, str]
    """A channel and a payload."""

SETTING = "pgfeatures.notified"
_USED = """
SELECT coalesce(bool_or(prosrc ~* 'pg_notify'), false),
    coalesce(bool_or(lanname = 'plpgsql' AND prosrc ~* 'execute' AND prosrc ~* 'notify'), false)
FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = prolang WHERE p.oid >= 16384
"""
_PRINTING = "SET debug_pretty_print = off; SET debug_print_parse = on; SET client_min_messages = log"
_PRINTED = re.compile(
    r"\{NOTIFY(?:STMT)?\s:conditionname\s((?>(?:\\.|[^\s\\}])+))\s:payload\s((?>(?:\\.|[^\s\\}])+))\}",
    re.DOTALL,
)
"""A tree of the command, which the server breaks at spaces."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NOTE = f"""
BEGIN;
SET LOCAL session_replication_role = replica;
ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_of_server;
CREATE FUNCTION pg_catalog.pg_notify(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_catalog.pg_notify_of_server(channel, payload);
    PERFORM pg_catalog.set_config('{SETTING}', pg_catalog.concat(
        pg_catalog.current_setting('{SETTING}'),
        pg_catalog.array_to_json(ARRAY[channel, payload]), pg_catalog.chr(10)), true);
END $$;
COMMIT
"""
"""A setting stores the notifications: like them, it is undone with a subtransaction that is rolled back. The
database's event triggers don't see it."""
_NOTE_NO_MORE = """
BEGIN;
SET LOCAL session_replication_role = replica;
DROP FUNCTION pg_catalog.pg_notify(text, text);
ALTER FUNCTION pg_catalog.pg_notify_of_server(text, text) RENAME TO pg_notify;
COMMIT
"""


@contextlib.contextmanager
def noting(superuser: psycopg.Connection, statements: Iterable[str]) -> Iterator[None]:
    """Inside the ``with`` block, ``pg_notify`` notes what it sends, if a statement or a function of the database's
    calls it.

    Parameters:
        superuser: in autocommit mode, connected to the database.
    """
    ((called, _),) = superuser.execute(_USED.encode()).fetchall()
    if not called and not any("pg_notify" in sql.lower() for sql in statements):
        yield
        return
    superuser.execute(_NOTE.encode())
    try:
        yield
    finally:
        with contextlib.suppress(psycopg.OperationalError):  # an interrupt stops the server
            superuser.execute(_NOTE_NO_MORE.encode())


@contextlib.contextmanager
def printing(connection: psycopg.Connection) -> Iterator[list[Sent]]:
    """Inside the ``with`` block, note the commands NOTIFY: the server prints the tree of what functions in PL/pgSQL
    EXECUTE, if one of them puts such a command together. Elsewhere its payload is a constant."""
    found: list[Sent] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        for sent in _PRINTED.findall(notice.message_detail or ""):
            channel, payload = (_ESCAPED.sub(r"\1", part).replace("\n", " ") for part in sent)
            found.append((channel, "" if payload in ("<>", '""') else payload))

    ((_, executed),) = connection.execute(_USED.encode()).fetchall()
    if not executed:
        yield found
        return
    connection.execute(_PRINTING.encode())
    connection.add_notice_handler(note)
    try:
        yield found
    finally:
        connection.remove_notice_handler(note)


def notified(connection: psycopg.Connection, printed: Iterable[Sent]) -> tuple[Sent, ...]:
    """The channels and payloads of the transaction, each once, in the order in which the server sends them.

    Parameters:
        printed: of commands.
    """
    ((noted,),) = connection.execute(f"SELECT pg_catalog.current_setting('{SETTING}')".encode()).fetchall()
    each = (json.loads(line) for line in str(noted).splitlines())
    return tuple(dict.fromkeys((*((channel, payload or "") for channel, payload in each), *printed)))
