"""One line of text EXPLAIN to the keys of FORMAT JSON that it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.label import LABELS, keys_of
from pytest_pgfeatures.plan.quoting import unquoted
from pytest_pgfeatures.plan.usage import BUFFERS, OLDER_TIMES, TIMES, WAL

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = r"\d+(?:\.\d+)?"
_COST = re.compile(rf"\s*\(cost=({_NUMBER})\.\.({_NUMBER}) rows=(\d+) width=(-?\d+)\)")
_ACTUAL = re.compile(
    rf"\s*\((?:actual (?:time=({_NUMBER})\.\.({_NUMBER}) )?rows=({_NUMBER}) loops=(\d+)|never executed)\)"
)
_IDENTIFIER = r'"(?:[^"]|"")*"|[^\s".]+'
_USING = re.compile(rf" using ({_IDENTIFIER})(?= on |$)")
_TARGET = re.compile(rf" on (?:({_IDENTIFIER})\.)?({_IDENTIFIER})(?: ({_IDENTIFIER}))?\s*")
_INTEGER = re.compile(r"-?\d+").fullmatch
_MISREAD = {"Seg Scan": "Seq Scan"}
"""Labels as OCR reads them."""

OBJECT_KEYS = {
    "Function Scan": "Function Name",
    "Table Function Scan": "Table Function Name",
    "CTE Scan": "CTE Name",
    "WorkTable Scan": "CTE Name",
    "Values Scan": None,
    "Subquery Scan": None,
}
"""The key of what a node works on, where it is not ``Relation Name``; None where only the alias is said."""

LISTS = frozenset(
    (
        "Output",
        "Sort Key",
        "Presorted Key",
        "Group Key",
        "Hash Key",
        "Conflict Arbiter Indexes",
        "Params Evaluated",
    )
)
STRINGS = frozenset(
    (
        *("Filter", "Join Filter", "Index Cond", "Recheck Cond", "TID Cond", "Order By", "Hash Cond"),
        *("Merge Cond", "One-Time Filter", "Run Condition", "Window", "Cache Key", "Conflict Filter"),
        *(
            "Function Call",
            "Table Function Call",
            "Remote SQL",
            "Relations",
            "Query Text",
            "Query Parameters",
        ),
    )
)
"""Keys whose value is text even where it looks like a number."""
FLAGS = frozenset(("Disabled", "Single Copy", "Inner Unique"))
_OTHERS = re.compile(
    r"Worker \d+|Workers (?:Planned|Launched)|Rows Removed by [\w ]+|Heap Fetches|Index Searches|Subplans Removed"
    r"|Cache Mode|Batches|Planned Partitions|Params Evaluated|Conflict Resolution|Tuples Inserted"
    r"|Conflicting Tuples|Replaces"
).fullmatch


def is_node_line(text: str) -> bool:
    """Whether a line, without its arrow, is the first one of a node: it has a cost, or a known label."""
    if "(cost=" in text or "(actual " in text or text.endswith("(never executed)"):
        return text[:1].isupper() and not text.startswith("Worker ")
    return bare_label(text) in LABELS


def bare_label(text: str) -> str:
    """The label at the start of a heading, without ``Parallel`` and ``Async``."""
    end = min(
        (at for at in (text.find(" on "), text.find(" using "), text.find("  (")) if at >= 0), default=-1
    )
    name = text if end < 0 else text[:end]
    return name.removeprefix("Parallel ").removeprefix("Async ").rstrip()


def node_line_keys(text: str) -> dict[str, Any]:
    """The keys that a node's first line says."""
    text, figures = _without_figures(text)
    for wrong, right in _MISREAD.items():
        text = text.replace(wrong, right)
    at, using_at = text.find(" on "), text.find(" using ")
    if using_at >= 0 and not 0 <= at < using_at:
        at = using_at
    if at < 0:
        return {**keys_of(text.strip()), **figures}
    keys = keys_of(text[:at].strip())
    rest = text[at:]
    if at == using_at:
        using = _USING.match(rest)
        if using is not None:
            name, rest = using[1], rest[using.end() :]
        else:  # a document lost the name's underscores
            name, _, rest = rest.removeprefix(" using ").rpartition(" on ")
            name, rest = "_".join(name.split()), f" on {rest}"
        keys["Index Name"] = unquoted(name)
    if rest:
        keys.update(_target(rest, keys["Node Type"]))
    keys.update(figures)
    return keys


