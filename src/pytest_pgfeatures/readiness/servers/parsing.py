"""Have a server parse many statements without running them, in batches in libpq's pipeline mode.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import psycopg
from psycopg import pq

from pytest_pgfeatures.readiness.servers.analyzed import Analyzed, ServerNames, analyzed_tree
from pytest_pgfeatures.readiness.servers.loading import Refusal, is_run, without_comments
from pytest_pgfeatures.readiness.servers.session import as_in_session
from pytest_pgfeatures.readiness.statements.variables import substituted, unknown_variable, without_into
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager, ExitStack

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.statements.variables import Substituted
    from pytest_pgfeatures.scripts.privileges import Definer

_BATCH = 100
_MOST_VARIABLES = 12
"""Variables of a statement that are replaced; the server reports one missing variable at a time."""
_BATCH_CHARACTERS = 60_000
"""Must be less than the buffer of a socket; otherwise, client and server could wait for each other."""
_DEFINING = re.compile(
    r"(?:create|drop|alter|comment|grant|revoke|security|reassign|import)\b", re.IGNORECASE
)
"""Statements that are run and rolled back, because the server looks up their names only when it runs them."""
_HOLDING = re.compile(r"\s*+(?:copy\s*+\(|prepare\s)", re.IGNORECASE)
_IN_NO_TRANSACTION = frozenset({"25001", "25P02", "0A000"})
_PRINTING = (
    "SET debug_pretty_print = off",
    "SET client_min_messages = log",
    "SET debug_print_parse = on",
)
_LONGEST_PRINTED = 1_000_000
"""The number of characters up to which a statement's parse tree is requested. The tree is some 30 times as
long, and all in memory."""
_RESOLVED = re.compile(
    rb":(funcid|opno|aggfnoid|winfnoid)\s([1-9][0-9]*+)(?:\s:opfuncid\s[0-9]++)?"
    rb"(?:\s:(?:funcresulttype|opresulttype|aggtype|wintype)\s([0-9]++))?"
)
"""The server breaks long lines at spaces."""
_VOLATILITY = """
    SELECT false, oid::bigint, provolatile::text FROM pg_catalog.pg_proc
    UNION ALL SELECT true, o.oid::bigint, p.provolatile::text
    FROM pg_catalog.pg_operator AS o JOIN pg_catalog.pg_proc AS p ON p.oid = o.oprcode
"""
_QUOTED = re.compile(r'"([a-z_][a-z0-9_]*+)"(?=[.(])')
"""A name in quotes that it needs only if it is a key word."""
_TEMPORARY = re.compile(r"create\s+(?:(?:global|local)\s+)?(?:temp|temporary)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A server's answer to a statement.

    Parameters:
        refusal: the error; None if the server accepts the statement.
        parameters: the types of ``$1``, ``$2``, ...
        columns: the names and types of the result's columns.
        warnings: the warnings.
        results: the functions and operators that the server chose, each with the type of its result and its
            volatility.
        guessed: whether it has variables of a function whose types are unknown here.
        has_tree: whether these come from the server's parse tree; if not, only the statement's text has names.
        analyzed: the same and the columns, with their places, if that is asked for.
    """

    refusal: Refusal | None = None
    parameters: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    results: frozenset[tuple[str, str]] = frozenset()
    has_tree: bool = False
    guessed: bool = False
    analyzed: Analyzed | None = None

    @property
    def resolved(self) -> frozenset[str]:
        """The signatures of the functions and operators that the server chose."""
        return frozenset(name for name, _ in self.results)


