"""A statement as PostgreSQL's grammar reads it, and parts of its tree as SQL again."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.statements.grammar import parse
from pytest_pgfeatures.sql import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.statements.nodes import Node

    Around = tuple[tuple[str, Node], ...]
    """The nodes around a node, inside out, each with its name."""


def read(sql: str) -> Node | None:
    """The tree of a statement; None if the grammar refuses it.

    Raises:
        ExtraMissingError: the grammar is not installed.
    """
    try:
        statements, _ = parse(sql)
    except RecursionError:
        return None
    return statements[0] if len(statements) == 1 else None


def nodes_in(tree: Node) -> Iterator[tuple[str, Node, Around]]:
    """The nodes of a tree, each with its name and the nodes around it."""
    left: list[tuple[str, Any, Around]] = [("", tree, ())]
    while left:
        name, node, around = left.pop()
        if isinstance(node, list):
            left += ((name, each, around) for each in reversed(node))
        elif isinstance(node, dict):
            yield name, node, around
            inner = ((name, node), *around)
            left += ((key, value, inner) for key, value in reversed(node.items()))


def words(names: Sequence[Node]) -> list[str]:
    """The parts of a name."""
    return [each.get("String", {}).get("sval", "*") for each in names]


def query_of(expression: Node, relation: Node) -> str:
    """The query that reads an expression from a relation."""
    targets = [{"ResTarget": {"val": expression}}]
    query = {"targetList": targets, "fromClause": [{"RangeVar": relation}], "op": "SETOP_NONE"}
    return sql_of(query | {"limitOption": "LIMIT_OPTION_DEFAULT"})


def sql_of(query: Node) -> str:
    """A query as SQL."""
    grammar, trees = map(importlib.import_module, ("postgast", "google.protobuf.json_format"))
    parsed = trees.ParseDict({"stmts": [{"stmt": {"SelectStmt": query}}]}, grammar.pg_query_pb2.ParseResult())
    return str(grammar.deparse(parsed))


def with_values(sql: str, values: Sequence[str | None]) -> str:
    """A statement with constants in place of its parameters."""

    def constant(number: int) -> str:
        value = values[number - 1] if number <= len(values) else None
        if value is None:
            return "NULL"
        return " E'" + value.replace("\\", "\\\\").replace("'", "''") + "'"

    parts = ((each.kind == "parameter", each.text) for each in tokens(sql)) if values else ((False, sql),)
    return "".join(constant(int(text[1:])) if is_parameter else text for is_parameter, text in parts)