def _without_figures(text: str) -> tuple[str, dict[str, Any]]:
    figures: dict[str, Any] = {}
    end = len(text)
    actual = None
    if text[-1:] == ")":
        at = max(text.rfind("(actual "), text.rfind("(never executed)"))
        actual = _ACTUAL.fullmatch(text, at) if at >= 0 else None
        if actual is not None:
            end = at
    cost_at = text.rfind("(cost=", 0, end)
    cost = _COST.match(text, cost_at) if cost_at >= 0 else None
    if cost is not None:
        figures["Startup Cost"], figures["Total Cost"] = float(cost[1]), float(cost[2])
        figures["Plan Rows"], figures["Plan Width"] = int(cost[3]), int(cost[4])
        end = cost_at
    if actual is not None:
        figures.update(actual_keys(actual))
    return text[:end].rstrip(), figures


def worker_figures(text: str) -> dict[str, Any] | None:
    """The keys that ``actual time=0.010..0.020 rows=1 loops=1`` says of a worker, None if it is not that."""
    said = _ACTUAL.fullmatch(f"({text})")
    return None if said is None else actual_keys(said)


def actual_keys(said: re.Match[str]) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    if said[3] is None:
        return {"Actual Rows": 0, "Actual Loops": 0}
    if said[1] is not None:
        keys["Actual Startup Time"], keys["Actual Total Time"] = float(said[1]), float(said[2])
    keys["Actual Rows"] = float(said[3]) if "." in said[3] else int(said[3])
    keys["Actual Loops"] = int(said[4])
    return keys


def _target(text: str, kind: str) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    match = _TARGET.fullmatch(text)
    if match is not None:
        schema, name, alias = match.groups()
    else:  # a name whose underscores a document lost
        words = text.removeprefix(" on ").split()
        if not words:
            return keys
        schema, name, alias = None, "_".join(words[:-1]) or words[0], words[-1]
    if kind == "Bitmap Index Scan":
        return {"Index Name": unquoted(name)}
    if schema is not None:
        keys["Schema"] = unquoted(schema)
    key = OBJECT_KEYS.get(kind, "Relation Name")
    if key is not None:
        keys[key] = unquoted(name)
    keys["Alias"] = unquoted(alias if alias is not None else name)
    return keys


def property_keys(key: str, value: str) -> dict[str, Any]:
    """The keys that a line ``key: value`` says.

    Raises:
        ValueError: text never writes such a value after this key.
    """
    special = _SPECIAL.get(key)
    if special is not None:
        return special(value)
    if key in LISTS:
        return {key: split_list(value)}
    if key in STRINGS:
        return {key: value}
    if key in FLAGS:
        return {key: value == "true"}
    if key.endswith(" Time") and value.endswith(" ms"):
        return {key: float(value[:-3])}
    return {key: int(value) if _INTEGER(value) and len(value) < 100 else value}


_DELIMITER = re.compile(r"""[,()\[\]'"]""")
_DELIMITER_BUT_COMMA = re.compile(r"""[()\[\]'"]|,(?! )""")
_OPENING, _CLOSING = "([", ")]"


def split_list(text: str) -> list[str]:
    """The items of ``a, (b, c), 'd, e'``: commas within brackets and quotes part nothing."""
    if _DELIMITER_BUT_COMMA.search(text) is None:
        return text.split(", ")
    items, start, depth, at = [], 0, 0, 0
    while True:
        found = _DELIMITER.search(text, at)
        if found is None:
            break
        sign, at = found[0], found.end()
        if sign in "'\"":
            at = text.find(sign, at) + 1
            if not at:
                break
        elif sign in _OPENING:
            depth += 1
        elif sign in _CLOSING:
            depth -= 1
        elif depth == 0:
            items.append(text[start : at - 1])
            start = at + 1 if text[at : at + 1] == " " else at
    return [*items, text[start:]]


