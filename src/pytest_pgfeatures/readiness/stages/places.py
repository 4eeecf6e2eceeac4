"""Find places in the user's files, and the excerpts to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypedDict

from pytest_pgfeatures.readiness.model import Place, Query
from pytest_pgfeatures.readiness.servers.loading import SYNTAX_ERROR, Refusal
from pytest_pgfeatures.readiness.servers.parsing import is_definition
from pytest_pgfeatures.readiness.statements.grammar import noted_in
from pytest_pgfeatures.readiness.statements.reading import StatementReading, qualified
from pytest_pgfeatures.readiness.statements.trees import Tree
from pytest_pgfeatures.sql import tokens

_LONGEST = 160
_OPERATOR = re.compile(r"[-+*/<>=~!@#%^&|`?](?=[^\S\n]*+\n)\s*+\Z")  # at a line's end, before what is refused
_BEFORE_KIND = frozenset({
    "or", "replace", "temp", "temporary", "unlogged", "unique", "global", "local", "materialized", "recursive",
    "constraint", "foreign", "event", "default", "trusted", "procedural",
})  # fmt: skip
_KINDS = {"user": "role", "group": "role", "procedure": "function"} | {each: each for each in (
    "table", "view", "index", "sequence", "function", "aggregate", "trigger", "type", "domain", "schema", "policy",
    "rule", "collation", "statistics", "publication", "operator", "extension", "role", "language",
)}  # fmt: skip
"""By the word in the statement: the kind of object, as :func:`definitions_in` names it."""
_BEFORE_NAME = frozenset({"column", "if", "not", "exists", "concurrently", "only", ":"})
"""The colon is that of a variable of psql."""
_NO_COLUMN = frozenset({"constraint", "primary", "unique", "foreign", "check", "exclude", "generated"})
"""Follow ADD where it adds no column."""
_REFUSED = re.compile(r'"([^"]+)"|function (?:\w+\.)?(\w+)\(|for type (\w+)')
_KEYWORDS = re.compile(r"\b(?:[A-Z]+ )+([A-Z]+)\b")
_LONG_WORD = re.compile(r"\b[a-z]{5,}\b")
_WORD_OF = {"index predicate": "where", "generation expression": "stored"}
"""The names in a message about a refused statement, the last one of keywords, and other words; and those that show
the parts that have none."""


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


def shown_refused(query: Query, refusal: Refusal) -> Shown:
    """The part of a statement that a server refuses: at the error's position, or the first one that it names."""
    if (position := refusal.position) is None:
        tree, message = Tree(query), refusal.message
        names = ["".join(each) for each in _REFUSED.findall(message)]
        named = [word.lower() for word in _KEYWORDS.findall(message)]
        # a part of a constraint's name tells more than its table, with which it begins
        parts = {word: name for name in names for word in tree.positions if f"_{word}_" in f"_{name}_"}
        tables = {each.name for each in tree.relations}
        named += sorted(parts, key=lambda word: (word in tables, parts[word].startswith(f"{word}_")))
        named += [*(word for part, word in _WORD_OF.items() if part in message), *_LONG_WORD.findall(message)]
        found = [each[0] for each in map(tree.positions.get, named) if each]
        if "index expression" in message:
            computed = [each["expr"] for each in tree.of("IndexElem") if "expr" in each]
            found = [tree.at(each.node) for each in noted_in(computed) if "location" in each.node]
        position = next(map(tree.excerpt_index, found), None)
    elif refusal.sqlstate == SYNTAX_ERROR and (operator := _OPERATOR.search(query.sql, 0, position)):
        position = operator.start()  # a postfix one
    return shown_at(query, position)


def definitions_in(queries: Iterable[Query]) -> dict[str, Shown]:
    """The place and first line of each CREATE, ALTER TABLE ... ADD and ALTER ... RENAME, by the object, such as
    ``table orders``, without the schema and with it."""
    found: dict[str, Shown] = {}
    for query in filter(is_definition, queries):
        reading = StatementReading(query)
        for name, at in _defined(reading):
            place = query.place(reading.excerpt_index(at))
            found.setdefault(name, {"place": place, "excerpt": excerpt_at(query.sql)})
    return found


def _defined(reading: StatementReading) -> Iterator[tuple[str, int]]:
    """The objects to which CREATE or ALTER gives a name, each with the token that shows it."""
    word = _first(reading, 1, _BEFORE_KIND)
    kind = _KINDS.get(reading.keyword(word))
    if reading.keyword(0) not in ("create", "alter") or kind is None:
        return
    begin = _first(reading, word + 1, _BEFORE_NAME)
    name, schema, end = qualified(reading, begin)
    if name is None or reading.keyword(end) == ".":  # an operator's name is no word
        schema, name = name, reading.keyword(end if name is None else end + 1) or reading.strings.get(begin)
    if reading.keyword(0) == "create":
        yield f"{kind} {name}", 0
        if schema:
            yield f"{kind} {schema}.{name}", 0
    elif renaming := reading.positions.get("rename"):
        part = reading.keyword(renaming[0] + 1)
        to = next((at for at in reading.positions.get("to", ()) if at > renaming[0]), len(reading.tokens))
        part = kind if part == "to" else part if part in (kind, "constraint") else "column"
        yield f"{part} {reading.name(to + 1)}", 0
    elif kind == "table":
        for at in (_first(reading, each + 1, _BEFORE_NAME) for each in reading.positions.get("add", ())):
            if reading.name(at) and reading.keyword(at) not in _NO_COLUMN:
                yield f"column {reading.name(at)}", 0
    for at in reading.positions.get("constraint", ()):
        if at >= end and reading.keyword(at - 1) not in ("drop", "validate", "alter", "rename"):
            yield f"constraint {reading.name(at + 1)}", at


def _first(reading: StatementReading, at: int, skipped: frozenset[str]) -> int:
    """The first token from one on that is none of some words."""
    while reading.keyword(at) in skipped:
        at += 1
    return at


def created_by(query: Query) -> str | None:
    """The object that a statement creates or gives its name, such as ``table orders``; the columns that it adds."""
    created = list(definitions_in([query]))
    return ", ".join(each for each in created if each.startswith("column ")) or next(iter(created), None)
