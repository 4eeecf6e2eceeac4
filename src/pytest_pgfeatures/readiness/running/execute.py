"""Execute statements, each in a transaction that is rolled back, and observe their effects."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import psycopg

from pytest_pgfeatures.answers.ask import ask
from pytest_pgfeatures.answers.model import ServerAnswer
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.running import contents
from pytest_pgfeatures.readiness.servers.side import as_in_session
from pytest_pgfeatures.readiness.statements.grammar import with_values
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, Watchdog, too_large

_COUNTS = """
SELECT s.schemaname || '.' || s.relname, s.n_tup_ins, s.n_tup_upd, s.n_tup_del, c.relfilenode::bigint
FROM pg_catalog.pg_stat_xact_user_tables s JOIN pg_catalog.pg_class c ON c.oid = s.relid
"""
_SETTING = "pgfeatures.notified"
_NOTE = f"""
BEGIN;
SET LOCAL session_replication_role = replica;
CREATE EXTENSION IF NOT EXISTS plpgsql;
ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_of_server;
CREATE FUNCTION pg_catalog.pg_notify(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN -- unlike a function in SQL, it does not return NULL
    PERFORM pg_catalog.pg_notify_of_server(channel, payload);
    PERFORM pg_catalog.set_config('{_SETTING}', pg_catalog.concat(
        pg_catalog.current_setting('{_SETTING}'),
        pg_catalog.array_to_json(ARRAY[channel, payload]), pg_catalog.chr(10)), true);
END $$;
COMMIT
"""
"""The server sends notifications at COMMIT, so a setting stores them: like them, it is undone with a subtransaction
that is rolled back. The database's event triggers don't see this."""
_NOTE_NO_MORE = """
BEGIN;
SET LOCAL session_replication_role = replica;
DROP FUNCTION pg_catalog.pg_notify(text, text);
ALTER FUNCTION pg_catalog.pg_notify_of_server(text, text) RENAME TO pg_notify;
COMMIT
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a statement."""

    answer: ServerAnswer
    did: dict[str, str] = field(default_factory=dict)
    """By table, the changes by it, its triggers and functions, in words."""
    left: dict[str, contents.Contents] = field(default_factory=dict)  # the contents of these tables after it
    notified: tuple[str, ...] = ()  # the channels with payloads that pg_notify sent, each once, in order
    sequences: contents.Values = field(default_factory=dict)  # those that it moved, with their new values

    def did_to(self, table: str) -> str:
        """The changes of a table, in words."""
        return self.did.get(table, "no row changed")


def execute_all(
    connection: psycopg.Connection,
    queries: Sequence[Query],
    *,
    timeout: float,
    progress: Callable[[int], object] = lambda _: None,
) -> list[Ran]:
    """Execute statements, which have values for all their parameters, on a connection in autocommit mode. Sequences
    that they move are set back."""
    known, values = contents.tables(connection), contents.sequences(connection)
    connection.execute(f"SET {_SETTING} = ''".encode())
    found = []
    with Watchdog(connection, timeout) as watchdog:
        for number, query in enumerate(queries):
            progress(number)
            with connection.transaction(force_rollback=True):
                ran = _execute(watchdog, query, known)
            found.append(replace(ran, sequences=contents.restore(connection, values)))
    progress(len(queries))
    return found


def _execute(watchdog: Watchdog, query: Query, known: dict[str, contents.Table]) -> Ran:
    connection = watchdog.connection
    with watchdog.statement():
        as_in_session(connection, query)
    before = _counts(connection)  # the activity that the session has not reported yet
    with watchdog.statement():
        usual, connection.cursor_factory = connection.cursor_factory, psycopg.RawCursor  # it takes $1
        answer = ask(connection, query.sql, query.values)
        connection.cursor_factory = usual
    if watchdog.was_memory and answer.sqlstate == CANCELED:
        answer = replace(answer, sqlstate=OUT_OF_MEMORY, error=too_large())
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.INTRANS:
        return Ran(answer)
    # It may have changed the role, whose privileges and policies hide rows.
    connection.execute("SET LOCAL SESSION AUTHORIZATION DEFAULT")
    ((noted,),) = connection.execute(f"SELECT pg_catalog.current_setting('{_SETTING}')".encode()).fetchall()
    sent = [f"{channel} {payload or ''!r}" for channel, payload in map(json.loads, str(noted).splitlines())]
    did = {}
    for table, now in _counts(connection).items():
        if (old := before.get(table, now)) != now and table in known:
            counts = zip(old, now, ("inserted", "updated", "deleted"), strict=False)
            words = [f"{count - earlier} {word}" for earlier, count, word in counts if count > earlier]
            did[table] = ", ".join(["emptied", *words] if now[-1] != old[-1] else words)
    left = {table: contents.contents_of(connection, known[table]) for table in did}
    return Ran(answer, did, left, tuple(dict.fromkeys(sent)))


def _counts(connection: psycopg.Connection) -> dict[str, tuple[int, ...]]:
    """By table, the rows inserted, updated, deleted; and the table's file, which TRUNCATE replaces."""
    return {name: (*counts,) for name, *counts in connection.execute(_COUNTS.encode())}


@contextlib.contextmanager
def noting(superuser: psycopg.Connection) -> Iterator[None]:
    """Inside the ``with`` block, ``pg_notify`` notes what it sends. The connection is in autocommit mode."""
    superuser.execute(_NOTE.encode())
    try:
        yield
    finally:
        with contextlib.suppress(psycopg.OperationalError):  # an interrupt stops the server
            superuser.execute(_NOTE_NO_MORE.encode())


def indexes_used(connection: psycopg.Connection, query: Query) -> tuple[str, ...]:
    """The indexes that the plan of a statement uses; none if the server does not plan it."""
    from pytest_pgfeatures.plan import explain

    try:
        plan = explain(connection, with_values(query.sql, query.values))
    except (psycopg.Error, PgFeaturesError):
        if connection.closed:
            raise
        return ()
    return tuple(sorted({node.index for node in plan.nodes if node.index is not None}))
