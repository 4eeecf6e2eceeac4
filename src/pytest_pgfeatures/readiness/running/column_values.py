"""Values that columns have, from their statistics: what a parameter that is compared with a column may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterable

_COLUMNS = """
SELECT n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid), array_agg(a.attname ORDER BY a.attnum)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
GROUP BY n.nspname, c.relname, c.oid
"""
_STATISTICS = """
SELECT most_common_vals::text::text[], histogram_bounds::text::text[] FROM pg_catalog.pg_stats
WHERE schemaname = %s AND tablename = %s AND attname = %s ORDER BY inherited DESC
"""


class ColumnValues:
    """The columns of a database, and a value of each.

    Parameters:
        connection: to an analyzed database, in autocommit mode.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._relations: dict[tuple[str | None, str], tuple[str, list[str]]] = {}
        for schema, name, visible, columns in connection.execute(_COLUMNS.encode()):
            self._relations[schema, name] = schema, columns
            if visible:
                self._relations[None, name] = schema, columns
        self._known: dict[tuple[str, str, str], str | None] = {}

    def columns(self, schema: str | None, relation: str) -> list[str]:
        """The columns of a relation; none if there is no such relation."""
        return self._relations.get((schema, relation), ("", []))[1]

    def value(self, schema: str | None, relation: str, column: str) -> str | None:
        """A usual value of a column, as text: its most common one, or one from the middle of its histogram.

        If the column has no statistics, as those of views, it is any value. None if there is none.
        """
        home, columns = self._relations.get((schema, relation), ("", []))
        if column not in columns:
            return None
        key = home, relation, column
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, *key: str) -> str | None:
        for common, bounds in self._connection.execute(_STATISTICS, key):
            for values in (common, bounds):
                if values:
                    return str(values[0] if values is common else values[len(values) // 2])
        schema, relation, column = key
        return self.of_expression(sql.Identifier(column), sql.Identifier(schema, relation))

    def of_expression(self, expression: sql.Composable, source: sql.Composable) -> str | None:
        """Any value of an expression over a relation; None if there is none, or the server refuses it."""
        query = sql.SQL("SELECT ({0})::text FROM {1} WHERE ({0}) IS NOT NULL LIMIT 1").format(
            expression, source
        )
        try:
            row = self._connection.execute(query).fetchone()
        except psycopg.Error:
            if self._connection.closed:
                raise
            return None
        return None if row is None else row[0]

    def home_of(
        self, column: str, relations: Iterable[tuple[str | None, str]]
    ) -> tuple[str | None, str] | None:
        """The first of the relations that has a column of this name."""
        return next((each for each in relations if column in self.columns(*each)), None)
