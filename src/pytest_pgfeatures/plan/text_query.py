"""The lines after a plan's tree in text EXPLAIN: what it says about the whole query."""

from __future__ import annotations

import re
from typing import Any

TIMES = {
    "Planning Time": "Planning Time",
    "Execution Time": "Execution Time",
    "Planning time": "Planning Time",
    "Execution time": "Execution Time",
    "Total runtime": "Total Runtime",
}
"""A time in milliseconds: the key in text, and in JSON. The small letters are those of 9.3 to 10."""
GROUPS = {
    "Planning": frozenset(("Buffers", "I/O Timings", "Memory")),
    "JIT": frozenset(("Functions", "Options", "Timing")),
    "Serialization": frozenset(("Buffers", "I/O Timings")),
}
"""Keys with lines of their own below them, and which."""
OTHERS = ("Settings", "Query Identifier")

_SETTING = re.compile(r"([\w.]+) = (?:NULL|'(.*?)')(?=, [\w.]+ = |$)", re.DOTALL)
_MILLISECONDS = re.compile(r"(\d+\.\d+) ms").fullmatch
_CALLS = re.compile(r"(?:time=(\d+\.\d+) )?calls=(\d+)").fullmatch
_SERIALIZED = re.compile(r"(?:time=(\d+\.\d+) ms\s+)?output=(\d+)kB\s+format=(\w+)").fullmatch
_SPENT = re.compile(r"(\w+) (\d+\.\d+) ms(?: \(Deform (\d+\.\d+) ms\))?")
_OPTION = re.compile(r"(\w+) (true|false)")


def is_query_key(key: str) -> bool:
    """Whether a line with this key is about the whole query."""
    return key in TIMES or key in GROUPS or key in OTHERS


def read_query_key(key: str, value: str) -> tuple[str, Any]:
    """The key and value in FORMAT JSON of a line ``key: value`` about the whole query.

    Raises:
        ValueError: text never writes such a value after this key.
    """
    if key in TIMES:
        spent = _MILLISECONDS(value)
        if spent is None:
            raise ValueError(value)
        return TIMES[key], float(spent[1])
    if key == "Settings":
        return key, {said[1]: said[2] for said in _SETTING.finditer(value)}
    if key == "Query Identifier":
        return key, int(value)
    if key == "Serialization":
        said = _SERIALIZED(value)
        if said is None:
            raise ValueError(value)
        time = {} if said[1] is None else {"Time": float(said[1])}
        return key, {**time, "Output Volume": int(said[2]), "Format": said[3]}
    return key, {}


def read_trigger(text: str) -> dict[str, Any]:
    """The item of ``Triggers`` that a line ``Trigger name for constraint c on relation: calls=1`` says.

    Raises:
        ValueError: it is no such line.
    """
    names, _, counts = text.rpartition(": ")
    calls = _CALLS(counts)
    if calls is None:
        raise ValueError(text)
    trigger: dict[str, Any] = {}
    names, on, relation = names.partition(" on ") if " on " in names else (names, "", "")
    names, for_constraint, constraint = names.partition(" for constraint ")
    name = names.removeprefix("Trigger").strip()
    if name:
        trigger["Trigger Name"] = name
    if for_constraint:
        trigger["Constraint Name"] = constraint
    if on:
        trigger["Relation"] = relation
    if calls[1] is not None:
        trigger["Time"] = float(calls[1])
    trigger["Calls"] = int(calls[2])
    return trigger


def read_jit_key(key: str, value: str) -> Any:
    """The value in FORMAT JSON of one of the lines below ``JIT:``."""
    if key == "Functions":
        return int(value)
    if key == "Options":
        return {name: said == "true" for name, said in _OPTION.findall(value)}
    return {
        name: {"Deform": float(deform), "Total": float(spent)} if deform else float(spent)
        for name, spent, deform in _SPENT.findall(value)
    }
