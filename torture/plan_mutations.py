"""Invalid and unusual plans: samples of all node types, with parts replaced, and thousands of nested levels."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

SAMPLES = Path(__file__).parents[1] / "tests/plan/samples.jsonl"


@cache
def samples() -> tuple[tuple[str, str], ...]:
    """Plans of all node types in FORMAT JSON, decoded and encoded again, and in FORMAT TEXT."""
    read = map(json.loads, SAMPLES.read_text(encoding="utf-8").splitlines())
    return tuple((json.dumps(sample["json"], indent=2), sample["text"]) for sample in read)


PIECES = (
    "", " ", "\n", "\n\n", "\t", "\r\n", "'", '"', "(", ")", "[", "]", "{", "}", ":", ",", "->", "  ->  ",
    "+\n", "|", "QUERY PLAN\n", "----\n", "(3 rows)\n", "```\n", "-[ RECORD 1 ]-\n",
    "LOG:  duration: 1.0 ms  plan:\n", "Sort Method: x", "Worker 0:  ", "Worker 1: actual ", "JIT:\n",
    "Planning:\n", "Settings: a = 'b'", "Limit\n", "SubPlan 1\n", "InitPlan 1 (returns $0)\n",
    "Trigger t: calls=1\n", "Planning Time: 0.1 ms\n", "Group Key: ()\n", "(cost=0.00..1.00 rows=1 width=4)",
    "(actual rows=1 loops=1)", "(never executed)", "  Update on x\n", " on ", " using ", "9" * 400, "9" * 5000,
    "-1", "1e999", "NaN", "null", "true", '"Plans": [', '"Node Type": "Sort"', "\x00", "\ufeff", "\ud800", "é",
    "日本", "\u2028", "\x1b[31m", "&amp;<b>", "[bold]", "\x0b", "\x85",
)  # fmt: skip


def mutated(rng: random.Random, text: str) -> str:
    """Return the text with parts removed, doubled, moved or replaced."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 5, 20, 100, 1000)))
        piece = rng.choice(
            (
                rng.choice(PIECES),
                rng.choice(PIECES),
                "",
                text[start:end] * 2,
                part_of(rng, rng.choice(rng.choice(samples()))),
            )
        )
        text = text[:start] + piece + text[end:]
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.1 else text


def part_of(rng: random.Random, text: str) -> str:
    """Return a part of a text."""
    start = rng.randrange(len(text))
    return text[start : start + rng.choice((3, 20, 200))]


VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 7, 1.5, 10**30, 10**400, 1e308, float("inf"), float("nan"), "", "x", "Sort",
    "a b\nc", [], {}, [1], ["a", "b"], [None], {"a": 1}, [{"a": [1]}], [{"Node Type": "Sort"}],
    [{"Worker Number": 0}], [{"Worker Number": 0, "Actual Loops": 1}], [{"Alias": "x"}],
    {"Options": {}, "Functions": 1},
)  # fmt: skip
KEYS = (
    "Plan", "Plans", "Node Type", "Workers", "Triggers", "JIT", "Planning", "Settings", "Serialization",
    "Planning Time", "Sort Method", "Full-sort Groups", "Hash Buckets", "Hash Batches", "Cache Hits",
    "Grouping Sets", "Target Tables", "Subplan Name", "Parent Relationship", "Actual Loops", "Actual Rows",
    "Total Cost", "Plan Rows", "Alias", "Schema", "Relation Name", "Index Name", "Join Type", "Strategy",
    "Shared Hit Blocks", "WAL Records", "I/O Read Time", "Storage", "Sampling Method", "Output",
    "Exact Heap Blocks", "Inner Unique", "Disabled", "A Key Of The Future",
)  # fmt: skip


def mutated_tree(rng: random.Random, tree: Any) -> Any:
    """Return decoded JSON with some keys and values replaced by others of any type."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.choice(list(_places(tree)))
        value = copy.deepcopy(rng.choice(VALUES))
        if isinstance(place, dict):
            key = rng.choice((*KEYS, *place)) if rng.random() < 0.7 or not place else rng.choice(list(place))
            change = rng.random()
            if change < 0.2:
                place.pop(key, None)
            elif change < 0.4 and place:
                place[key] = place[rng.choice(list(place))]
            else:
                place[key] = value
        elif rng.random() < 0.3 and place:
            place[rng.randrange(len(place))] = value
        else:
            place.append(rng.choice((value, *place)))
    return tree


def _places(tree: Any) -> Iterator[Any]:
    waiting, seen = [tree], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or not isinstance(value, dict | list):
            continue
        seen.add(id(value))
        yield value
        waiting.extend(value.values() if isinstance(value, dict) else value)


def deep(rng: random.Random) -> Any:
    """Return a text or a tree with thousands of nested levels."""
    levels = rng.choice((50, 990, 1010, 4000, 5001, 20_000))
    opening, closing = rng.choice((("[", "]"), ('{"a": ', "}"), ('[{"b": ', "}]")))
    value = opening * levels + "1" + closing * levels
    node = '{"Node Type": "Limit", "Plans": [' * levels + '{"Node Type": "Result"}' + "]}" * levels
    key = rng.choice(KEYS)
    children = "\n".join("->  Limit" for _ in range(levels))
    columns = "\n".join(" " * at + "->  Nested Loop" for at in range(min(levels, 5000)))
    decoded: Any = {"Node Type": "Result"}
    for _ in range(levels):
        decoded = {"Node Type": "Limit", "Plans": [decoded], "Workers": [{"Worker Number": 0, "x": 1}]}
    nested: Any = 1
    for _ in range(levels):
        nested = [nested] if rng.random() < 0.5 else {"a": nested}
    return rng.choice(
        (
            f'[{{"Plan": {node}}}]',
            f'[{{"Plan": {{"Node Type": "Result", "{key}": {value}}}}}]',
            f'[{{"Plan": {{"Node Type": "Result"}}, "{key}": {value}}}]',
            value,
            f"Limit\n{children}",
            f"Limit\n{columns}",
            f"Result\n  Filter: {'(' * levels}a{')' * levels}",
            f"Result\n  Output: {'(' * levels}",
            [{"Plan": decoded}],
            [{"Plan": {"Node Type": "Result", key: nested}}],
            [{"Plan": {"Node Type": "Result"}, key: nested}],
        )
    )
