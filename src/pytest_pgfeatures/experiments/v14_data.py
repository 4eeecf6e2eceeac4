"""Data of the kinds that the article on LZ4 used, made from a seed, the same on every machine.

The article took PostgreSQL's manual and files of the Silesia corpus, which aren't available here. For a
compressor, the repetition of bytes counts: :func:`entropy` shows it.
"""

from __future__ import annotations

import math
import random
import zlib
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SYLLABLES = (  # noqa: SIM905
    "the of and to in a is that for it as was with be by on not he his but at are this have from or had "
    "an they wh ich one you were all her she there would their we him been has when who will more if out "
    "so said what ing er ed ly tion ment ness able con pre re un dis com pro ex in ter sub trans able ous "
    "ful less ship ward "
).split()
_TAGS = ("div", "p", "span", "table", "tr", "td", "code", "a", "li", "ul", "h2", "pre", "em", "dt", "dd")
_TYPES = ("int", "char *", "Datum", "bool", "Size", "Oid", "TupleDesc", "HeapTuple", "List *", "static void")


class _Words:
    """Words whose frequencies follow Zipf's law, as those of a language do."""

    def __init__(self, source: random.Random, count: int) -> None:
        self._source = source
        self._words = [
            "".join(source.choices(_SYLLABLES, k=source.choice((1, 1, 2, 2, 3)))) for _ in range(count)
        ]
        self._weights = [1 / (rank + 3) for rank in range(count)]

    def some(self, count: int) -> list[str]:
        return self._source.choices(self._words, self._weights, k=count)


def _english(source: random.Random) -> Iterator[str]:
    words = _Words(source, 6000)
    while True:
        sentence = " ".join(words.some(source.randint(5, 25)))
        yield sentence.capitalize() + source.choice((". ", ". ", "? ", ", and ", ";\n", ".\n\n"))


def _html(source: random.Random) -> Iterator[str]:
    words = _Words(source, 2500)
    while True:
        tag = source.choice(_TAGS)
        name = "-".join(words.some(2))
        text = " ".join(words.some(source.randint(1, 14)))
        yield f'<{tag} class="{tag}-{source.choice(("body", "title", "entry"))}" id="{name}">{text}</{tag}>\n'


def _source_code(source: random.Random) -> Iterator[str]:
    words = _Words(source, 800)
    while True:
        kind, (name, other, field) = source.choice(_TYPES), words.some(3)
        yield source.choice(
            (
                f"\t{kind} {name} = {other}->{field};\n",
                f"\tif ({name} == NULL || {other}->{field} < {source.randint(0, 64)})\n\t\treturn false;\n",
                f"\tfor (i = 0; i < {name}->n{field}; i++)\n\t\t{other}[i] = {field}({name}, i);\n",
                f"\n{kind}\n{name}_{other}({source.choice(_TYPES)} {field})\n{{\n",
                f"\t/* {' '.join(words.some(source.randint(4, 12)))} */\n",
            )
        )


def _executable(source: random.Random) -> Iterator[bytes]:
    """Make instructions with few opcodes, small offsets and addresses that lie close together; tables; zeros."""
    opcodes = [bytes(source.choices(range(256), k=source.randint(1, 3))) for _ in range(60)]
    weights = [1 / (rank + 1) for rank in range(60)]
    addresses = [source.randbytes(2) + b"\x40\x00" for _ in range(80)]
    while True:
        code = b"".join(
            opcode + source.choice((b"", bytes((8 * source.randint(0, 15),)), source.choice(addresses)))
            for opcode in source.choices(opcodes, weights, k=200)
        )
        table = b"".join((0x400000 + source.randint(0, 4095) * 16).to_bytes(8, "little") for _ in range(20))
        yield code + table + bytes(source.choice((0, 16, 64)))


def _picture(source: random.Random) -> Iterator[bytes]:
    """Make lines of 12-bit gray: soft transitions with noise, on a black background."""
    line = 0
    while True:
        pixels = [0] * 60
        for x in range(200):
            wave = 900 + 500 * math.sin((x + line) / 40) + 300 * math.sin(line / 25)
            pixels.append(int(wave + source.gauss(0, 12)))
        yield b"".join(pixel.to_bytes(2, "little") for pixel in pixels + [0] * 60)
        line += 1


KINDS: dict[str, tuple[str, Callable[[random.Random], Iterator[str] | Iterator[bytes]]]] = {
    "pg doc": ("text", _html),
    "html": ("text", _html),
    "English text": ("text", _english),
    "src": ("text", _source_code),
    "exe": ("bytea", _executable),
    "picture": ("bytea", _picture),
}
"""Each kind's SQL type, and the function that makes its pieces."""


def file_of(kind: str, size: int, seed: int = 14) -> str | bytes:
    """Return a file of about ``size`` bytes: text, or bytes for the kinds whose type is bytea."""
    pieces, length, chosen = [], 0, KINDS[kind][1](random.Random(f"{kind} {seed}"))
    while length < size:
        piece = next(chosen)
        pieces.append(piece)
        length += len(piece)
    return (b"" if isinstance(pieces[0], bytes) else "").join(pieces)  # type: ignore[arg-type]


def files_of(kind: str, size: int) -> list[str | bytes]:
    """Return the rows of a kind: one file, or for the manual, pages of 2 to 40 kB."""
    if kind != "pg doc":
        return [file_of(kind, size)]
    sizes = random.Random(kind)
    pages: list[str | bytes] = []
    while sum(map(len, pages)) < size:
        pages.append(file_of(kind, int(2000 * 20 ** sizes.random()), seed=len(pages)))
    return pages


def entropy(files: list[str | bytes]) -> str:
    """Return the bits per byte, without and with knowledge of the byte before, and zlib's compression ratio."""
    data = b"".join(each.encode() if isinstance(each, str) else each for each in files)
    single = _bits(Counter(data))
    pairs = _bits(Counter(pairwise(data)))
    ratio = len(data) / len(zlib.compress(data, 6))
    return f"{single:.2f} bits a byte, {pairs - single:.2f} after a known one; zlib's ratio {ratio:.2f}"


def _bits(counts: Counter[int] | Counter[tuple[int, int]]) -> float:
    total = counts.total()
    return -sum(count / total * math.log2(count / total) for count in counts.values())
