"""Names of an application's own objects: from the catalogs of the old server with the schema loaded, and from the
application's CREATE statements, which suffice if there is no server."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pytest_pgfeatures.readiness.statements.grammar import (
    Node,
    constant_text,
    passed,
    read,
    short,
    type_name,
    words,
)
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.readiness.statements.trees import Tree


@dataclass(slots=True)
class OwnRelation:
    """A relation of the application."""

    schema: str | None  # None if the statement does not name it
    kind: str  # table, partitioned table, view, sequence, ...
    columns: dict[str, str] | None = None  # the types by column; None if they are unknown, as for views


@dataclass(slots=True)
class Names:
    """The names of the application's own objects."""

    # by name: the schema, and the minimum and maximum number of arguments
    functions: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=lambda: defaultdict(list))
    relations: dict[str, list[OwnRelation]] = field(default_factory=lambda: defaultdict(list))
    types: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)  # tables that other tables inherit from
    extensions: set[str] = field(default_factory=set)
    arguments: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the types of its arguments, as format_type() writes them, if a server knows them."""
    temporary: set[str] = field(default_factory=set)  # tables and views
    path_functions: set[str] = field(default_factory=set)  # name objects without a schema
    events: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the events of the triggers that run it."""
    triggered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the tables of the triggers that run it."""
    session_roles: set[str] = field(default_factory=set)  # in SET SESSION AUTHORIZATION
    cursors: set[str] = field(default_factory=set)  # variables of PL/pgSQL that are declared with a query

    def has_function(self, name: str, count: int, schema: str | None = None) -> bool:
        """Whether the application has a function of this name that takes this number of arguments."""
        known = (own for own, low, high in self.functions.get(name, ()) if low <= count <= high)
        return any(own == schema or None in (schema, own) for own in known)

    def has_relation(self, name: str, schema: str | None = None) -> bool:
        """Whether the application has a relation of this name."""
        known = (own.schema for own in self.relations.get(name, ()))
        return any(own == schema or None in (schema, own) for own in known)

    def is_of_kind(self, name: str | None, kind: str) -> bool:
        """Whether a relation of this name is of a kind."""
        return any(own.kind == kind for own in self.relations.get(name or "", ()))

    def column_type(self, column: str, relations: Iterable[str]) -> str | None:
        """The type of a column that one of the given relations has; None if unknown."""
        known = (own.columns or {} for name in relations for own in self.relations.get(name, ()))
        return next((columns[column] for columns in known if column in columns), None)


_OWN = """n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND o.oid NOT IN (SELECT objid FROM pg_catalog.pg_depend WHERE deptype = 'e')"""
_FUNCTIONS = f"""
    SELECT n.nspname::text, o.proname::text, o.pronargs - o.pronargdefaults,
        CASE WHEN o.provariadic <> 0 THEN 1000 ELSE o.pronargs END,
        ARRAY(SELECT pg_catalog.format_type(t, NULL) FROM pg_catalog.unnest(o.proargtypes) AS t)
    FROM pg_catalog.pg_proc AS o JOIN pg_catalog.pg_namespace AS n ON n.oid = o.pronamespace WHERE {_OWN}
"""
_COLUMNS = f"""
    SELECT n.nspname::text, o.relname::text, o.relkind::text, a.attname::text,
        pg_catalog.format_type(a.atttypid, NULL)
    FROM pg_catalog.pg_class AS o JOIN pg_catalog.pg_namespace AS n ON n.oid = o.relnamespace
        LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE o.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND {_OWN}
"""
_NAMES = f"""
    SELECT 'types', o.typname::text FROM pg_catalog.pg_type AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    UNION ALL SELECT 'operators', o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace WHERE {_OWN}
    UNION ALL SELECT 'extensions', extname::text FROM pg_catalog.pg_extension
    UNION ALL SELECT 'parents', o.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS o ON o.oid = i.inhparent WHERE o.relkind = 'r'
"""
_KINDS = {
    "r": "table", "p": "partitioned table", "v": "view", "m": "view", "f": "foreign table", "S": "sequence",
    "c": "type",
}  # fmt: skip


def read_catalogs(own: Names, query: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
    """Add the objects in the old server's catalogs, except for those of extensions."""
    for schema, name, low, high, types in query(_FUNCTIONS):
        own.arguments[name].add(tuple(types))
        own.functions[name].append((schema, low, high))
    known: dict[tuple[str, str], dict[str, str]] = {}
    for schema, name, kind, column, of_type in query(_COLUMNS):
        if (schema, name) not in known:
            known[schema, name] = {}
            own.relations[name].append(OwnRelation(schema, _KINDS[kind], known[schema, name]))
        if column is not None:
            known[schema, name][column] = short(of_type)
    for names, name in query(_NAMES):
        getattr(own, names).add(name)
    own.types.difference_update(name for _, name in known)


_MANY = 1000
_EVENTS = {"insert": 1 << 2, "delete": 1 << 3, "update": 1 << 4}
"""The bits of a trigger's events (PostgreSQL's src/include/catalog/pg_trigger.h)."""


