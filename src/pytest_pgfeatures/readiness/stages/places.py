"""Find places in the user's files, and the excerpts to show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pgfeatures.readiness.model import Place, Query
    from pytest_pgfeatures.readiness.servers.loading import Refusal

_LONGEST = 160
_NAME = r'("(?:[^"]|"")*"|:?[\w$]+|[^\w\s"().,;]+)'
_DEFINED = re.compile(
    r"""\s+(?>(?:(?:or|replace|temp|temporary|unlogged|unique|global|local|materialized|recursive|constraint|foreign
    |event|default|trusted|procedural)\s+)*)(table|view|index|sequence|function|procedure|aggregate|trigger|type
    |domain|schema|policy|rule|collation|statistics|publication|operator|extension|role|user|group|language)\s
    (?>(?:\s*(?:if|not|exists|concurrently|only)\b)*)\s*"""
    rf"(?:{_NAME}\s*\.\s*)*{_NAME}",
    re.IGNORECASE | re.VERBOSE,
)
"""Follows CREATE and ALTER: the kind, the schema and the name of the object."""
_NAMED_AS = {"user": "role", "group": "role", "procedure": "function"}
"""The kinds of objects that have another name in :func:`definitions_in`."""
_RENAMED = re.compile(rf"(?<!\S)rename\s+(?:(?!to\s)(\w+).*?\s)?to\s+{_NAME}", re.IGNORECASE | re.DOTALL)
_ADDED = re.compile(
    r"(?<!\S)add\s+(?>(?:(?:column|if|not|exists)\s+)*)"
    rf"(?!(?:constraint|primary|unique|foreign|check|exclude|generated)\b){_NAME}",
    re.IGNORECASE,
)
"""A column that ALTER TABLE adds."""
_CONSTRAINT = re.compile(rf"(?:(drop|validate|alter|rename)\s+)?\bconstraint\s+{_NAME}", re.IGNORECASE)
_REFUSED = re.compile(r'"([^"]+)"|function (?:\w+\.)?(\w+)\(')


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
    named = [name or function for name, function in _REFUSED.findall(refusal.message)]
    starts = {_name(token.text): token.start for token in reversed(list(tokens(sql)))} if named else {}
    return next((starts[name] for name in named if name in starts), None)


def definitions_in(queries: Iterable[Query]) -> dict[str, Shown]:
    """The place and first line of each CREATE statement, by the object without schema, such as ``table orders``,
    and with the schema that it names.

    This includes the columns and constraints that ALTER TABLE ... ADD names, and new names of ALTER ... RENAME.
    """
    found: dict[str, Shown] = {}
    for query in queries:
        pieces = tokens(query.sql, psql=True)
        first = next((each for each in pieces if each.significant), None)
        if first is None or first.keyword not in ("create", "alter"):
            continue
        rest = (" " * len(each.text) if each.kind in ("comment", "string") else each.text for each in pieces)
        text = " " * first.end + "".join(rest)  # each word at its place
        defined = _DEFINED.match(text, first.end)
        if defined is None:
            continue
        kind = _NAMED_AS.get(defined[1].lower(), defined[1].lower())
        shown = shown_at(query, first.start)
        if first.keyword == "create":
            found.setdefault(f"{kind} {_name(defined[3])}", shown)
            if defined[2]:
                found.setdefault(f"{kind} {_name(defined[2])}.{_name(defined[3])}", shown)
        elif renamed := _RENAMED.search(text, defined.end()):
            part = (renamed[1] or kind).lower()
            if part not in (kind, "constraint"):
                part = "column"
            found.setdefault(f"{part} {_name(renamed[2])}", shown)
        elif kind == "table":
            for added in _ADDED.finditer(text, defined.end()):
                found.setdefault(f"column {_name(added[1])}", shown)
        for each in _CONSTRAINT.finditer(text, defined.end()):
            if each[1] is None:
                at_name: Shown = {**shown, "place": query.place(each.start())}
                found.setdefault(f"constraint {_name(each[2])}", at_name)
    return found


def created_by(query: Query) -> str | None:
    """The object that a statement creates or gives its name, such as ``table orders``; the columns that it adds."""
    created = list(definitions_in([query]))
    return ", ".join(each for each in created if each.startswith("column ")) or next(iter(created), None)


def _name(word: str) -> str:
    """The name that a word or identifier is, without quotes."""
    return word.strip('"') if word.startswith('"') else word.lower()


def shortened(text: str, longest: int) -> str:
    """A text, or its beginning and ``...`` if it has more characters."""
    return text if len(text) <= longest else f"{text[:longest]}..."
