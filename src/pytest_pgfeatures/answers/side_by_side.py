"""Two servers' answers, side by side."""

from __future__ import annotations

import difflib
import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.difference import COMPARED, cut, first_difference, keys_of, line_of
from pytest_pgfeatures.answers.order import in_comparable_order
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.answers.model import Sent, ServerAnswer

LONGEST = 40
"""The number of lines that are shown."""
_CONTEXT = 2
"""The number of equal lines that are shown before and after different ones."""

Line = tuple[str, str, str]
"""A row: the old server's line; ``<`` only there, ``>`` only on the new one, ``|`` different, or blank; the
new server's line."""


def side_by_side(
    query: str, old: ServerAnswer, new: ServerAnswer, ordered: bool | None = None
) -> tuple[Line, ...]:
    """The lines of both answers that differ, with a few equal lines around them.

    Parameters:
        query: the query, which determines how far the order of rows counts.
        ordered: whether the order of rows counts; None if it counts as far as the query determines it.
    """
    ours, theirs = [str(each) for each in old.messages], [str(each) for each in new.messages]
    for one, other in itertools.zip_longest(old.sent, new.sent):
        before, after = _lines(query, one, other, ordered)
        ours += before
        theirs += after
    ours += _error(old)
    theirs += _error(new)
    lines = list(_beside([cut(line) for line in ours], [cut(line) for line in theirs]))
    if len(lines) > LONGEST:
        more = f"... ({len(lines) - LONGEST} more lines)"
        lines = [*lines[:LONGEST], (more, " ", more)]
    return tuple(lines)


def _lines(
    query: str, old: Sent | None, new: Sent | None, ordered: bool | None
) -> tuple[list[str], list[str]]:
    """The lines of two results; of their rows, those from shortly before the first difference."""
    known = [each for each in (old, new) if each is not None]
    keys = keys_of(query, known[0], ordered)
    rows = [in_comparable_order(each.rows, keys) if each else [] for each in (old, new)]
    start = first_difference(*rows)
    return tuple(  # type: ignore[return-value]
        [*_heading(each), *(line_of(row) for row in its[start : start + COMPARED])] if each else []
        for each, its in zip((old, new), rows, strict=True)
    )


def _heading(sent: Sent) -> list[str]:
    return [" | ".join(map(str, sent.columns))] if sent.columns else [sent.tag]


def _error(answer: ServerAnswer) -> list[str]:
    return [f"ERROR:  {SqlState(answer.sqlstate)}: {answer.error}"] if answer.sqlstate else []


def _beside(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    matcher = difflib.SequenceMatcher(None, old, new)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        if group[0][1] > 0:
            yield "...", " ", "..."
        for kind, a, b, c, d in group:
            for before, after in itertools.zip_longest(old[a:b], new[c:d]):
                sign = " " if kind == "equal" else "<" if after is None else ">" if before is None else "|"
                yield before or "", sign, after or ""
