"""Values of columns, from their statistics, for parameters that are compared with the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from pytest_pgfeatures.readiness.running.usual_values import OF_SEQUENCES, OF_TYPES, WHOLE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

_COLUMNS = """
SELECT n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid), array_agg(a.attname ORDER BY a.attnum),
    array_agg(pg_catalog.format_type(a.atttypid, NULL) ORDER BY a.attnum), c.relkind
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
GROUP BY n.nspname, c.relname, c.oid, c.relkind
ORDER BY n.nspname LIKE 'pg\\_%' OR n.nspname = 'information_schema', n.nspname, c.relname
"""
_TYPE = """
SELECT t.typtype, CASE t.typtype WHEN 'd' THEN pg_catalog.format_type(t.typbasetype, NULL) END,
    (SELECT enumlabel FROM pg_catalog.pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder LIMIT 1)
FROM pg_catalog.pg_type t WHERE t.oid = %s::text::regtype
"""
_SEQUENCE = "SELECT oid::regclass::text FROM pg_catalog.pg_class WHERE relkind = 'S' ORDER BY oid LIMIT 1"
_STATISTICS = """
SELECT most_common_vals::text::text[], histogram_bounds::text::text[] FROM pg_catalog.pg_stats
WHERE schemaname = %s AND tablename = %s AND attname = %s ORDER BY inherited DESC
"""


_ALIKE = (
    frozenset({"text", "character varying", "character", "name", "citext"}),
    WHOLE_NUMBERS,
    frozenset({"numeric", "double precision", "real"}),
    frozenset({"timestamp with time zone", "timestamp without time zone", "date"}),
)
"""Types whose values are valid for each other."""
_LOOKED_AT = 5
"""The number of columns that are searched for a value of a type."""


def alike(one: str | None, other: str) -> bool:
    """Whether values of one type are usually values of another."""
    return one == other or any(one in group and other in group for group in _ALIKE)


def array_of(value: str) -> str:
    """An array with one element."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{{"{escaped}"}}'


class ColumnValues:
    """The columns of a database, and a value of each.

    Parameters:
        connection: to an analyzed database, in autocommit mode.
    """

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._relations: dict[tuple[str | None, str], tuple[str, dict[str, str]]] = {}
        self._own: list[tuple[str | None, str]] = []
        for schema, name, visible, columns, types, kind in connection.execute(_COLUMNS.encode()):
            self._relations[schema, name] = schema, dict(zip(columns, types, strict=True))
            if visible:
                self._relations[None, name] = self._relations[schema, name]
            if kind in ("r", "p") and schema not in ("pg_catalog", "information_schema"):
                self._own.append((schema, name))
        self._known: dict[tuple[str, str, str], str | None] = {}

    def columns(self, schema: str | None, relation: str) -> list[str]:
        """The columns of a relation; none if there is no such relation."""
        return list(self._relations.get((schema, relation), ("", {}))[1])

    def type_of(self, schema: str | None, relation: str, column: str) -> str | None:
        """The type of a column; None if there is no such column."""
        return self._relations.get((schema, relation), ("", {}))[1].get(column)

    def value(self, schema: str | None, relation: str, column: str) -> str | None:
        """A usual value of a column, as text: its most common one, or one from the middle of its histogram.

        A column without statistics, such as a view's, gives any value. None if it has no value.
        """
        home, columns = self._relations.get((schema, relation), ("", {}))
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

    def of_type(
        self, type_: str, relations: Iterable[tuple[str | None, str]], name: str = "", call: str = ""
    ) -> str | None:
        """A value for a parameter of which only the type is known: that of a column of the type, in the
        statement's tables first.

        Parameters:
            relations: the statement's relations.
            name: the parameter's name: a column with this name comes first.
            call: the function that takes the value as an argument.
        """
        if type_.endswith("[]"):
            element = self.of_type(type_[:-2], relations, name, call)
            return "{}" if element is None else array_of(element)
        if type_ == "boolean":
            return "true"
        if type_ == "regclass":
            return self._relation(call, relations)
        places = [*relations, *self._own]
        like = [
            (place, column)
            for place in places
            for column in self.columns(*place)
            if alike(self.type_of(*place, column), type_)
        ]
        like.sort(key=lambda each: each[1] != name)
        for place, column in like[:_LOOKED_AT]:
            if (value := self.value(*place, column)) is not None:
                return value
        return OF_TYPES.get(type_) or self._of_kind(type_, relations)

    def _relation(self, call: str, relations: Iterable[tuple[str | None, str]]) -> str | None:
        if call in OF_SEQUENCES:
            row = self._connection.execute(_SEQUENCE).fetchone()
            return None if row is None else row[0]
        place = next(iter((*relations, *self._own)), None)
        return None if place is None else sql.Identifier(*filter(None, place)).as_string(self._connection)

    def _of_kind(self, type_: str, relations: Iterable[tuple[str | None, str]]) -> str | None:
        """The first label of an enum, a value of the type that a domain is over, an empty range."""
        row = self._connection.execute(_TYPE, [type_]).fetchone()
        kind, base, label = row or ("", None, None)
        if kind == "d":
            return self.of_type(base, relations)
        return "empty" if kind == "r" else label

    def key_in(self, schema: str | None, relation: str, column: str) -> str | None:
        """A key of the objects in a column of JSON; None if there is none."""
        type_ = self.type_of(schema, relation, column)
        if type_ not in ("json", "jsonb"):
            return None
        keys = sql.SQL("(SELECT min(k) FROM {} AS k WHERE {} = 'object')").format(
            sql.SQL(f"{type_}_object_keys({{}})").format(sql.Identifier(column)),
            sql.SQL(f"{type_}_typeof({{}})").format(sql.Identifier(column)),
        )
        return self.of_expression(keys, sql.Identifier(*filter(None, (schema, relation))))

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
