"""Find places in the user's files, and the excerpts to show."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.readiness.model import Place, Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal

_LONGEST = 160
_BEFORE_A_NAME = frozenset(
    {
        "or", "replace", "temp", "temporary", "unlogged", "unique", "global", "local", "if", "not",
        "exists", "concurrently", "materialized", "recursive", "constraint", "foreign", "event",
        "default", "only",
    }
)  # fmt: skip
_KINDS = frozenset(
    {
        "table", "view", "index", "sequence", "function", "procedure", "aggregate", "trigger", "type",
        "domain", "schema", "policy", "rule", "collation", "statistics", "publication", "operator",
        "extension", "role", "user",
    }
)  # fmt: skip
_BEFORE_A_COLUMN = frozenset({"column", "if", "not", "exists"})
_NO_COLUMN = frozenset(
    {"add", "constraint", "primary", "unique", "foreign", "check", "exclude", "table", "value"}
)
_QUOTED = re.compile(r'"([^"]+)"')
_ON_A_TABLE = frozenset({"trigger", "policy", "rule"})


def excerpt_at(sql: str, position: int | None = None) -> str:
    """The line of a statement at a position, shortened if long. By default, its first line without a comment."""
    if position is None:
        position = next((token.start for token in tokens(sql, psql=True) if token.significant), 0)
    start = sql.rfind("\n", 0, position) + 1
    end = sql.find("\n", position)
    line = sql[start : end if end >= 0 else len(sql)]
    if len(line) > _LONGEST:
        begin = max(0, min(position - start - _LONGEST // 3, len(line) - _LONGEST))
        line = line[begin : begin + _LONGEST]
    return line.strip().encode("utf-8", "replace").decode()


def refused_at(sql: str, refusal: Refusal) -> int | None:
    """The index in a statement of the part that a server refuses: the error's position, or the first name in
    its message."""
    if refusal.position is not None:
        return refusal.position
    quoted = _QUOTED.findall(refusal.message)
    if not quoted:
        return None
    starts: dict[str, int] = {}
    for token in tokens(sql):
        if token.kind in ("word", "identifier"):
            name = token.text.lower() if token.kind == "word" else token.text.strip('"')
            starts.setdefault(name, token.start)
    return next((starts[name] for name in quoted if name in starts), None)


def definitions_in(queries: Iterable[Query]) -> dict[str, tuple[Place, str]]:
    """The place and first line of each CREATE statement, by the object without schema, such as ``table orders``.

    This includes the columns and constraints that ALTER TABLE ... ADD names.
    """
    found: dict[str, tuple[Place, str]] = {}
    for query in queries:
        significant = (token for token in tokens(query.sql, psql=True) if token.significant)
        first = next(significant, None)
        if first is None or first.keyword not in ("create", "alter"):
            continue
        beginning = [first, *itertools.islice(significant, 15)]
        words = [token.keyword for token in beginning]
        at = 1
        while at < len(words) and words[at] in _BEFORE_A_NAME:
            at += 1
        if at >= len(words) or words[at] not in _KINDS:
            continue
        kind = {"user": "role", "procedure": "function"}.get(words[at], words[at])
        at += 1
        while at < len(words) and words[at] in _BEFORE_A_NAME:
            at += 1
        if at >= len(beginning):
            continue
        while at + 2 < len(beginning) and beginning[at + 1].text == ".":
            at += 2
        name = beginning[at].text.strip('"') if beginning[at].kind == "identifier" else words[at]
        place = query.place(beginning[0].start), excerpt_at(query.sql)
        if words[0] == "create":
            found.setdefault(f"{kind} {name}", place)
        for name in _added(query) if words[:2] == ["alter", "table"] else ():
            found.setdefault(f"column {name}", place)
        for number, word in enumerate(words):
            if word == "constraint" and number + 1 < len(beginning):
                named = beginning[number + 1].text.strip('"')
                found.setdefault(
                    f"constraint {named}", (query.place(beginning[number].start), excerpt_at(query.sql))
                )
    return found


def _added(query: Query) -> Iterator[str]:
    """The columns that ALTER TABLE adds."""
    found = [token for token in tokens(query.sql, psql=True) if token.significant]
    for at, token in enumerate(found[:-1]):
        if token.keyword == "add":
            following = (each for each in found[at + 1 :] if each.keyword not in _BEFORE_A_COLUMN)
            name = next(following, token)
            if name.keyword not in _NO_COLUMN:
                yield name.text.strip('"') if name.kind == "identifier" else name.keyword
