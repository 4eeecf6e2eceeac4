"""Have a server parse many statements, without running them: a batch at a time, in libpq's pipeline mode.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psycopg
from psycopg import pq

from pytest_pgfeatures.readiness.loading import Refusal, is_run, without_comments
from pytest_pgfeatures.readiness.watchdog import Watchdog
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_pgfeatures.readiness.model import Query

_BATCH = 100
_BATCH_CHARACTERS = 60_000
"""Less than what a socket takes without being read: both sides would wait for each other."""
_DEFINING = re.compile(
    r"(?:create|drop|alter|comment|grant|revoke|security|reassign|import)\b", re.IGNORECASE
)
"""What is not only parsed but run, and rolled back: the server looks up its names only then."""
_IN_NO_TRANSACTION = frozenset({"25001", "25P02", "0A000"})
_TEMPORARY = re.compile(r"create\s+(?:(?:global|local)\s+)?(?:temp|temporary)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a server says of a statement.

    Parameters:
        refusal: its error; None if it accepts the statement.
        parameters: the types of ``$1``, ``$2``, ...
        columns: the names and types of the result.
        warnings: what it warns of.
    """

    refusal: Refusal | None = None
    parameters: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()


def parse_all(
    connection: psycopg.Connection,
    queries: Sequence[Query],
    *,
    timeout: float,
    told: Callable[[int], object] = lambda _: None,
) -> list[Parsed]:
    """Have the server of a connection parse statements.

    Definitions are run in a transaction that is rolled back; temporary tables are created, for the statements after
    them.

    Parameters:
        connection: in autocommit mode.
        timeout: how long a batch, or a definition, may take, in seconds.
        told: called with the number of statements that are done.
    """
    types: dict[int, str] = dict(
        connection.execute("SELECT oid::bigint, format_type(oid, NULL) FROM pg_type").fetchall()
    )
    version = PgVersion.from_num(connection.info.server_version)
    answers: list[Parsed] = []
    warnings: list[str] = []
    connection.add_notice_handler(lambda said: warnings.append(said.message_primary or ""))
    with Watchdog(connection, timeout) as watchdog:
        for batch in _batches(queries):
            with watchdog.statement():
                if _is_run(batch[0]):
                    answers.append(_define(connection, batch[0], version, warnings))
                else:
                    answers += _parse_batch(connection, batch, types, warnings)
            told(len(answers))
    return answers


def _is_run(query: Query) -> bool:
    return _DEFINING.match(without_comments(query.sql)) is not None


def _batches(queries: Sequence[Query]) -> Iterator[list[Query]]:
    """The statements in turn: those that are parsed in batches, each of the others alone."""
    batch: list[Query] = []
    characters = 0
    for query in queries:
        alone = _is_run(query)
        if batch and (alone or len(batch) == _BATCH or characters + len(query.sql) > _BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(query)
        characters += len(query.sql)
        if alone:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _parse_batch(
    connection: psycopg.Connection, batch: list[Query], types: dict[int, str], warnings: list[str]
) -> list[Parsed]:
    """Parse and describe each statement; a synchronization after each, so that errors concern one only."""
    pgconn = connection.pgconn
    settings = [dict(query.settings) for query in batch]
    if any(settings):
        return [_parse_with(connection, query, types, warnings) for query in batch]
    return _pipelined(pgconn, [encoded(query.sql) for query in batch], types, warnings)


def _parse_with(
    connection: psycopg.Connection, query: Query, types: dict[int, str], warnings: list[str]
) -> Parsed:
    """Parse a statement under settings of its own."""
    with connection.transaction(force_rollback=True):
        for name, value in query.settings:
            connection.execute("SELECT set_config(%s, %s, true)", [name, value])
        sql = encoded(query.sql)
        connection.pgconn.exec_(b"SAVEPOINT pgfeatures_statement")
        result = connection.pgconn.prepare(b"", sql)
        described = (
            connection.pgconn.describe_prepared(b"") if result.status == pq.ExecStatus.COMMAND_OK else None
        )
        connection.pgconn.exec_(b"ROLLBACK TO pgfeatures_statement")
        said = tuple(warnings)
        warnings.clear()
        return _parsed(result, described, types, said)


def _pipelined(
    pgconn: pq.abc.PGconn, texts: list[bytes], types: dict[int, str], warnings: list[str]
) -> list[Parsed]:
    answers: list[Parsed] = []
    warnings.clear()
    pgconn.enter_pipeline_mode()
    try:
        for sql in texts:
            pgconn.send_prepare(b"", sql)
            pgconn.send_describe_prepared(b"")
            pgconn.pipeline_sync()
        for _ in texts:
            prepared = _next(pgconn)
            described = _next(pgconn)
            said = tuple(warnings)
            warnings.clear()
            answers.append(_parsed(prepared, described, types, said))
            while (synced := pgconn.get_result()) is None or synced.status != pq.ExecStatus.PIPELINE_SYNC:
                if synced is None and pgconn.status == pq.ConnStatus.BAD:
                    raise psycopg.OperationalError("the server closed the connection")
    finally:
        if pgconn.status == pq.ConnStatus.OK:
            pgconn.exit_pipeline_mode()
    return answers


def _next(pgconn: pq.abc.PGconn) -> pq.abc.PGresult:
    """The result of the next command of the pipeline; a null result comes after each."""
    result = pgconn.get_result()
    if result is None:
        raise psycopg.OperationalError("the server closed the connection")
    while pgconn.get_result() is not None:
        pass
    return result


def _parsed(
    prepared: pq.abc.PGresult,
    described: pq.abc.PGresult | None,
    types: dict[int, str],
    warnings: tuple[str, ...],
) -> Parsed:
    if prepared.status == pq.ExecStatus.FATAL_ERROR:
        return Parsed(Refusal.of(psycopg.errors.error_from_result(prepared)), warnings=warnings)
    if described is None or described.status != pq.ExecStatus.COMMAND_OK:
        return Parsed(warnings=warnings)
    return Parsed(
        None,
        tuple(types.get(described.param_type(number), "?") for number in range(described.nparams)),
        tuple(
            (
                (described.fname(number) or b"").decode(errors="replace"),
                types.get(described.ftype(number), "?"),
            )
            for number in range(described.nfields)
        ),
        warnings,
    )


def _define(connection: psycopg.Connection, query: Query, version: PgVersion, warnings: list[str]) -> Parsed:
    if not is_run(query.sql, version):
        return Parsed()
    warnings.clear()
    sql = encoded(query.sql)
    try:
        if _TEMPORARY.match(without_comments(query.sql)):
            connection.execute(sql, prepare=False)
        else:
            with connection.transaction(force_rollback=True):
                connection.execute(sql, prepare=False)
    except psycopg.Error as error:
        if connection.closed:
            raise
        refusal = Refusal.of(error)
        if refusal.sqlstate not in _IN_NO_TRANSACTION or "transaction" not in refusal.message:
            return Parsed(refusal, warnings=tuple(warnings))
    return Parsed(warnings=tuple(warnings))