def _read(pattern: str) -> Callable[[str], re.Match[str]]:
    compiled = re.compile(pattern)

    def read(value: str) -> re.Match[str]:
        match = compiled.fullmatch(value)
        if match is None:
            raise ValueError(value)
        return match

    return read


_sort_method = _read(r"(.+?)\s+(Memory|Disk): (\d+)kB")
_sort_groups = _read(
    r"(\d+)\s+Sort Methods?: (.+?)"
    r"(?:\s+Average Memory: (\d+)kB\s+Peak Memory: (\d+)kB)?"
    r"(?:\s+Average Disk: (\d+)kB\s+Peak Disk: (\d+)kB)?"
)
_hash = _read(
    r"(\d+)(?: \(originally (\d+)\))?\s+Batches: (\d+)(?: \(originally (\d+)\))?\s+Memory Usage: (\d+)kB"
)
_partitions = _read(r"(\d+)(?:\s+Batches: (\d+)\s+Memory Usage: (\d+)kB(?:\s+Disk Usage: (\d+)kB)?)?")
_batches = _read(r"(\d+)\s+Memory Usage: (\d+)kB(?:\s+Disk Usage: (\d+)kB)?")
_hits = _read(r"(\d+)\s+Misses: (\d+)\s+Evictions: (\d+)\s+Overflows: (\d+)\s+Memory Usage: (\d+)kB")
_estimates = _read(r"capacity=(\d+) distinct keys=(\d+) lookups=(\d+) hit percent=([\d.]+)%")
_heap_blocks = _read(r"(?:exact=(\d+))?\s*(?:lossy=(\d+))?")
_storage = _read(r"(.+?)\s+Maximum Storage: (\d+)kB")
_sampling = _read(r"(\S+) \((.*?)\)(?: REPEATABLE \((.*)\))?")
_memory = _read(r"used=(\d+)kB\s+allocated=(\d+)kB")
_prefetch = _read(rf"avg=({_NUMBER}) max=(\d+) capacity=(\d+)")
_io_counts = _read(rf"count=(\d+) waits=(\d+) size=({_NUMBER}) in-progress=({_NUMBER})")
_counts = re.compile(r"([a-z][a-z ]*?)=([\d.]+)")


def _sort(value: str) -> dict[str, Any]:
    said = _sort_method(value)
    return {"Sort Method": said[1], "Sort Space Used": int(said[3]), "Sort Space Type": said[2]}


def _groups(key: str) -> Callable[[str], dict[str, Any]]:
    def read(value: str) -> dict[str, Any]:
        said = _sort_groups(value)
        group: dict[str, Any] = {"Group Count": int(said[1]), "Sort Methods Used": said[2].split(", ")}
        for place, average, peak in (("Memory", said[3], said[4]), ("Disk", said[5], said[6])):
            if average is not None:
                space = {"Average Sort Space Used": int(average), "Peak Sort Space Used": int(peak)}
                group[f"Sort Space {place}"] = space
        return {key: group}

    return read


def _buckets(value: str) -> dict[str, Any]:
    said = _hash(value)
    keys = {"Hash Buckets": int(said[1]), "Original Hash Buckets": int(said[2] or said[1])}
    keys.update({"Hash Batches": int(said[3]), "Original Hash Batches": int(said[4] or said[3])})
    if said[2] is None and said[4] is not None:  # up to 9.4
        del keys["Original Hash Buckets"]
    return {**keys, "Peak Memory Usage": int(said[5])}


def _hashed(value: str) -> dict[str, Any]:
    said = _batches(value)
    return {
        "HashAgg Batches": int(said[1]),
        "Peak Memory Usage": int(said[2]),
        "Disk Usage": int(said[3] or 0),
    }


def _planned(value: str) -> dict[str, Any]:
    said = _partitions(value)
    keys = {"Planned Partitions": int(said[1])}
    if said[2] is not None:
        keys.update({"HashAgg Batches": int(said[2]), "Peak Memory Usage": int(said[3])})
        keys["Disk Usage"] = int(said[4] or 0)
    return keys


def _cache(value: str) -> dict[str, Any]:
    names = ("Cache Hits", "Cache Misses", "Cache Evictions", "Cache Overflows", "Peak Memory Usage")
    return dict(zip(names, map(int, _hits(value).groups()), strict=True))


