"""Questions about statements that only servers answer: which literals of source code are statements, which schema a
program fills in, and what both versions answer alike, so that it is no finding."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from psycopg import Connection
from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.guards import written_in
from pytest_pgfeatures.readiness.inputs.placeholders import NAME_FILLED_IN
from pytest_pgfeatures.readiness.inputs.source_code import SELECT, columns_of
from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.servers.analyzed import Signature
from pytest_pgfeatures.readiness.servers.loading import SYNTAX_ERROR, Refusal, undone
from pytest_pgfeatures.readiness.servers.parsing import is_definition, parse_all
from pytest_pgfeatures.readiness.statements.context import StatementContext
from pytest_pgfeatures.readiness.statements.reading import is_no_english
from pytest_pgfeatures.readiness.wording import listed
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED
from pytest_pgfeatures.scripts.source import encoded
from pytest_pgfeatures.server.watchdog import Watchdog

Columns = dict[str, dict[tuple[str, str], str]]
"""By column: the relations that have one, each as SQL and as a name, with its type there."""
Answered = tuple[Query, Refusal | None, Refusal | None]  # with the answers of both servers
_COLUMNS = """
    SELECT a.attname, pg_catalog.format('%I.%I', n.nspname, c.relname), c.relname, a.atttypid::int8
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""


