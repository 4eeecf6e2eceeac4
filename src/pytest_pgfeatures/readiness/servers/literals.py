"""Choose the literals of source code that are statements, by the old server's answers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.servers.parsing import parse_all
from pytest_pgfeatures.readiness.servers.schema_placeholders import Schemas
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.servers.parsing import Parsed

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


def statements_among(
    old: psycopg.Connection,
    new: psycopg.Connection,
    literals: Sequence[Query],
    *,
    has_schema: bool,
    timeout: float,
) -> list[Query]:
    """The literals that the old server, or if it finds a syntax error the new one, accepts as statements."""
    known = dict(_taken(old, literals, has_schema=has_schema, timeout=timeout))
    others = [query for at, query in enumerate(literals) if at not in known]
    places = [at for at in range(len(literals)) if at not in known]
    known |= {places[at]: query for at, query in _taken(new, others, has_schema=has_schema, timeout=timeout)}
    return [known[at] for at in sorted(known)]


def _taken(
    connection: psycopg.Connection, literals: Sequence[Query], *, has_schema: bool, timeout: float
) -> Iterator[tuple[int, Query]]:
    """The literals that a server accepts as statements, or would accept with the parts that the program or
    the schema adds.

    In ``f"ANALYZE {table}"`` the interpolated expression stands for a name: where the server refuses a
    parameter, a name of the same length replaces it.

    Parameters:
        has_schema: whether the application's schema is given, so that a name that is unknown is hardly a
            name.
        timeout: see :func:`parse_all`.

    Yields:
        the index of the literal, and the statement.
    """
    for at, (query, answer, has_names) in enumerate(_parsed(connection, literals, timeout)):
        if (
            answer.refusal is None
            or (
                answer.refusal.sqlstate != SYNTAX_ERROR
                and (not has_schema or has_names or _is_no_english(query.sql))
            )
            or _BESIDE_SCHEMA.match(answer.refusal.message)
            or _INTERPOLATED.search(answer.refusal.message)
        ):
            yield at, query


def _parsed(
    connection: psycopg.Connection, literals: Sequence[Query], timeout: float
) -> Iterator[tuple[Query, Parsed, bool]]:
    """Each literal, the server's answer, and whether names have replaced parameters."""
    queries = list(literals)
    answers = parse_all(connection, queries, timeout=timeout)
    waiting = list(range(len(queries)))
    for _ in range(_MOST_NAMES):
        waiting = [index for index in waiting if _name_parameter(queries, index, answers[index])]
        if not waiting:
            break
        repeated = parse_all(connection, [queries[index] for index in waiting], timeout=timeout)
        for index, answer in zip(waiting, repeated, strict=True):
            answers[index] = answer
    schemas = Schemas(connection)
    placed = [at for at, answer in enumerate(answers) if answer.refusal and schemas.place(queries, at)]
    repeated = parse_all(connection, [queries[index] for index in placed], timeout=timeout)
    for index, answer in zip(placed, repeated, strict=True):
        answers[index] = answer
    for literal, query, answer in zip(literals, queries, answers, strict=True):
        yield query, answer, query is not literal


def _name_parameter(queries: list[Query], index: int, answer: Parsed) -> bool:
    """Replace the parameter at which a server found a syntax error. Returns whether there is such a parameter."""
    refusal = answer.refusal
    if refusal is None or refusal.sqlstate != SYNTAX_ERROR or refusal.position is None:
        return False
    found = _AT_PARAMETER.match(refusal.message)
    query, at = queries[index], refusal.position
    if found is None or not query.sql.startswith(found[1], at):
        return False
    sql = f"{query.sql[:at]}x{query.sql[at + 1 :]}"
    queries[index] = replace(query, sql=sql)
    return True


def _is_no_english(sql: str) -> bool:
    """Whether a text can't be an English sentence, so that it is a statement even with unknown names. A long
    definition can't be one either: no sentence has its keywords in this order."""
    words = [token.keyword for token in tokens(sql) if token.significant]
    if words and words[0] in _DEFINING and len(words) >= _LONG_DEFINITION:
        return True
    return any(token.kind in ("parameter", "string") or token.text in _SIGNS for token in tokens(sql))
