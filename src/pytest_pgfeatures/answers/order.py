"""The extent to which a query determines the order of its rows.

Without ORDER BY, rows may come in any order. With ORDER BY, rows with equal sort keys may come in any order
(https://www.postgresql.org/docs/current/queries-order.html).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pgfeatures.answers.model import Row
    from pytest_pgfeatures.sql import Token

_ENDING = frozenset({"limit", "offset", "fetch", "for"})
"""Words that may follow the list of ORDER BY."""
_SETS = frozenset({"union", "intersect", "except"})
_DIRECTIONS = frozenset({"asc", "desc"})


def sort_keys(query: str, columns: Sequence[str]) -> tuple[int, ...] | None:
    """The columns of the result by which a query sorts its rows, counted from 0.

    Parameters:
        query: one statement.
        columns: the names of its result's columns.

    Returns:
        the columns; None if the order is unknown: the query does not sort, or sorts by something that is not in the
        result.
    """
    found = statements(query, psql=False)
    if len(found) != 1:
        return None
    top = _outermost(found[0].tokens)
    words = [token.keyword for token in top]
    at = _last_pair(words, ("order", "by"))
    if at is None or _SETS.intersection(words[at:]):
        return None
    end = next((i for i in range(at + 2, len(top)) if words[i] in _ENDING or top[i].text == ";"), len(top))
    selected = _selected(top) if not _SETS.intersection(words) else []
    keys = [_column(item, columns, selected) for item in _items(top[at + 2 : end])]
    return None if not keys or None in keys else tuple(key for key in keys if key is not None)


def in_comparable_order(rows: Sequence[Row], keys: Sequence[int] | None) -> list[Row]:
    """Sort the rows that may come in any order; the others keep their places.

    Parameters:
        keys: the columns that :func:`sort_keys` returns: rows with equal values in them may come in any order.
    """
    if keys is None:
        return sorted(rows, key=_sortable)
    runs = itertools.groupby(rows, key=lambda row: [row[key] for key in keys])
    return [row for _, run in runs for row in sorted(run, key=_sortable)]


def _sortable(row: Row) -> tuple[tuple[bool, str], ...]:
    return tuple((value is None, value or "") for value in row)


def _outermost(found: Iterable[Token]) -> list[Token]:
    """The tokens, with one token in place of each parenthesized text."""
    top: list[Token] = []
    depth, start = 0, 0
    inner: list[str] = []
    for token in found:
        if not token.significant or token.kind == "command":
            continue
        closes = token.text in (")", "]") and token.kind == "punctuation"
        opens = token.text in ("(", "[") and token.kind == "punctuation"
        if opens and not depth:
            start, inner = token.start, []
        depth += opens
        if depth:
            inner.append(_folded(token))
        else:
            top.append(token)
        if closes and depth:
            depth -= 1
            if not depth:
                top.append(token._replace(kind="other", text=" ".join(inner), start=start))
    return top


def _folded(token: Token) -> str:
    return token.keyword or token.text


def _last_pair(words: Sequence[str], pair: tuple[str, str]) -> int | None:
    return next((i for i in reversed(range(len(words) - 1)) if (words[i], words[i + 1]) == pair), None)


def _items(found: Iterable[Token]) -> list[list[Token]]:
    items: list[list[Token]] = [[]]
    for token in found:
        if token.text == ",":
            items.append([])
        else:
            items[-1].append(token)
    return items


def _selected(top: Sequence[Token]) -> list[list[str]]:
    """The tokens of each expression in a select list, without its label; empty if the list contains ``*``."""
    words = [token.keyword for token in top]
    if "select" not in words:
        return []
    start = words.index("select") + 1
    if words[start : start + 1] in (["all"], ["distinct"]):
        start += 1
    ends = {"from", "where", "group", "order", "window", "having", *_ENDING}
    end = next((i for i in range(start, len(top)) if words[i] in ends), len(top))
    expressions = []
    for item in _items(top[start:end]):
        if item and item[-1].text == "*":
            return []
        label = next((i for i, token in enumerate(item) if token.keyword == "as"), len(item))
        expressions.append([_folded(token) for token in item[:label]])
    return expressions


def _column(item: list[Token], columns: Sequence[str], selected: Sequence[list[str]]) -> int | None:
    """The column that an item of ORDER BY sorts by; None if that can't be determined."""
    words = [token.keyword for token in item]
    if words[-2:-1] == ["nulls"]:
        item, words = item[:-2], words[:-2]
    if words and words[-1] in _DIRECTIONS:
        item = item[:-1]
    if len(item) == 1:
        (token,) = item
        if token.kind == "number" and token.text.isdecimal():
            number = int(token.text)
            return number - 1 if 1 <= number <= len(columns) else None
        name = token.keyword or (token.text[1:-1].replace('""', '"') if token.kind == "identifier" else "")
        if columns.count(name) == 1:
            return columns.index(name)
    expression = [_folded(token) for token in item]
    return selected.index(expression) if selected.count(expression) == 1 else None
