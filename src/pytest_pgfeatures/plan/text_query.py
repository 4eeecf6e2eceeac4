"""The lines after a plan's tree in text EXPLAIN: what it prints about the whole query."""

from __future__ import annotations

import re
from typing import Any

from pytest_pgfeatures.plan.text_figures import decimal, whole

TIMES = {
    "Planning Time": "Planning Time",
    "Execution Time": "Execution Time",
    "Planning time": "Planning Time",
    "Execution time": "Execution Time",
    "Total runtime": "Total Runtime",
}
"""Times in milliseconds: the key in text and the one in JSON. 9.3 to 10 write the small letters."""
GROUPS = {
    "Planning": frozenset(("Buffers", "I/O Timings", "Memory")),
    "JIT": frozenset(("Functions", "Options", "Timing")),
    "Serialization": frozenset(("Buffers", "I/O Timings")),
}
"""Keys with lines below them, and the keys of those lines."""
OTHERS = ("Settings", "Query Identifier")

_SETTING = re.compile(r", ([\w.]+) = (?=NULL|')").finditer
_CALLS = re.compile(r"(?:time=(\d+\.\d+) )?calls=(\d+)").fullmatch
_SERIALIZED = re.compile(r"(?:time=(\d+\.\d+) ms )?output=(\d+)kB format=(\w+)").fullmatch
_SPENT = re.compile(r"(\w+) (\d+\.\d+) ms(?: \(Deform (\d+\.\d+) ms\))?").fullmatch


def is_query_key(key: str) -> bool:
    """Whether a line with this key is about the whole query."""
    return key in TIMES or key in GROUPS or key in OTHERS


def read_query_key(key: str, value: str) -> tuple[str, Any]:
    """The key and the value in FORMAT JSON of a line ``key: value`` about the whole query.

    Raises:
        ValueError: text never has such a value under this key.
    """
    if key in TIMES:
        if value[-3:] != " ms":
            raise ValueError(value)
        return TIMES[key], decimal(value[:-3])
    if key == "Settings":
        return key, _settings(value)
    if key == "Query Identifier":
        return key, -whole(value[1:]) if value[:1] == "-" else whole(value)
    if key == "Serialization":
        said = _SERIALIZED(" ".join(value.split()))
        if said is None:
            raise ValueError(value)
        time = {} if said[1] is None else {"Time": decimal(said[1])}
        return key, {**time, "Output Volume": whole(said[2]), "Format": said[3]}
    return key, {}


def _settings(value: str) -> dict[str, str | None]:
    """``work_mem = '1MB', role = NULL``: the server does not escape quotes within a value."""
    found: dict[str, str | None] = {}
    value = f", {value}"
    name, start = "", 0
    for said in _SETTING(value):
        if name and not _is_setting(value, start, said.start()):
            continue  # it belongs to the value before
        if name:
            found[name] = _setting(value[start : said.start()])
        name, start = said[1], said.end()
    if name and _is_setting(value, start, len(value)):
        found[name] = _setting(value[start:])
    return found


def _is_setting(value: str, start: int, end: int) -> bool:
    """Whether a setting's value can end here: a quoted value ends with a quote."""
    if value.startswith("NULL", start):
        return end == start + len("NULL")
    return end - start >= 2 and value[end - 1] == "'"


def _setting(value: str) -> str | None:
    return None if value == "NULL" else value[1:-1]


def read_trigger(text: str) -> dict[str, Any]:
    """The item of ``Triggers`` in a line ``Trigger name for constraint c on relation: time=0.1 calls=1``.

    Raises:
        ValueError: it is no such line.
    """
    names, _, figures = text.rpartition(": ")
    calls = _CALLS(figures)
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
        trigger["Time"] = decimal(calls[1])
    trigger["Calls"] = whole(calls[2])
    return trigger


def read_jit_key(key: str, value: str) -> Any:
    """The value in FORMAT JSON of one of the lines below ``JIT:``. Parts of another form are left out.

    Raises:
        ValueError: it has no number of functions.
    """
    if key == "Functions":
        return whole(value)
    parts = value.split(", ")
    if key == "Options":
        options = (part.rpartition(" ") for part in parts)
        return {name: said == "true" for name, _, said in options if name and said in ("true", "false")}
    return {
        said[1]: {"Deform": decimal(said[3]), "Total": decimal(said[2])} if said[3] else decimal(said[2])
        for said in map(_SPENT, parts)
        if said is not None
    }
