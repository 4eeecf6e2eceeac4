"""Nodes of PostgreSQL's grammar as text: constants and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Node = dict[str, Any]
OUTPUT = frozenset({"FUNC_PARAM_OUT", "FUNC_PARAM_TABLE"})
"""The modes of a function's arguments that no call passes."""


def constant_text(node: Node) -> str:
    """The value of a constant as text."""
    for key, empty in (("sval", ""), ("ival", 0), ("fval", ""), ("bsval", "")):
        if key in node:
            return str(node[key].get(key, empty))
    return "true" if node.get("boolval", {}).get("boolval") else "false" if "boolval" in node else "null"


SHORT_NAMES = {
    "int4": "integer", "int8": "bigint", "int2": "smallint", "float8": "double", "float4": "real",
    "bool": "boolean", "bpchar": "char", "serial": "integer", "serial4": "integer", "bigserial": "bigint",
    "serial8": "bigint", "smallserial": "smallint", "serial2": "smallint",
}  # fmt: skip
"""For names of types in trees: the names that evidence uses."""


def argument_types(parameters: Iterable[Node]) -> tuple[str, ...]:
    """The types of the arguments that a function takes."""
    given = [each["FunctionParameter"] for each in parameters]
    return tuple(type_name(each["argType"]) for each in given if each.get("mode") not in OUTPUT)


def type_name(node: Node) -> str:
    """The name of a type, as declarations of evidence have it."""
    name = str(node["names"][-1]["String"]["sval"])
    return SHORT_NAMES.get(name, name) + ("[]" if node.get("arrayBounds") else "")
