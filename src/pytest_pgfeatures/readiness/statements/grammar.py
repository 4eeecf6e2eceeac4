"""PostgreSQL's own grammar: libpg_query's (https://github.com/pganalyze/libpg_query), in the wheels of postgast."""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.sql import Token, tokens

Node = dict[str, Any]
Around = tuple[tuple[str, Node], ...]  # the nodes around a node, inside out, each with its name
_TOO_DEEP = (b"memory exhausted", b"stack depth limit exceeded")
_SHORT = {
    "int4": "integer", "int8": "bigint", "int2": "smallint", "float8": "double", "float4": "real",
    "bool": "boolean", "bpchar": "char", "serial": "integer", "serial4": "integer", "bigserial": "bigint",
    "serial8": "bigint", "smallserial": "smallint", "serial2": "smallint",
    "timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
    "time with time zone": "timetz", "time without time zone": "time", "double precision": "double",
    "character varying": "varchar", "character": "char",
}  # fmt: skip
NUMBERS = frozenset({"smallint", "integer", "bigint", "numeric", "real", "double"})
_UNSAID = frozenset({"location", "list_start", "list_end", "typemod", "inh", "relpersistence", "defaction"})
"""Fields that hold no word of the statement."""


def parse(sql: str, names: Iterable[tuple[str, str]] = ()) -> tuple[list[Node], int | None]:
    """The trees of statements, and the index at which the grammar refuses them, if it does.

    Parameters:
        names: names in the text, each with the one that it stands for, which the trees contain.

    Raises:
        ExtraMissingError: the grammar is not installed.
        RecursionError: the operands are nested more deeply than the grammar, or Python's reader of its tree, goes.
    """
    try:
        # its parse() fails where operands are nested 40 deep
        library = importlib.import_module("postgast.native").lib
    except ImportError:
        raise ExtraMissingError("reading statements", "postgast", "readiness") from None
    result = library.pg_query_parse(sql.encode("utf-8", "surrogateescape"))
    try:
        if error := result.error and result.error.contents:
            if error.message.startswith(_TOO_DEEP):
                raise RecursionError
            return [], max(error.cursorpos - 1, 0)
        text = result.parse_tree.decode("utf-8", "surrogateescape")
    finally:
        library.pg_query_free_parse_result(result)
    for name, other in names:
        text = text.replace(json.dumps(name), json.dumps(other))
    return json.loads(text)["stmts"], None


def refused_at(sql: str) -> int | None:
    """The index at which the grammar refuses statements; None if it accepts them, or they are too deep for it."""
    with contextlib.suppress(RecursionError):
        return parse(sql)[1]
    return None


def constant_text(node: Node) -> str:
    """The value of a constant as text."""
    for key, empty in (("sval", ""), ("ival", 0), ("fval", ""), ("bsval", "")):
        if key in node:
            return str(node[key].get(key, empty))
    return "true" if node.get("boolval", {}).get("boolval") else "false" if "boolval" in node else "null"


def short(name: str) -> str:
    """The name that evidence uses for a type, from its name in a tree or as format_type() writes it."""
    bare = name.removesuffix("[]")
    return _SHORT.get(bare, bare) + name[len(bare) :]


def words(names: Iterable[Node]) -> list[str]:
    """The parts of a name, ``*`` for all columns."""
    return [each.get("String", {}).get("sval", "*") for each in names]


def type_name(node: Node) -> str:
    """The name of a type, as declarations of evidence have it; ``orders.total%type`` for the type of a column."""
    names = words(node["names"])
    name = f"{'.'.join(names)}%type" if node.get("pct_type") else short(names[-1])
    return name + ("[]" if node.get("arrayBounds") else "")


