"""Make statements of expressions in source code: the old server knows the tables that have their columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.inputs.source_code import SELECT, columns_of
from pytest_pgfeatures.readiness.servers.parsing import parse_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
