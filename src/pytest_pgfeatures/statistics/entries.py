"""The ends of production's indexes, as the only entries of a transplant's B-trees.

They lead to a page of the table that is marked as all-visible, so that the planner trusts the index.
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from psycopg.rows import namedtuple_row

from pytest_pgfeatures.statistics.combinations import datums
from pytest_pgfeatures.statistics.model import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pgfeatures.statistics.differences import Counterpart
    from pytest_pgfeatures.statistics.model import RelationStatistics
    from pytest_pgfeatures.statistics.types import Types

_INDEXES = """
    SELECT i.indexrelid::bigint AS oid, i.indrelid::bigint AS relation, a.attname IS NULL AS expression,
           coalesce(a.attname, x.attname)::text AS name,
           (i.indoption[0] & 1) = 1 AS descending, i.indnatts AS columns, x.atttypid::bigint AS type
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_am m ON m.oid = c.relam AND m.amname = 'btree'
      JOIN pg_opclass o ON o.oid = i.indclass[0] AND o.opcdefault
      JOIN pg_attribute x ON x.attrelid = i.indexrelid AND x.attnum = 1
      LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] AND i.indkey[0] > 0
     WHERE i.indpred IS NULL AND i.indisvalid AND c.relkind = 'i'
       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY i.indexrelid
"""
"""The B-trees that the planner may look into, each with its first key: a column, or an expression."""
_FIRST_IS_NOT_NULL = 1
_NULLS, _VARIABLE = 0x8000, 0x4000
"""Flags of an index entry: src/include/access/itup.h."""
_HEADER = 8
_WITH_NULLS = 16


class Entries(NamedTuple):
    """The entries of the B-trees of a transplant.

    Parameters:
        of: the entries of each index, by its OID, in the index's order.
        tables: the OIDs of the tables to which they lead.
    """

    of: Mapping[int, tuple[bytes, ...]]
    tables: frozenset[int]


def entries_of(
    connection: psycopg.Connection[Any],
    known: Iterable[tuple[RelationStatistics, Counterpart]],
    types: Types,
) -> Entries:
    """The ends of a database's indexes, as entries of B-tree pages.

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
        indexes: list[Any] = cursor.execute(_INDEXES).fetchall()
    of_type: dict[int, list[tuple[Any, tuple[str, str]]]] = {}
    for index in indexes:
        pair = ends.get((index.oid if index.expression else index.relation, index.name))
        if pair is not None and types[index.type].length != -2 and not types.runs_code(index.type):
            of_type.setdefault(index.type, []).append((index, pair))
    found: dict[int, tuple[bytes, ...]] = {}
    tables = set()
    for oid, several in of_type.items():
        texts = list(dict.fromkeys(text for _, pair in several for text in pair))
        try:
            stored = dict(zip(texts, datums(connection, texts, types.base(oid), types[oid]), strict=True))
        except psycopg.Error:  # this server refuses the value
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
        value: the first column's value, without its length.
        at: the row's number on the table's first page.
        columns: the number of the index's columns.
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
    """The visibility map of a table of which only the first page is all-visible, without its checksum."""
    header = struct.pack("=QHHHHHHI", 0, 0, 0, 24, BLOCK, BLOCK, BLOCK | 4, 0)
    return (header + b"\x01").ljust(BLOCK, b"\0")
