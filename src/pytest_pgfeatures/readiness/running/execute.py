"""Execute statements, each in a transaction that is rolled back, and observe their effects."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

import psycopg

from pytest_pgfeatures.answers.ask import ask
from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.running.contents import contents_of, tables
from pytest_pgfeatures.readiness.running.notifications import SETTING, notified
from pytest_pgfeatures.readiness.running.sequences import Sequences
from pytest_pgfeatures.readiness.servers.session import as_in_session
from pytest_pgfeatures.server.watchdog import CANCELED, OUT_OF_MEMORY, Watchdog, too_large

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_pgfeatures.answers.model import ServerAnswer
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.contents import Contents, Table

_COUNTS = """
SELECT s.schemaname, s.relname, s.n_tup_ins, s.n_tup_upd, s.n_tup_del, c.relfilenode::bigint
FROM pg_catalog.pg_stat_xact_user_tables s JOIN pg_catalog.pg_class c ON c.oid = s.relid
"""
_AS_OURSELVES = "SET LOCAL SESSION AUTHORIZATION DEFAULT"
"""A statement may have changed the role; the privileges and policies of that role hide rows."""
Counts = tuple[int, int, int]
"""Rows inserted, updated, deleted."""


class TableActivity(NamedTuple):
    """A transaction's changes to a table, and the table's file, which TRUNCATE replaces."""

    counts: Counts
    file: int


@dataclass(frozen=True, slots=True)
class Execution:
    """A statement to execute.

    Parameters:
        values: the values of ``$1``, ``$2``, ... as text, None for NULL.
    """

    query: Query
    values: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Changed:
    """The changes that a statement, with its triggers, made to a table.

    Parameters:
        emptied: whether it truncated or rewrote the table before it left these contents.
    """

    counts: Counts
    contents: Contents
    emptied: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """The outcome of a statement.

    Parameters:
        answer: what the server sent.
        changed: the tables that it changed, by name, including changes by its triggers and functions.
        sequences: the sequences that it moved, by name, with their new values.
        notified: the channels and payloads that it sent with ``pg_notify``, in order, if notifications are noted.
    """

    answer: ServerAnswer
    changed: tuple[tuple[str, Changed], ...] = ()
    sequences: tuple[tuple[str, tuple[int, bool]], ...] = ()
    notified: tuple[tuple[str, str], ...] = ()

    @property
    def timed_out(self) -> bool:
        """Whether we canceled it because it ran too long."""
        return self.answer.sqlstate == CANCELED


def execute_all(
    connection: psycopg.Connection,
    executions: Sequence[Execution],
    *,
    timeout: float,
    progress: Callable[[int], object] = lambda _: None,
) -> list[Ran]:
    """Execute statements. Sequences that they move are set back.

    Parameters:
        connection: in autocommit mode.
        timeout: the time that each may run, in seconds.
        progress: called with the number of executed statements.

    Raises:
        psycopg.Error: the connection is lost.
    """
    known = {(table.schema, table.name): table for table in tables(connection)}
    sequences = Sequences(connection)
    connection.execute(f"SET {SETTING} = ''".encode())
    found = []
    with Watchdog(connection, timeout) as watchdog:
        for number, each in enumerate(executions):
            progress(number)
            ran = _execute(connection, each, known, watchdog)
            found.append(replace(ran, sequences=tuple(sequences.restore())))
    progress(len(executions))
    return found


def _execute(
    connection: psycopg.Connection,
    each: Execution,
    known: dict[tuple[str, str], Table],
    watchdog: Watchdog,
) -> Ran:
    connection.execute("BEGIN")
    try:
        with watchdog.statement():
            as_in_session(connection, each.query)
        before = _counts(connection)  # the activity that the session has not reported yet
        with watchdog.statement(), _numbered_parameters(connection):
            answer = ask(connection, each.query.sql, each.values)
        if watchdog.was_memory and answer.sqlstate == CANCELED:
            answer = replace(answer, sqlstate=OUT_OF_MEMORY, error=too_large())
        changed = []
        sent: tuple[tuple[str, str], ...] = ()
        if connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS:
            connection.execute(_AS_OURSELVES)
            sent = notified(connection)
            for table, now in _counts(connection).items():
                old = before.get(table, TableActivity((0, 0, 0), now.file))
                if now != old and table in known:
                    inserted, updated, deleted = map(sub, now.counts, old.counts)
                    contents = contents_of(connection, known[table])
                    did = Changed((inserted, updated, deleted), contents, now.file != old.file)
                    changed.append((str(known[table]), did))
        return Ran(answer, tuple(sorted(changed, key=lambda pair: pair[0])), notified=sent)
    finally:
        if not connection.closed:
            connection.execute("ROLLBACK")


def indexes_used(connection: psycopg.Connection, each: Execution) -> tuple[str, ...]:
    """The indexes that the plan of a statement uses; none if the server does not plan it.

    Parameters:
        connection: in autocommit mode.
    """
    from pytest_pgfeatures.plan import explain

    try:
        with _numbered_parameters(connection):
            plan = explain(connection, each.query.sql, each.values or None)
    except (psycopg.Error, PgFeaturesError):
        if connection.closed:
            raise
        return ()
    return tuple(sorted({node.index for node in plan.nodes if node.index is not None}))


@contextlib.contextmanager
def _numbered_parameters(connection: psycopg.Connection) -> Iterator[None]:
    """Let cursors take ``$1``; the server then finds the parameters' types."""
    usual = connection.cursor_factory
    connection.cursor_factory = psycopg.RawCursor
    try:
        yield
    finally:
        connection.cursor_factory = usual


def _counts(connection: psycopg.Connection) -> dict[tuple[str, str], TableActivity]:
    return {
        (schema, name): TableActivity((inserted, updated, deleted), file)
        for schema, name, inserted, updated, deleted, file in connection.execute(_COUNTS.encode())
    }
