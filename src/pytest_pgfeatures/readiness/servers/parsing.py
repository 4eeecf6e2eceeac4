"""Have a server parse many statements without running them. Definitions are run, because servers look up their
names only then, and rolled back."""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg
from psycopg import pq
from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.inputs.texts import blanked
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.servers import loading
from pytest_pgfeatures.readiness.servers.analyzed import NO_NAMES, Analyzed, analyzed_tree, names_on
from pytest_pgfeatures.readiness.servers.loading import Refusal
from pytest_pgfeatures.readiness.servers.side import as_in_session
from pytest_pgfeatures.readiness.statements.embedded import Substituted, substituted, unknown_variable
from pytest_pgfeatures.readiness.statements.grammar import short
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.scripts.privileges import Definer
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog

_BATCH = 100
_MOST_VARIABLES = 12  # variables that are replaced in a statement; the server reports one at a time
_HOLDING = re.compile(
    r"copy\s*+\((?P<copied>\s*+[^\s)].*)\)\s*+to\b|prepare\s.*?\bas\b(?P<prepared>\s*+\S.*)"
    r"|create(?=\s)(?>(?:(?!\bview\s)[\w\s])*)view\s.*?\bas\b(?P<viewed>\s*+\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_AFTER_QUERY = re.compile(
    r"\bwith\s++(?:(?:no\s++)?data|(?:(?:local|cascaded)\s++)?check\s++option)\s*+;?\s*+\Z", re.IGNORECASE
)
"""Matches the options after the query of a view."""
_LONGEST_PRINTED = 1_000_000  # in characters. The parse tree is some 30 times as long, and all in memory
_SAVEPOINT = b"pgfeatures_statement"
_CONCURRENTLY = re.compile(r"(?<=\bindex)\s+concurrently\b", re.IGNORECASE)  # in no transaction
_TEMPORARY = re.compile(r"create\s+(?:(?:global|local)\s+)?(?:temp|temporary)\b", re.IGNORECASE)
_NO_SCHEMA = re.compile(r'schema "(.*)" does not exist')
_OF_TRIGGER = re.compile(r"function (?:\w+\.)?(\w+)\(\)")
_ROWS = """
    SELECT p.proname::text, min(pg_catalog.format_type(c.reltype, NULL))
      FROM pg_catalog.pg_trigger AS t
      JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
      JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal GROUP BY 1 HAVING count(DISTINCT c.oid) = 1
"""
"""The row types of NEW and OLD in functions that triggers of one table execute."""
_DEFINING = re.compile(r"(?i)(?:create|drop|alter|comment|grant|revoke|security|reassign|import)\b")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A server's answer to a statement."""

    refusal: Refusal | None = None
    parameters: tuple[str, ...] = ()  # the types of $1, $2, ...
    columns: tuple[tuple[str, str], ...] = ()  # the names and types of the result's columns
    warnings: tuple[str, ...] = ()
    guessed: bool = False  # whether it has variables of a function whose types are unknown here
    names: Analyzed = NO_NAMES  # from its parse tree; without one, only the statement's text has any


def parse_all(
    connection: psycopg.Connection,
    queries: Sequence[Query],
    *,
    timeout: float,
    definer: Definer | None = None,
    progress: loading.Progress = lambda _: None,
) -> list[Parsed]:
    """Have the server of a connection, in autocommit mode, parse statements. Definitions are run in a transaction
    that is rolled back; where a statement lacks what another one of its file creates, both are run in one."""
    answers: list[Parsed] = []
    with Watchdog(connection, timeout) as watchdog:
        session = _Session(watchdog, definer)
        for alone, some in itertools.groupby(queries, _is_alone):
            while batch := list(itertools.islice(some, 1 if alone else _BATCH)):
                answers += session.answers(batch)
                progress(len(answers))
        for _, numbers in itertools.groupby(range(len(queries)), lambda at: queries[at].file):
            session.repeat_in_order(list(numbers), queries, answers)
    return answers


def is_definition(query: Query) -> bool:
    """Whether a statement is run and rolled back."""
    return _DEFINING.match(loading.without_comments(query.sql)) is not None


