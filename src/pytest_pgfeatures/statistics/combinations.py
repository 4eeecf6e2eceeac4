"""Lists of common combinations of values in the server's own format: its type pg_mcv_list.

The layout is that of statext_mcv_serialize in src/backend/statistics/mcv.c, unchanged since 12, which
introduced it. Values are stored as in the server's memory: the server itself converts them from text.
"""

from __future__ import annotations

import struct
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

    from pytest_pgfeatures.statistics.model import Combination
    from pytest_pgfeatures.statistics.types import Type, Types

_MAGIC, _BASIC = 0xE1A651C2, 1
_HEAD = struct.Struct("=IIIh")  # magic, type, combinations, dimensions
_DIMENSION = struct.Struct("=iiii?3x")  # values, bytes, bytes in memory, typlen, typbyval
_FREQUENCIES = struct.Struct("=dd")
_ALIGNMENTS = {"c": 1, "s": 2, "i": 4, "d": 8}
_ALIGNED = 8
_ARRAY_DATA = 24
"""The offset of the elements in a one-dimensional array without nulls, including its length word."""
_LENGTH_WORD = 4
_CAST = """
    INSERT INTO pg_catalog.pg_cast (oid, castsource, casttarget, castfunc, castcontext, castmethod)
    SELECT pg_catalog.pg_nextoid('pg_cast', 'oid', 'pg_cast_oid_index'),
           'anyarray'::regtype, 'bytea'::regtype, 0, 'e', 'b'
"""
"""A cast that shows an array's bytes, which CREATE CAST refuses."""


def stored_combinations(
    connection: psycopg.Connection[Any],
    combinations: Sequence[Combination],
    oids: Sequence[int],
    types: Types,
) -> bytes:
    """Common combinations in the server's format.

    Parameters:
        connection: a superuser's connection.
        oids: the OIDs of the dimensions' types.

    Raises:
        psycopg.Error: a type refuses a value.
    """
    parts = [
        _HEAD.pack(_MAGIC, _BASIC, len(combinations), len(oids)),
        struct.pack(f"={len(oids)}I", *oids),
    ]
    numbers: list[dict[str | None, int]] = []
    data: list[bytes] = []
    for at, oid in enumerate(oids):
        type_ = types[oid]
        texts = list(dict.fromkeys(each.values[at] for each in combinations if each.values[at] is not None))
        content, in_memory = _dimension(datums(connection, texts, types.base(oid), type_), type_)
        numbers.append({text: number for number, text in enumerate(texts)})
        parts.append(_DIMENSION.pack(len(texts), len(content), in_memory, type_.length, type_.by_value))
        data.append(content)
    for each in combinations:
        data.append(bytes(value is None for value in each.values))
        data.append(_FREQUENCIES.pack(each.frequency, each.base_frequency))
        found = [known.get(value, 0) for known, value in zip(numbers, each.values, strict=True)]
        data.append(struct.pack(f"={len(found)}H", *found))
    return b"".join(parts + data)


def datums(
    connection: psycopg.Connection[Any], texts: Sequence[str | None], oid: int, type_: Type
) -> list[bytes]:
    """Values as in the server's memory, without the lengths of variable-length ones: the elements of an array."""
    if not texts:
        return []
    quoted = ('"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts)
    with connection.transaction(force_rollback=True):
        connection.execute(_CAST)
        row = connection.execute(
            "SELECT array_in(%s::text::cstring, %s::oid, -1)::bytea",
            [f"{{{type_.delimiter.join(quoted)}}}", oid],
            binary=True,
        ).fetchone()
    assert row is not None
    return list(_elements(bytes(_LENGTH_WORD) + bytes(row[0]), type_, len(texts)))


def _elements(array: bytes, type_: Type, count: int) -> Iterator[bytes]:
    alignment = _ALIGNMENTS[type_.alignment]
    at = _ARRAY_DATA
    for _ in range(count):
        at += -at % alignment
        if type_.length > 0:
            begin, end = at, at + type_.length
        elif type_.length == -1:
            word = int.from_bytes(array[at : at + _LENGTH_WORD], sys.byteorder)
            size = word >> 2 if sys.byteorder == "little" else word & 0x3FFFFFFF
            begin, end = at + _LENGTH_WORD, at + size
        else:  # a cstring, with its terminating zero
            begin, end = at, array.index(b"\0", at) + 1
        yield array[begin:end]
        at = end


def _dimension(values: Sequence[bytes], type_: Type) -> tuple[bytes, int]:
    """The number of a dimension's values in the list, and their size in memory."""
    if type_.length > 0:
        each = 0 if type_.by_value else _aligned(type_.length)
        return b"".join(values), each * len(values)
    header = _LENGTH_WORD if type_.length == -1 else 0
    content = b"".join(struct.pack("=I", len(value)) + value for value in values)
    return content, sum(_aligned(header + len(value)) for value in values)


def _aligned(size: int) -> int:
    return size + -size % _ALIGNED
