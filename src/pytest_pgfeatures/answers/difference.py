"""Compare two answers and show the difference as a diff."""

from __future__ import annotations

import difflib
import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.answers.order import in_comparable_order, sort_keys
from pytest_pgfeatures.sqlstate import SqlState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.answers.model import Row, Sent, ServerAnswer

COMPARED = 2000
"""The number of rows of each answer, from shortly before the first difference, that are compared: the time
grows with the product of both numbers."""
LONGEST = 40
"""The number of a diff's lines that are shown."""
_WIDEST = 200
"""The number of a line's characters that are shown."""


def differences(
    query: str, old: ServerAnswer, new: ServerAnswer, names: tuple[str, str], ordered: bool | None = None
) -> list[str]:
    """The differences between two servers' answers, as lines; empty if there are none.

    Parameters:
        query: the query, which determines how far the order of rows counts.
        names: the servers' names, for the headings.
        ordered: whether the order of rows counts; None if it counts as far as the query determines it.
    """
    return list(itertools.chain(_outcome(old, new, names), _messages(old, new, names))) + list(
        _results(query, old, new, names, ordered)
    )


def same(query: str, old: ServerAnswer, new: ServerAnswer, ordered: bool | None = None) -> bool:
    """Whether two answers are the same; see :func:`differences`."""
    return not differences(query, old, new, ("", ""), ordered)


def _outcome(old: ServerAnswer, new: ServerAnswer, names: tuple[str, str]) -> Iterator[str]:
    if old.sqlstate != new.sqlstate:
        yield "one refuses it, or they refuse it with other errors:"
        for sign, name, answer in zip("-+", names, (old, new), strict=True):
            said = "accepts it" if answer.sqlstate is None else f"{SqlState(answer.sqlstate)}: {answer.error}"
            yield cut(f"{sign} {name}: {said}")


def _messages(old: ServerAnswer, new: ServerAnswer, names: tuple[str, str]) -> Iterator[str]:
    if old.messages != new.messages:
        yield "notices and warnings differ:"
        yield from _diff([str(each) for each in old.messages], [str(each) for each in new.messages], names)


def _results(
    query: str, old: ServerAnswer, new: ServerAnswer, names: tuple[str, str], ordered: bool | None
) -> Iterator[str]:
    if old.sqlstate or new.sqlstate:
        return
    for ours, theirs in itertools.zip_longest(old.sent, new.sent):
        if ours is None or theirs is None:
            yield f"one returns {len(old.sent)} results, the other {len(new.sent)}"
            return
        yield from _result(query, ours, theirs, names, ordered)


def _result(query: str, old: Sent, new: Sent, names: tuple[str, str], ordered: bool | None) -> Iterator[str]:
    if [column.key for column in old.columns] != [column.key for column in new.columns]:
        yield "columns differ:"
        yield from _diff([str(each) for each in old.columns], [str(each) for each in new.columns], names)
    elif not old.columns and old.tag != new.tag:
        yield "command tags differ:"
        yield from _diff([old.tag], [new.tag], names)
    keys = keys_of(query, old, ordered)
    if len(old.columns) != len(new.columns):
        return
    ours, theirs = in_comparable_order(old.rows, keys), in_comparable_order(new.rows, keys)
    if ours != theirs:
        count = (
            f"{len(ours)} rows" if len(ours) == len(theirs) else f"{len(ours)} rows and {len(theirs)} rows"
        )
        yield f"rows differ ({count}, {_order_said(keys)}):"
        yield from _diff_of_rows(ours, theirs, names)


def keys_of(query: str, sent: Sent, ordered: bool | None) -> tuple[int, ...] | None:
    """The sort columns: rows with equal values in them may come in any order; None if all rows may."""
    if ordered is None:
        return sort_keys(query, [column.name for column in sent.columns])
    return tuple(range(len(sent.columns))) if ordered else None


def _order_said(keys: Sequence[int] | None) -> str:
    return "in any order" if keys is None else "in order"


def _diff_of_rows(old: Sequence[Row], new: Sequence[Row], names: tuple[str, str]) -> Iterator[str]:
    at = first_difference(old, new)
    shown = slice(at, at + COMPARED)
    yield from _diff([line_of(row) for row in old[shown]], [line_of(row) for row in new[shown]], names)


def first_difference(old: Sequence[Row], new: Sequence[Row]) -> int:
    """The index of the row before the first one that differs."""
    at = next((at for at, (ours, theirs) in enumerate(zip(old, new, strict=False)) if ours != theirs), None)
    return max(0, (min(len(old), len(new)) if at is None else at) - 1)


def line_of(row: Row) -> str:
    """A row as a line."""
    return " | ".join("NULL" if value is None else _escaped(value) for value in row)


def _escaped(value: str) -> str:
    """A value on one line, distinguishable from NULL."""
    text = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f'"{text}"' if text in ("NULL", "") or text != text.strip() else text


def _diff(old: Sequence[str], new: Sequence[str], names: tuple[str, str]) -> Iterator[str]:
    lines = list(difflib.unified_diff(old, new, *names, lineterm="", n=1))
    yield from (cut(line) for line in lines[:LONGEST] if not line.startswith("@@"))
    if len(lines) > LONGEST:
        yield f"... ({len(lines) - LONGEST} more lines)"


def cut(line: str) -> str:
    """The beginning of a line."""
    return line if len(line) <= _WIDEST else f"{line[:_WIDEST]}..."
