"""Texts that grow in one place: reading them must take linear time, wherever that place is.

    python -m benchmarks.growth --size 10

Each text of a family repeats a part as often as fits: a part that made, or might make, regular expressions and
loops take quadratic time. It does not matter whether a text is a plan or is rejected.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from pytest_pgfeatures.errors import PlanParseError
from pytest_pgfeatures.plan import Plan, diff, parse_plan
from pytest_pgfeatures.plan.assertion_help import compared

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET = 3.0
"""Seconds of processor time for 10 MB."""
NODE = "  (cost=0.00..35.50 rows=2550 width=4)"
RESULT = '{"Node Type": "Result"}'


def after(start: str, unit: str, end: str = "x") -> Callable[[int], str]:
    """Return a text with this start and end, and as many repeats of ``unit`` between them as fit."""
    return lambda size: start + unit * (size // len(unit)) + end


def property_(key: str, start: str, unit: str, end: str = "x") -> Callable[[int], str]:
    """Return a node with such a property."""
    return after(
        f"Sort{NODE}\n  {key}: {start}", unit, f"{end}\n  Filter: (a = 1)\n  Sort Key: a\n  Output: a"
    )


FAMILIES: dict[str, Callable[[int], str]] = {
    "Sort Method: blanks": property_("Sort Method", "a", " "),
    "Sort Method: words": property_("Sort Method", "", "Memory: 1 "),
    "Full-sort Groups: blanks": property_("Full-sort Groups", "1  Sort Method: a", " "),
    "Full-sort Groups: averages": property_("Full-sort Groups", "1  Sort Method: a", "  Average Memory: 1kB"),
    "Buckets: digits": property_("Buckets", "", "1"),
    "Batches: blanks": property_("Batches", "1", " "),
    "Heap Blocks: blanks": property_("Heap Blocks", "exact=1", " "),
    "Storage: blanks": property_("Storage", "a", " "),
    "Storage: Maximum Storage": property_("Storage", "a", " Maximum Storage: 1"),
    "Sampling: parentheses": property_("Sampling", "system (", ") REPEATABLE (", ""),
    "Sampling: blanks": property_("Sampling", "system", " "),
    "Buffers: letters": property_("Buffers", "shared ", "a"),
    "Buffers: words": property_("Buffers", "shared ", "a "),
    "I/O Timings: digits": property_("I/O Timings", "shared read=", "1."),
    "WAL: letters": property_("WAL", "", "a"),
    "WAL: words": property_("WAL", "", "records "),
    "Tuples: letters": property_("Tuples", "", "a"),
    "Memory: blanks": property_("Memory", "used=1kB", " "),
    "Estimates: words": property_("Estimates", "", "capacity=1 distinct keys=1 "),
    "Sort Key: brackets": property_("Sort Key", "", "(["),
    "Sort Key: quotes": property_("Sort Key", "", "'\","),
    "Filter: quotes": property_("Filter", "", "'"),
    "Filter: lines": property_("Filter", "", "((a = 'two lines\n"),
    "Filter: continued": property_("Filter", "", "AND (a = 1)\n"),
    "Planning Time: digits": after("Result\nPlanning Time: ", "1"),
    "Settings: words": after("Result\nSettings: ", "a"),
    "Settings: quotes": after("Result\nSettings: a = '", "', b = '"),
    "Settings: dots": after("Result\nSettings: a = 'x", ", b."),
    "Serialization: blanks": after("Result\nSerialization: time=1.0 ms", " "),
    "JIT Options: letters": after("Result\nJIT:\n  Options: ", "a"),
    "JIT Timing: letters": after("Result\nJIT:\n  Functions: 1\n  Timing: ", "a"),
    "JIT Timing: numbers": after("Result\nJIT:\n  Functions: 1\n  Timing: ", "a 1.0 ms "),
    "Trigger: on": after("Result\nTrigger t", " on ", " calls=1"),
    "Trigger: colons": after("Result\nTrigger t", ": ", "calls=1"),
    "a node: quotes": after("Seq Scan on ", '"', NODE),
    "a node: dots": after("Seq Scan on a", ".a", NODE),
    "a node: blanks": after("Seq Scan on a", " ", "b"),
    "a node: using": after("Index Scan", " using a", NODE),
    "a node: costs": after("Seq Scan on a", "  (cost=0.00..1.00"),
    "a node: digits": after("Seq Scan on a  (cost=0.00..", "1", ")"),
    "a node: actual": after("Seq Scan on a", " (actual rows=1"),
    "a key: words": after("Result\n  A", " b", ":"),
    "a key: blanks": after("Result\n  Key:", " "),
    "a worker: digits": after("Result\n  Worker ", "1", ":  actual rows=1 loops=1"),
    "workers": after("Result\n", "  Worker 1:  Sort Method: quicksort  Memory: 25kB\n"),
    "InitPlans": after("Result\n", "  InitPlan 1\n    ->  Result\n"),
    "children": after(f"Append{NODE}\n", f"  ->  Seq Scan on t{NODE}\n        Filter: (a > 3)\n"),
    "children in one column": after("Limit\n", " ->  Limit\n"),
    "children too far right": after("Seq Scan on a\n", "      ->  Seq Scan on b\n"),
    "grouping sets": after("MixedAggregate\n", "  Group Key: a, b\n"),
    "target tables": after("Update on a\n", "  Update on b\n"),
    "tables of psql": after("", f"  QUERY PLAN\n-----\n Result{NODE}\n(1 row)\n\n"),
    "boxes of psql": after("", f"|  QUERY PLAN  |\n| Result{NODE}+|\n"),
    "records of psql": after("", f"-[ RECORD 1 ]---\nQUERY PLAN | Result{NODE}\n"),
    "log entries": after("", f"LOG:  duration: 1.0 ms  plan:\n\tQuery Text: SELECT 1\n\tResult{NODE}\n"),
    "a log's digits": after("LOG:  duration: ", "1.", " ms  plan:"),
    "queries": after("", f"Result{NODE}\n\n"),
    "rules": after("QUERY PLAN\n", "-", "\nResult"),
    "blanks": after("Result", " "),
    "empty lines": after("Result", "\n                    "),
    "tabs": after("Result\n", "\t"),
    "wrapped rows": after("QUERY PLAN\n", " Result    +\n"),
    "no plan": after("", "there is no plan here. "),
    "JSON: lists": after("", "["),
    "JSON: objects": after("", '{"a": '),
    "JSON: nodes": after('[{"Plan": {"Node Type": "Append", "Plans": [', f"{RESULT}, ", f"{RESULT}]}}}}]"),
    "JSON: nested nodes": after("", '{"Node Type": "Limit", "Plans": ['),
    "JSON: values": after('[{"Plan": {"Node Type": "Result", "Output": [', "1, ", "1]}}]"),
    "JSON: a wrong node": after('[{"Plan": {"Node Type": "Append", "Plans": [', f"{RESULT}, ", "3]}}]"),
    "JSON: keys": after('[{"Plan": {"Node Type": "Result", ', '"a": 1, ', '"a": 1}}]'),
    "JSON: digits": after('[{"Plan": {"Node Type": "Result", "Plan Rows": ', "1", "}}]"),
    "JSON: a string": after('[{"Plan": {"Node Type": "Result", "Filter": "', "\\u0041", '"}}]'),
    "JSON: blanks": after('[{"Plan": ', " ", f"{RESULT}}}"),
    "JSON: members of lists": after(
        '[{"Plan": {"Node Type": "Result", "Output": [', '"a": 1, ', '"b": 1]}}]'
    ),
}
"""Return each family's text of about this many characters."""

