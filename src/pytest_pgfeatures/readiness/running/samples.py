"""Values that a server has, or takes, for a type."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

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
_RELATION = """
SELECT c.oid::regclass::text FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace
 WHERE relkind = ANY(%s) AND nspname !~ '^pg_' AND nspname <> 'information_schema'
 ORDER BY relname <> ALL(%s), c.oid LIMIT 1
"""
_LABEL = "SELECT min(enumlabel::text) FROM pg_catalog.pg_enum WHERE enumtypid = %s::text::regtype"
_USUAL = (
    "a", "1 day", "$", "{}", "simple", "integer", "now", "1", "2024-01-01 00:00:00+00", "127.0.0.1",
    "00000000-0000-0000-0000-000000000001", "08:00:2b:01:02:03", "[1,10)", "(0,0)", "(0,0),(1,1)", "<(0,0),1>",
    "[2024-01-01,2024-02-01)", "*", "", "empty",
)  # fmt: skip
"""Nearly every type accepts at least one of these values."""
_OF_SEQUENCES = frozenset({"nextval", "currval", "setval", "pg_get_serial_sequence"})


class Sample(NamedTuple):
    """A value as text, and the name of its type."""

    value: str
    type: str


def array_of(value: str) -> str:
    """An array with one element."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{{"{escaped}"}}'


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

    def _of_query(self, query: str) -> Sample | None:
        """A value of the one column that a query returns; None if it returns none, or the server refuses it."""
        for middle in _MIDDLE:
            asked = _SAMPLE.format(middle=middle, query=query, rows=_ROWS)
            for row in self._rows(asked.encode()):
                return None if None in row else Sample(*map(str, row))
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
        forms = [array_of(value)] if type_.endswith("[]") else [value]
        if type_.endswith("[]") and value.startswith("{") and not type_.startswith("json"):
            forms.insert(0, value)
        return next((form for form in forms if self.takes(type_, form)), None)

    def of_type(self, type_: str, relations: Sequence[str], name: str = "", call: str = "") -> str | None:
        """A value for a parameter of which only the type is known: that of a column of such a type, in the
        statement's relations first; or any that the server takes.

        Parameters:
            name: the parameter's name: a column with this name comes first.
            call: the function that takes the value as an argument.
        """
        if type_.endswith("[]"):
            element = self.of_type(type_[:-2], relations, name, call)
            return "{}" if element is None else self.as_type(element, type_)
        if type_ == "boolean":
            return "true"
        if type_ == "regclass":
            kinds = ["S"] if call in _OF_SEQUENCES else ["r", "p", "v", "m"]
            return next((name for (name,) in self._rows(_RELATION.encode(), [kinds, list(relations)])), None)
        wanted = {"type": type_, "read": list(relations), "name": name}
        for (query,) in self._rows(_COLUMNS.encode(), wanted):
            if query and (sample := self.of_query(query)) is not None and self.takes(type_, sample.value):
                return sample.value
        if self._categories.get(type_) == "C":
            return None
        labels = (label for (label,) in self._rows(_LABEL.encode(), [type_]) if label)
        return next((value for value in (*labels, *_USUAL) if self.takes(type_, value)), None)
