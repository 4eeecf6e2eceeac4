"""Names that only a server knows: which literals of source code are statements or expressions, which schema a
program fills in."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.inputs.source_code import SELECT, columns_of
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.statements.reading import is_no_english
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query

    Columns = dict[str, dict[tuple[str, str], str]]
    """By the name of a column, the relations that have one, each as SQL and as a name, with the column's type."""

_COLUMNS = """
    SELECT a.attname, pg_catalog.format('%I.%I', n.nspname, c.relname), c.relname, a.atttypid::int8
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""


def queries_of_expressions(
    old: psycopg.Connection, expressions: Sequence[Query], timeout: float
) -> Mapping[int, Query]:
    """The queries that compute expressions from the tables that have their columns, by the expression's index.

    An expression is left out where no table has its columns, where tables have them with different types, and where
    the old server refuses the query: the text may be no SQL.

    Parameters:
        expressions: as :func:`~pytest_pgfeatures.readiness.inputs.source_code.statements_of` gives them.
        timeout: see :func:`~pytest_pgfeatures.readiness.servers.parsing.parse_all`.
    """
    known: Columns = {}
    for name, relation, bare, type_ in old.execute(_COLUMNS).fetchall() if expressions else ():
        known.setdefault(name, {})[relation, bare] = type_
    queries = {
        at: replace(each, sql=sql)
        for at, each in enumerate(expressions)
        if (sql := _with_tables(each.sql, known)) is not None
    }
    answers = parse_all(old, list(queries.values()), timeout=timeout)
    return {
        at: query
        for (at, query), answer in zip(queries.items(), answers, strict=True)
        if answer.refusal is None
    }


def _with_tables(sql: str, known: Columns) -> str | None:
    """The query with the tables that have the columns of its expressions; None if they are unknown."""
    columns = columns_of(sql.removeprefix(SELECT))
    if columns is None:
        return None
    if len(columns) == 2 and "" in columns:
        (qualifier,) = columns.keys() - {""}
        columns = {qualifier: columns[""] | columns[qualifier]}
    tables = []
    for qualifier, names in columns.items():
        found_table = _table_of(sorted(names), qualifier, known)
        if found_table is None:
            return None
        table, bare = found_table
        tables.append(table if qualifier in ("", bare) else f"{table} AS {Identifier(qualifier).as_string()}")
    return f"{sql} FROM {', '.join(tables)}" if tables else sql


def _table_of(names: Sequence[str], qualifier: str, known: Columns) -> tuple[str, str] | None:
    """The table that has columns, as SQL and as a name: the one with the qualifier's name, or else any, if all have
    the same types."""
    fitting = set.intersection(*(set(known.get(name, ())) for name in names))
    fitting = {each for each in fitting if each[1] == qualifier} or fitting
    types = {tuple(known[name][each] for name in names) for each in fitting}
    return min(fitting) if len(types) == 1 else None


SYNTAX_ERROR = "42601"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_BESIDE_SCHEMA = re.compile(
    r'(?:role|extension|language|publication|subscription|database|tablespace|server|collation|type) "'
    r'|relation "pg_|function |operator |could not open extension control file'
)
"""Errors about objects that a schema may omit: roles, extensions and their contents. Text that only looks like a
statement, such as "Select a file from it", causes errors about relations or columns instead."""
_INTERPOLATED = re.compile(r'"[^"]*(?:%s|%\(\w+\)s|\{[^{}"]*\}|\$\d+)[^"]*"|near "%"')
"""Errors about a part that the program fills in: in a constant, such as ``'#{table}'::regclass``, or for a name."""
_NAME = re.compile(r"\bx\d+\b")
"""A name that a program fills in, as :mod:`pytest_pgfeatures.readiness.inputs.placeholders` writes it."""
_SCHEMA = re.compile(rf'{_NAME.pattern}\.(?:(\w+)|"([^"]+)")')
_NAMES = """
    SELECT n.nspname, o.name
      FROM (SELECT relnamespace, relname FROM pg_catalog.pg_class
            UNION SELECT pronamespace, proname FROM pg_catalog.pg_proc
            UNION SELECT typnamespace, typname FROM pg_catalog.pg_type) o (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.oid = o.schema
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
"""


def statements_among(
    old: psycopg.Connection,
    new: psycopg.Connection,
    literals: Sequence[Query],
    *,
    has_schema: bool,
    timeout: float,
) -> list[Query]:
    """The literals that the old server, or if it finds a syntax error the new one, accepts as statements; and
    queries of the expressions among them that the old server computes.

    A server may also refuse a statement for the parts that the program or the schema adds.

    Parameters:
        has_schema: whether the application's schema is given, so that a name that is unknown is hardly a
            name.
        timeout: see :func:`parse_all`.
    """
    expressions = [at for at, each in enumerate(literals) if each.kind == "expression"]
    made = queries_of_expressions(old, [literals[at] for at in expressions], timeout)
    known = {expressions[at]: query for at, query in made.items()}
    for connection in (old, new):
        left = [at for at in range(len(literals)) if at not in known and literals[at].kind != "expression"]
        queries = in_their_schemas(connection, [literals[at] for at in left])
        answers = parse_all(connection, queries, timeout=timeout)
        for at, query, answer in zip(left, queries, answers, strict=True):
            refusal = answer.refusal
            if (
                refusal is None
                or refusal.sqlstate == NOT_ALLOWED
                or (
                    refusal.sqlstate != SYNTAX_ERROR
                    and (not has_schema or _NAME.search(query.sql) or is_no_english(query.sql))
                )
                or _BESIDE_SCHEMA.match(refusal.message)
                or _INTERPOLATED.search(refusal.message)
            ):
                known[at] = query
    return [known[at] for at in sorted(known)]


def in_their_schemas(connection: psycopg.Connection, queries: Iterable[Query]) -> list[Query]:
    """The statements so that a server finds objects whose schema the program fills in: ``${schema}.job`` is in the
    schema that has a ``job``. That schema is in its search path, and blanks in its place, so that all else keeps
    its own. Nothing changes unless exactly one schema has all of the objects.
    """

    @functools.cache
    def objects() -> dict[str, set[str]]:
        known: dict[str, set[str]] = {}
        for schema, name in connection.execute(_NAMES).fetchall():
            known.setdefault(name, set()).add(schema)
        return known

    @functools.cache
    def path() -> tuple[str, ...]:
        return connection.execute("SHOW search_path").fetchone() or ("",)

    def placed(query: Query) -> Query:
        having = {
            each: objects().get(each[2] or each[1].lower(), set()) for each in _SCHEMA.finditer(query.sql)
        }
        known = list(filter(None, having.values()))  # a definition may name what isn't there yet
        fitting = set.intersection(*known) if known else set()
        if len(fitting) != 1:
            return query
        sql = _SCHEMA.sub(lambda found: found[0][found[0].index(".") + 1 :].rjust(len(found[0])), query.sql)
        schemas = ", ".join(filter(None, [Identifier(*fitting).as_string(), *path()]))
        return replace(query, sql=sql, settings=(*query.settings, ("search_path", schemas)))

    return list(map(placed, queries))
