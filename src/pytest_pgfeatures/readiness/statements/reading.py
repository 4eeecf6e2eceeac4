"""A statement as tokens, with the positions of words, parentheses, calls and subqueries."""

from __future__ import annotations

import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import constant_text, read
from pytest_pgfeatures.sql import Token, tokens

_ALSO_ENGLISH = frozenset({
    "analyze", "begin", "call", "checkpoint", "cluster", "declare", "discard", "do", "execute", "fetch", "listen",
    "load", "lock", "move", "notify", "prepare", "reset", "savepoint", "set", "show", "start", "table", "vacuum",
})  # fmt: skip
"""Short statements that begin with these words may be English: "Show more"."""
COMMANDS = _ALSO_ENGLISH | {
    "alter", "comment", "copy", "create", "deallocate", "delete", "drop", "explain", "grant", "import", "insert",
    "merge", "reassign", "refresh", "reindex", "revoke", "security", "select", "truncate", "unlisten", "update",
    "values", "with",
}  # fmt: skip
"""The first words of PostgreSQL's commands, without those that only end or close something."""
_SIGNS = frozenset({"=", "<>", "<", ">", "<=", ">=", "::", "||", "*", "->", "->>"})
"""Tokens that occur in statements, but not in English."""
_LONG, _LONG_DEFINITION = 4, 6


class StatementReading:
    """A statement's significant tokens."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self._conforming = ("standard_conforming_strings", "off") not in query.settings
        every = tokens(query.sql, standard_conforming_strings=self._conforming)
        self.tokens: Sequence[Token] = [token for token in every if token.significant]

    @functools.cached_property
    def strings(self) -> Mapping[int, str]:
        """The values of the string constants, without quotes and escapes."""
        found = ((at, token.text) for at, token in enumerate(self.tokens) if token.kind == "string")
        return {at: unquoted(text, conforming=self._conforming) for at, text in found}

    @functools.cached_property
    def positions(self) -> Mapping[str, list[int]]:
        """The tokens by text: a word in lower case, the value of a quoted name, an operator, or punctuation."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, token in enumerate(self.tokens):
            if token.kind not in ("string", "number", "parameter"):
                found[self.name(at) or token.text].append(at)
        return found

    def outside(self, word: str) -> list[int]:
        """The tokens with a text that are in no parentheses."""
        return [at for at in self.positions.get(word, ()) if self.enclosing[at] == -1]

    def keyword(self, at: int) -> str:
        """A word in lower case, or the text of punctuation or an operator; empty for other tokens, and outside."""
        token = self.tokens[at] if 0 <= at < len(self.tokens) else None
        return token.text.lower() if token and token.kind in ("word", "punctuation", "operator") else ""

    def name(self, at: int) -> str | None:
        """A name as the server sees it: a word in lower case, or the text between quotes. None for other tokens."""
        token = self.tokens[at] if 0 <= at < len(self.tokens) else None
        if token is not None and token.kind == "identifier":
            return token.text[token.text.index('"') + 1 : -1].replace('""', '"')
        return token.text.lower() if token is not None and token.kind == "word" else None

    def closing(self, opening: int) -> int:
        """The token that closes a parenthesis or bracket; the end of the statement if there is none."""
        inside = range(opening + 1, len(self.tokens))
        return next((at for at in inside if self.enclosing[at] < opening), len(self.tokens))

    @functools.cached_property
    def enclosing(self) -> Sequence[int]:
        """For each token, the innermost parenthesis or bracket around it; -1 if there is none."""
        enclosing, stack = [], [-1]
        for at in range(len(self.tokens)):
            text = self.keyword(at)
            if text in (")", "]") and len(stack) > 1:
                stack.pop()
            enclosing.append(stack[-1])
            if text in ("(", "["):
                stack.append(at)
        return enclosing

    def split(self, first: int, end: int, by: str = ",") -> list[tuple[int, int]]:
        """The separated parts of the tokens from ``first`` up to, but not including, ``end``."""
        around = self.enclosing[first] if first < end else -1
        ends = [at for at in range(first, end) if self.keyword(at) == by and self.enclosing[at] == around]
        return [*zip((first, *(at + 1 for at in ends)), (*ends, end), strict=True)] if first < end else []

    def excerpt_index(self, at: int) -> int:
        """The index of a token in the statement's text."""
        return self.tokens[min(max(at, 0), len(self.tokens) - 1)].start if self.tokens else 0

    @functools.cached_property
    def into(self) -> range:
        """The tokens of INTO and its variables in a statement of PL/pgSQL; none in others."""
        for at in self.outside("into") if self.query.variables else ():
            last = at + 1 + (self.keyword(at + 1) == "strict")
            while self.keyword(last + 1) in (",", "."):
                last += 2
            if at > 0 and self.keyword(at - 1) not in ("insert", "merge") and last < len(self.tokens):
                return range(at, last + 1)
        return range(0)

    def without_into(self) -> str:
        """The statement with spaces in place of :attr:`into`."""
        if not self.into:
            return self.query.sql
        begin, end = self.tokens[self.into[0]].start, self.tokens[self.into[-1]].end
        return self.query.sql[:begin] + re.sub(r"\S", " ", self.query.sql[begin:end]) + self.query.sql[end:]


def unquoted(text: str, *, conforming: bool = True) -> str:
    """The value of a string constant. If ``conforming``, a backslash in '...' is an ordinary character."""
    if text.startswith("$"):
        tag = text.index("$", 1) + 1
        return text[tag : len(text) - tag] if len(text) >= 2 * tag else text[tag:]
    escapes = text[0] == "'" and not conforming and "\\" in text
    if text[0] != "'" or escapes or "\n" in text:
        match read(f"SELECT {'E' * escapes}{text}"):
            case {"stmt": {"SelectStmt": {"targetList": [{"ResTarget": {"val": {"A_Const": constant}}}]}}}:
                return constant_text(constant)
    return text[text.index("'") + 1 :].removesuffix("'").replace("''", "'")


def qualified(reading: StatementReading, at: int) -> tuple[str | None, str | None, int]:
    """The name that begins at a token, its schema, and the token after the name."""
    name, schema = reading.name(at), None
    if name is None:
        return None, None, at
    while reading.keyword(at + 1) == "." and reading.name(at + 2) is not None:
        schema, name, at = name, reading.name(at + 2), at + 2
    return name, schema, at + 1


def may_be_statement(text: str) -> bool:
    """Whether a text begins as a statement does. The server decides whether it is one."""
    match [*itertools.islice((token for token in tokens(text) if token.significant), _LONG)]:
        case [first, second, *_] if first.text == "(":
            return second.keyword in ("select", "with", "values")
        case [first, _, *more] if first.keyword in COMMANDS:
            is_long = len(more) == _LONG - 2
            return first.keyword not in _ALSO_ENGLISH or is_long or first.text.isupper()
    return False


def is_no_english(sql: str) -> bool:
    """Whether a text, such as a long definition, can't be English: it is a statement even with unknown names."""
    found = [token for token in tokens(sql) if token.significant]
    defining = ("create", "alter", "drop", "grant", "revoke", "comment")
    is_long = len(found) >= _LONG_DEFINITION and found[0].keyword in defining
    return is_long or any(token.kind in ("parameter", "string") or token.text in _SIGNS for token in found)
