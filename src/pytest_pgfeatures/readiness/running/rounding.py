"""Floating-point numbers that differ by rounding alone: a sum depends on the order of its summands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.answers.model import Row, Sent, ServerAnswer

# The digits of the type (FLT_DIG 6, DBL_DIG 15) that remain exact in a sum of some thousand values.
_TOLERANCE = {700: 1e-4, 701: 1e-12}
"""The relative difference that counts as rounding, by the OIDs of ``real`` and ``double precision``."""
_SEARCHED = 100
"""The number of rows that are searched for one that is the same but for rounding."""
FLOATS = frozenset({"real", "double precision"})


def rounded_as(old: ServerAnswer, new: ServerAnswer) -> ServerAnswer:
    """The new answer, with the old one's floating-point numbers where the two differ by rounding alone."""
    if len(old.sent) != len(new.sent):
        return new
    pairs = zip(old.sent, new.sent, strict=True)
    return replace(new, sent=tuple(_rounded_as(ours, theirs) for ours, theirs in pairs))


def _rounded_as(old: Sent, new: Sent) -> Sent:
    floats = {
        at: _TOLERANCE[column.oid]
        for at, column in enumerate(old.columns)
        if column.oid in _TOLERANCE and new.columns[at : at + 1] == (column,)
    }
    # Rows in any order are matched by their other columns.
    known: dict[Row, list[Row]] = {}
    for row in old.rows if floats else ():
        known.setdefault(_others(row, floats), []).append(row)
    rows = []
    for row in new.rows:
        alike = known.get(_others(row, floats), [])
        same = next((each for each in alike[:_SEARCHED] if _is_close(each, row, floats)), row)
        if alike and same is not row:
            alike.remove(same)
        rows.append(same)
    return replace(new, rows=tuple(rows))


def _others(row: Row, floats: Mapping[int, float]) -> Row:
    return tuple(value for at, value in enumerate(row) if at not in floats)


def _is_close(one: Row, other: Row, floats: Mapping[int, float]) -> bool:
    pairs = ((one[at], other[at], tolerance) for at, tolerance in floats.items())
    return all(
        a == b or (a is not None and b is not None and math.isclose(float(a), float(b), rel_tol=tolerance))
        for a, b, tolerance in pairs
    )
