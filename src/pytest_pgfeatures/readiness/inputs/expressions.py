"""Find expressions in the literals of source code: ``"extract(dow from placed_at)"``, which the program puts into a
statement of its own or of its library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.statements.grammar import parse

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.statements.nodes import Node

SELECT = "SELECT "
_LONGEST = 4000
_SIGN = re.compile(r"[(@~=<>!|/*%^&#?+]|::|[\w\s]-[\w\s]")
_WORD = re.compile(r"[A-Za-z_]")
_PLAIN = frozenset({"ColumnRef", "A_Const", "ParamRef"})
_OF_A_QUERY = frozenset({"targetList", "limitOption", "op"})
"""The fields of a query that consists of expressions."""


class Expression(NamedTuple):
    """The names in an expression.

    Parameters:
        columns: by qualifier, the names of its columns; the qualifier is empty for columns without one.
        is_call: whether it is more than names and constants.
    """

    columns: dict[str, set[str]]
    is_call: bool


def has_signs(text: str) -> bool:
    """Whether a text has a word, and a sign that calls and operators have. Reading it takes longer."""
    return (
        len(text) <= _LONGEST
        and "--" not in text
        and _SIGN.search(text) is not None
        and _WORD.search(text) is not None
    )


def may_be_expression(text: str) -> bool:
    """Whether a text is an expression, by PostgreSQL's grammar, that uses a column or a parameter.

    Parameters:
        text: with the server's parameters.
    """
    found = read_expression(text)
    return found is not None and found.is_call


def read_expression(text: str) -> Expression | None:
    """The names in the expressions of a text; None if it is no expression, or has no columns and parameters.

    Parameters:
        text: the text that follows SELECT.
    """
    try:
        statements, refused = parse(SELECT + text)
    except RecursionError:
        return None
    query = statements[0]["stmt"].get("SelectStmt", {}) if refused is None and len(statements) == 1 else {}
    targets = query.get("targetList", [])
    if not targets or query.keys() - _OF_A_QUERY:
        return None
    values = [target["ResTarget"]["val"] for target in targets]
    columns: dict[str, set[str]] = {}
    has_parameters = False
    left: list[object] = list(values)
    while left:
        match left.pop():
            case {"SubLink": _}:
                return None
            case {"ColumnRef": {"fields": fields}}:
                names = _names(fields)
                if names is None:
                    return None
                columns.setdefault(names[0], set()).add(names[1])
            case dict() as node:
                has_parameters = has_parameters or "ParamRef" in node
                left += node.values()
            case list() as some:
                left += some
    if not columns and not has_parameters:
        return None
    return Expression(columns, any(value.keys() - _PLAIN for value in values))


def _names(fields: list[Node]) -> tuple[str, str] | None:
    """The qualifier and the name of a column; None for ``*``, and for one with a schema."""
    names = [str(each["String"]["sval"]) for each in fields if "String" in each]
    if len(names) != len(fields) or len(names) > 2:
        return None
    return ("", names[0]) if len(names) == 1 else (names[0], names[1])
