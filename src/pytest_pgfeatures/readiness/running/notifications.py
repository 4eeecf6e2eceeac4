"""The notifications of a transaction: the server sends them at COMMIT, and ours are rolled back."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SETTING = "pgfeatures.notified"
_CALLED = "SELECT EXISTS (SELECT FROM pg_catalog.pg_proc WHERE oid >= 16384 AND prosrc ~* 'pg_notify')"
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
database's event triggers don't see it. The command NOTIFY has a constant payload, the same everywhere."""
_NOTE_NO_MORE = """
BEGIN;
SET LOCAL session_replication_role = replica;
DROP FUNCTION pg_catalog.pg_notify(text, text);
ALTER FUNCTION pg_catalog.pg_notify_of_server(text, text) RENAME TO pg_notify;
COMMIT
"""


@contextlib.contextmanager
def noting(superuser: psycopg.Connection, statements: Iterable[str]) -> Iterator[None]:
    """Inside the ``with`` block, ``pg_notify`` notes what it sends, if a statement or a function of the
    database calls it.

    Parameters:
        superuser: in autocommit mode, connected to the database.
    """
    called = superuser.execute(_CALLED.encode()).fetchone() == (True,)
    if not called and not any("pg_notify" in sql.lower() for sql in statements):
        yield
        return
    superuser.execute(_NOTE.encode())
    try:
        yield
    finally:
        with contextlib.suppress(psycopg.OperationalError):  # an interrupt stops the server
            superuser.execute(_NOTE_NO_MORE.encode())


def notified(connection: psycopg.Connection) -> tuple[tuple[str, str], ...]:
    """The channels and payloads of the transaction, each once, in the order in which the server sends them."""
    (noted,) = connection.execute(f"SELECT pg_catalog.current_setting('{SETTING}')".encode()).fetchone() or (
        "",
    )
    each = (json.loads(line) for line in str(noted).splitlines())
    return tuple(dict.fromkeys((channel, payload or "") for channel, payload in each))
