"""Read the application's own names from its CREATE, ALTER TABLE and SET SESSION statements."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.names.model import OwnRelation
from pytest_pgfeatures.readiness.statements.grammar import parse
from pytest_pgfeatures.readiness.statements.nodes import OUTPUT, constant_text, type_name
from pytest_pgfeatures.readiness.statements.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.nodes import Node
    from pytest_pgfeatures.readiness.statements.reading import StatementReading

_SYSTEM_SCHEMAS = frozenset({"pg_catalog", "information_schema"})
_MANY = 1000
_EVENTS = {"insert": 1 << 2, "delete": 1 << 3, "update": 1 << 4}
"""The bits of a trigger's events (PostgreSQL's src/include/catalog/pg_trigger.h)."""


def read_statement(own: Names, reading: StatementReading) -> None:
    """Add the names that a statement creates or sets."""
    for each in Tree(reading).statements:
        ((kind, node),) = each["stmt"].items()
        if kind in _READERS:
            _READERS[kind](own, node)


def _table(own: Names, node: Node, kind: str = "table") -> None:
    columns = {
        column["colname"]: type_name(column["typeName"])
        for each in node.get("tableElts", ())
        if (column := each.get("ColumnDef")) and "typeName" in column
    }
    known = columns if "tableElts" in node or not (node.keys() & {"partbound", "ofTypename"}) else None
    relation = _relation(own, node["relation"], kind, known)
    relation.partitioned = "partspec" in node
    if "partbound" not in node:
        own.parents.update(each["RangeVar"]["relname"] for each in node.get("inhRelations", ()))


def _relation(own: Names, node: Node, kind: str, columns: dict[str, str] | None = None) -> OwnRelation:
    relation = OwnRelation(node.get("schemaname"), kind, columns)
    own.relations[node["relname"]].append(relation)
    if node.get("relpersistence") == "t":
        own.temporary.add(node["relname"])
    return relation


def _function(own: Names, names: list[Node], parameters: list[Node]) -> None:
    schema = _text(names[-2]) if len(names) > 1 else None
    if schema in _SYSTEM_SCHEMAS:
        return
    given = [each["FunctionParameter"] for each in parameters if "FunctionParameter" in each]
    given = [each for each in given if each.get("mode") not in OUTPUT]
    variadic = any(each.get("mode") == "FUNC_PARAM_VARIADIC" for each in given)
    fixed = len(given) - variadic
    low = fixed - sum("defexpr" in each for each in given)
    own.functions[_text(names[-1])].append((schema, low, fixed + _MANY * variadic))


def _defined(own: Names, node: Node) -> None:
    match node.get("kind"):
        case "OBJECT_AGGREGATE":
            arguments: list[Node] = next(
                (each["List"].get("items", []) for each in node.get("args", ()) if "List" in each), []
            )
            _function(own, node["defnames"], arguments)
        case "OBJECT_OPERATOR":
            own.operators.add(_text(node["defnames"][-1]))
        case "OBJECT_TYPE":
            own.types.add(_text(node["defnames"][-1]))


def _trigger(own: Names, node: Node) -> None:
    name = _text(node["funcname"][-1])
    own.events[name].update(event for event, bit in _EVENTS.items() if node.get("events", 0) & bit)
    own.triggered[name].add(node["relation"]["relname"])


def _altered(own: Names, node: Node) -> None:
    """ALTER TABLE ... ADD COLUMN."""
    for each in node.get("cmds", ()):
        command = each["AlterTableCmd"]
        if command["subtype"] == "AT_AddColumn":
            column = command["def"]["ColumnDef"]
            for relation in own.relations.get(node["relation"]["relname"], ()):
                if relation.columns is not None:
                    relation.columns[column["colname"]] = type_name(column["typeName"])


def _set(own: Names, node: Node) -> None:
    """SET SESSION AUTHORIZATION."""
    if node.get("name") == "session_authorization":
        own.session_roles.update(constant_text(each["A_Const"]) for each in node.get("args", ()))


def altered_in(sql: str) -> Iterator[tuple[str, str]]:
    """The tables and columns that ALTER TABLE changes; ``*`` for the columns of an index that it uses."""
    with contextlib.suppress(RecursionError):
        for each in parse(sql)[0] if sql[:5].lower() == "alter" else ():
            node = each["stmt"].get("AlterTableStmt", {})
            for command in (one["AlterTableCmd"] for one in node.get("cmds", ())):
                constraint = command.get("def", {}).get("Constraint", {})
                names = [_text(key) for key in constraint.get("keys", ())]
                names += ["*"] if "indexname" in constraint else []
                names += [command["name"]] if "name" in command else []
                yield from ((node["relation"]["relname"], name) for name in names)


def _text(node: Node) -> str:
    return str(node["String"]["sval"])


_READERS: dict[str, Callable[[Names, Node], object]] = {
    "CreateStmt": _table,
    "CreateForeignTableStmt": lambda own, node: _table(own, node["base"], "foreign table"),
    "ViewStmt": lambda own, node: _relation(own, node["view"], "view"),
    "CreateTableAsStmt": lambda own, node: _relation(
        own, node["into"]["rel"], "view" if node["objtype"] == "OBJECT_MATVIEW" else "table"
    ),
    "CreateSeqStmt": lambda own, node: _relation(own, node["sequence"], "sequence"),
    "CreateFunctionStmt": lambda own, node: _function(own, node["funcname"], node.get("parameters", [])),
    "DefineStmt": _defined,
    "CompositeTypeStmt": lambda own, node: own.types.add(node["typevar"]["relname"]),
    "CreateEnumStmt": lambda own, node: own.types.add(_text(node["typeName"][-1])),
    "CreateRangeStmt": lambda own, node: own.types.add(_text(node["typeName"][-1])),
    "CreateDomainStmt": lambda own, node: own.types.add(_text(node["domainname"][-1])),
    "CreateExtensionStmt": lambda own, node: own.extensions.add(node["extname"]),
    "CreateTrigStmt": _trigger,
    "AlterTableStmt": _altered,
    "VariableSetStmt": _set,
}
"""By kind of statement: the names in it."""