def read_statement(own: Names, reading: StatementReading) -> None:
    """Add the names that a statement creates or sets."""
    for statement in (each["stmt"] for each in Tree(reading).statements):
        _read_relation(own, statement)
        _read_other(own, statement)


def _read_relation(own: Names, statement: Node) -> None:
    match statement:
        case {"CreateStmt": node}:
            _table(own, node, "partitioned table" if "partspec" in node else "table")
        case {"CreateForeignTableStmt": {"base": node}}:
            _table(own, node, "foreign table")
        case {"ViewStmt": {"view": view}}:
            _relation(own, view, "view")
        case {"CreateTableAsStmt": {"into": {"rel": relation}, "objtype": of_kind}}:
            _relation(own, relation, "view" if of_kind == "OBJECT_MATVIEW" else "table")
        case {"CreateSeqStmt": {"sequence": sequence}}:
            _relation(own, sequence, "sequence")
        case {"AlterTableStmt": {"relation": {"relname": name}, "cmds": commands}}:
            added = (each["AlterTableCmd"].get("def", {}).get("ColumnDef", {}) for each in commands)
            types = {each["colname"]: type_name(each["typeName"]) for each in added if "colname" in each}
            for relation in own.relations.get(name, ()):
                if relation.columns is not None:
                    relation.columns |= types


def _table(own: Names, node: Node, kind: str) -> None:
    defined = (each.get("ColumnDef", {}) for each in node.get("tableElts", ()))
    columns = {each["colname"]: type_name(each["typeName"]) for each in defined if "typeName" in each}
    is_known = "tableElts" in node or not (node.keys() & {"partbound", "ofTypename"})
    _relation(own, node["relation"], kind, columns if is_known else None)
    if "partbound" not in node:
        own.parents.update(each["RangeVar"]["relname"] for each in node.get("inhRelations", ()))


def _relation(own: Names, node: Node, kind: str, columns: dict[str, str] | None = None) -> None:
    own.relations[node["relname"]].append(OwnRelation(node.get("schemaname"), kind, columns))
    if node.get("relpersistence") == "t":
        own.temporary.add(node["relname"])


def _read_other(own: Names, statement: Node) -> None:
    match statement:
        case {"CreateFunctionStmt": function}:
            _function(own, function["funcname"], function.get("parameters", []))
        case {"DefineStmt": aggregate} if aggregate["kind"] == "OBJECT_AGGREGATE":
            lists = (each.get("List", {}).get("items", ()) for each in aggregate.get("args", ()))
            _function(own, aggregate["defnames"], [*itertools.chain.from_iterable(lists)])
        case {"DefineStmt": {"kind": "OBJECT_OPERATOR", "defnames": names}}:
            own.operators.add(words(names)[-1])
        case {"CompositeTypeStmt": {"typevar": {"relname": name}}}:
            own.types.add(name)
        case (
            {"DefineStmt": {"kind": "OBJECT_TYPE", "defnames": names}}
            | {"CreateEnumStmt": {"typeName": names}}
            | {"CreateRangeStmt": {"typeName": names}}
            | {"CreateDomainStmt": {"domainname": names}}
        ):
            own.types.add(words(names)[-1])
        case {"CreateTrigStmt": trigger}:
            name = words(trigger["funcname"])[-1]
            own.events[name].update(event for event, bit in _EVENTS.items() if trigger["events"] & bit)
            own.triggered[name].add(trigger["relation"]["relname"])
        case {"CreateExtensionStmt": {"extname": name}}:
            own.extensions.add(name)
        case {"VariableSetStmt": {"name": "session_authorization", "args": args}}:
            own.session_roles.update(constant_text(each["A_Const"]) for each in args if "A_Const" in each)


def _function(own: Names, names: list[Node], parameters: list[Node]) -> None:
    *schemas, name = words(names)
    if {"pg_catalog", "information_schema"} & {*schemas}:
        return
    given = passed(parameters)
    variadic = any(each.get("mode") == "FUNC_PARAM_VARIADIC" for each in given)
    fixed = len(given) - variadic
    low = fixed - sum("defexpr" in each for each in given)
    own.functions[name].append((schemas[-1] if schemas else None, low, fixed + _MANY * variadic))


def altered_in(sql: str) -> Iterator[tuple[str, str]]:
    """The tables and columns that ALTER TABLE changes; ``*`` for the columns of an index that it uses."""
    tree = read(sql) if sql[:5].lower() == "alter" else None
    node = tree["stmt"].get("AlterTableStmt", {}) if tree else {}
    for command in (one["AlterTableCmd"] for one in node.get("cmds", ())):
        constraint = command.get("def", {}).get("Constraint", {})
        names = words(constraint.get("keys", ()))
        names += ["*"] if "indexname" in constraint else []
        names += [command["name"]] if "name" in command else []
        yield from ((node["relation"]["relname"], name) for name in names)
