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

_ENDING = frozenset({"limit", "offset", "fetch", "for", ";"})
"""Words that may follow the list of ORDER BY."""
_AFTER_LIST = _ENDING | {"from", "where", "group", "order", "window", "having"}
"""Words that may follow the select list."""
_SETS = frozenset({"union", "intersect", "except"})


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
    words = _outermost(found[0].tokens) if len(found) == 1 else []
    pairs = [at for at, pair in enumerate(itertools.pairwise(words)) if pair == ("order", "by")]
    if not pairs or _SETS.intersection(words[pairs[-1] :]):
        return None
    selected = [] if "select" not in words or _SETS.intersection(words) else _selected(words)
    keys = [_column(item, columns, selected) for item in _items(words[pairs[-1] + 2 :], _ENDING)]
    return None if None in keys else tuple(key for key in keys if key is not None)


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


def _outermost(found: Iterable[Token]) -> list[str]:
    """The tokens, words in lower case, with one in place of each parenthesized text."""
    top: list[str] = []
    depth = 0
    for token in found:
        if not token.significant or token.kind == "command":
            continue
        text = token.keyword or token.text
        closes = token.kind == "punctuation" and text in (")", "]")
        if depth:
            top[-1] += f" {text}"
        else:
            top.append(text)
        depth += token.kind == "punctuation" and text in ("(", "[")
        depth -= closes and depth > 0
    return top


def _items(words: Iterable[str], ends: frozenset[str]) -> list[list[str]]:
    """The items of a list, which ends before some words."""
    items: list[list[str]] = [[]]
    for word in itertools.takewhile(lambda word: word not in ends, words):
        if word == ",":
            items.append([])
        else:
            items[-1].append(word)
    return items


def _selected(words: Sequence[str]) -> list[list[str]]:
    """The tokens of each expression in a select list, without its label; empty if the list contains ``*``."""
    start = words.index("select") + 1
    start += words[start : start + 1] in (["all"], ["distinct"])
    items = _items(words[start:], _AFTER_LIST)
    if any(item[-1:] == ["*"] for item in items):
        return []
    return [list(itertools.takewhile(lambda word: word != "as", item)) for item in items]


def _column(item: list[str], columns: Sequence[str], selected: Sequence[list[str]]) -> int | None:
    """The column that an item of ORDER BY sorts by; None if that can't be determined."""
    if item[-2:-1] == ["nulls"]:
        item = item[:-2]
    if item[-1:] in (["asc"], ["desc"]):
        item = item[:-1]
    if len(item) == 1:
        (word,) = item
        if word.isdecimal():
            return int(word) - 1 if 1 <= int(word) <= len(columns) else None
        name = word[1:-1].replace('""', '"') if word.startswith('"') else word
        if columns.count(name) == 1:
            return columns.index(name)
    return selected.index(item) if selected.count(item) == 1 else None
