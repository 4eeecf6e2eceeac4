"""Names that only a server knows: which literals of source code are statements, which schema a program fills in."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.servers.expressions import queries_of_expressions
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.statements.commands import is_no_english
from pytest_pgfeatures.scripts.privileges import NOT_ALLOWED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query

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
