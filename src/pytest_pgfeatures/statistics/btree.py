"""The upper levels of a B-tree, whose number the planner uses, and its ends.

https://www.postgresql.org/docs/current/btree.html; the layout of its pages is in src/include/access/nbtree.h.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from pytest_pgfeatures.statistics.model import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.statistics.model import RelationStatistics

_HEADER = struct.Struct("=QHHHHHHI")  # src/include/storage/bufpage.h: LSN to prune_xid
_SPECIAL = struct.Struct("=IIIHH")  # previous page, next page, level, flags, cycle
_META = struct.Struct("=IIIIII")  # magic, version, root, level, fast root, fast level
_MAGIC = 0x053162
_LEAF, _ROOT = 1, 2
_LAYOUT = 4
_LSN = 8
_ITEM = 4
_TUPLE = 8
_NORMAL = 1 << 15
_NO_COLUMNS = 0x2000
"""The flag of a tuple without key columns, since metapages of version 3 (11)."""
_FILL = 0.7
"""The fraction of a page above the leaves that CREATE INDEX fills."""
_ALIGNED = 8


def height_of(relation: RelationStatistics, key_width: int) -> int:
    """The number of levels of a B-tree above its leaves: from its first page, or else by the keys that fit on
    a page.

    Parameters:
        relation: the index.
        key_width: the average width of its keys in bytes.
    """
    if relation.height is not None:
        return relation.height
    if relation.pages <= 2:
        return 0
    width = _ITEM + _ALIGNED * math.ceil((_TUPLE + max(key_width, 1)) / _ALIGNED)
    fanout = max(2.0, _FILL * (BLOCK - _HEADER.size - _SPECIAL.size) / width)
    level, pages = 0, math.ceil((relation.pages - 1) * fanout / (fanout + 1))
    while pages > 1:
        pages = math.ceil(pages / fanout)
        level += 1
    return level


def with_height(metapage: bytes, height: int, entries: Sequence[bytes] = ()) -> list[bytes]:
    """The first pages of a B-tree with a number of levels above one leaf: the metapage, the root, ... the leaf.

    Parameters:
        metapage: the metapage of an empty B-tree, as the server wrote it.
        entries: the leaf's entries.
    """
    at = _HEADER.size
    magic, version, *_ = _META.unpack_from(metapage, at)
    if magic != _MAGIC or len(metapage) != BLOCK:
        return [metapage]
    meta = _META.pack(magic, version, 1, height, 1, height)
    # without its LSN, which lies before a clean shutdown: so these pages are equal for all indexes
    pages = [bytes(_LSN) + metapage[_LSN:at] + meta + metapage[at + _META.size :]]
    for level in range(height, -1, -1):
        flags = (_LEAF if level == 0 else 0) | (_ROOT if level == height else 0)
        marked = _NO_COLUMNS if version >= 3 else 0
        pages.append(_page(level, flags, [_link(len(pages) + 1, marked)] if level else entries))
    return pages


def _link(child: int, marked: int) -> bytes:
    """An entry without a key, which leads to a page below."""
    return struct.pack("=HHHH", child >> 16, child & 0xFFFF, 0 if marked else 1, _TUPLE | marked)


def _page(level: int, flags: int, entries: Sequence[bytes]) -> bytes:
    """A page without siblings."""
    special = upper = BLOCK - _SPECIAL.size
    items = content = b""
    for entry in entries:
        upper -= len(entry)
        items += struct.pack("=I", upper | _NORMAL | (len(entry) << 17))
        content = entry + content
    header = _HEADER.pack(0, 0, 0, _HEADER.size + len(items), upper, special, BLOCK | _LAYOUT, 0)
    body = header + items
    return body + bytes(upper - len(body)) + content + _SPECIAL.pack(0, 0, level, flags, 0)