def text_of(value: object) -> str:
    """The text of a node or of one of its fields: words and constants, one space between.

    Names have no quotes, constants plain ones, expressions no parentheses around them; options are their names and
    values; other nodes begin with their name."""
    said: list[str] = []
    left = [value]  # operands may be nested more deeply than Python allows recursive calls
    while left:
        match left.pop():
            case {"relname": name, **rest}:
                left.append(f"{rest['schemaname']} . {name}" if "schemaname" in rest else name)
            case dict() as node:
                left += reversed([part for field in node.items() for part in _parts(*field)])
            case list() as some:
                left += reversed(some)
            case each:
                said.append(str(each).lower() if isinstance(each, bool) else str(each))
    return " ".join(said)


def _parts(name: str, value: Any) -> Sequence[object]:
    """The words and nodes of a field of a node, or of a node by its name, in the order of the statement."""
    match name:
        case "A_Const":
            return (f"'{constant_text(value)}'" if "sval" in value else constant_text(value),)
        case "ParamRef":
            return (f"${value.get('number', '')}",)
        case "ColumnRef":
            return (" . ".join(words(value["fields"])),)
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


def read(sql: str) -> Node | None:
    """The tree of a statement; None if the grammar refuses it, or it is too deep for it."""
    with contextlib.suppress(RecursionError):
        statements, _ = parse(sql)
        return statements[0] if len(statements) == 1 else None
    return None


@dataclass(eq=False, slots=True)
class Noted:
    """A node of a tree, with the node around it."""

    name: str  # in nodes/parsenodes.h; of one that is always the same kind of node, the field's
    node: Node
    around: Noted | None
    _texts: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The text of one of its fields; empty if it has none."""
        if name not in self._texts:
            self._texts[name] = text_of(self.node.get(name, ""))
        return self._texts[name]

    @property
    def queries(self) -> list[Noted]:
        """The queries and statements around it, inside out."""
        return [each for each in self.outward() if each.name.endswith("Stmt") or "limitOption" in each.node]

    def outward(self) -> Iterator[Noted]:
        """The nodes around it, inside out."""
        noted = self
        while noted.around is not None:
            noted = noted.around
            yield noted


def noted_in(tree: Node | list[Node], *, holders: bool = False) -> Iterator[Noted]:
    """The nodes of a tree; with ``holders``, also those that only hold another one. Operands may be nested more
    deeply than Python allows recursive calls."""
    left: list[tuple[str, Any, Noted | None]] = [("", tree, None)]
    while left:
        name, node, around = left.pop()
        if isinstance(node, list):
            left += [(name, each, around) for each in reversed(node)]
        elif isinstance(node, dict):
            if holders or len(node) != 1 or not next(iter(node))[:1].isupper():
                around = Noted(name, node, around)
                yield around
            left += [
                (key, value, around)
                for key, value in reversed(node.items())
                if isinstance(value, dict | list)
            ]


def nodes_in(tree: Node) -> Iterator[tuple[str, Node, Around]]:
    """The nodes of a tree and those that hold them, each with its name and those around it."""
    for noted in noted_in(tree, holders=True):
        yield noted.name, noted.node, tuple((each.name, each.node) for each in noted.outward())


def query_of(expression: Node, relation: Node) -> str:
    """The query that reads an expression from a relation."""
    query = {"targetList": [{"ResTarget": {"val": expression}}], "fromClause": [{"RangeVar": relation}]}
    return sql_of(query | {"op": "SETOP_NONE", "limitOption": "LIMIT_OPTION_DEFAULT"})


def sql_of(query: Node) -> str:
    """A query as SQL."""
    grammar, trees = map(importlib.import_module, ("postgast", "google.protobuf.json_format"))
    parsed = trees.ParseDict({"stmts": [{"stmt": {"SelectStmt": query}}]}, grammar.pg_query_pb2.ParseResult())
    return str(grammar.deparse(parsed))


def with_values(sql: str, values: Sequence[str | None]) -> str:
    """A statement with constants in place of its parameters."""

    def written(token: Token) -> str:
        if token.kind != "parameter":
            return token.text
        number = int(token.text[1:])
        value = values[number - 1] if number <= len(values) else None
        return "NULL" if value is None else " E'" + value.replace("\\", "\\\\").replace("'", "''") + "'"

    return "".join(map(written, tokens(sql))) if values else sql
