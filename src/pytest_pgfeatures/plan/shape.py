"""The shape of a plan: the part that can be compared between runs, machines and majors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context
from pytest_pgfeatures.plan.label import label
from pytest_pgfeatures.plan.majors import NEWEST
from pytest_pgfeatures.plan.node_line import target
from pytest_pgfeatures.plan.properties import plain, write_properties

if TYPE_CHECKING:
    from collections.abc import Iterable

_ANY = Context({}, NEWEST, "never")

KEYS = (
    "Index Cond",
    "Recheck Cond",
    "TID Cond",
    "Order By",
    "Hash Cond",
    "Merge Cond",
    "Join Filter",
    "One-Time Filter",
    "Run Condition",
    "Filter",
    "Sort Key",
    "Presorted Key",
    "Group Key",
    "Cache Key",
    "Conflict Resolution",
    "Conflict Arbiter Indexes",
    "Conflict Filter",
)
"""The keys that a shape has besides those of the node line, in the shape's order: the majors' orders differ."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text that majors spell differently with the same meaning."""

    pattern: re.Pattern[str]
    replacement: str
    source: str


SPELLINGS = (
    Spelling(re.compile(r"\bOVER \(\?\)|\bOVER (?:\w+|\"[^\"]*\")"), "OVER (?)", "18 names the window"),
    Spelling(re.compile(r" \(returns (?:\$\d+(?:,\s*)?)+\)"), "", "up to 16 an InitPlan says its parameters"),
    Spelling(
        re.compile(r"\(ANY \([^()=]++= \((hashed SubPlan) \w++\)\.col\d++\)\)"),
        r"(\1)",
        "since 17 a hashed subplan says what it is searched for",
    ),
    Spelling(re.compile(r"\((?:InitPlan|SubPlan) \w+\)\.col\d+"), "$?", "since 17 instead of $0"),
    Spelling(re.compile(r"\$\d+\b"), "$?", "up to 16 a subplan's output is numbered"),
    Spelling(re.compile(r"\b(InitPlan|SubPlan) \w+"), r"\1", "19 names subplans, older majors number them"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A plan without costs and figures. It is hashable, and prints as text EXPLAIN does.

    Parameters:
        lines: for each node its depth, its label with the object it works on, and its conditions and keys.
    """

    lines: tuple[tuple[int, str, tuple[tuple[str, str], ...]], ...]

    def __str__(self) -> str:
        written = []
        for depth, node, properties in self.lines:
            arrow = "  " * (depth * 3 - 2) + "->  " if depth else ""
            written.append(arrow + node)
            pad = "  " * (depth * 3 + 1)
            written.extend(f"{pad}{key}: {value}" for key, value in properties)
        return "\n".join(written)


def shape_of(roots: Iterable[dict[str, Any]], *, normalize: bool) -> Shape:
    """The shape of the plans below these top nodes, given as in FORMAT JSON.

    Parameters:
        roots: the top nodes.
        normalize: remove differences in spelling between majors (:data:`SPELLINGS`).
    """
    lines: list[tuple[int, str, tuple[tuple[str, str], ...]]] = []
    for root in roots:
        waiting = [(0, root)]
        while waiting:
            depth, data = waiting.pop()
            lines.append((depth, _node(data, normalize=normalize), _properties(data, normalize=normalize)))
            waiting.extend((depth + 1, child) for child in reversed(data.get("Plans", ())))
    return Shape(tuple(lines))


def _node(data: dict[str, Any], *, normalize: bool) -> str:
    written = label(data)
    if "Index Name" in data:
        written += f" using {data['Index Name']}"
    if "Alias" in data:
        written += target(data, data["Alias"], NEWEST)
    name = data.get("Subplan Name")
    if name is None:
        return written
    return f"{spelled(name) if normalize else name}: {written}"


def _properties(data: dict[str, Any], *, normalize: bool) -> tuple[tuple[str, str], ...]:
    found = []
    for key in KEYS:
        value = data.get(key)
        if value is not None:
            found.append((key, plain(key, value)))
    if "Grouping Sets" in data:
        lines: list[str] = []
        write_properties({"Grouping Sets": data["Grouping Sets"]}, "", lines, _ANY)
        for line in lines:
            key, _, written = line.strip().partition(": ")
            found.append((key, written))
    if normalize:
        found = [(key, spelled(written)) for key, written in found]
    return tuple(found)


def spelled(text: str) -> str:
    """A text from the server, with :data:`SPELLINGS` applied."""
    for spelling in SPELLINGS:
        text = spelling.pattern.sub(spelling.replacement, text)
    return text