def rows_of(connection: psycopg.Connection, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query on catalogs; none if the server lacks such a catalog or column."""
    try:
        with connection.transaction():
            return connection.execute(query.encode()).fetchall()
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        return []


def rows_after(
    watchdog: Watchdog, queries: Iterable[Query], asked: Callable[[Query], Iterable[str]]
) -> Iterator[tuple[Query, str, tuple[object, ...]]]:
    """Run the definitions of each file in order, and roll them back; a schema's have been loaded. Yield each with
    the rows of the queries on catalogs that are asked after it."""
    session = _Session(watchdog)
    run = [query for query in queries if query.kind not in ("schema", "data") and is_definition(query)]
    for _, some in itertools.groupby(run, lambda query: query.file):
        with session.rolled_back():
            for query in some:
                for sql in asked(query) if session.keep(query) is None else ():
                    yield from ((query, sql, row) for row in rows_of(watchdog.connection, sql))


def analyses(known: Mapping[Query, Parsed], watchdog: Watchdog) -> Callable[[Query], Analyzed]:
    """The names in one statement at a time; none for definitions, except of views, and if the server refuses the
    statement. It is asked only for those that are not known."""
    session = functools.cache(lambda: _Session(watchdog))

    def ask(query: Query) -> Analyzed:
        if query in known and not is_definition(query):
            return known[query].names
        asked = replace(query, sql=analyzed(query.sql))  # of a view, its query
        return NO_NAMES if is_definition(asked) else session().answers([asked])[0].names

    return ask


def _is_alone(query: Query) -> bool:
    """Whether a statement is parsed alone: it is run, has a session of its own, or is too long for a tree."""
    has_session = query.settings or query.temporary
    return bool(has_session) or len(query.sql) > _LONGEST_PRINTED or is_definition(query)


def analyzed(sql: str) -> str:
    """The statement. For COPY (...) TO, PREPARE and CREATE VIEW it is the query in it, at its place, because
    servers analyze that only when they run the statement."""
    bare = loading.without_comments(sql)
    held = _HOLDING.match(bare)
    if held is None:
        return sql
    start, end = held.span(held.lastgroup or 0)
    if held.lastgroup == "viewed" and (after := _AFTER_QUERY.search(bare, start)):
        end = after.start()
    return " " * (len(sql) - len(bare) + start) + bare[start:end]


class _Session:
    """Parses statements on a connection; runs definitions, and as superuser those that need one."""

    def __init__(self, watchdog: Watchdog, definer: Definer | None = None) -> None:
        self._watchdog = watchdog
        self._connection = watchdog.connection
        self._runner = loading.Runner(watchdog, definer, keep=False)
        self._around: dict[str, None] = {}  # statements that create the schemas that definitions name
        self._names = names_on(self._connection)
        self._oids = {short(name): oid for oid, name in self._names.types.items()}
        self._rows: dict[str, str] = dict(self._connection.execute(_ROWS).fetchall())
        self._notices: list[tuple[str | None, str | None, str | None]] = []
        self._connection.execute("SET debug_pretty_print = off; SET client_min_messages = log")
        self._connection.add_notice_handler(
            lambda said: self._notices.append((said.severity, said.message_primary, said.message_detail))
        )

    def _said(self) -> tuple[tuple[str, ...], str]:
        """The warnings that arrived since the last call, and the last parse tree."""
        said, self._notices = self._notices, []
        trees = [detail or "" for severity, _, detail in said if severity == "LOG"]
        return tuple(text or "" for severity, text, _ in said if severity != "LOG"), "".join(trees[-1:])

    def answers(self, batch: list[Query]) -> list[Parsed]:
        """Parse statements; run a definition and roll it back."""
        self._connection.execute(f"SET debug_print_parse = {len(batch[0].sql) <= _LONGEST_PRINTED}".encode())
        if not (is_definition(batch[0]) and loading.is_run(batch[0].sql, self._connection)):
            return self._parse_in_session(batch)
        self._said()
        refusal = self._refusal(batch[0])
        return [Parsed(refusal, warnings=self._said()[0])]

    def _is_inside(self) -> bool:
        return self._connection.info.transaction_status != pq.TransactionStatus.IDLE

    def _parse_in_session(self, batch: list[Query]) -> list[Parsed]:
        """Parse statements; one that is alone, in its own session. In functions, parameters replace the variables
        that the server does not know."""
        with contextlib.ExitStack() as ends:
            if self._is_inside() or batch[0].settings or batch[0].temporary:
                ends.enter_context(self._connection.transaction(force_rollback=True))
                with self._watchdog.statement():
                    as_in_session(self._connection, batch[0])
                self._connection.execute(b"SAVEPOINT " + _SAVEPOINT)
            texts = [analyzed(StatementReading(each).without_into()) for each in batch]
            answers = self._parse([Substituted(text, (), range(len(text) + 1)) for text in texts])
            for at, query in enumerate(map(self._with_rows, batch)):
                missed: list[str] = []
                while (refusal := answers[at].refusal) and len(missed) < _MOST_VARIABLES:
                    name = unknown_variable(refusal.message, dict(query.variables))
                    if name is None or name in missed:
                        break
                    missed.append(name)
                    (answers[at],) = self._parse([substituted(replace(query, sql=texts[at]), missed)])
            return answers

    def _with_rows(self, query: Query) -> Query:
        """The statement, with the types of NEW and OLD if its function is executed by triggers of one table."""
        function = _OF_TRIGGER.fullmatch(query.inside or "")
        row = self._rows.get(function[1]) if function else None
        return replace(query, variables=(*query.variables, ("new", row), ("old", row))) if row else query

    def _parse(self, statements: Sequence[Substituted]) -> list[Parsed]:
        """Parse and describe each statement. A Sync after each one limits an error to that statement."""
        server = self._connection.pgconn
        to_savepoint = functools.partial(server.send_query_params, b"ROLLBACK TO " + _SAVEPOINT, None)
        before = [to_savepoint] if self._is_inside() else []
        groups = []
        for each in statements:
            types = [self._oids.get(name, 0) for name in each.types]
            prepare = functools.partial(server.send_prepare, b"", encoded(each.sql), types)
            groups.append([*before, prepare, functools.partial(server.send_describe_prepared, b"")])
        self._said()
        answered = loading.results(self._watchdog, groups, len(before) + 2)
        return [self._answer(each, found) for found, each in zip(answered, statements, strict=True)]

    def _answer(self, sent: Substituted, answer: Sequence[pq.abc.PGresult] | Refusal) -> Parsed:
        warnings, tree = self._said()
        guessed = "" in sent.types
        if isinstance(answer, Refusal):
            at = None if answer.position is None else sent.original(answer.position)
            return Parsed(replace(answer, position=at), warnings=warnings, guessed=guessed)
        is_known = bool(tree) and all(each in self._oids for each in filter(None, sent.types))
        resolved = analyzed_tree(tree, self._names, sent) if is_known else NO_NAMES
        described, types = answer[-1], self._names.types
        count = 0 if sent.types else described.nparams  # variables are no parameters
        parameters = [types.get(described.param_type(at), "?") for at in range(count)]
        columns = [
            ((described.fname(at) or b"").decode(errors="replace"), types.get(described.ftype(at), "?"))
            for at in range(described.nfields)
        ]
        return Parsed(None, tuple(parameters), tuple(columns), warnings, guessed, resolved)

    def repeat_in_order(self, some: list[int], queries: Sequence[Query], answers: list[Parsed]) -> None:
        """Repeat the statements of a file that lack an object, after the definitions that precede them there."""
        lacking = {at for at in some if (refusal := answers[at].refusal) and refusal.lacks_object}
        first = next((at for at in some if is_definition(queries[at])), some[-1])
        if max(lacking, default=first) <= first:
            return
        with self.rolled_back(self._around):
            for at in some:
                if is_definition(queries[at]):
                    refusal = self.keep(queries[at])
                    answers[at] = Parsed(refusal) if at in lacking else answers[at]
                elif at in lacking:
                    (answers[at],) = self._parse_in_session([queries[at]])

    def _refusal(self, query: Query) -> Refusal | None:
        """Run a definition and roll it back. A temporary table of an unknown session stays: later statements may
        use it. Roles and schemas that it names are created."""
        around: dict[str, None] = {}
        stays = query.temporary is None and _TEMPORARY.match(loading.without_comments(query.sql))
        inside = contextlib.nullcontext if stays else functools.partial(self.rolled_back, around)
        while True:
            refusal = self._runner.refusal(query, self._run, query, inside)
            missing = _NO_SCHEMA.fullmatch(refusal.message) if refusal else None
            statement = missing and f"CREATE SCHEMA {Identifier(missing[1]).as_string()}"
            if statement is None or statement in around:
                return refusal
            around[statement] = self._around[statement] = None

    def _run(self, query: Query, inside: Callable[[], contextlib.AbstractContextManager[object]]) -> None:
        with inside():
            as_in_session(self._connection, query)
            sql = _CONCURRENTLY.sub(lambda found: blanked(found[0]), query.sql)
            self._connection.execute(encoded(sql), prepare=False)

    @contextlib.contextmanager
    def rolled_back(self, around: Iterable[str] = ()) -> Iterator[None]:
        """A transaction that is rolled back, with the schemas that these statements create."""
        with self._connection.transaction(force_rollback=True):
            for statement in around:
                with contextlib.suppress(psycopg.Error), self._connection.transaction():
                    self._connection.execute(statement.encode())
            yield

    def keep(self, query: Query) -> Refusal | None:
        """Run a definition in the transaction of :meth:`rolled_back`, unless it concerns other databases."""
        if not loading.is_run(query.sql, self._connection):
            return None
        query = replace(query, temporary=None)
        return loading.tried(self._watchdog, self._run, query, self._connection.transaction)
