"""Choose the literals of source code that are statements, by the old server's answers."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.servers.expressions import queries_of_expressions
from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal

SYNTAX_ERROR = "42601"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
_SIGNS = frozenset({"=", "<>", "<", ">", "<=", ">=", "::", "||", "*", "->", "->>"})
_AT_PARAMETER = re.compile(r'syntax error at or near "(\$\d+)')
_MOST_NAMES = 5
_DEFINING = frozenset({"create", "alter", "drop", "grant", "revoke", "comment"})
_LONG_DEFINITION = 6
_BESIDE_SCHEMA = re.compile(
    r'(?:role|extension|language|publication|subscription|database|tablespace|server|collation|type) "'
    r'|relation "pg_|function |operator |could not open extension control file'
)
"""Errors about objects that a schema may omit: roles, extensions and their contents. Text that only looks like a
statement, such as "Select a file from it", causes errors about relations or columns instead."""
_INTERPOLATED = re.compile(r'"[^"]*(?:%s|%\(\w+\)s|\{[^{}"]*\}|\$\d+)[^"]*"|near "%"')
"""Errors about a part that the program fills in: in a constant, such as ``'#{table}'::regclass``, or for a name."""
_FILLED_IN = re.compile(r'(?:\bx|\$)(\d+)\.(?:(\w+)|"([^"]+)")')
"""A parameter, or a name that stands for a parameter, in the place of a schema."""
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

    A server may also refuse a statement for the parts that the program or the schema adds. In
    ``f"ANALYZE {table}"`` the interpolated expression stands for a name: where the server refuses a parameter, a
    name of the same length replaces it.

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
        said = _parsed(connection, [literals[at] for at in left], timeout)
        for at, (query, refusal) in zip(left, said, strict=True):
            if (
                refusal is None
                or (
                    refusal.sqlstate != SYNTAX_ERROR
                    and (not has_schema or query is not literals[at] or _is_no_english(query.sql))
                )
                or _BESIDE_SCHEMA.match(refusal.message)
                or _INTERPOLATED.search(refusal.message)
            ):
                known[at] = query
    return [known[at] for at in sorted(known)]


def _parsed(
    connection: psycopg.Connection, literals: Sequence[Query], timeout: float
) -> Iterator[tuple[Query, Refusal | None]]:
    """Each literal, with names or schemas where that helps, and the server's error."""
    queries = list(literals)
    refusals = [each.refusal for each in parse_all(connection, queries, timeout=timeout)]

    @functools.cache
    def objects() -> dict[str, set[str]]:
        known: dict[str, set[str]] = {}
        for schema, name in connection.execute(_NAMES).fetchall():
            known.setdefault(name, set()).add(schema)
        return known

    def again(change: Callable[[Query, Refusal], Query | None]) -> bool:
        """Change the refused statements, and have the server parse these. Return whether there are any."""
        changed = {
            at: query
            for at, refusal in enumerate(refusals)
            if refusal and (query := change(queries[at], refusal))
        }
        answers = parse_all(connection, list(changed.values()), timeout=timeout)
        for (at, query), answer in zip(changed.items(), answers, strict=True):
            queries[at], refusals[at] = query, answer.refusal
        return bool(changed)

    for _ in range(_MOST_NAMES):
        if not again(_with_name):
            break
    again(lambda query, _: _placed(query, objects, connection))
    return zip(queries, refusals, strict=True)


def _with_name(query: Query, refusal: Refusal) -> Query | None:
    """The statement with a name for the parameter at which a server found a syntax error; None for other errors."""
    at = refusal.position
    found = _AT_PARAMETER.match(refusal.message) if refusal.sqlstate == SYNTAX_ERROR else None
    if found is None or at is None or not query.sql.startswith(found[1], at):
        return None
    return replace(query, sql=f"{query.sql[:at]}x{query.sql[at + 1 :]}")


def _placed(
    query: Query, objects: Callable[[], dict[str, set[str]]], connection: psycopg.Connection
) -> Query | None:
    """The statement so that the server finds objects whose schema the program fills in: ``${schema}.job`` is in
    the schema that has a ``job``. That schema is in its search path, and blanks in its place, so that all else
    keeps its own. None unless exactly one schema has all of the objects.

    Parameters:
        objects: the schemas that have a relation, function or type, by its name.
    """
    named = list(_FILLED_IN.finditer(query.sql))
    having = [objects().get(each[3] or each[2].lower(), set()) for each in named]
    known = [schemas for schemas in having if schemas]
    fitting = set.intersection(*known) if known else set()
    if len(fitting) != 1:
        return None
    sql = query.sql
    # a definition may name what is not there yet, and a parameter may stand for an alias
    named = [each for each, schemas in zip(named, having, strict=True) if schemas or each[0][0] == "x"]
    for each in named:
        end = each.end(1) + 1
        sql = f"{sql[: each.start()]}{' ' * (end - each.start())}{sql[end:]}"
    gone = {int(each[1]) for each in named}
    path = connection.execute("SHOW search_path").fetchone() or ("",)
    schemas = ", ".join(filter(None, [Identifier(*fitting).as_string(), *path]))
    names = tuple(name for number, name in enumerate(query.names, 1) if number not in gone)
    settings = (*query.settings, ("search_path", schemas))
    return replace(query, sql=_renumbered(sql, gone), names=names, settings=settings)


def _renumbered(sql: str, gone: set[int]) -> str:
    """A statement whose remaining parameters are renumbered, each at its place."""
    parts = []
    for token in tokens(sql):
        text = token.text
        if token.kind == "parameter" and text[1:].isdecimal():
            number = int(text[1:])
            text = f"${number - sum(each < number for each in gone)}".ljust(len(text))
        parts.append(text)
    return "".join(parts)


def _is_no_english(sql: str) -> bool:
    """Whether a text can't be an English sentence, so that it is a statement even with unknown names. A long
    definition can't be one either: no sentence has its keywords in this order."""
    words = [token.keyword for token in tokens(sql) if token.significant]
    if words and words[0] in _DEFINING and len(words) >= _LONG_DEFINITION:
        return True
    return any(token.kind in ("parameter", "string") or token.text in _SIGNS for token in tokens(sql))
