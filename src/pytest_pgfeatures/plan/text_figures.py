"""Values of text EXPLAIN that hold several keys of FORMAT JSON: sorts, hash tables, buffers, WAL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.usage import BUFFERS, OLDER_TIMES, TIMES, WAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Keys = dict[str, Any]
    Match = re.Match[str]

LONGEST = 300
"""The number of digits that no server's number has, and that floats can't hold."""


def whole(text: str) -> int:
    """The integer that a text contains.

    Raises:
        ValueError: it isn't one, or has :data:`LONGEST` digits or more.
    """
    if len(text) >= LONGEST or not text.isdecimal():
        raise ValueError(text)
    return int(text)


def decimal(text: str) -> float:
    """The number that a text contains, with or without a decimal point.

    Raises:
        ValueError: it isn't one, or has :data:`LONGEST` characters or more.
    """
    if len(text) >= LONGEST or not text.replace(".", "", 1).isdecimal():
        raise ValueError(text)
    return float(text)


def counts(text: str) -> dict[str, str]:
    """The values by name in ``hit=3 fpi bytes=8``: ``{"hit": "3", "fpi bytes": "8"}``."""
    found: dict[str, str] = {}
    words: list[str] = []
    for token in text.split():
        word, equals, value = token.partition("=")
        words.append(word)
        if equals:
            found[" ".join(words)] = value
            words = []
    return found


def split_list(text: str) -> list[str]:
    """The items of ``a, (b, c), 'd, e'``: a comma within brackets or quotes does not separate items."""
    if _DELIMITER_BUT_COMMA(text) is None:
        return text.split(", ")
    items, start, depth, at = [], 0, 0, 0
    for token in _TOKENS(text):
        end = at + len(token)
        sign = token[0]
        if sign == ",":
            if depth == 0:
                items.append(text[start:at])
                start = end
        elif sign in _OPENING:
            depth += end - at
        elif sign in _CLOSING:
            depth -= end - at
        at = end
    return [*items, text[start:]]


_DELIMITER_BUT_COMMA = re.compile(r"""[()\[\]'"]|,(?! )""").search
_TOKENS = re.compile(r""", ?|[(\[]+|[)\]]+|'[^']*'?|"[^"]*"?|[^,()\[\]'"]+""").findall
"""The whole text of a list: a quote that is not closed extends to its end."""
_OPENING, _CLOSING = "([", ")]"


def _required(value: str, names: Iterable[str]) -> list[str]:
    said = counts(value)
    try:
        return [said[name] for name in names]
    except KeyError:
        raise ValueError(value) from None


def _kilobytes(text: str) -> int:
    if text[-2:] != "kB":
        raise ValueError(text)
    return whole(text[:-2])


def _matched(fullmatch: Callable[[str], Match | None], value: str) -> Match:
    """The match of a value, with each white space treated as one blank."""
    match = fullmatch(" ".join(value.split()))
    if match is None:
        raise ValueError(value)
    return match


def _whole(text: str | None) -> int:
    """An optional integer, 0 by default."""
    return 0 if text is None else whole(text)


_GROUPS = re.compile(
    r"(\d++) Sort Methods?: (.+?)"
    r"(?: Average Memory: (\d++)kB Peak Memory: (\d++)kB)?"
    r"(?: Average Disk: (\d++)kB Peak Disk: (\d++)kB)?"
).fullmatch
_HASH = re.compile(
    r"(\d++)(?: \(originally (\d++)\))? Batches: (\d++)(?: \(originally (\d++)\))? Memory Usage: (\d++)kB"
).fullmatch
_PARTITIONS = re.compile(
    r"(\d++)(?: Batches: (\d++) Memory Usage: (\d++)kB(?: Disk Usage: (\d++)kB)?)?"
).fullmatch
_BATCHES = re.compile(r"(\d++) Memory Usage: (\d++)kB(?: Disk Usage: (\d++)kB)?").fullmatch
_HITS = re.compile(
    r"(\d++) Misses: (\d++) Evictions: (\d++) Overflows: (\d++) Memory Usage: (\d++)kB"
).fullmatch


def _sort(value: str) -> Keys:
    head, _, size = value.rpartition(": ")
    method, _, place = head.rpartition(" ")
    if place not in ("Memory", "Disk") or not method.strip():
        raise ValueError(value)
    return {"Sort Method": method.rstrip(), "Sort Space Used": _kilobytes(size), "Sort Space Type": place}


def _groups(key: str) -> Callable[[str], Keys]:
    def read(value: str) -> Keys:
        said = _matched(_GROUPS, value)
        group: Keys = {"Group Count": whole(said[1]), "Sort Methods Used": said[2].split(", ")}
        for place, average, peak in (("Memory", said[3], said[4]), ("Disk", said[5], said[6])):
            if average is not None:
                space = {"Average Sort Space Used": whole(average), "Peak Sort Space Used": whole(peak)}
                group[f"Sort Space {place}"] = space
        return {key: group}

    return read


def _buckets(value: str) -> Keys:
    buckets, was_buckets, batches, was_batches, memory = _matched(_HASH, value).groups()
    keys = {"Hash Buckets": whole(buckets), "Original Hash Buckets": whole(was_buckets or buckets)}
    keys |= {"Hash Batches": whole(batches), "Original Hash Batches": whole(was_batches or batches)}
    if was_buckets is None and was_batches is not None:  # up to 9.4
        del keys["Original Hash Buckets"]
    return {**keys, "Peak Memory Usage": whole(memory)}


def _hashed(value: str) -> Keys:
    batches, memory, disk = _matched(_BATCHES, value).groups()
    return {"HashAgg Batches": whole(batches), "Peak Memory Usage": whole(memory), "Disk Usage": _whole(disk)}


def _planned(value: str) -> Keys:
    partitions, batches, memory, disk = _matched(_PARTITIONS, value).groups()
    keys = {"Planned Partitions": whole(partitions)}
    if batches is not None:
        keys |= {
            "HashAgg Batches": whole(batches),
            "Peak Memory Usage": whole(memory),
            "Disk Usage": _whole(disk),
        }
    return keys


def _cache(value: str) -> Keys:
    names = ("Cache Hits", "Cache Misses", "Cache Evictions", "Cache Overflows", "Peak Memory Usage")
    return dict(zip(names, map(whole, _matched(_HITS, value).groups()), strict=True))


def _estimates(value: str) -> Keys:
    names = ("capacity", "distinct keys", "lookups", "hit percent")
    capacity, keys, lookups, hits = _required(value, names)
    return {
        "Estimated Capacity": whole(capacity),
        "Estimated Distinct Lookup Keys": whole(keys),
        "Estimated Lookups": whole(lookups),
        "Estimated Hit Percent": decimal(hits.removesuffix("%")),
    }


def _blocks(value: str) -> Keys:
    said = counts(value)
    if not said.keys() <= {"exact", "lossy"}:
        raise ValueError(value)
    return {"Exact Heap Blocks": _whole(said.get("exact")), "Lossy Heap Blocks": _whole(said.get("lossy"))}


def _storage(value: str) -> Keys:
    storage, _, most = " ".join(value.split()).rpartition(" Maximum Storage: ")
    if not storage:
        raise ValueError(value)
    return {"Storage": storage, "Maximum Storage": _kilobytes(most)}


def _sampling(value: str) -> Keys:
    method, _, rest = value.partition(" (")
    if rest[-1:] != ")" or len(method.split()) != 1:
        raise ValueError(value)
    parameters, repeatable, seed = rest[:-1].partition(") REPEATABLE (")
    keys: Keys = {"Sampling Method": method, "Sampling Parameters": split_list(parameters)}
    if repeatable:
        keys["Repeatable Seed"] = seed
    return keys


def _buffers(value: str) -> Keys:
    return _by_kind(value, BUFFERS, whole)


def _times(value: str) -> Keys:
    if value.startswith(("shared", "local", "temp")):
        return _by_kind(value, TIMES, decimal)
    said = counts(value)
    return {key: decimal(said.get(name, "0")) for name, key in OLDER_TIMES.items()}


def _by_kind(value: str, table: dict[str, dict[str, str]], number: Callable[[str], float]) -> Keys:
    keys: Keys = {key: 0 for names in table.values() for key in names.values()}
    for part in value.split(", "):
        kind, _, said = part.partition(" ")
        names = table.get(kind, {})
        keys.update({names[name]: number(count) for name, count in counts(said).items() if name in names})
    return keys


def _wal(value: str) -> Keys:
    said = counts(value)
    return {
        key: whole(said.get(name, "0"))
        for name, key in WAL.items()
        if name in said or name in ("records", "fpi", "bytes")
    }


def _tuples(value: str) -> Keys:
    said = counts(value)
    return {
        f"Tuples {name.capitalize()}": whole(said.get(name, "0"))
        for name in ("inserted", "updated", "deleted", "skipped")
    }


def _memory(value: str) -> Keys:
    used, allocated = _required(value, ("used", "allocated"))
    return {"Memory Used": _kilobytes(used), "Memory Allocated": _kilobytes(allocated)}


def _prefetch(value: str) -> Keys:
    average, most, capacity = _required(value, ("avg", "max", "capacity"))
    return {
        "Average Prefetch Distance": decimal(average),
        "Max Prefetch Distance": whole(most),
        "Prefetch Capacity": whole(capacity),
    }


def _io(value: str) -> Keys:
    count, waits, size, in_progress = _required(value, ("count", "waits", "size", "in-progress"))
    return {
        "I/O Count": whole(count),
        "I/O Waits": whole(waits),
        "Average I/O Size": decimal(size),
        "Average I/Os In Progress": decimal(in_progress),
    }


def _file_size(value: str) -> Keys:
    return {"Foreign File Size": whole(value.removesuffix(" b"))}


FIGURES: dict[str, Callable[[str], Keys]] = {
    "Sort Method": _sort,
    "Full-sort Groups": _groups("Full-sort Groups"),
    "Pre-sorted Groups": _groups("Pre-sorted Groups"),
    "Buckets": _buckets,
    "Batches": _hashed,
    "Planned Partitions": _planned,
    "Hits": _cache,
    "Estimates": _estimates,
    "Heap Blocks": _blocks,
    "Storage": _storage,
    "Sampling": _sampling,
    "Buffers": _buffers,
    "I/O Timings": _times,
    "WAL": _wal,
    "Tuples": _tuples,
    "Memory": _memory,
    "Prefetch": _prefetch,
    "I/O": _io,
    "Foreign File Size": _file_size,
}
"""The reader of each line with several keys, or with a key that FORMAT JSON spells otherwise.

Raises:
    ValueError: text never has such a value under this key.
"""
