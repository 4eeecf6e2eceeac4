"""The notifications of a transaction: the server sends them at COMMIT, and ours are rolled back."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import psycopg

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SETTING = "pgfeatures.notified"
_PASSING = "pg_catalog.pgfeatures_noted"
_CHANNEL = r'(?i)^\s*notify\s+("(?:[^"]|"")+"|[^\s,;"]+)'
_PAYLOAD = r'(?i)^\s*notify\s+(?:"(?:[^"]|"")+"|[^\s,;"]+)\s*,\s*(.+?)[\s;]*$'
_CALLED = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_proc WHERE oid >= 16384 AND prosrc ~* 'pg_notify')"
_EXECUTING = """
SELECT p.oid::bigint, prosrc FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = prolang
 WHERE p.oid >= 16384 AND lanname = 'plpgsql' AND prosrc ~* 'execute' AND prosrc ~* 'notify'
"""
_CHANGE = "UPDATE pg_catalog.pg_proc SET prosrc = %s WHERE oid = %s"
_BEFORE = frozenset({";", "then", "else", "begin", "loop", ">>"})
"""Tokens that a statement of PL/pgSQL follows. Elsewhere EXECUTE is a privilege, or part of a CREATE TRIGGER."""
_AFTER = frozenset({"into", "using", ";"})
"""Tokens that end the expression of EXECUTE."""
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
CREATE FUNCTION {_PASSING}(command text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    channel text := pg_catalog.substring(command, '{_CHANNEL}');
    payload text := pg_catalog.substring(command, '{_PAYLOAD}');
BEGIN
    IF channel IS NOT NULL THEN
        channel := CASE WHEN channel LIKE '"%'
            THEN pg_catalog.replace(pg_catalog.substr(channel, 2, pg_catalog.length(channel) - 2), '""', '"')
            ELSE pg_catalog.lower(channel) END;
        IF payload IS NOT NULL THEN
            EXECUTE 'SELECT ' || payload INTO payload;
        END IF;
        PERFORM pg_catalog.set_config('{SETTING}', pg_catalog.concat(
            pg_catalog.current_setting('{SETTING}'),
            pg_catalog.array_to_json(ARRAY[channel, payload]), pg_catalog.chr(10)), true);
    END IF;
    RETURN command;
END $$;
COMMIT
"""
"""A setting stores the notifications: like them, it is undone with a subtransaction that is rolled back. The
database's event triggers don't see it. The command NOTIFY has a constant payload, the same everywhere, unless
EXECUTE puts it together: such functions in PL/pgSQL pass their commands on."""
_NOTE_NO_MORE = f"""
BEGIN;
SET LOCAL session_replication_role = replica;
DROP FUNCTION pg_catalog.pg_notify(text, text);
DROP FUNCTION {_PASSING}(text);
ALTER FUNCTION pg_catalog.pg_notify_of_server(text, text) RENAME TO pg_notify;
COMMIT
"""


@contextlib.contextmanager
def noting(superuser: psycopg.Connection, statements: Iterable[str]) -> Iterator[None]:
    """Inside the ``with`` block, ``pg_notify`` and EXECUTE of NOTIFY note what they send, if a statement or a
    function of the database's has one of them.

    Parameters:
        superuser: in autocommit mode, connected to the database.
    """
    called = superuser.execute(_CALLED.encode()).fetchone() == (True,)
    bodies: dict[int, str] = dict(superuser.execute(_EXECUTING.encode()).fetchall())
    if not called and not bodies and not any("pg_notify" in sql.lower() for sql in statements):
        yield
        return
    superuser.execute(_NOTE.encode())
    for oid, body in bodies.items():
        superuser.execute(_CHANGE.encode(), [passing_on(body), oid])
    try:
        yield
    finally:
        with contextlib.suppress(psycopg.OperationalError):  # an interrupt stops the server
            for oid, body in bodies.items():
                superuser.execute(_CHANGE.encode(), [body, oid])
            superuser.execute(_NOTE_NO_MORE.encode())


def passing_on(body: str) -> str:
    """The body of a function in PL/pgSQL, where the commands of EXECUTE go through the function that notes them."""
    parts: list[str] = []
    last, depth, inside = "begin", 0, False
    for token in tokens(body):
        text = token.text.lower()
        if inside:
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if depth == 0 and text in _AFTER:
                parts.append(")::text) ")
                inside = False
        parts.append(token.text)
        if text == "execute" and last in _BEFORE and not inside:
            parts.append(f" {_PASSING}((")
            inside, depth = True, 0
        if token.kind not in ("space", "comment"):
            last = text
    return body if inside else "".join(parts)


def notified(connection: psycopg.Connection) -> tuple[tuple[str, str], ...]:
    """The channels and payloads of the transaction, each once, in the order in which the server sends them."""
    (noted,) = connection.execute(f"SELECT pg_catalog.current_setting('{SETTING}')".encode()).fetchone() or (
        "",
    )
    each = (json.loads(line) for line in str(noted).splitlines())
    return tuple(dict.fromkeys((channel, payload or "") for channel, payload in each))
