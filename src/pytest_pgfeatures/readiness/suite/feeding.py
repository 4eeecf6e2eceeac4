"""Give the stages what a suite sent: its statements with their parameters, the schema as it stood, and rows."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path

from pytest_pgfeatures.install import Resolver
from pytest_pgfeatures.readiness.application import Application
from pytest_pgfeatures.readiness.inputs.sql_files import Loadable, SqlReader, each_statement
from pytest_pgfeatures.readiness.model import Input, Query
from pytest_pgfeatures.readiness.running.effects import EXECUTED, begins_with
from pytest_pgfeatures.readiness.secrets import secrets_in
from pytest_pgfeatures.readiness.statements.grammar import with_values
from pytest_pgfeatures.readiness.suite.recorded import Execution, Recorded, known_by
from pytest_pgfeatures.readiness.suite.running import Rows, SuiteRun
from pytest_pgfeatures.readiness.suite.sessions import DEFAULT_PATH, SessionState

FILE = "--run"
"""The text that stands for the file of a statement that no file has; the line is the statement's number."""
_INTO = re.compile(r'(?i)\binto\s++(?:[^\s(".]++\.|"[^"]*+"\.)?(?P<table>"(?P<quoted>[^"]*+)"|[^\s(".]++)')
_CHANGES = frozenset({"insert", "update", "delete", "truncate", "copy", "merge"})


def takes_rows(inputs: Application) -> bool:
    """Whether rows of a suite are of use: there are no others, and no commands create tables after them."""
    return "data" not in inputs.given and not inputs.commands


def with_suite(inputs: Application, run: SuiteRun, resolver: Callable[[], Resolver]) -> Application:
    """The inputs with a suite's statements; without others, also with its rows and its main database's schema."""
    recorded = run.recorded
    usual = inputs.search_path or next((path for path, _ in recorded.paths.most_common(1)), "")
    sources = sources_of((*inputs.queries, *inputs.literals))
    statements: list[Query] = []
    found: set[Query | None] = set()
    for number, (key, statement) in enumerate(recorded.statements.items(), 1):
        known = sources.get(key)
        asked = [each for one in statement.paths.values() for each in _asked(one, usual, number, known)]
        if asked and known is not None and known.kind in ("query", "source code"):
            found.add(known)
        statements += asked
    is_loaded = bool(inputs.loaded or inputs.commands)
    schema = () if is_loaded else tuple(_schema(recorded, run.rows, resolver))
    found.update(sources.get(known_by(each.query.sql)) for each in schema)
    data = tuple(_data(run.rows, recorded)) if takes_rows(inputs) and (schema or is_loaded) else ()
    given: set[Input] = {"queries", *(("schema",) if schema else ()), *(("data",) if data else ())}
    missing = run.rows.problems
    if count := recorded.not_inserted:
        missing += (f"{count} INSERTs of the suite are not taken along: they are too many, or cut off",)
    kept = [query for query in inputs.queries if query not in found]
    sent = (*(each.query for each in (*schema, *data)), *statements)
    return replace(
        inputs,
        given=inputs.given | given,
        queries=(*(each.query for each in schema), *kept, *statements),
        literals=tuple(query for query in inputs.literals if query not in found),
        schema=inputs.schema + schema,
        data=inputs.data + data,
        problems=(*inputs.problems, *(missing if data else ())),
        secrets=inputs.secrets.union(*(secrets_in(query.sql) for query in sent)),
        search_path=usual,
    )


def sources_of(queries: Iterable[Query]) -> dict[str, Query]:
    """The statements of the application's files, by their keys; of several with the same key, the first."""
    return {known_by(query.sql): query for query in reversed(tuple(queries))}


def placed_at(query: Query, sql: str) -> Query:
    """A statement as the suite sent it, at the place of one in the files; with its lines, if it has as many."""
    placed, lines = replace(query, sql=sql, kind="log", names=(), values=()), sql.count("\n") + 1
    if query.sql.count("\n") + 1 == lines:
        return placed
    return replace(placed, lines=(query.lines[0],) * lines, columns=())


def _asked(sent: Execution, usual: str, number: int, known: Query | None) -> Iterator[Query]:
    """The statements of a message that have a result or change rows, with their places in the files. The sessions
    that will ask it have the usual path."""
    session = SessionState(sent.path)
    query = placed_at(known or Query("", "log", FILE, (number,)), sent.sql)
    for each in each_statement(replace(query, values=sent.values)):
        needed = (*sent.temporary, *session.named_in(each.sql))
        is_temporary = not session.follow(each.sql, each.values)
        path = session.path
        if begins_with(EXECUTED, each.sql) or is_temporary:
            settings = () if path == usual else (("search_path", path or DEFAULT_PATH),)
            yield replace(each, settings=settings, temporary=needed)


def _schema(recorded: Recorded, rows: Rows, resolver: Callable[[], Resolver]) -> Iterator[Loadable]:
    """The definitions of the database that has most of them: others are copies of it, or those of parallel workers.

    Statements that change rows, sent together with a definition, are left out if the rows are known.
    """
    databases = recorded.definitions.values()
    definitions = max(databases, key=lambda each: sum(len(sql) for sql, _ in each), default=[])
    parts: list[str] = []
    for (_, before), (sql, path) in itertools.pairwise([("", ""), *definitions, ("", "")]):
        parts += [f"SELECT {_path_set(path)}"] if path != before else []
        parts.append(sql.rstrip().rstrip(";"))
    for sent in SqlReader("schema", resolver).text(";\n".join(parts), FILE, Path.cwd()):
        if not (rows.loads and begins_with(_CHANGES, sent.query.sql)):
            yield sent


def _data(rows: Rows, recorded: Recorded) -> Iterator[Loadable]:
    """The rows that were left, then INSERTs into tables that have none."""
    texts = (*rows.loads, *((sql, None) for sql in _inserting(recorded.inserted, rows.tables)))
    for number, (sql, data) in enumerate(texts, 1):
        query = Query(sql, "data", FILE, (number,) * (sql.count("\n") + 1))
        yield Loadable(query, reads=data is not None, data=data or "")


def _inserting(inserted: Iterable[Execution], filled: Set[str]) -> Iterator[str]:
    """Statements that repeat a suite's INSERTs, without those into tables that are filled otherwise.

    Most suites roll back or remove what they inserted, and insert the same key again and again. One that fails
    brings no row; the stage ``suite`` has reported it, if it fails on one server alone.
    """
    for sql, values, path, _ in inserted:
        if (into := _INTO.search(sql)) and (into["quoted"] or into["table"].lower()) in filled:
            continue
        text = with_values(sql, values)
        tag = next(each for number in itertools.count() if (each := f"row{number}$") not in text)
        yield (
            f"DO $do{tag}BEGIN PERFORM {_path_set(path, 'true')}; SET CONSTRAINTS ALL IMMEDIATE;"
            f" EXECUTE ${tag}{text}${tag}; EXCEPTION WHEN OTHERS THEN NULL; END$do{tag}"
        )


def _path_set(path: str, is_local: str = "false") -> str:
    """The call that sets a search path; an empty one is the default."""
    value = (path or DEFAULT_PATH).replace("'", "''")
    return f"pg_catalog.set_config('search_path', '{value}', {is_local})"