@functools.lru_cache(maxsize=1)
def _words_of(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", written_in(file)))


def _with_tables(query: Query, known: Columns) -> str | None:
    """The query of an expression with the tables that have its columns: those with the qualifiers' names, or that
    its file names, or else any. None where no table has them, or tables have them with different types."""
    sql, columns = query.sql, columns_of(query.sql.removeprefix(SELECT))
    if columns is None:
        return None
    if len(columns) == 2 and "" in columns:
        (qualifier,) = columns.keys() - {""}
        columns = {qualifier: columns[""] | columns[qualifier]}
    tables = []
    for qualifier, names in columns.items():
        having = set.intersection(*(set(known.get(name, ())) for name in names))
        named = {each for each in having if each[1] in _words_of(query.file)}
        fitting = {each for each in having if each[1] == qualifier} or named or having
        if len({tuple(known[name][each] for name in sorted(names)) for each in fitting}) != 1:
            return None
        table, bare = min(fitting)
        tables.append(table if qualifier in ("", bare) else f"{table} AS {Identifier(qualifier).as_string()}")
    return f"{sql} FROM {', '.join(tables)}" if tables else sql


def _grouped(expression: Query, known: Columns) -> str | None:
    """The same for an expression with aggregates beside columns: in groups by these."""
    query, columns = _with_tables(expression, known), columns_of(expression.sql.removeprefix(SELECT)) or {}
    names = ((*filter(None, [qualifier]), name) for qualifier, some in columns.items() for name in some)
    by = ", ".join(Identifier(*each).as_string() for each in names)
    return query and by and f"{query} GROUP BY {by}"


_BESIDE_SCHEMA = re.compile(
    r'(?:role|extension|language|publication|subscription|database|tablespace|server|collation|type) "'
    r'|relation "pg_|function |operator |could not open extension control file'
)
"""Errors about objects that a schema may omit: roles, extensions and their contents. Text that only looks like a
statement, such as "Select a file from it", causes errors about relations or columns instead."""
_INTERPOLATED = re.compile(r'"[^"]*(?:%s|%\(\w+\)s|\{[^{}"]*\}|\$\d+)[^"]*"|near "%"')
"""Errors about a part that the program fills in: in a constant, such as ``'#{table}'::regclass``, or for a name."""
_SCHEMA = re.compile(rf'{NAME_FILLED_IN.pattern}\.(?:(\w+)|"([^"]+)")')
_NAMES = """
    SELECT n.nspname, o.name
      FROM (SELECT relnamespace, relname FROM pg_catalog.pg_class
            UNION SELECT pronamespace, proname FROM pg_catalog.pg_proc
            UNION SELECT typnamespace, typname FROM pg_catalog.pg_type) o (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.oid = o.schema
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""


def statements_among(
    old: Connection, new: Connection, literals: Sequence[Query], has_schema: bool, timeout: float
) -> list[Query]:
    """The literals that the old server, or if it finds a syntax error the new one, accepts as statements; and
    queries of the expressions among them that the old server computes from the tables that have their columns. If
    the application's schema is given, a name that is unknown is hardly a name."""
    statements = {each: each for each in literals if each.kind != "expression"}
    expressions = [each for each in literals if each.kind == "expression"]
    columns: Columns = defaultdict(dict)
    for name, relation, bare, type_ in old.execute(_COLUMNS).fetchall() if expressions else ():
        columns[name][relation, bare] = type_
    queries, grouped = (
        {each: replace(each, sql=sql) for each in expressions if (sql := form(each, columns))}
        for form in (_with_tables, _grouped)
    )
    known: dict[Query, Query] = {}
    for connection, asked in ((old, statements | queries), (old, grouped), (new, statements)):
        left = [each for each in asked if each not in known]
        if not left:
            continue
        placed = in_their_schemas(connection, [asked[each] for each in left])
        answers = parse_all(connection, placed, timeout=timeout)
        for each, query, answer in zip(left, placed, answers, strict=True):
            if answer.refusal is None or _is_statement(query, answer.refusal, has_schema):
                known[each] = query
    return [known[each] for each in literals if each in known]


def _is_statement(query: Query, refusal: Refusal, has_schema: bool) -> bool:
    """Whether a server refuses a statement only for the parts that the program or the schema adds."""
    return query.kind != "expression" and bool(
        refusal.sqlstate == NOT_ALLOWED
        or (
            refusal.sqlstate != SYNTAX_ERROR
            and (not has_schema or NAME_FILLED_IN.search(query.sql) or is_no_english(query.sql))
        )
        or _BESIDE_SCHEMA.match(refusal.message)
        or _INTERPOLATED.search(refusal.message)
    )


def in_their_schemas(connection: Connection, queries: Sequence[Query]) -> list[Query]:
    """The statements so that a server finds objects whose schema the program fills in: ``${schema}.job`` is in the
    schema that has a ``job``. That schema is in its search path, and blanks in its place, so that all else keeps
    its own. Nothing changes unless exactly one schema has all of the objects."""
    schemas: dict[str, set[str]] = defaultdict(set)
    for schema, name in connection.execute(_NAMES).fetchall():
        schemas[name].add(schema)
    path = connection.execute("SHOW search_path").fetchone() or ("",)

    def placed(query: Query) -> Query:
        having = (schemas.get(each[2] or each[1].lower()) for each in _SCHEMA.finditer(query.sql))
        known = list(filter(None, having))  # a definition may name what isn't there yet
        fitting = set.intersection(*known) if known else set()
        if len(fitting) != 1:
            return query
        sql = _SCHEMA.sub(lambda found: found[0][found[0].index(".") + 1 :].rjust(len(found[0])), query.sql)
        wanted = ", ".join(filter(None, [Identifier(*fitting).as_string(), *path]))
        return replace(query, sql=sql, settings=(*query.settings, ("search_path", wanted)))

    return list(map(placed, queries))


_AT_A_WORD = re.compile(r'syntax error at (?:or near "(?![:%{}$@?#<\[\\])|end of input)')
"""An error where no template and no driver fills in something."""
_BY_ITSELF = frozenset({
    "0A000", "22007", "22008", "22023", "22P02", "42611", "42803", "42809", "42P10", "42P16", "42P19", "42P20",
})  # fmt: skip
"""Errors in what a statement says: with other objects, types of parameters or rights, it would be refused, too."""
_SIGN = re.compile(r"(?<![-+*/<>=~!@#%^&|`?])([-+*/<>=~!@#%^&|`?]++)\s*+\Z")
_SHOWN = 5


def is_refused_by_both(sql: str, before: Refusal | None, after: Refusal | None) -> bool:
    """Whether both servers refuse a statement, and the new one for no further reason: it does not reject the text,
    and it lacks an object or a privilege if the old one does, or a conversion in place of a function."""
    if before is None or after is None:
        return False
    # the text of the statement, not that of a script or function that it runs; 0A000: it is not supported
    by_text = [
        each.position is not None and each.position < len(sql) and each.sqlstate in (SYNTAX_ERROR, "0A000")
        for each in (before, after)
    ]
    # up to 13, any sign after an operand is a postfix operator to the grammar, also one of a template
    sign = _SIGN.search(sql, 0, after.position or 0) if after.message.startswith("syntax error") else None
    by_text[0] |= before.message.startswith("operator does not exist") or (
        before.lacks_object and sign is not None and sign[1] != "!"
    )
    if any(by_text):
        return by_text != [False, True]
    if after.is_limit or after.sqlstate == NOT_ALLOWED:
        return True
    # a cast that is missing, or a value that nobody knows
    lacks = after.lacks_object or after.sqlstate == "42846" or after.sqlstate.startswith("22")
    return before.sqlstate != NOT_ALLOWED and (lacks or not before.lacks_object)


def said_once(refused: Iterable[tuple[Place, str]]) -> Iterator[tuple[str, str]]:
    """For each reason why statements are refused, their places, and the reason."""
    places: dict[str, dict[str, None]] = {}
    for place, why in refused:
        places.setdefault(why, {})[place.where] = None
    for why, found in places.items():
        yield listed([*found], _SHOWN), why


def without_objects(statements: Iterable[Answered]) -> dict[tuple[str, int], str]:
    """By the lines of definitions that both servers refuse because no input has an object: what they say. Only the
    definitions' text shows what of them changes."""
    return {
        (query.file, line): before.message
        for query, before, after in statements
        if before is not None and before.lacks_object and is_refused_by_both(query.sql, before, after)
        and is_definition(query)
        for line in query.lines
    }  # fmt: skip


def refused_before(run: Iterable[Answered]) -> Callable[[Query], bool]:
    """The question whether the old server refuses a statement of a file for what it says, whatever the database
    has, given the answers to all statements."""
    known = {query.sql: before for query, before, _ in run if query.inside is None}

    def ask(query: Query) -> bool:
        refusal = known.get(query.sql) if query.inside is None else None
        if refusal and refusal.sqlstate == SYNTAX_ERROR:
            return _AT_A_WORD.match(refusal.message) is not None
        return refusal is not None and refusal.sqlstate in _BY_ITSELF

    return ask


_VALUE = "SELECT pg_typeof(value)::oid, value::text FROM (SELECT {}) AS called (value)"


def same_values(old: Watchdog, new: Watchdog) -> Callable[[StatementContext, int | None], bool]:
    """The question whether both servers return the same for the call at a token, because its arguments are
    constants: they find no column; or for a statement that reads nothing. Calls of volatile functions and
    aggregates, and with queries, are not run."""

    def values(connection: Connection, sql: str) -> list[tuple[object, ...]]:
        return connection.execute(encoded(sql)).fetchall()

    @functools.cache
    def asked(sql: str) -> bool:
        before, after = (undone(each, values, sql) for each in (old, new))
        return not isinstance(before, Refusal) and before == after

    def ask(context: StatementContext, at: int | None) -> bool:
        calls, sql = context.analyzed.calls, context.query.sql
        if at is None:
            return not context.relations and _is_settled(calls.values()) and asked(sql)
        begin = context.begin(at)
        closing = context.closing(at + 1) if begin in calls and context.keyword(at + 1) == "(" else at
        words = [context.keyword(each) for each in range(at + 2, closing)]
        if not words or "select" in words or closing >= len(context.tokens):
            return False
        end = context.tokens[closing].end
        called = (each for place, each in calls.items() if begin <= place < end)
        return _is_settled(called) and asked(_VALUE.format(sql[begin:end]))

    return ask


def _is_settled(called: Iterable[Signature]) -> bool:
    """Whether functions return the same each time; the value of an aggregate depends on the rows, too."""
    return all(each.volatility in ("i", "s") and not each.is_aggregate for each in called)