def parse_all(
    connection: psycopg.Connection,
    queries: Sequence[Query],
    *,
    timeout: float,
    definer: Definer | None = None,
    progress: Callable[[int], object] = lambda _: None,
    with_places: bool = False,
) -> list[Parsed]:
    """Have the server of a connection parse statements.

    Definitions are run in a transaction that is rolled back. Temporary tables of unknown sessions are created and
    stay, because later statements may use them.

    Parameters:
        connection: a connection in autocommit mode.
        timeout: the time that a batch or a definition may take, in seconds.
        definer: runs the definitions that need a superuser.
        progress: called with the number of finished statements.
        with_places: whether to read the places of the statements' names, too.
    """
    version = PgVersion.from_num(connection.info.server_version)
    answers: list[Parsed] = []
    session = _Session(connection, definer, with_places=with_places)
    with Watchdog(connection, timeout) as watchdog:
        for batch in _batches(queries):
            session.print_trees(sum(len(query.sql) for query in batch) <= _LONGEST_PRINTED)
            with watchdog.statement():
                if _is_run(batch[0]):
                    answers.append(session.define(batch[0], version))
                elif any(query.settings or query.temporary for query in batch):
                    answers += [session.parse_with_settings(query) for query in batch]
                else:
                    answers += session.parse_knowing_variables(batch)
            if watchdog.was_memory:
                answers = [
                    replace(each, refusal=each.refusal and each.refusal.known_to(watchdog))
                    for each in answers
                ]
            progress(len(answers))
    return answers


def analyses(
    connect: Callable[[], AbstractContextManager[psycopg.Connection]], stack: ExitStack, timeout: float
) -> Callable[[Query], Analyzed | None]:
    """Ask a server for the names in one statement at a time; None for definitions, and if it refuses the statement.

    Parameters:
        connect: connects, in autocommit mode, when there is a first statement.
        stack: closes the connection.
        timeout: the time that a statement may take, in seconds.
    """

    @functools.cache
    def begun() -> tuple[_Session, Watchdog]:
        connection = stack.enter_context(connect())
        watchdog = stack.enter_context(Watchdog(connection, timeout))
        return _Session(connection, None, with_places=True), watchdog

    def ask(query: Query) -> Analyzed | None:
        if _is_run(query) or len(query.sql) > _LONGEST_PRINTED:
            return None
        session, watchdog = begun()
        with watchdog.statement():
            if query.settings or query.temporary:
                return session.parse_with_settings(query).analyzed
            return session.parse_knowing_variables([query])[0].analyzed

    return ask


def _is_run(query: Query) -> bool:
    return _DEFINING.match(without_comments(query.sql)) is not None


def _batches(queries: Sequence[Query]) -> Iterator[list[Query]]:
    """Split the statements, in order, into batches to parse; each statement of another kind is alone."""
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


def analyzed(sql: str) -> str:
    """The statement. For COPY (...) TO and PREPARE it is the query in it, at its place, because servers
    analyze that only when they run the statement."""
    bare = without_comments(sql)
    if _HOLDING.match(bare) is None:
        return sql
    found = [token for token in tokens(sql) if token.significant]
    end = len(sql)
    if found[0].keyword == "prepare":
        start = next((token.end for token in found if token.keyword == "as"), end)
    else:
        start, depth = found[1].end, 0
        for token in found[1:]:
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0:
                end = token.start
                break
    return " " * start + sql[start:end] if sql[start:end].strip() else sql


