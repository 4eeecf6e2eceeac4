"""The smallest and the largest value of a column, which the planner looks up in a B-tree on it.

Where a query compares with a value beyond the histogram, or in its first or last bin, the planner reads the end of
the index (get_actual_variable_range in src/backend/utils/adt/selfuncs.c). So production's ends are exported, and a
transplant's index gets them as its only entries. They lead to a page of the table that is marked as all visible, as
the planner then believes the index.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg import sql
from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.combinations import datums
from pytest_pgfeatures.statistics.model import BLOCK, HISTOGRAM
from pytest_pgfeatures.version import PgVersion, VersionSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import ColumnStatistics, RelationStatistics
    from pytest_pgfeatures.statistics.types import Types

_INDEXES = """
    SELECT i.indexrelid::bigint AS oid, i.indrelid::bigint AS relation, a.attname IS NULL AS expression,
           coalesce(a.attname, x.attname)::text AS name,
           (i.indoption[0] & 1) = 1 AS descending, i.indnatts AS columns, x.atttypid::bigint AS type,
           {readable} AS readable
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
      JOIN pg_opclass o ON o.oid = i.indclass[0] AND o.opcdefault
      JOIN pg_attribute x ON x.attrelid = i.indexrelid AND x.attnum = 1
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND i.indkey[0] > 0
     WHERE i.indpred IS NULL AND i.indisvalid AND c.relkind = 'i'
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY i.indexrelid
"""
"""The B-trees that the planner may look into, and what each begins with: a column, or an expression."""
_READABLE = "has_table_privilege(i.indrelid, 'SELECT') AND NOT row_security_active(i.indrelid)"
_HAS_ROW_SECURITY = VersionSet(">=9.5")
_EXPRESSION = "SELECT pg_get_indexdef(%s::bigint::oid, 1, true)"
_END = "(SELECT v::text FROM (SELECT {x} AS v FROM ONLY {table} WHERE {x} IS NOT NULL ORDER BY 1 %s LIMIT 1) AS e)"
_ENDS = f"SELECT {_END % 'ASC'}, {_END % 'DESC'}"
_BY_INDEX = (
    "SET LOCAL enable_seqscan = off",
    "SET LOCAL enable_sort = off",
    "SET LOCAL enable_bitmapscan = off",
    "SET LOCAL statement_timeout = 1000",
    "SET LOCAL lock_timeout = 200",
)
"""Where an index has to pass by many dead entries, its ends are not waited for."""
_LONGEST = 1000
"""Longer values are left out."""
_AT_ONCE = 40
_FIRST_IS_NOT_NULL = 1
_NULLS, _VARIABLE = 0x8000, 0x4000
"""Flags of an index entry: src/include/access/itup.h."""
_HEADER = 8
_WITH_NULLS = 16


class _Column(NamedTuple):
    """A column of a table, or the expression of an index, that a B-tree begins with."""

    relation: int
    name: str
    query: sql.Composed


def with_ends(
    connection: psycopg.Connection[Any],
    relations: Mapping[int, Any],
    columns: Mapping[int, Sequence[ColumnStatistics]],
) -> Mapping[int, Sequence[ColumnStatistics]]:
    """The statistics of columns with the ends of those that a B-tree begins with.

    Parameters:
        connection: in a transaction.
        relations: the names of relations, by OID.
        columns: the statistics, by the relation's OID. Only columns with a histogram have ends.
    """
    version = PgVersion.from_num(connection.info.server_version)
    readable = _READABLE if version in _HAS_ROW_SECURITY else _READABLE.partition(" AND ")[0]
    found: dict[tuple[int, str], tuple[str, str]] = {}
    with connection.transaction(force_rollback=True):
        for setting in _BY_INDEX:
            connection.execute(setting.encode())
        wanted = list(_wanted(connection, readable, relations, columns))
        for begin in range(0, len(wanted), _AT_ONCE):
            found |= _ends(connection, wanted[begin : begin + _AT_ONCE])
    return {
        oid: [
            each if each.inherited else replace(each, ends=found.get((oid, each.name))) for each in statistics
        ]
        for oid, statistics in columns.items()
    }


def _wanted(
    connection: psycopg.Connection[Any],
    readable: str,
    relations: Mapping[int, Any],
    columns: Mapping[int, Sequence[ColumnStatistics]],
) -> Iterator[_Column]:
    seen: set[tuple[int, str]] = set()
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        indexes: list[Any] = cursor.execute(_INDEXES.format(readable=readable).encode()).fetchall()
    for index in indexes:
        owner = index.oid if index.expression else index.relation
        table = relations.get(index.relation)
        if not index.readable or table is None or (owner, index.name) in seen:
            continue
        if not any(each.name == index.name and _has_histogram(each) for each in columns.get(owner, ())):
            continue
        seen.add((owner, index.name))
        value: sql.Composable = sql.Identifier(index.name)
        if index.expression:
            row = connection.execute(_EXPRESSION, [index.oid]).fetchone()
            value = sql.SQL(f"({row[0] if row else ''})")
        query = sql.SQL(_ENDS).format(x=value, table=sql.Identifier(table.schema, table.name))
        yield _Column(owner, index.name, query)


def _has_histogram(column: ColumnStatistics) -> bool:
    return not column.inherited and any(slot.kind == HISTOGRAM for slot in column.slots)


def _ends(
    connection: psycopg.Connection[Any], wanted: Sequence[_Column]
) -> dict[tuple[int, str], tuple[str, str]]:
    """The ends of columns; if a query fails, each is tried for itself."""
    if not wanted:
        return {}
    try:
        with connection.transaction():
            rows = connection.execute(sql.SQL(" UNION ALL ").join(each.query for each in wanted)).fetchall()
    except psycopg.Error:
        if connection.broken:
            raise
        if len(wanted) == 1:
            return {}
        found: dict[tuple[int, str], tuple[str, str]] = {}
        for each in wanted:
            found |= _ends(connection, [each])
        return found
    return {
        (each.relation, each.name): (first, last)
        for each, (first, last) in zip(wanted, rows, strict=True)
        if first is not None and last is not None and max(len(first), len(last)) <= _LONGEST
    }


class Entries(NamedTuple):
    """What the B-trees of a transplant have.

    Parameters:
        of: the entries of an index, by its OID, in its order.
        tables: the OIDs of the tables that they lead to.
    """

    of: Mapping[int, tuple[bytes, ...]]
    tables: frozenset[int]


def entries_of(
    connection: psycopg.Connection[Any],
    known: Iterable[tuple[RelationStatistics, Counterpart]],
    types: Types,
) -> Entries:
    """The ends of the indexes of a database, as a page of a B-tree has them.

    Parameters:
        connection: a superuser's.
        known: the relations, each with its place in the database.
    """
    ends = {
        (place.oid, column.name): column.ends
        for relation, place in known
        for column in relation.columns
        if column.ends is not None and not column.inherited
    }
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        indexes: list[Any] = cursor.execute(_INDEXES.format(readable="true").encode()).fetchall()
    of_type: dict[int, list[tuple[Any, tuple[str, str]]]] = {}
    for index in indexes:
        pair = ends.get((index.oid if index.expression else index.relation, index.name))
        if pair is not None and types[index.type].length != -2:
            of_type.setdefault(index.type, []).append((index, pair))
    found: dict[int, tuple[bytes, ...]] = {}
    tables = set()
    for oid, several in of_type.items():
        texts = list(dict.fromkeys(text for _, pair in several for text in pair))
        try:
            stored = dict(zip(texts, datums(connection, texts, types.base(oid), types[oid]), strict=True))
        except psycopg.Error:  # a value that this server does not take
            if connection.broken:
                raise
            continue
        for index, pair in several:
            pair = pair[::-1] if index.descending else pair
            found[index.oid] = tuple(
                _entry(stored[text], at, index.columns, types[oid].length)
                for at, text in enumerate(dict.fromkeys(pair), 1)
            )
            tables.add(index.relation)
    return Entries(found, frozenset(tables))


def _entry(value: bytes, at: int, columns: int, length: int) -> bytes:
    """An index entry whose other columns are NULL.

    Parameters:
        value: of the first column, without its length.
        at: the number of the row on the table's first page.
        columns: how many the index has.
        length: ``typlen`` of the first one.
    """
    if length == -1:
        word = len(value) + 4
        value = (word << 2 if sys.byteorder == "little" else word).to_bytes(4, sys.byteorder) + value
    begin = _WITH_NULLS if columns > 1 else _HEADER
    size = begin + len(value) + -len(value) % 8
    flags = (_NULLS if columns > 1 else 0) | (_VARIABLE if length == -1 else 0)
    header = struct.pack("=HHHH", 0, 0, at, size | flags)
    if columns > 1:
        header += struct.pack("=I4x", _FIRST_IS_NOT_NULL)
    return (header + value).ljust(size, b"\0")


def all_visible() -> bytes:
    """The visibility map of a table whose first page alone is all visible, without its checksum."""
    header = struct.pack("=QHHHHHHI", 0, 0, 0, 24, BLOCK, BLOCK, BLOCK | 4, 0)
    return (header + b"\x01").ljust(BLOCK, b"\0")
