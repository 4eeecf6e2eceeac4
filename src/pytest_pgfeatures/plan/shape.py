"""What kind of plan it is: what can be compared between runs, machines and majors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.context import Context
from pytest_pgfeatures.plan.heading import target
from pytest_pgfeatures.plan.label import label
from pytest_pgfeatures.plan.properties import plain, write_properties
from pytest_pgfeatures.version import MAJORS

if TYPE_CHECKING:
    from pytest_pgfeatures.plan.plan import Plan

NEWEST = MAJORS[-1]
_ANY = Context({}, MAJORS[-1], "never")

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
"""The keys, besides those of the heading, that a shape has, in its order: majors order their lines differently."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What some majors write in another way than others, with the same meaning."""

    pattern: re.Pattern[str]
    replacement: str
    source: str


SPELLINGS = (
    Spelling(re.compile(r"\bOVER \(\?\)|\bOVER (?:\w+|\"[^\"]*\")"), "OVER (?)", "18 names the window"),
    Spelling(re.compile(r" \(returns (?:\$\d+(?:,\s*)?)+\)"), "", "up to 16 an InitPlan says its parameters"),
    Spelling(re.compile(r"\((?:InitPlan|SubPlan) \w+\)\.col\d+"), "$?", "since 17 instead of $0"),
    Spelling(re.compile(r"\$\d+\b"), "$?", "up to 16 a subplan's output is numbered"),
    Spelling(re.compile(r"\b(InitPlan|SubPlan) \w+"), r"\1", "19 names subplans, older majors number them"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A plan without costs and figures. Hashable; prints as an indented tree.

    Parameters:
        lines: each node's depth, its label and what it works on, and its conditions and keys.
    """

    lines: tuple[tuple[int, str, tuple[tuple[str, str], ...]], ...]

    def __str__(self) -> str:
        written = []
        for depth, heading, said in self.lines:
            arrow = "  " * (depth * 3 - 2) + "->  " if depth else ""
            written.append(arrow + heading)
            pad = "  " * (depth * 3 + 1)
            written.extend(f"{pad}{key}: {value}" for key, value in said)
        return "\n".join(written)


def shape_of(plan: Plan, *, normalize: bool = True) -> Shape:
    """The shape of a plan; ``normalize`` spells alike what majors spell differently."""
    lines: list[tuple[int, str, tuple[tuple[str, str], ...]]] = []
    for root in plan.roots:
        waiting = [(0, root.data)]
        while waiting:
            depth, data = waiting.pop()
            lines.append((depth, _heading(data, normalize=normalize), _said(data, normalize=normalize)))
            waiting.extend((depth + 1, child) for child in reversed(data.get("Plans", ())))
    return Shape(tuple(lines))


def _heading(data: dict[str, Any], *, normalize: bool) -> str:
    written = label(data)
    if "Index Name" in data:
        written += f" using {data['Index Name']}"
    if "Alias" in data:
        written += target(data, data["Alias"], NEWEST)
    name = data.get("Subplan Name")
    if name is None:
        return written
    return f"{spelled(name) if normalize else name}: {written}"


def _said(data: dict[str, Any], *, normalize: bool) -> tuple[tuple[str, str], ...]:
    said = []
    for key in KEYS:
        value = data.get(key)
        if value is not None:
            written = plain(key, value)
            said.append((key, spelled(written) if normalize else written))
    if "Grouping Sets" in data:
        lines: list[str] = []
        write_properties({"Grouping Sets": data["Grouping Sets"]}, "", lines, _ANY)
        for line in lines:
            key, _, written = line.strip().partition(": ")
            said.append((key, spelled(written) if normalize else written))
    return tuple(said)


def spelled(text: str) -> str:
    """A text of the server's with what majors spell differently spelled alike."""
    for spelling in SPELLINGS:
        text = spelling.pattern.sub(spelling.replacement, text)
    return text
