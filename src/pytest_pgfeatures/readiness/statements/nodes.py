"""Nodes of PostgreSQL's grammar as text: constants and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Node = dict[str, Any]
OUTPUT = frozenset({"FUNC_PARAM_OUT", "FUNC_PARAM_TABLE"})
"""The modes of a function's arguments that no call passes."""


def constant_text(node: Node) -> str:
    """The value of a constant as text."""
    for key, empty in (("sval", ""), ("ival", 0), ("fval", ""), ("bsval", "")):
        if key in node:
            return str(node[key].get(key, empty))
    return "true" if node.get("boolval", {}).get("boolval") else "false" if "boolval" in node else "null"


_SHORT = {
    "int4": "integer", "int8": "bigint", "int2": "smallint", "float8": "double", "float4": "real",
    "bool": "boolean", "bpchar": "char", "serial": "integer", "serial4": "integer", "bigserial": "bigint",
    "serial8": "bigint", "smallserial": "smallint", "serial2": "smallint",
    "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
    "time with time zone": "timetz", "time without time zone": "time", "double precision": "double",
    "character varying": "varchar", "character": "char",
}  # fmt: skip


def short(name: str) -> str:
    """The name that evidence uses for a type, from its name in a tree or as format_type() writes it."""
    bare = name.removesuffix("[]")
    return _SHORT.get(bare, bare) + name[len(bare) :]


def column_fields(node: Node) -> list[str]:
    """The names that a column consists of, ``*`` for all columns."""
    return [each.get("String", {}).get("sval", "*") for each in node.get("fields", ())]


def argument_types(parameters: Iterable[Node]) -> tuple[str, ...]:
    """The types of the arguments that a function takes."""
    given = [each["FunctionParameter"] for each in parameters]
    return tuple(type_name(each["argType"]) for each in given if each.get("mode") not in OUTPUT)


def type_name(node: Node) -> str:
    """The name of a type, as declarations of evidence have it; ``orders.total%type`` for the type of a column."""
    names = [str(each["String"]["sval"]) for each in node["names"]]
    name = f"{'.'.join(names)}%type" if node.get("pct_type") else short(names[-1])
    return name + ("[]" if node.get("arrayBounds") else "")


_UNSAID = frozenset({"location", "list_start", "list_end", "typemod", "inh", "relpersistence", "defaction"})
"""Fields that hold no word of the statement."""


def text_of(value: object) -> str:
    """The text of a node or of one of its fields: words and constants, one space between.

    Names are without quotes, constants in plain ones. Expressions look as they are written, without parentheses
    around them; options as their names and values; other nodes begin with their name.
    """
    words: list[str] = []
    left = [value]  # operands may be nested more deeply than Python allows recursive calls
    while left:
        match left.pop():
            case {"relname": name, **rest}:
                left.append(f"{rest['schemaname']} . {name}" if "schemaname" in rest else name)
            case dict() as node:
                left += reversed([part for field in node.items() for part in _parts(*field)])
            case list() as some:
                left += reversed(some)
            case bool(each):
                words.append(str(each).lower())
            case each:
                words.append(str(each))
    return " ".join(words)


def _parts(name: str, value: Any) -> Sequence[object]:
    """The words and nodes of a field of a node, or of a node by its name, in the order of the statement."""
    match name:
        case "A_Const":
            return (f"'{constant_text(value)}'" if "sval" in value else constant_text(value),)
        case "ParamRef":
            return (f"${value.get('number', '')}",)
        case "ColumnRef":
            return (" . ".join(column_fields(value)),)
        case "A_Expr":
            return (value.get("lexpr", {}), value["name"], value.get("rexpr", {}))
        case "TypeCast":
            return (value["arg"], "::", type_name(value["typeName"]))
        case "FuncCall":
            return (value["funcname"][-1], "(", value.get("args", []), ")")
        case "Boolean":
            return ("on" if value.get("boolval") else "off",)
        case "Integer":
            return (value.get("ival", 0),)
        case "String" | "Float" | "List" | "DefElem":
            return tuple(each for key, each in value.items() if key not in _UNSAID)
    if name in _UNSAID or isinstance(value, bool):
        return ()  # whether something holds is the text of a field alone
    return (name, value) if name[0].isupper() else (value,)