class _Session:
    """Parses statements on a connection.

    The server sends the parse tree of each statement, which contains the functions and operators that it chose
    (https://www.postgresql.org/docs/current/runtime-config-logging.html#GUC-DEBUG-PRINT-PARSE).
    """

    def __init__(
        self, connection: psycopg.Connection, definer: Definer | None, *, with_places: bool = False
    ) -> None:
        self._connection = connection
        self._definer = definer
        self._pgconn = connection.pgconn
        self._types: dict[int, str] = dict(
            connection.execute("SELECT oid::bigint, format_type(oid, NULL) FROM pg_type").fetchall()
        )
        self._oids = {name: oid for oid, name in self._types.items()}
        self._functions = signatures(connection, "regprocedure", "pg_proc")
        self._operators = signatures(connection, "regoperator", "pg_operator")
        self._volatility = {
            (is_operator, oid): volatility
            for is_operator, oid, volatility in connection.execute(_VOLATILITY).fetchall()
        }
        self._names = (
            ServerNames(
                self._functions,
                self._operators,
                signatures(connection, "regclass", "pg_class"),
                self._types,
            )
            if with_places
            else None
        )
        self._tree = b""
        self._warnings: list[str] = []
        self._resolved: set[tuple[str, str]] = set()
        self._has_tree = False
        self._prints = True
        for setting in _PRINTING:
            connection.execute(setting)
        self._pgconn.notice_handler = self._noticed

    def print_trees(self, wanted: bool) -> None:
        """Whether the server sends the parse trees of the next statements."""
        if wanted != self._prints:
            self._connection.execute(f"SET debug_print_parse = {'on' if wanted else 'off'}".encode())
            self._prints = wanted

    def _noticed(self, result: pq.abc.PGresult) -> None:
        """Keep a warning, or the functions and operators in a parse tree."""
        field = pq.DiagnosticField
        if (result.error_field(field.SEVERITY) or b"") != b"LOG":
            self._warnings.append((result.error_field(field.MESSAGE_PRIMARY) or b"").decode(errors="replace"))
            return
        self._has_tree = True
        tree = self._tree = result.error_field(field.MESSAGE_DETAIL) or b""
        for kind, oid, type_ in {match.groups() for match in _RESOLVED.finditer(tree)}:
            names = self._operators if kind == b"opno" else self._functions
            volatility = self._volatility.get((kind == b"opno", int(oid)))
            self._resolved.add((names.get(int(oid), ""), f"{self._types.get(int(type_ or 0))} {volatility}"))

    def _said(self) -> tuple[tuple[str, ...], frozenset[tuple[str, str]]]:
        """The warnings, and the functions and operators, that arrived since the last call."""
        said = tuple(self._warnings), frozenset(self._resolved)
        self._warnings.clear()
        self._resolved.clear()
        self._has_tree = False
        return said

    def parse_knowing_variables(self, batch: list[Query]) -> list[Parsed]:
        """Parse statements. In those inside functions, parameters replace the variables that the server does
        not know."""
        texts = [analyzed(without_into(query.sql) if query.variables else query.sql) for query in batch]
        answers = self.parse([encoded(text) for text in texts])
        missed: dict[int, list[str]] = {}
        for _ in range(_MOST_VARIABLES):
            repeated: dict[int, Substituted] = {}
            for at, answer in enumerate(answers):
                types = dict(batch[at].variables)
                refusal = answer.refusal
                name = unknown_variable(refusal.message, types) if refusal and types else None
                if name is not None and name not in missed.setdefault(at, []):
                    missed[at].append(name)
                    repeated[at] = substituted(texts[at], missed[at], types)
            if not repeated:
                break
            oids = [[self._oids.get(type_, 0) for type_ in each.types] for each in repeated.values()]
            said = self.parse([encoded(each.sql) for each in repeated.values()], oids)
            for (at, each), answer in zip(repeated.items(), said, strict=True):
                answers[at] = _in_original(answer, each)
        return answers

    def parse(self, texts: list[bytes], types: Sequence[Sequence[int]] = ()) -> list[Parsed]:
        """Parse and describe each statement. A Sync after each one limits an error to that statement.

        Parameters:
            types: for each statement, the types of its parameters; 0 for those that the server determines.
        """
        pgconn = self._pgconn
        answers: list[Parsed] = []
        self._said()
        pgconn.enter_pipeline_mode()
        try:
            for sql, oids in itertools.zip_longest(texts, types):
                pgconn.send_prepare(b"", sql, oids)
                pgconn.send_describe_prepared(b"")
                pgconn.pipeline_sync()
            for _ in texts:
                prepared = _next(pgconn)
                described = _next(pgconn)
                answers.append(self._parsed(prepared, described, texts[len(answers)]))
                while (synced := pgconn.get_result()) is None or synced.status != pq.ExecStatus.PIPELINE_SYNC:
                    if synced is None and pgconn.status == pq.ConnStatus.BAD:
                        raise psycopg.OperationalError("the server closed the connection")
        finally:
            if pgconn.status == pq.ConnStatus.OK:
                pgconn.exit_pipeline_mode()
        return answers

    def parse_with_settings(self, query: Query) -> Parsed:
        """Parse a statement under its own settings."""
        pgconn = self._pgconn
        with self._connection.transaction(force_rollback=True):
            as_in_session(self._connection, query)
            self._said()
            pgconn.exec_(b"SAVEPOINT pgfeatures_statement")
            sql = encoded(analyzed(query.sql))
            result = pgconn.prepare(b"", sql)
            described = pgconn.describe_prepared(b"") if result.status == pq.ExecStatus.COMMAND_OK else None
            answer = self._parsed(result, described, sql)
            pgconn.exec_(b"ROLLBACK TO pgfeatures_statement")
        return answer

    def _parsed(self, prepared: pq.abc.PGresult, described: pq.abc.PGresult | None, sql: bytes) -> Parsed:
        has_tree = self._has_tree
        places = analyzed_tree(self._tree, self._names, sql) if has_tree and self._names else None
        warnings, results = self._said()
        if prepared.status == pq.ExecStatus.FATAL_ERROR:
            return Parsed(Refusal.of(psycopg.errors.error_from_result(prepared)), warnings=warnings)
        if described is None or described.status != pq.ExecStatus.COMMAND_OK:
            return Parsed(warnings=warnings, results=results, has_tree=has_tree, analyzed=places)
        parameters = [
            self._types.get(described.param_type(number), "?") for number in range(described.nparams)
        ]
        columns = [
            (
                (described.fname(number) or b"").decode(errors="replace"),
                self._types.get(described.ftype(number), "?"),
            )
            for number in range(described.nfields)
        ]
        return Parsed(None, tuple(parameters), tuple(columns), warnings, results, has_tree, analyzed=places)

    def define(self, query: Query, version: PgVersion) -> Parsed:
        """Run a definition and roll it back. A temporary table of an unknown session stays: later statements may
        use it."""
        if not is_run(query.sql, version, self._connection):
            return self.parse([encoded(query.sql)])[0]
        self._said()
        sql = encoded(query.sql)
        try:
            if query.temporary is None and _TEMPORARY.match(without_comments(query.sql)):
                self._connection.execute(sql, prepare=False)
            else:
                with self._connection.transaction(force_rollback=True):
                    as_in_session(self._connection, query)
                    self._connection.execute(sql, prepare=False)
        except psycopg.Error as error:
            if self._connection.closed:
                raise
            refusal = self._by_superuser(query.sql, Refusal.of(error))
            if refusal and (
                refusal.sqlstate not in _IN_NO_TRANSACTION or "transaction" not in refusal.message
            ):
                return Parsed(refusal, warnings=self._said()[0])
        return Parsed(warnings=self._said()[0])

    def _by_superuser(self, sql: str, refusal: Refusal) -> Refusal | None:
        """Run a definition as superuser, if the server refuses it to the loading role, and it needs a superuser."""
        definer = self._definer
        if definer is None or refusal.sqlstate != NOT_ALLOWED or not definer.takes(sql):
            return refusal
        row = self._connection.execute("SHOW search_path").fetchone()
        try:
            definer.define(encoded(sql), row[0] if row else "", keep=False)
        except psycopg.Error as error:
            if definer.connection.closed:
                raise
            return Refusal.of(error)
        return None


