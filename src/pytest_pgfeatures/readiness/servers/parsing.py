"""Have a server parse many statements without running them, in batches in libpq's pipeline mode.

https://www.postgresql.org/docs/current/libpq-pipeline-mode.html
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import psycopg
from psycopg import pq

from pytest_pgfeatures.readiness.servers.analyzed import Analyzed, ServerNames, analyzed_tree
from pytest_pgfeatures.readiness.servers.definitions import Definitions, is_definition
from pytest_pgfeatures.readiness.servers.loading import Refusal, is_run, without_comments
from pytest_pgfeatures.readiness.servers.pipeline import results
from pytest_pgfeatures.readiness.servers.side import as_in_session
from pytest_pgfeatures.readiness.servers.signatures import relations, signatures
from pytest_pgfeatures.readiness.statements.nodes import short
from pytest_pgfeatures.readiness.statements.reading import without_into
from pytest_pgfeatures.readiness.statements.variables import substituted, unknown_variable
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.sql import tokens
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager, ExitStack

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.signatures import Signature
    from pytest_pgfeatures.readiness.statements.variables import Substituted
    from pytest_pgfeatures.scripts.privileges import Definer

_BATCH = 100
_MOST_VARIABLES = 12
"""Variables of a statement that are replaced; the server reports one missing variable at a time."""
_BATCH_CHARACTERS = 60_000
"""Must be less than the buffer of a socket; otherwise, client and server could wait for each other."""
_HOLDING = re.compile(r"\s*+(?:copy\s*+\(|prepare\s)", re.IGNORECASE)
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
    rb"(?:\s:funcretset\s\w++\s:funcvariadic\s\w++\s:funcformat\s([0-3]))?"
)
"""The server breaks long lines at spaces."""
_CASTS = frozenset({b"1", b"2"})
"""COERCE_EXPLICIT_CAST and COERCE_IMPLICIT_CAST, forms of calls in PostgreSQL's ``nodes/primnodes.h``."""
_SAVEPOINT = b"SAVEPOINT pgfeatures_statement"
_TO_SAVEPOINT = b"ROLLBACK TO pgfeatures_statement"


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
        analyzed: the same and the columns, with their places.
        casts: the functions among ``results`` that the server calls for casts, explicit or not.
        called: what the server knows of the functions and operators, by the signatures in ``results``.
    """

    refusal: Refusal | None = None
    parameters: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    results: frozenset[tuple[str, str]] = frozenset()
    has_tree: bool = False
    guessed: bool = False
    analyzed: Analyzed | None = None
    casts: frozenset[tuple[str, str]] = frozenset()
    called: dict[str, Signature] = field(default_factory=dict)

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
) -> list[Parsed]:
    """Have the server of a connection parse statements.

    Definitions are run in a transaction that is rolled back; where a statement lacks what another one of its file
    creates, both are run in one. Temporary tables of unknown sessions are created and stay, because later
    statements may use them.

    Parameters:
        connection: a connection in autocommit mode.
        timeout: the time that a batch or a definition may take, in seconds.
        definer: runs the definitions that need a superuser.
        progress: called with the number of finished statements.
    """
    version = PgVersion.from_num(connection.info.server_version)
    answers: list[Parsed] = []
    session = _Session(connection, definer)
    with Watchdog(connection, timeout) as watchdog:
        for batch in _batches(queries):
            session.print_trees(sum(len(query.sql) for query in batch) <= _LONGEST_PRINTED)
            with watchdog.statement():
                if is_definition(batch[0]):
                    answers.append(session.define(batch[0], version))
                else:
                    answers += session.parse_in_session(batch)
            if watchdog.was_memory:
                answers = [
                    replace(each, refusal=each.refusal and each.refusal.known_to(watchdog))
                    for each in answers
                ]
            progress(len(answers))
        for _, some in itertools.groupby(range(len(queries)), lambda at: queries[at].file):
            session.repeat_in_order(list(some), queries, answers, watchdog)
    return answers


def analyses(
    known: Mapping[Query, Parsed],
    connect: Callable[[], AbstractContextManager[psycopg.Connection]],
    stack: ExitStack,
    timeout: float,
) -> Callable[[Query], Analyzed | None]:
    """The names in one statement at a time; None for definitions, and if the server refuses the statement.

    Parameters:
        known: the statements that it has parsed. It is asked for others.
        connect: connects, in autocommit mode, when there is a first statement.
        stack: closes the connection.
        timeout: the time that a statement may take, in seconds.
    """

    @functools.cache
    def begun() -> tuple[_Session, Watchdog]:
        connection = stack.enter_context(connect())
        watchdog = stack.enter_context(Watchdog(connection, timeout))
        return _Session(connection, None), watchdog

    def ask(query: Query) -> Analyzed | None:
        if query in known:
            return known[query].analyzed
        if is_definition(query) or len(query.sql) > _LONGEST_PRINTED:
            return None
        session, watchdog = begun()
        with watchdog.statement():
            return session.parse_in_session([query])[0].analyzed

    return ask


def _batches(queries: Sequence[Query]) -> Iterator[list[Query]]:
    """Split the statements, in order, into batches to parse. One to run is alone, and so is one that has a session
    of its own."""
    batch: list[Query] = []
    characters = 0
    was_alone = False
    for query in queries:
        alone = is_definition(query) or bool(query.settings or query.temporary)
        full = len(batch) == _BATCH or characters + len(query.sql) > _BATCH_CHARACTERS
        if batch and (alone or was_alone or full):
            yield batch
            batch, characters = [], 0
        batch.append(query)
        characters += len(query.sql)
        was_alone = alone
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

    def __init__(self, connection: psycopg.Connection, definer: Definer | None) -> None:
        self._connection = connection
        self._definitions = Definitions(connection, definer)
        self._pgconn = connection.pgconn
        self._types: dict[int, str] = dict(
            connection.execute("SELECT oid::bigint, format_type(oid, NULL) FROM pg_type").fetchall()
        )
        self._oids = {short(name): oid for oid, name in self._types.items()}
        self._functions, self._operators = signatures(connection)
        self._names = ServerNames(self._functions, self._operators, relations(connection), self._types)
        self._warnings: list[bytes] = []
        self._trees: list[bytes] = []
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
        """Keep a warning or a parse tree."""
        field = pq.DiagnosticField
        if result.error_field(field.SEVERITY) == b"LOG":
            self._trees.append(result.error_field(field.MESSAGE_DETAIL) or b"")
        else:
            self._warnings.append(result.error_field(field.MESSAGE_PRIMARY) or b"")

    def _said(self) -> tuple[tuple[str, ...], list[bytes]]:
        """The warnings and the parse trees that arrived since the last call."""
        said = tuple(warning.decode(errors="replace") for warning in self._warnings), self._trees
        self._warnings, self._trees = [], []
        return said

    def _resolved(self, trees: Iterable[bytes]) -> Iterator[tuple[tuple[str, str], bool, Signature | None]]:
        """The functions and operators in parse trees, each with the type of its result and its volatility;
        whether it is called for a cast; and what the server knows of it."""
        for kind, oid, type_, form in {
            match.groups() for tree in trees for match in _RESOLVED.finditer(tree)
        }:
            names = self._operators if kind == b"opno" else self._functions
            called = names.called.get(int(oid))
            result = f"{self._types.get(int(type_ or 0))} {called and called.volatility}"
            yield (names.get(int(oid), ""), result), form in _CASTS, called

    def parse_in_session(self, batch: list[Query]) -> list[Parsed]:
        """Parse statements; one that is alone, in its own session."""
        query = batch[0]
        if not query.settings and not query.temporary:
            return self.parse_knowing_variables(batch)
        return [self._parse_alone(query)]

    def _parse_alone(self, query: Query) -> Parsed:
        """Parse a statement in its own session."""
        with self._connection.transaction(force_rollback=True):
            as_in_session(self._connection, query)
            self._connection.execute(_SAVEPOINT)
            return self.parse_knowing_variables([query])[0]

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
                    repeated[at] = substituted(replace(batch[at], sql=texts[at]), missed[at])
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
        answers: list[Parsed] = []
        self._said()
        begin = functools.partial(self._pgconn.send_query_params, _TO_SAVEPOINT, None)
        inside = [begin] * (self._connection.info.transaction_status != pq.TransactionStatus.IDLE)
        groups = [
            (
                *inside,
                functools.partial(self._pgconn.send_prepare, b"", sql, oids),
                functools.partial(self._pgconn.send_describe_prepared, b""),
            )
            for sql, oids in itertools.zip_longest(texts, types)
        ]
        for found in results(self._connection, groups):
            _ = list(itertools.islice(found, len(inside)))
            prepared, described = itertools.islice(found, 2)
            answers.append(self._parsed(prepared, described, texts[len(answers)]))
        return answers

    def _parsed(self, prepared: pq.abc.PGresult, described: pq.abc.PGresult, sql: bytes) -> Parsed:
        warnings, trees = self._said()
        resolved, has_tree = list(self._resolved(trees)), bool(trees)
        results = frozenset(each for each, *_ in resolved)
        casts = frozenset(each for each, is_cast, _ in resolved if is_cast)
        known = {name: called for (name, _), _, called in resolved if called}
        places = analyzed_tree(trees[-1], self._names, sql) if trees else None
        if prepared.status == pq.ExecStatus.FATAL_ERROR:
            return Parsed(Refusal.of(psycopg.errors.error_from_result(prepared)), warnings=warnings)
        if described.status != pq.ExecStatus.COMMAND_OK:
            return Parsed(
                warnings=warnings, results=results, has_tree=has_tree, analyzed=places, called=known
            )
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
        return Parsed(
            None, tuple(parameters), tuple(columns), warnings, results, has_tree, analyzed=places, casts=casts,
            called=known,
        )  # fmt: skip

    def define(self, query: Query, version: PgVersion) -> Parsed:
        """Run a definition and roll it back."""
        if not is_run(query.sql, version, self._connection):
            return self.parse([encoded(query.sql)])[0]
        self._said()
        refusal = self._definitions.refusal(query)
        return Parsed(refusal, warnings=self._said()[0])

    def repeat_in_order(
        self, some: list[int], queries: Sequence[Query], answers: list[Parsed], watchdog: Watchdog
    ) -> None:
        """Repeat the statements of a file that lack an object, after the definitions that precede them there."""

        def lacks(at: int) -> bool:
            return (refusal := answers[at].refusal) is not None and refusal.lacks_object

        defined = [at for at in some if is_definition(queries[at])]
        if not defined or not any(lacks(at) for at in some if at > defined[0]):
            return
        with self._definitions.rolled_back():
            for at in some:
                with watchdog.statement():
                    if at in defined:
                        refusal = self._definitions.keep(queries[at])
                        answers[at] = Parsed(refusal) if lacks(at) else answers[at]
                    elif lacks(at):
                        answers[at] = self._parse_alone(queries[at])


def _in_original(answer: Parsed, given: Substituted) -> Parsed:
    """Translate the answer to a statement with parameters in place of variables to the original statement."""
    refusal = answer.refusal
    if refusal is not None and refusal.position is not None:
        refusal = replace(refusal, position=given.original(refusal.position))
    places = answer.analyzed and answer.analyzed.moved(given.original)
    return replace(answer, refusal=refusal, parameters=(), guessed="" in given.types, analyzed=places)
