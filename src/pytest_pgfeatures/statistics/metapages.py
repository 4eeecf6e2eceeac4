"""The first page of an index, from which the planner takes numbers: read it from a server, write it to a
transplant.

| method | what the planner takes from it | layout |
|---|---|---|
| btree | the number of levels | src/include/access/nbtree.h |
| gin | the numbers of pages of each kind, and of entries | src/include/access/ginblock.h |
| brin | the number of pages of the range map | src/include/access/brin_page.h |
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import psycopg

from pytest_pgfeatures.statistics.model import BLOCK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

METHODS = ("btree", "gin", "brin")
_AT = 24
"""The offset of a page's content."""
_BTREE = struct.Struct("=IIII")  # magic, version, root, level
_BTREE_MAGIC = 0x053162
_FANOUT = 408
"""The largest number of entries on a page above the leaves of a B-tree."""
_GIN = struct.Struct("=12xI8x III4xq")
"""Pages of the pending list; all pages, those of entries and of data; entries."""
_BRIN = struct.Struct("=III")  # magic, version, pages for each range
_BRIN_MAGIC = 0xA8109CFA
_BY_FILE = """
    SELECT o, pg_read_binary_file(pg_relation_filepath(o::oid), 0, {block}) FROM unnest(%s::bigint[]) AS o
"""
"""The file of a page that was not written since the last checkpoint has an older version of it."""


def metapages(connection: psycopg.Connection[Any], indexes: Iterable[int]) -> Mapping[int, bytes]:
    """The first pages of indexes, from their files. Only superusers, and roles that may read the server's
    files, can read them.

    Parameters:
        indexes: their OIDs.
    """
    wanted = list(indexes)
    if not wanted:
        return {}
    query = psycopg.sql.SQL(_BY_FILE).format(block=psycopg.sql.Literal(BLOCK))
    try:
        with connection.transaction():
            return {oid: bytes(page) for oid, page in connection.execute(query, [wanted]) if page is not None}
    except psycopg.Error:  # the role lacks the privilege, or an index is gone
        if connection.broken:
            raise
    return {}


def height_in(page: bytes | None, pages: int) -> int | None:
    """The number of levels above the leaves of a B-tree; None if its first page does not show it.

    Parameters:
        pages: of the index. If the index has more pages than that number of levels can hold, the page is out
            of date.
    """
    if page is None or len(page) != BLOCK:
        return None
    magic, _, root, level = _BTREE.unpack_from(page, _AT)
    if magic != _BTREE_MAGIC or level > 32 or (root == 0 and pages > 1):
        return None
    # the first page and non-leaf pages don't count
    return int(level) if float(_FANOUT) ** level * (1 + 2 / _FANOUT) >= pages - 1 - level else None


def counts_in(method: str, page: bytes | None, pages: int) -> tuple[int, ...] | None:
    """The counts on the first page of a GIN or BRIN index; None if it has none."""
    if page is None or len(page) != BLOCK:
        return None
    if method == "gin":
        counts: tuple[int, ...] = _GIN.unpack_from(page, _AT)
        return counts if counts[4] > 0 and 0 < counts[1] <= pages and counts[0] <= pages else None
    if method == "brin" and _BRIN.unpack_from(page, _AT)[0] == _BRIN_MAGIC:
        return struct.unpack_from("=I", page, _AT + _BRIN.size)
    return None


def with_counts(method: str, page: bytes, counts: tuple[int, ...]) -> bytes:
    """The first page of an empty GIN or BRIN index, with the counts of another index."""
    if method == "gin":
        pending, total, entries, data, keys = counts
        changed = bytearray(page)
        struct.pack_into("=I", changed, _AT + 12, pending)
        struct.pack_into("=III4xq", changed, _AT + 24, total, entries, data, keys)
        return bytes(changed)
    at = _AT + _BRIN.size
    return page[:at] + struct.pack("=I", *counts) + page[at + 4 :]
