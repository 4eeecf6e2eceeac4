"""Find places in the user's files, and the excerpts to show."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, TypedDict

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pgfeatures.readiness.model import Place, Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal
    from pytest_pgfeatures.sql import Token

_LONGEST = 160
_BEFORE_A_NAME = frozenset(
    {
        "or", "replace", "temp", "temporary", "unlogged", "unique", "global", "local", "if", "not",
        "exists", "concurrently", "materialized", "recursive", "constraint", "foreign", "event",
        "default", "only", "trusted", "procedural",
    }
)  # fmt: skip
_KINDS = frozenset(
    {
        "table", "view", "index", "sequence", "function", "procedure", "aggregate", "trigger", "type",
        "domain", "schema", "policy", "rule", "collation", "statistics", "publication", "operator",
        "extension", "role", "user", "group", "language",
    }
)  # fmt: skip
_NAMED_AS = {"user": "role", "group": "role", "procedure": "function"}
"""The kinds of objects that have another name in :func:`definitions_in`."""
_OF_ANOTHER = frozenset({"drop", "validate", "alter", "rename"})
"""Words before CONSTRAINT in a statement that does not create it."""
_BEFORE_A_COLUMN = frozenset({"column", "if", "not", "exists"})
_NO_COLUMN = frozenset(
    {"add", "constraint", "primary", "unique", "foreign", "check", "exclude", "table", "value"}
)
_NAMED = re.compile(r'"([^"]+)"|function (?:\w+\.)?(\w+)\(')


class Shown(TypedDict, total=False):
    """The place and the excerpt of a finding; empty if no file has it."""

    place: Place
    excerpt: str


def shown_at(query: Query, position: int | None = None) -> Shown:
    """The place of a finding in a statement, by default its beginning, and the line of the statement there."""
    return {"place": query.place(position), "excerpt": excerpt_at(query.sql, position)}


def excerpt_at(sql: str, position: int | None = None) -> str:
    """The line of a statement at a position, shortened if long. By default, its first line without a comment."""
    if position is None:
        position = next((token.start for token in tokens(sql, psql=True) if token.significant), 0)
    start = sql.rfind("\n", 0, position) + 1
    line = sql[start:].partition("\n")[0]
    if len(line) > _LONGEST:
        begin = max(0, min(position - start - _LONGEST // 3, len(line) - _LONGEST))
        line = line[begin : begin + _LONGEST]
    return line.strip().encode("utf-8", "replace").decode()


def refused_at(sql: str, refusal: Refusal) -> int | None:
    """The index in a statement of the part that a server refuses: the error's position, or the first name in
    its message."""
    if refusal.position is not None:
        return refusal.position
    named = [name or function for name, function in _NAMED.findall(refusal.message)]
    starts = {_name(token): token.start for token in reversed(list(tokens(sql)))} if named else {}
    return next((starts[name] for name in named if name in starts), None)


def definitions_in(queries: Iterable[Query]) -> dict[str, Shown]:
    """The place and first line of each CREATE statement, by the object without schema, such as ``table orders``,
    and with the schema that it names.

    This includes the columns and constraints that ALTER TABLE ... ADD names, and new names of ALTER ... RENAME.
    """
    found: dict[str, Shown] = {}
    for query in queries:
        significant = (token for token in tokens(query.sql, psql=True) if token.significant)
        first = next(significant, None)
        if first is None or first.keyword not in ("create", "alter"):
            continue
        beginning = [first, *itertools.islice(significant, 15)]
        words = [token.keyword for token in beginning]
        kind = _after(words, 1)
        at = _after(words, kind + 1)
        if at >= len(words) or words[kind] not in _KINDS:
            continue
        while at + 2 < len(beginning) and beginning[at + 1].text == ".":
            at += 2
        shown = shown_at(query, first.start)
        named = _NAMED_AS.get(words[kind], words[kind])
        if words[0] == "create":
            name = _name(beginning[at])
            found.setdefault(f"{named} {name}", shown)
            if beginning[at - 1].text == ".":
                found.setdefault(f"{named} {_name(beginning[at - 2])}.{name}", shown)
        elif renamed := _renamed(beginning, named):
            found.setdefault(renamed, shown)
        elif words[1] == "table":
            for name in _added(query):
                found.setdefault(f"column {name}", shown)
        for before, token, following in zip(beginning, beginning[1:], beginning[2:], strict=False):
            if token.keyword == "constraint" and before.keyword not in _OF_ANOTHER:
                found.setdefault(
                    f"constraint {_name(following)}", {**shown, "place": query.place(token.start)}
                )
    return found


def created_by(query: Query) -> str | None:
    """The object that a statement creates or gives its name, such as ``table orders``; the columns that it adds."""
    created = list(definitions_in([query]))
    return ", ".join(each for each in created if each.startswith("column ")) or next(iter(created), None)


def _renamed(beginning: Sequence[Token], kind: str) -> str | None:
    """The object with the name that ALTER ... RENAME gives it: that of the kind, or its column or constraint."""
    words = [token.keyword for token in beginning]
    if "rename" not in words or "to" not in words[words.index("rename") : -1]:
        return None
    at = words.index("rename")
    to = words.index("to", at)
    if to > at + 1:
        kind = (
            "constraint" if words[at + 1] == "constraint" else "column" if kind in ("table", "view") else ""
        )
    return f"{kind} {_name(beginning[to + 1])}" if kind else None


def _after(words: Sequence[str], at: int) -> int:
    """The first word from a number on that is the kind or the name of an object."""
    return next((each for each in range(at, len(words)) if words[each] not in _BEFORE_A_NAME), len(words))


def _name(token: Token) -> str:
    """The name that a word or identifier is, without quotes; the text of other tokens."""
    return token.text.strip('"') if token.kind == "identifier" else token.text.lower()


def _added(query: Query) -> Iterator[str]:
    """The columns that ALTER TABLE adds."""
    found = [token for token in tokens(query.sql, psql=True) if token.significant]
    for at, token in enumerate(found[:-1]):
        if token.keyword == "add":
            following = (each for each in found[at + 1 :] if each.keyword not in _BEFORE_A_COLUMN)
            name = next(following, token)
            if name.keyword not in _NO_COLUMN:
                yield _name(name)
