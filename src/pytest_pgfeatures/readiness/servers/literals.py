"""Names that only a server knows: which literals of source code are statements or expressions, which schema a
program fills in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from psycopg import Connection
from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.inputs.source_code import SELECT, columns_of
from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.servers.loading import SYNTAX_ERROR, Refusal
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.statements.reading import is_no_english
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED

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


def _with_tables(sql: str, known: Columns) -> str | None:
    """The query of an expression with the tables that have its columns; None where no table has them, or tables
    have them with different types."""
    columns = columns_of(sql.removeprefix(SELECT))
    if columns is None:
        return None
    if len(columns) == 2 and "" in columns:
        (qualifier,) = columns.keys() - {""}
        columns = {qualifier: columns[""] | columns[qualifier]}
    tables = []
    for qualifier, names in columns.items():
        found = _table_of(sorted(names), qualifier, known)
        if found is None:
            return None
        table, bare = found
        tables.append(table if qualifier in ("", bare) else f"{table} AS {Identifier(qualifier).as_string()}")
    return f"{sql} FROM {', '.join(tables)}" if tables else sql


def _table_of(names: Sequence[str], qualifier: str, known: Columns) -> tuple[str, str] | None:
    """The table that has columns, as SQL and as a name: the one with the qualifier's name, or else any, if all have
    the same types."""
    fitting = set.intersection(*(set(known.get(name, ())) for name in names))
    fitting = {each for each in fitting if each[1] == qualifier} or fitting
    types = {tuple(known[name][each] for name in names) for each in fitting}
    return min(fitting) if len(types) == 1 else None


_BESIDE_SCHEMA = re.compile(
    r'(?:role|extension|language|publication|subscription|database|tablespace|server|collation|type) "'
    r'|relation "pg_|function |operator |could not open extension control file'
)
"""Errors about objects that a schema may omit: roles, extensions and their contents. Text that only looks like a
statement, such as "Select a file from it", causes errors about relations or columns instead."""
_INTERPOLATED = re.compile(r'"[^"]*(?:%s|%\(\w+\)s|\{[^{}"]*\}|\$\d+)[^"]*"|near "%"')
"""Errors about a part that the program fills in: in a constant, such as ``'#{table}'::regclass``, or for a name."""
_NAME = re.compile(r"\bx\d+\b")  # a name that a program fills in, as placeholders writes it
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
    old: Connection, new: Connection, literals: Sequence[Query], *, has_schema: bool, timeout: float
) -> list[Query]:
    """The literals that the old server, or if it finds a syntax error the new one, accepts as statements; and
    queries of the expressions among them that the old server computes from the tables that have their columns. If
    the application's schema is given, a name that is unknown is hardly a name."""
    statements = {each: each for each in literals if each.kind != "expression"}
    expressions = [each for each in literals if each.kind == "expression"]
    columns: Columns = defaultdict(dict)
    for name, relation, bare, type_ in old.execute(_COLUMNS).fetchall() if expressions else ():
        columns[name][relation, bare] = type_
    filled = ((each, _with_tables(each.sql, columns)) for each in expressions)
    queries = {each: replace(each, sql=sql) for each, sql in filled if sql is not None}
    known: dict[Query, Query] = {}
    for connection, asked in ((old, statements | queries), (new, statements)):
        left = [each for each in asked if each not in known]
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
            and (not has_schema or _NAME.search(query.sql) or is_no_english(query.sql))
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
