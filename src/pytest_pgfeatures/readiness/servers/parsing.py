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

from pytest_pgfeatures.readiness.servers.analyzed import Analyzed, analyzed_tree, names_on
from pytest_pgfeatures.readiness.servers.definitions import Definitions, is_definition
from pytest_pgfeatures.readiness.servers.loading import Refusal, is_run, without_comments
from pytest_pgfeatures.readiness.servers.pipeline import results
from pytest_pgfeatures.readiness.servers.side import as_in_session
from pytest_pgfeatures.readiness.statements.grammar import short
from pytest_pgfeatures.readiness.statements.reading import without_into
from pytest_pgfeatures.readiness.statements.variables import substituted, unknown_variable
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog
from pytest_pgfeatures.version import PgVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.statements.variables import Substituted
    from pytest_pgfeatures.scripts.privileges import Definer

_BATCH = 100
_MOST_VARIABLES = 12
"""Variables of a statement that are replaced; the server reports one missing variable at a time."""
_BATCH_CHARACTERS = 60_000
"""Must be less than the buffer of a socket; otherwise, client and server could wait for each other."""
_HOLDING = re.compile(
    r"copy\s*+\((?P<copied>\s*+[^\s)].*)\)\s*+to\b|prepare\s.*?\bas\b(?P<prepared>\s*+\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_PRINTING = (
    "SET debug_pretty_print = off",
    "SET client_min_messages = log",
    "SET debug_print_parse = on",
)
_LONGEST_PRINTED = 1_000_000
"""The number of characters up to which a statement's parse tree is requested. The tree is some 30 times as
long, and all in memory."""
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
        guessed: whether it has variables of a function whose types are unknown here.
        analyzed: its names as the server resolved them, from its parse tree; None without one.
    """

    refusal: Refusal | None = None
    parameters: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()
    guessed: bool = False
    analyzed: Analyzed | None = None

    @property
    def names(self) -> Analyzed:
        """Its names; without a parse tree, only the statement's text has any."""
        return self.analyzed or Analyzed()


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
    known: Mapping[Query, Parsed], watched: Callable[[], tuple[psycopg.Connection, Watchdog]]
) -> Callable[[Query], Analyzed | None]:
    """The names in one statement at a time; None for definitions, and if the server refuses the statement.

    Parameters:
        known: the statements that it has parsed. It is asked for others.
        watched: connects, in autocommit mode, when there is a first statement.
    """
    session = functools.cache(lambda: _Session(watched()[0], None))

    def ask(query: Query) -> Analyzed | None:
        if query in known:
            return known[query].analyzed
        if is_definition(query) or len(query.sql) > _LONGEST_PRINTED:
            return None
        with watched()[1].statement():
            return session().parse_in_session([query])[0].analyzed

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
    held = _HOLDING.match(bare)
    if held is None:
        return sql
    before = len(sql) - len(bare)
    start, end = (before + index for index in held.span(held.lastgroup or 0))
    return " " * start + sql[start:end]


class _Session:
    """Parses statements on a connection.

    The server sends the parse tree of each statement, which contains the functions and operators that it chose
    (https://www.postgresql.org/docs/current/runtime-config-logging.html#GUC-DEBUG-PRINT-PARSE).
    """

    def __init__(self, connection: psycopg.Connection, definer: Definer | None) -> None:
        self._connection = connection
        self._definitions = Definitions(connection, definer)
        self._pgconn = connection.pgconn
        self._names = names_on(connection)
        self._oids = {short(name): oid for oid, name in self._names.types.items()}
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

    def parse_in_session(self, batch: list[Query], *, inside: bool = False) -> list[Parsed]:
        """Parse statements; one that is alone, in its own session.

        Parameters:
            inside: whether it is alone, inside of a transaction with definitions.
        """
        if not (inside or batch[0].settings or batch[0].temporary):
            return self.parse_knowing_variables(batch)
        with self._connection.transaction(force_rollback=True):
            as_in_session(self._connection, batch[0])
            self._connection.execute(_SAVEPOINT)
            return self.parse_knowing_variables(batch)

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
        if prepared.status == pq.ExecStatus.FATAL_ERROR:
            return Parsed(Refusal.of(psycopg.errors.error_from_result(prepared)), warnings=warnings)
        resolved = analyzed_tree(trees[-1], self._names, sql) if trees else None
        if described.status != pq.ExecStatus.COMMAND_OK:
            return Parsed(warnings=warnings, analyzed=resolved)
        types = self._names.types
        parameters = [types.get(described.param_type(number), "?") for number in range(described.nparams)]
        names = [(described.fname(at) or b"").decode(errors="replace") for at in range(described.nfields)]
        columns = [(name, types.get(described.ftype(at), "?")) for at, name in enumerate(names)]
        return Parsed(None, tuple(parameters), tuple(columns), warnings, analyzed=resolved)

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
                        (answers[at],) = self.parse_in_session([queries[at]], inside=True)


def _in_original(answer: Parsed, given: Substituted) -> Parsed:
    """Translate the answer to a statement with parameters in place of variables to the original statement."""
    refusal = answer.refusal
    if refusal is not None and refusal.position is not None:
        refusal = replace(refusal, position=given.original(refusal.position))
    places = answer.analyzed and answer.analyzed.moved(given.original)
    return replace(answer, refusal=refusal, parameters=(), guessed="" in given.types, analyzed=places)
