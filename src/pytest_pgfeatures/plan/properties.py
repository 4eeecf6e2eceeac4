"""The lines below a node's first one: a table of FORMAT JSON's keys and how text prints them.

A key that is not in the table prints as ``Key: value``. So keys of foreign data wrappers, of custom scans and of
future majors are kept. If text has several keys on a line, the one that comes first in JSON writes the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.node_line import NODE_LINE_KEYS, actual, target
from pytest_pgfeatures.plan.usage import USAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.plan.context import Context

    Data = dict[str, Any]
    Lines = list[str]
    Writer = Callable[[Data, Any, str, Lines, Context], None]

UNEXPECTED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors of a writer for a value that no server prints under its key. The value is then printed as it is."""
UNITS = {"Foreign File Size": " b"}
"""The units that text prints after a value, and JSON doesn't."""


def write_properties(data: Data, pad: str, lines: Lines, context: Context) -> None:
    """Append the lines of all keys of a mapping, each after ``pad``."""
    for key, value in data.items():
        writer = WRITERS.get(key, write_plain)
        if writer is write_plain:
            if type(value) is str:
                lines.append(f"{pad}{key}: {value}")
            else:
                lines.append(f"{pad}{key}: {plain(key, value)}")
        elif writer is not None:
            start = len(lines)
            try:
                writer(data, value, pad, lines, context)
            except UNEXPECTED:
                del lines[start:]
                lines.append(f"{pad}{key}: {plain(key, value)}")