def _in_original(answer: Parsed, given: Substituted) -> Parsed:
    """Translate the answer to a statement with parameters in place of variables to the original statement."""
    refusal = answer.refusal
    if refusal is not None and refusal.position is not None:
        refusal = replace(refusal, position=given.original(refusal.position))
    places = answer.analyzed and answer.analyzed.moved(given.original)
    return replace(answer, refusal=refusal, parameters=(), guessed="" in given.types, analyzed=places)


def signatures(connection: psycopg.Connection, kind: str, catalog: str) -> dict[int, str]:
    """The signatures of all functions or operators, by OID. Only PostgreSQL's own ones have no schema, so
    that they differ from the application's of the same name. Servers differ in which names they quote."""
    with connection.transaction():
        connection.execute("SET LOCAL search_path = ''")
        return {
            oid: _QUOTED.sub(r"\1", name)
            for oid, name in connection.execute(
                f"SELECT oid::bigint, oid::{kind}::text FROM {catalog}".encode()
            ).fetchall()
        }


def _next(pgconn: pq.abc.PGconn) -> pq.abc.PGresult:
    """The result of the next command in the pipeline. A null result follows each one."""
    result = pgconn.get_result()
    if result is None:
        raise psycopg.OperationalError("the server closed the connection")
    while pgconn.get_result() is not None:
        pass
    return result
