"""The explanation of a failed assertion about a plan. The plugin's hooks call this."""

from __future__ import annotations

import difflib
import itertools
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.plan.nearest import marked, marked_nearest, summary
from pytest_pgfeatures.plan.outline import outline
from pytest_pgfeatures.plan.plan import Plan
from pytest_pgfeatures.plan.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 200
"""The number of lines after which a text diff ends."""
COMPARED = 2000
"""The number of lines of each text that are compared: the time grows with their product."""


def compared(op: str, left: object, right: object) -> list[str] | None:
    """The lines that explain a failing comparison; None if neither side is a plan or a shape.

    The parameters are those of the hook ``pytest_assertrepr_compare``.
    """
    if isinstance(right, Plan) and isinstance(left, str) and op in ("in", "not in"):
        return _contained(op, left, right)
    if isinstance(left, Plan) and isinstance(right, Plan):
        return _plans(op, left, right)
    if op != "==":
        return None
    if isinstance(left, Shape) and isinstance(right, Shape):
        return ["the shapes of the plans differ", *_text_diff(str(left), str(right))]
    if isinstance(left, Plan | Shape) != isinstance(right, Plan | Shape):
        return _with_another(left, right)
    return None


def _contained(op: str, selector: str, plan: Plan) -> list[str]:
    asked = f"{selector!r} {op} {plan!r}"
    if op == "in":
        marks = marked_nearest(plan.nodes, selector)
        return [asked, summary(plan, plan.nodes, selector), *outline(plan.nodes, marks)]
    found = plan.find(selector)
    said = f"{len(found)} node{' is' if len(found) == 1 else 's are'} {selector!r}"
    return [asked, said, *outline(plan.nodes, marked(plan.nodes, found))]


def _plans(op: str, left: Plan, right: Plan) -> list[str] | None:
    asked = f"{left!r} {op} {right!r}"
    if op == "==":
        return [asked, *_text_diff(str(left), str(right))]
    if op == "!=":
        return [asked, "they are equal:", *outline(left.nodes)]
    return None


def _with_another(left: object, right: object) -> list[str] | None:
    """Explain a comparison with an object that is neither a plan nor a shape."""
    plan, other = (left, right) if isinstance(left, Plan | Shape) else (right, left)
    if isinstance(other, str):
        remedy = "a plan never equals a string: compare with parse_plan(text), or compare str(plan)"
        return [remedy, *_text_diff(str(plan), other)]
    if type(other).__eq__ is object.__eq__:  # other types, such as snapshots, define their own equality
        return [f"{left!r} == {right!r}", f"a {type(plan).__name__} never equals a {type(other).__name__}"]
    return None


def _text_diff(left: str, right: str) -> Iterator[str]:
    ours, theirs = left.split("\n"), right.split("\n")
    same = next((at for at, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
    start = max(0, (same or 0) - 2)
    end = start + COMPARED
    lines = difflib.unified_diff(ours[start:end], theirs[start:end], "left", "right", lineterm="", n=2)
    found = list(itertools.islice(lines, LONGEST))
    yield from found or ["both print the same text; they differ in keys that text does not show"]


def plans_in_failure(excinfo: Any) -> list[tuple[str, str]]:
    """The names and outlines of the plans among the local variables of the test function that failed.

    They become sections of the test's report, unless the assertion's message has the outline already. A plan that
    only the assertion itself has (``assert explain(...).root.rows == 3``) has no name: pytest calls it
    ``@py_assert4``.
    """
    if not excinfo.errisinstance(AssertionError):
        return []
    frame = excinfo.traceback[-1].frame
    shown = {line.partition("   <-- ")[0].strip() for line in str(excinfo.value).split("\n")}
    found = []
    for name, value in frame.f_locals.items():
        if isinstance(value, Plan):
            lines = list(outline(value.nodes))
            if not shown.issuperset(line.strip() for line in lines):
                found.append(("" if name.startswith("@") else name, "\n".join(lines)))
    return found
