"""Floating-point numbers that differ by rounding alone: a sum depends on the order of its summands."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.answers.model import Row, Sent, ServerAnswer

# The digits of the type (FLT_DIG 6, DBL_DIG 15) that remain exact in a sum of some thousand values.
_TOLERANCE = {700: 1e-4, 701: 1e-12}
"""The relative difference that counts as rounding, by the OIDs of ``real`` and ``double precision``."""
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
    if not floats or len(old.rows) != len(new.rows):
        return new

    def place(pair: tuple[int, Row]) -> tuple[tuple[bool, str], ...]:
        return tuple(
            (value is None, "" if value is None or at in floats else value)
            for at, value in enumerate(pair[1])
        )

    rows = list(new.rows)
    # Rows in any order are matched by their other columns.
    for (_, ours), (at, theirs) in zip(
        sorted(enumerate(old.rows), key=place), sorted(enumerate(new.rows), key=place), strict=True
    ):
        if len(ours) == len(theirs):
            rows[at] = tuple(
                mine if number in floats and _close(mine, other, floats[number]) else other
                for number, (mine, other) in enumerate(zip(ours, theirs, strict=True))
            )
    return replace(new, rows=tuple(rows))


def _close(one: str | None, other: str | None, tolerance: float) -> bool:
    return one is not None and other is not None and math.isclose(float(one), float(other), rel_tol=tolerance)
