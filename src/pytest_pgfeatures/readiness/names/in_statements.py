"""Read the application's own names from its CREATE, ALTER TABLE and SET SESSION statements."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.names.model import OwnRelation
from pytest_pgfeatures.readiness.statements.grammar import parse
from pytest_pgfeatures.readiness.statements.nodes import OUTPUT, constant_text, type_name
from pytest_pgfeatures.readiness.statements.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        _read_relation(own, each["stmt"])
        _read_other(own, each["stmt"])


def _read_relation(own: Names, statement: Node) -> None:
    match statement:
        case {"CreateStmt": node} | {"CreateForeignTableStmt": {"base": node}}:
            _table(own, node, "table" if "CreateStmt" in statement else "foreign table")
        case {"ViewStmt": {"view": view}}:
            _relation(own, view, "view")
        case {"CreateTableAsStmt": {"into": {"rel": relation}, "objtype": of_kind}}:
            _relation(own, relation, "view" if of_kind == "OBJECT_MATVIEW" else "table")
        case {"CreateSeqStmt": {"sequence": sequence}}:
            _relation(own, sequence, "sequence")
        case {"CreateTrigStmt": trigger}:
            name = _text(trigger["funcname"][-1])
            own.events[name].update(event for event, bit in _EVENTS.items() if trigger["events"] & bit)
            own.triggered[name].add(trigger["relation"]["relname"])
        case {"AlterTableStmt": {"relation": {"relname": name}, "cmds": commands}}:
            added = (each["AlterTableCmd"].get("def", {}).get("ColumnDef") for each in commands)
            for column in filter(None, added):
                for relation in own.relations.get(name, ()):
                    if relation.columns is not None and "colname" in column:
                        relation.columns[column["colname"]] = type_name(column["typeName"])


def _table(own: Names, node: Node, kind: str) -> None:
    columns = {
        column["colname"]: type_name(column["typeName"])
        for each in node.get("tableElts", ())
        if (column := each.get("ColumnDef")) and "typeName" in column
    }
    known = columns if "tableElts" in node or not (node.keys() & {"partbound", "ofTypename"}) else None
    _relation(own, node["relation"], kind, known, partitioned="partspec" in node)
    if "partbound" not in node:
        own.parents.update(each["RangeVar"]["relname"] for each in node.get("inhRelations", ()))


def _relation(
    own: Names, node: Node, kind: str, columns: dict[str, str] | None = None, *, partitioned: bool = False
) -> None:
    own.relations[node["relname"]].append(OwnRelation(node.get("schemaname"), kind, columns, partitioned))
    if node.get("relpersistence") == "t":
        own.temporary.add(node["relname"])


def _read_other(own: Names, statement: Node) -> None:
    match statement:
        case {"CreateFunctionStmt": function}:
            _function(own, function["funcname"], function.get("parameters", []))
        case {"DefineStmt": aggregate} if aggregate["kind"] == "OBJECT_AGGREGATE":
            lists = [each["List"] for each in aggregate.get("args", ()) if "List" in each]
            _function(own, aggregate["defnames"], lists[0].get("items", []) if lists else [])
        case {"DefineStmt": {"kind": "OBJECT_OPERATOR", "defnames": [*_, name]}}:
            own.operators.add(_text(name))
        case {"CompositeTypeStmt": {"typevar": {"relname": name}}}:
            own.types.add(name)
        case (
            {"DefineStmt": {"kind": "OBJECT_TYPE", "defnames": [*_, name]}}
            | {"CreateEnumStmt": {"typeName": [*_, name]}}
            | {"CreateRangeStmt": {"typeName": [*_, name]}}
            | {"CreateDomainStmt": {"domainname": [*_, name]}}
        ):
            own.types.add(_text(name))
        case {"CreateExtensionStmt": {"extname": name}}:
            own.extensions.add(name)
        case {"VariableSetStmt": {"name": "session_authorization", "args": args}}:
            own.session_roles.update(constant_text(each["A_Const"]) for each in args)


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
