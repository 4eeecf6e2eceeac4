"""Convert the placeholders of drivers to the server's parameters ``$1``, ``$2``, ..."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.sql import Token

_SIGN = re.compile("[%:?@$]")
_LONGEST = 5
"""Tokens of ``%(id)s``."""
_BEFORE_A_VALUE = frozenset(
    {
        "and", "as", "between", "by", "case", "default", "distinct", "else", "fetch", "first", "for",
        "from", "having", "ilike", "in", "interval", "like", "limit", "next", "not", "offset", "on", "or",
        "returning", "select", "set", "similar", "symmetric", "then", "to", "using", "values", "when",
        "where", "with", "any", "all", "some",
    }
)  # fmt: skip
"""Words before a value, as in ``LIMIT ?``."""
_BEFORE_A_NAME = frozenset(
    {
        "analyze", "call", "cluster", "concurrently", "copy", "database", "exists", "extension", "index", "into",
        "join", "only", "reindex", "role", "schema", "sequence", "table", "tablespace", "truncate", "update",
        "user", "vacuum", "verbose", "view",
    }
)  # fmt: skip
"""Words before a name, as in ``ANALYZE %s``."""
_AFTER_A_VALUE = _BEFORE_A_VALUE | {
    "asc",
    "collate",
    "desc",
    "end",
    "group",
    "is",
    "order",
    "union",
    "window",
}
"""Words that may directly follow a placeholder by mistake: ``?and``."""
_COMPARING = frozenset({"", "=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "||"})
"""Operators that may directly precede a placeholder, without a space."""
_CLOSING = frozenset({")", "]"})


def with_parameters(sql: str, lexed: Sequence[Token] | None = None) -> tuple[str, tuple[str, ...]]:
    """Replace each placeholder in a statement by a parameter: ``%s``, ``%(id)s``, ``:id``, ``?``, ``@id``.

    Placeholders with the same name become the same parameter. The operators ``?`` and ``@`` stay, and so does the
    name ``:"name"``. If there are Python placeholders, ``%%`` becomes ``%``.

    Parameters:
        lexed: the tokens of ``sql``, if the caller has them.

    Returns:
        the statement, and the name of each parameter; empty for one without a name.
    """
    if _SIGN.search(sql) is None:
        return sql, ()
    found = lexed or list(tokens(sql, psql=True))
    numbers: dict[str, int] = {}
    parts: list[str] = []
    positional = {token.text for token in found if token.kind == "parameter"}
    numbers.update({text: int(text[1:]) for text in positional if text[1:].isdigit()})
    of_python = False
    at = 0
    before: Token | None = None
    while at < len(found):
        length, name = _placeholder(found[at : at + _LONGEST], before)
        token = found[at]
        if name is not None:
            of_python = of_python or name.startswith("%")
            operator = token.text[:-1] if token.kind == "operator" else ""
            number = numbers.setdefault(name, max(numbers.values(), default=0) + 1)
            parts.append(f"{operator}${number}")
        elif token.kind == "variable":
            parts.append(token.text[1:])
        else:
            parts.append(token.text)
        before = found[at + length - 1] if token.significant else before
        at += length
    if of_python:
        parts = [part.replace("%%", "%") for part in parts]
    return "".join(parts), _names(numbers)


_GREATEST_NUMBER = 65535
"""The largest number of a parameter in the protocol. A server refuses ``$4294967297``."""


def _names(numbers: Mapping[str, int]) -> tuple[str, ...]:
    """The parameters' names, by their numbers. A placeholder's own text is not a name."""
    found = [""] * max((number for number in numbers.values() if number <= _GREATEST_NUMBER), default=0)
    for placeholder, number in numbers.items():
        if number <= len(found) and not placeholder[1:].isdigit():
            found[number - 1] = placeholder[1:]
    return tuple(found)


def _placeholder(rest: Sequence[Token], before: Token | None) -> tuple[int, str | None]:
    """The number of tokens in the placeholder at the beginning, and its name; 1 and None if there is none."""
    token = rest[0]
    if token.kind == "parameter":
        return 1, token.text
    if token.kind == "variable" and not token.text.startswith((':"', ":{")):
        return 1, ":" + token.text.strip(":'")
    if token.kind != "operator":
        return 1, None
    sign, operator = token.text[-1], token.text[:-1]
    if operator not in _COMPARING:
        return 1, None
    if (
        sign == "%"
        and len(rest) > 1
        and rest[1].text == "s"
        and (operator or _expects_value(before) or _expects_name(before))
    ):
        return 2, f"%{token.start}"
    if sign == "%" and [each.text for each in (*rest[1:2], *rest[3:5])] == ["(", ")", "s"]:
        return 5, f"%{rest[2].text}"
    if sign == "?" and (operator or _expects_value(before)) and not _is_variable(rest[1:2]):
        return 1, f"?{token.start}"
    if token.text == "@" and len(rest) > 1 and rest[1].kind == "word" and _expects_value(before):
        return 2, f"@{rest[1].text}"
    return 1, None


def _is_variable(following: Sequence[Token]) -> bool:
    """Whether the token directly after ``?`` is the name of a variable, as in SPARQL: ``?name``."""
    return bool(following) and following[0].kind == "word" and following[0].keyword not in _AFTER_A_VALUE


def _expects_name(before: Token | None) -> bool:
    return before is not None and before.kind == "word" and before.keyword in _BEFORE_A_NAME


def _expects_value(before: Token | None) -> bool:
    """Whether a value follows this token, so that ``?`` isn't an operator."""
    if before is None or before.kind in ("string", "number", "identifier", "parameter", "variable"):
        return False
    if before.kind == "word":
        return before.keyword in _BEFORE_A_VALUE
    return before.text not in _CLOSING and not (before.kind == "operator" and before.text == "?")