def write_plain(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    """The mark in :data:`WRITERS` for keys that print as ``Key: value``."""
    raise NotImplementedError


def plain(key: str, value: Any) -> str:
    """A value as text prints it after its key."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value}{UNITS.get(key, '')}"


def if_true(key: str) -> Writer:
    def write(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
        if value:
            lines.append(f"{pad}{key}: {plain(key, value)}")

    return write


NEVER_FILTERING = frozenset(("Seq Scan", "Bitmap Heap Scan", "Function Scan", "Foreign Scan"))
"""Node types whose filter mostly removed no row if JSON has 0 rows removed per loop."""
INDEX_SCANS = frozenset(("Index Scan", "Index Only Scan"))
"""Node types to which this applies if most loops returned a row: otherwise the filter removed the rows found."""


def removed_by_filter(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    """Rows removed per loop: text has no line if there were none, JSON has 0 also for 1 row in 3 loops.

    In this case, print what is more likely for the node type. The filter of a WorkTable Scan ends the recursion, so
    it removed something. So did that of a parallel scan that returned rows; if it returned none, the table was
    mostly empty.
    """
    if not value and context.zeros == "likely":
        kind = data.get("Node Type")
        said = data.get("Actual Loops", 0) > 1 and kind not in NEVER_FILTERING
        said = said and (kind not in INDEX_SCANS or data["Actual Rows"] < 1)
        said = said or (data.get("Actual Rows") == 0 and id(data) in context.gathered)
    else:
        said = bool(value) or context.zeros == "said"
    if said:
        lines.append(f"{pad}Rows Removed by Filter: {value}")


def rows_removed(key: str) -> Writer:
    def write(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
        if value or context.zeros == "said":
            lines.append(f"{pad}{key}: {value}")

    return write


def inner_unique(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if value and context.verbose:
        lines.append(f"{pad}Inner Unique: true")


def sort_method(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    lines.append(f"{pad}Sort Method: {value}  {data['Sort Space Type']}: {data['Sort Space Used']}kB")


def sort_groups(kind: str) -> Writer:
    def write(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
        methods = value["Sort Methods Used"]
        line = f"{pad}{kind}: {value['Group Count']}  Sort Method{'s' if len(methods) > 1 else ''}: "
        line += ", ".join(methods)
        for place in ("Memory", "Disk"):
            space = value.get(f"Sort Space {place}")
            if space is not None:
                line += f"  Average {place}: {space['Average Sort Space Used']}kB"
                line += f"  Peak {place}: {space['Peak Sort Space Used']}kB"
        lines.append(line)

    return write


def hash_buckets(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    batches, memory = data["Hash Batches"], data["Peak Memory Usage"]
    was_buckets, was_batches = data.get("Original Hash Buckets"), data.get("Original Hash Batches", batches)
    if was_batches == batches and was_buckets in (None, value):
        line = f"{pad}Buckets: {value}  Batches: {batches}"
    elif was_buckets is None:  # up to 9.4
        line = f"{pad}Buckets: {value}  Batches: {batches} (originally {was_batches})"
    else:
        line = (
            f"{pad}Buckets: {value} (originally {was_buckets})  Batches: {batches} (originally {was_batches})"
        )
    lines.append(f"{line}  Memory Usage: {memory}kB")


def planned_partitions(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    parts = [f"Planned Partitions: {value}"] if value else []
    batches = data.get("HashAgg Batches")
    if batches is not None:
        parts.append(f"Batches: {batches}  Memory Usage: {data['Peak Memory Usage']}kB")
        if batches > 1:
            parts.append(f"Disk Usage: {data['Disk Usage']}kB")
    if parts:
        lines.append(pad + "  ".join(parts))


def hashagg_batches(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if "Planned Partitions" not in data:
        planned_partitions(data, 0, pad, lines, context)


def cache_hits(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if data["Cache Misses"]:
        lines.append(
            f"{pad}Hits: {value}  Misses: {data['Cache Misses']}  Evictions: {data['Cache Evictions']}  "
            f"Overflows: {data['Cache Overflows']}  Memory Usage: {data['Peak Memory Usage']}kB"
        )


def estimates(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    lines.append(
        f"{pad}Estimates: capacity={value} distinct keys={data['Estimated Distinct Lookup Keys']:.0f} "
        f"lookups={data['Estimated Lookups']:.0f} hit percent={data['Estimated Hit Percent']:.2f}%"
    )


def heap_blocks(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    lossy = data.get("Lossy Heap Blocks", 0)
    if value or lossy:
        line = f"{pad}Heap Blocks:"
        if value:
            line += f" exact={value}"
        lines.append(f"{line} lossy={lossy}" if lossy else line)


def storage(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    lines.append(f"{pad}Storage: {value}  Maximum Storage: {data['Maximum Storage']}kB")


def sampling(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    line = f"{pad}Sampling: {value} ({', '.join(data['Sampling Parameters'])})"
    seed = data.get("Repeatable Seed")
    lines.append(line if seed is None else f"{line} REPEATABLE ({seed})")


def grouping_sets(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    for group in value:
        inner = pad
        if "Sort Key" in group:
            lines.append(f"{pad}Sort Key: {', '.join(group['Sort Key'])}")
            inner = pad + "  "
        for plural, singular in (("Hash Keys", "Hash Key"), ("Group Keys", "Group Key")):
            for keys in group.get(plural, ()):
                lines.append(f"{inner}{singular}: {', '.join(keys) or '()'}")


def target_tables(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    # Up to 13 there is a child for each table. A child that writes by itself belongs to a foreign table.
    members = [child for child in data.get("Plans", ()) if child.get("Parent Relationship") == "Member"]
    for number, table in enumerate(value):
        extra = {key: said for key, said in table.items() if key not in NODE_LINE_KEYS}
        operation = table.get("Operation")
        if operation is None:  # JSON does not show the kind of table: one with its own keys is foreign
            operation = data.get("Operation", "")
            writes = len(members) == len(value) and members[number].get("Operation", "Select") != "Select"
            if extra or writes or table["Alias"] in context.foreign_aliases:
                operation = f"Foreign {operation}"
        lines.append(f"{pad}{operation}{target(table, table['Alias'], context.major)}")
        write_properties(extra, pad + "  ", lines, context)


def tuples_inserted(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if "Tuples Updated" not in data:
        lines.append(f"{pad}Tuples Inserted: {value}")
        return
    counts = {
        name: data[key]
        for name, key in (
            ("inserted", "Tuples Inserted"),
            ("updated", "Tuples Updated"),
            ("deleted", "Tuples Deleted"),
            ("skipped", "Tuples Skipped"),
        )
    }
    if any(counts.values()):
        lines.append(f"{pad}Tuples:" + "".join(f" {name}={count}" for name, count in counts.items() if count))


def workers(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    if context.before_13:
        sorting_workers(data, value, pad, lines, context)
        return
    for worker in value:
        said: Lines = []
        if worker.get("Actual Loops"):
            said.append(f"{pad}  {actual(worker | _decimals(data))}")
        write_properties(worker, pad + "  ", said, context)
        if said:
            lines.append(f"{pad}Worker {worker['Worker Number']}:  {said[0].lstrip()}")
            lines.extend(said[1:])


def sorting_workers(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    """Up to 12, each worker's sort comes below the node's own; the rest follows at the end of the node."""
    for worker in value:
        if "Sort Method" in worker:
            number = worker["Worker Number"]
            sort_method(worker, worker["Sort Method"], f"{pad}Worker {number}:  ", lines, context)


def older_workers(value: Any, pad: str, lines: Lines, context: Context) -> None:
    """The other figures of each worker, as servers up to 12 print them."""
    start = len(lines)
    try:
        for worker in value:
            if "Actual Loops" in worker:
                lines.append(f"{pad}Worker {worker['Worker Number']}: {actual(worker)}")
                rest = {key: said for key, said in worker.items() if not key.startswith("Sort ")}
                write_properties(rest, pad + "  ", lines, context)
    except UNEXPECTED:
        lines[start:] = [f"{pad}Workers: {plain('Workers', value)}"]


def _decimals(node: Data) -> Data:
    return {"Disabled": False} if "Disabled" in node else {}


def jit(data: Data, value: Any, pad: str, lines: Lines, context: Context) -> None:
    options, timing = value["Options"], value.get("Timing")
    lines.append(f"{pad}JIT:")
    lines.append(f"{pad}  Functions: {value['Functions']}")
    said = ", ".join(f"{name} {plain(name, chosen)}" for name, chosen in options.items())
    lines.append(f"{pad}  Options: {said}")
    if timing is not None:
        parts = []
        for name, spent in timing.items():
            if isinstance(spent, dict):  # since 17
                parts.append(f"{name} {spent['Total']:.3f} ms (Deform {spent['Deform']:.3f} ms)")
            else:
                parts.append(f"{name} {spent:.3f} ms")
        lines.append(f"{pad}  Timing: {', '.join(parts)}")


SILENT = frozenset(
    (
        *NODE_LINE_KEYS,
        "Plans",
        "Worker Number",
        "Sort Space Used",
        "Sort Space Type",
        "Hash Batches",
        "Original Hash Batches",
        "Original Hash Buckets",
        "Peak Memory Usage",
        "Disk Usage",
        "Cache Misses",
        "Cache Evictions",
        "Cache Overflows",
        "Estimated Lookups",
        "Estimated Distinct Lookup Keys",
        "Estimated Hit Percent",
        "Lossy Heap Blocks",
        "Maximum Storage",
        "Sampling Parameters",
        "Repeatable Seed",
        "Tuples Updated",
        "Tuples Deleted",
        "Tuples Skipped",
    )
)
"""Keys that are part of another key's line, or that text never prints."""

WRITERS: dict[str, Writer | None] = {
    **dict.fromkeys(SILENT),
    **{key: if_true(key) for key in ("Disabled", "Single Copy", "Subplans Removed")},
    **{
        key: rows_removed(key)
        for key in (
            "Rows Removed by Join Filter",
            "Rows Removed by Index Recheck",
            "Rows Removed by Conflict Filter",
        )
    },
    **USAGE,
    "Rows Removed by Filter": removed_by_filter,
    "Inner Unique": inner_unique,
    "Sort Method": sort_method,
    "Full-sort Groups": sort_groups("Full-sort Groups"),
    "Pre-sorted Groups": sort_groups("Pre-sorted Groups"),
    "Hash Buckets": hash_buckets,
    "Planned Partitions": planned_partitions,
    "HashAgg Batches": hashagg_batches,
    "Cache Hits": cache_hits,
    "Estimated Capacity": estimates,
    "Exact Heap Blocks": heap_blocks,
    "Storage": storage,
    "Sampling Method": sampling,
    "Grouping Sets": grouping_sets,
    "Target Tables": target_tables,
    "Tuples Inserted": tuples_inserted,
    "Workers": workers,
    "JIT": jit,
}
"""The writer of each key; None for keys that text doesn't print."""