USES: dict[str, tuple[Callable[[int], str], Callable[[Plan], object]]] = {
    "find: a label's letters": (after("", "A"), lambda plan: plan.find("*A*A*A*A*B")),
    "in: a label's letters": (after("Sort", " a"), lambda plan: compared("in", "Sort a b c d e", plan)),
    "shape: windows": (property_("Filter", "", "OVER ("), Plan.shape),
    "shape: quotes": (property_("Filter", "", 'OVER "'), Plan.shape),
    "shape: parameters": (property_("Filter", "(returns ", "$1, "), Plan.shape),
    "shape: names": (property_("Filter", "(InitPlan ", "a"), Plan.shape),
    "str: queries": (FAMILIES["queries"], str),
    "html: queries": (FAMILIES["queries"], Plan._repr_html_),
    "diff: children": (FAMILIES["children"], lambda plan: diff(plan, plan)),
}
"""Return each family's text and the use to measure: a tenth of the length, as each node takes longer."""


def main() -> int:
    """Measure all families; the exit status is 0 if all meet the target."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--size", type=float, default=10, help="MB of text (default: %(default)s)")
    parser.add_argument(
        "families", nargs="*", metavar="FAMILY", help="parts of families' names (default: all)"
    )
    arguments = parser.parse_args()
    size = int(arguments.size * 1e6)
    table = Table("family", "MB", "seconds of processor time", "of a quarter", "target")
    missed = 0
    for name in (*FAMILIES, *USES):
        if arguments.families and not any(part in name for part in arguments.families):
            continue
        make, use, full = (FAMILIES[name], read, size) if name in FAMILIES else (*USES[name], size // 10)
        quarter, whole = (seconds(make, use, length) for length in (full // 4, full))
        target = TARGET * full / 10e6
        missed += whole > target
        table.add_row(
            name,
            f"{full / 1e6:g}",
            f"{whole:.2f}",
            f"{whole / max(quarter, 1e-9):.1f} times",
            f"{target:g}: {'missed' if whole > target else 'met'}",
        )
    console = Console(highlight=False, width=110)
    console.print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    console.print(table)
    return 1 if missed else 0


def seconds(make: Callable[[int], str], use: Callable[..., object], size: int) -> float:
    """Return the processor time for a text of this size."""
    text = make(size)
    subject = text if use is read else read(text)
    if subject is None:
        return 0.0
    started = time.process_time()
    use(subject)
    return time.process_time() - started


def read(text: str) -> Plan | None:
    """Return the plan in a text, if there is one."""
    try:
        return parse_plan(text)
    except PlanParseError:
        return None


if __name__ == "__main__":
    raise SystemExit(main())
