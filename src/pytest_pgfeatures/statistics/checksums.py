"""The checksum of a page, as src/include/storage/checksum_impl.h defines it."""

from __future__ import annotations

import functools
import struct

_PRIME = 16777619
_MASK = 0xFFFFFFFF
_BASES = (
    0x5B1F36E9, 0xB8525960, 0x02AB50AA, 0x1DE66D2A, 0x79FF467A, 0x9BB9F8A3, 0x217E7CD2, 0x83E13D2C,
    0xF8D4474F, 0xE39EB970, 0x42C6AE16, 0x993216FA, 0x7B093B5D, 0x98DAFF3C, 0xF718902A, 0x0B1C9CDB,
    0xE58F764B, 0x187636BC, 0x5D7B3BB1, 0xE73DE7DE, 0x92BEC979, 0xCCA6C0B2, 0x304A0979, 0x85AA43D4,
    0x783125BB, 0x6CA8EAA2, 0xE407EAC6, 0x4B5CFC3E, 0x9FBF8C76, 0x15CA20BE, 0xF2CA9FD3, 0x959BD756,
)  # fmt: skip
_AT = 8
"""The offset of a page's checksum, which has two bytes."""


def with_checksum(page: bytes, block: int) -> bytes:
    """A page with its checksum.

    Parameters:
        page: its bytes; a checksum among them is ignored.
        block: its number in the relation.
    """
    total = _total(page[:_AT] + b"\0\0" + page[_AT + 2 :])
    return page[:_AT] + struct.pack("=H", (total ^ block) % 65535 + 1) + page[_AT + 2 :]


@functools.lru_cache(maxsize=64)
def _total(page: bytes) -> int:
    """The part of the checksum that depends on the page's bytes alone. Many pages of indexes are equal."""
    words = struct.unpack(f"={len(page) // 4}I", page)
    sums = list(_BASES)
    for number, word in enumerate((*words, *(0 for _ in range(2 * len(_BASES))))):
        at = number % len(_BASES)
        mixed = sums[at] ^ word
        sums[at] = ((mixed * _PRIME) & _MASK) ^ (mixed >> 17)
    total = 0
    for each in sums:
        total ^= each
    return total