def _estimated(value: str) -> dict[str, Any]:
    said = _estimates(value)
    return {
        "Estimated Capacity": int(said[1]),
        "Estimated Distinct Lookup Keys": int(said[2]),
        "Estimated Lookups": int(said[3]),
        "Estimated Hit Percent": float(said[4]),
    }


def _blocks(value: str) -> dict[str, Any]:
    said = _heap_blocks(value)
    return {"Exact Heap Blocks": int(said[1] or 0), "Lossy Heap Blocks": int(said[2] or 0)}


def _stored(value: str) -> dict[str, Any]:
    said = _storage(value)
    return {"Storage": said[1], "Maximum Storage": int(said[2])}


def _sampled(value: str) -> dict[str, Any]:
    said = _sampling(value)
    keys: dict[str, Any] = {"Sampling Method": said[1], "Sampling Parameters": split_list(said[2])}
    if said[3] is not None:
        keys["Repeatable Seed"] = said[3]
    return keys


def _buffers(value: str) -> dict[str, Any]:
    return _by_kind(value, BUFFERS, int)


def _times(value: str) -> dict[str, Any]:
    if value.startswith(("shared", "local", "temp")):
        return _by_kind(value, TIMES, float)
    said = dict(_counts.findall(value))
    return {key: float(said.get(name, 0)) for name, key in OLDER_TIMES.items()}


def _by_kind(value: str, table: dict[str, dict[str, str]], number: Callable[[str], float]) -> dict[str, Any]:
    keys: dict[str, Any] = {key: 0 for names in table.values() for key in names.values()}
    for part in value.split(", "):
        kind, _, counts = part.partition(" ")
        names = table.get(kind, {})
        keys.update({names[name]: number(count) for name, count in _counts.findall(counts) if name in names})
    return keys


def _wal(value: str) -> dict[str, Any]:
    said = dict(_counts.findall(value))
    return {
        key: int(said.get(name, 0))
        for name, key in WAL.items()
        if name in said or name in ("records", "fpi", "bytes")
    }


def _tuples(value: str) -> dict[str, Any]:
    said = dict(_counts.findall(value))
    return {
        f"Tuples {name.capitalize()}": int(said.get(name, 0))
        for name in ("inserted", "updated", "deleted", "skipped")
    }


def _mem(value: str) -> dict[str, Any]:
    said = _memory(value)
    return {"Memory Used": int(said[1]), "Memory Allocated": int(said[2])}


def _prefetched(value: str) -> dict[str, Any]:
    said = _prefetch(value)
    return {
        "Average Prefetch Distance": float(said[1]),
        "Max Prefetch Distance": int(said[2]),
        "Prefetch Capacity": int(said[3]),
    }


def _io(value: str) -> dict[str, Any]:
    said = _io_counts(value)
    return {
        "I/O Count": int(said[1]),
        "I/O Waits": int(said[2]),
        "Average I/O Size": float(said[3]),
        "Average I/Os In Progress": float(said[4]),
    }


def _file_size(value: str) -> dict[str, Any]:
    return {"Foreign File Size": int(value.removesuffix(" b"))}


_SPECIAL: dict[str, Callable[[str], dict[str, Any]]] = {
    "Sort Method": _sort,
    "Full-sort Groups": _groups("Full-sort Groups"),
    "Pre-sorted Groups": _groups("Pre-sorted Groups"),
    "Buckets": _buckets,
    "Batches": _hashed,
    "Planned Partitions": _planned,
    "Hits": _cache,
    "Estimates": _estimated,
    "Heap Blocks": _blocks,
    "Storage": _stored,
    "Sampling": _sampled,
    "Buffers": _buffers,
    "I/O Timings": _times,
    "WAL": _wal,
    "Tuples": _tuples,
    "Memory": _mem,
    "Prefetch": _prefetched,
    "I/O": _io,
    "Foreign File Size": _file_size,
}
"""Lines that say several keys, or one of another name."""


def is_known(key: str) -> bool:
    """Whether some node of the majors so far has such a line; of foreign and custom scans no one knows all."""
    return key in _SPECIAL or key in LISTS or key in STRINGS or key in FLAGS or _OTHERS(key) is not None
