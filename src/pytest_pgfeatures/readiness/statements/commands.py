"""The words that begin statements, and texts that may be statements."""

from __future__ import annotations

from pytest_pgfeatures.sql import tokens

COMMANDS = frozenset({
    "alter", "analyze", "begin", "call", "checkpoint", "cluster", "comment", "copy", "create", "deallocate",
    "declare", "delete", "discard", "do", "drop", "execute", "explain", "fetch", "grant", "import", "insert",
    "listen", "load", "lock", "merge", "move", "notify", "prepare", "reassign", "refresh", "reindex", "reset",
    "revoke", "savepoint", "security", "select", "set", "show", "start", "table", "truncate", "unlisten", "update",
    "vacuum", "values", "with",
})  # fmt: skip
"""The first words of PostgreSQL's commands, without those that only end or close something."""
_ALSO_ENGLISH = frozenset({
    "analyze", "begin", "call", "checkpoint", "cluster", "declare", "discard", "do", "execute", "fetch", "listen",
    "load", "lock", "move", "notify", "prepare", "reset", "savepoint", "set", "show", "start", "table", "vacuum",
})  # fmt: skip
"""Short statements that begin with these words may be English: "Show more"."""
_SIGNS = frozenset({"=", "<>", "<", ">", "<=", ">=", "::", "||", "*", "->", "->>"})
_DEFINING = frozenset({"create", "alter", "drop", "grant", "revoke", "comment"})
_LONG_DEFINITION = 6
_LONG = 4
"""Tokens that occur in statements, but not in English."""


def may_be_statement(text: str) -> bool:
    """Whether a text begins as a statement does. The server decides whether it is one."""
    significant = (token for token in tokens(text) if token.significant)
    beginning = [token for token, _ in zip(significant, range(_LONG), strict=False)]
    if len(beginning) < 2:
        return False
    first = beginning[0]
    if first.text == "(":
        return beginning[1].keyword in ("select", "with", "values")
    if first.keyword not in COMMANDS:
        return False
    return first.keyword not in _ALSO_ENGLISH or len(beginning) == _LONG or first.text.isupper()


def is_no_english(sql: str) -> bool:
    """Whether a text can't be an English sentence, so that it is a statement even with unknown names. A long
    definition can't be one either: no sentence has its keywords in this order."""
    words = [token.keyword for token in tokens(sql) if token.significant]
    if words and words[0] in _DEFINING and len(words) >= _LONG_DEFINITION:
        return True
    return any(token.kind in ("parameter", "string") or token.text in _SIGNS for token in tokens(sql))
