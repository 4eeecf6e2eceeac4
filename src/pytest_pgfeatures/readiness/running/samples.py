"""Values that a server has, or takes, for a type."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg.abc import Params

_TYPES = """
SELECT DISTINCT ON (1) pg_catalog.format_type(oid, NULL), typcategory::text FROM pg_catalog.pg_type ORDER BY 1, oid
"""
_ROWS = 10_000
"""The number of rows whose middle value is taken."""
_MIDDLE = ("percentile_disc(0.5) WITHIN GROUP (ORDER BY value)", "(array_agg(value))[1]")
"""Since 9.4, of types that have an order; and any value of others."""
_SAMPLE = """
SELECT {middle}::text, pg_catalog.format_type(pg_typeof({middle}), NULL) FROM (
    SELECT value FROM ({query}) AS read (value) WHERE value IS NOT NULL LIMIT {rows}
) AS known
"""
_COLUMNS = """
SELECT pg_catalog.format('SELECT %%I FROM %%I.%%I', attname, nspname, relname)
  FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_class c ON c.oid = attrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace JOIN pg_catalog.pg_type t ON t.oid = atttypid,
       (SELECT oid, typcategory FROM pg_catalog.pg_type WHERE oid = %(type)s::text::regtype) AS wanted
 WHERE (t.oid = wanted.oid OR t.typcategory = wanted.typcategory AND wanted.typcategory IN ('D', 'N', 'S'))
   AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped
   AND (relname = ANY(%(read)s) OR nspname !~ '^pg_' AND nspname <> 'information_schema' AND relkind IN ('r', 'p'))
 ORDER BY attname <> %(name)s, relname <> ALL(%(read)s), nspname, relname, t.oid <> wanted.oid, attnum
 LIMIT 5
"""
_LABEL = "SELECT min(enumlabel::text) FROM pg_catalog.pg_enum WHERE enumtypid = %s::text::regtype"
_USUAL = (
    "a", "1 day", "$", "{}", "simple", "integer", "pg_class", "now", "1", "2024-01-01 00:00:00+00", "127.0.0.1",
    "00000000-0000-0000-0000-000000000001", "08:00:2b:01:02:03", "[1,10)", "(0,0)", "(0,0),(1,1)", "<(0,0),1>",
    "[2024-01-01,2024-02-01)", "*", "", "empty",
)  # fmt: skip
"""Nearly every type accepts at least one of these values."""


class Samples:
    """The values of a database.

    Parameters:
        connection: in autocommit mode.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._categories: dict[str, str] = dict(connection.execute(_TYPES.encode()).fetchall())
        self.of_query = functools.cache(self._of_query)
        self.takes = functools.cache(self._takes)

    def _of_query(self, query: str) -> tuple[str, str] | None:
        """A value of the one column that a query returns, as text, and the name of its type; None if there is
        none, or the server refuses it."""
        for middle in _MIDDLE:
            asked = _SAMPLE.format(middle=middle, query=query, rows=_ROWS)
            for row in self._rows(asked.encode()):
                return None if None in row else (str(row[0]), str(row[1]))
        return None

    def _takes(self, type_: str, value: str) -> bool:
        """Whether a text is a value of a type."""
        return bool(self._rows(sql.SQL("SELECT CAST({} AS {})::text").format(value, sql.SQL(type_))))

    def _rows(
        self, query: bytes | sql.Composed, values: Params | None = None
    ) -> list[tuple[str | None, ...]]:
        """The rows of a query; none if the server refuses it."""
        try:
            return self._connection.execute(query, values).fetchall()
        except psycopg.Error:
            if self._connection.closed:
                raise
            return []

    def alike(self, one: str, other: str) -> bool:
        """Whether values of one type are usually values of another: numbers, strings, dates."""
        category = self._categories.get(one)
        return one == other or (category in ("D", "N", "S") and category == self._categories.get(other))

    def as_type(self, value: str, type_: str) -> str | None:
        """A value as one of a type, or an array's only element; None if the server does not take it."""
        forms = [value]
        if type_.endswith("[]"):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            is_array = value.startswith("{") and not type_.startswith("json")
            forms = [*([value] if is_array else []), f'{{"{escaped}"}}']
        return next((form for form in forms if self.takes(type_, form)), None)

    def of_type(self, type_: str, relations: Sequence[str], name: str = "") -> str | None:
        """A value for a parameter of which only the type is known: that of a column of such a type, in the
        statement's relations first; or any that the server takes.

        Parameters:
            name: the parameter's name: a column with this name comes first.
        """
        if type_.endswith("[]"):
            element = self.of_type(type_[:-2], relations, name)
            return "{}" if element is None else self.as_type(element, type_)
        if type_ == "boolean":
            return "true"
        wanted = {"type": type_, "read": list(relations), "name": name}
        for (query,) in self._rows(_COLUMNS.encode(), wanted):
            if query and (sample := self.of_query(query)) is not None and self.takes(type_, sample[0]):
                return sample[0]
        if self._categories.get(type_) == "C":
            return None
        labels = (label for (label,) in self._rows(_LABEL.encode(), [type_]) if label)
        return next((value for value in (*labels, *_USUAL) if self.takes(type_, value)), None)
