"""Split a text with several statements into one query for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.statements.commands import COMMANDS
from pytest_pgfeatures.sql import statements, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.model import Query


def each_statement(query: Query) -> Iterator[Query]:
    """The statements of a text; the query itself if it is a single statement."""
    if ";" not in query.sql.rstrip().rstrip(";"):
        yield query
        return
    found = statements(query.sql, psql=False)
    if len(found) < 2:
        yield query
        return
    for statement in found:
        yield query.part(statement.start, statement.start + len(statement.sql))


_NAMED = re.compile(
    r"^--[ \t]*(?::name[ \t]|name[ \t]*:)[ \t]*[\w.-]+[!^$<#*?]*(?:[ \t]+:[^\n]*)?[ \t]*$", re.MULTILINE
)
"""A line that names the query after it, as aiosql, sqlc, yesql, HugSQL and dotsql read them."""


def separated(text: str) -> str:
    """A script of named queries, with a semicolon after each query that ends only where the next one is named."""
    if _NAMED.search(text) is None:
        return text
    ends: list[int] = []
    named, depth, is_open = -1, 0, False
    for token in tokens(text, psql=True):
        if token.kind == "comment":
            begins_line = token.start == 0 or text[token.start - 1] == "\n"
            if begins_line and is_open and not depth and _NAMED.match(token.text):
                named = token.start
        elif token.significant:
            if named >= 0 and token.keyword in COMMANDS:
                ends.append(named)
            named = -1
            depth = max(depth + (token.text == "(") - (token.text == ")"), 0)
            is_open = token.text != ";"
    parts = [text[begin:end] for begin, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    return ";".join(parts)
