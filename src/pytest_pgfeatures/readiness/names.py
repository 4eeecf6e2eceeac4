"""Names of an application's own objects: from the catalogs of the old server with the schema loaded, and from the
application's CREATE statements, which suffice if there is no server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import Node, constant_text, read, short, type_name, words
from pytest_pgfeatures.readiness.statements.trees import Tree


class OwnRelation(NamedTuple):
    """A relation of the application."""

    schema: str | None  # None if the statement does not name it
    columns: dict[str, str] | None  # the types by column; None if they are unknown, as for views


@dataclass(slots=True)
class Names:
    """The names of the application's own objects."""

    # by name: the schema, and the minimum and maximum number of arguments
    functions: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=lambda: defaultdict(list))
    arguments: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the types of its arguments, as format_type() writes them, if a server knows them."""
    relations: dict[str, list[OwnRelation]] = field(default_factory=lambda: defaultdict(list))
    named: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By kind, as :class:`pytest_pgfeatures.affects.ParseNode` has it, or ``operator`` or ``extension``."""
    # by function name: the events, and for each the table, of the triggers that run it
    triggers: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))

    def has_function(self, name: str, count: int, schema: str | None = None) -> bool:
        """Whether the application has a function of this name that takes this number of arguments."""
        known = (own for own, low, high in self.functions.get(name, ()) if low <= count <= high)
        return any(own == schema or None in (schema, own) for own in known)

    def has_relation(self, name: str, schema: str | None = None) -> bool:
        """Whether the application has a relation of this name."""
        known = (own.schema for own in self.relations.get(name, ()))
        return any(own == schema or None in (schema, own) for own in known)

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
    SELECT 'own-type', o.typname::text FROM pg_catalog.pg_type AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    UNION ALL SELECT 'operator', o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace WHERE {_OWN}
    UNION ALL SELECT 'extension', extname::text FROM pg_catalog.pg_extension
    UNION ALL SELECT 'parent', o.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS o ON o.oid = i.inhparent WHERE o.relkind = 'r'
"""
_BY_RELKIND = {"p": "partitioned", "f": "foreign", "S": "sequence"}
_MANY = 1000
_EVENTS = {"insert": 1 << 2, "delete": 1 << 3, "update": 1 << 4}
"""The bits of a trigger's events (PostgreSQL's src/include/catalog/pg_trigger.h)."""


def read_catalogs(own: Names, query: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
    """Add the objects in the old server's catalogs, except for those of extensions."""
    for schema, name, low, high, types in query(_FUNCTIONS):
        own.arguments[name].add(tuple(types))
        own.functions[name].append((schema, low, high))
    known: dict[tuple[str, str], dict[str, str]] = {}
    for schema, name, kind, column, of_type in query(_COLUMNS):
        if (schema, name) not in known:
            known[schema, name] = {}
            own.relations[name].append(OwnRelation(schema, known[schema, name]))
            own.named[_BY_RELKIND.get(kind, "own-type")].add(name)
        if column is not None:
            known[schema, name][column] = short(of_type)
    for kind, name in query(_NAMES):
        own.named[kind].add(name)


def read_statement(own: Names, query: Query) -> None:
    """Add the names that a statement creates or sets."""
    tree = Tree(query)
    for statement in (each["stmt"] for each in tree.statements):
        _read_relation(own, statement)
        _read_other(own, statement, tree)


def _read_relation(own: Names, statement: Node) -> None:
    match statement:
        case {"CreateStmt": node}:
            _table(own, node, "partitioned" if "partspec" in node else "own-type")
        case {"CreateForeignTableStmt": {"base": node}}:
            _table(own, node, "foreign")
        case {"ViewStmt": {"view": relation}} | {"CreateTableAsStmt": {"into": {"rel": relation}}}:
            _relation(own, relation)
        case {"CreateSeqStmt": {"sequence": relation}}:
            _relation(own, relation, "sequence")
        case {"AlterTableStmt": {"relation": {"relname": name}, "cmds": commands}}:
            added = (each["AlterTableCmd"].get("def", {}).get("ColumnDef", {}) for each in commands)
            types = {each["colname"]: type_name(each["typeName"]) for each in added if "colname" in each}
            for known in (each.columns for each in own.relations.get(name, ())):
                if known is not None:
                    known |= types


def _table(own: Names, node: Node, kind: str) -> None:
    defined = (each.get("ColumnDef", {}) for each in node.get("tableElts", ()))
    columns = {each["colname"]: type_name(each["typeName"]) for each in defined if "typeName" in each}
    is_known = "tableElts" in node or not (node.keys() & {"partbound", "ofTypename"})
    _relation(own, node["relation"], kind, columns if is_known else None)
    if "partbound" not in node:
        own.named["parent"].update(each["RangeVar"]["relname"] for each in node.get("inhRelations", ()))


def _relation(own: Names, node: Node, kind: str = "own-type", columns: dict[str, str] | None = None) -> None:
    own.relations[node["relname"]].append(OwnRelation(node.get("schemaname"), columns))
    for each in (kind, "own-type", "temporary" if node.get("relpersistence") == "t" else kind):
        own.named[each].add(node["relname"])


def _read_other(own: Names, statement: Node, tree: Tree) -> None:
    match statement:
        case {"CreateFunctionStmt": {"funcname": names}} | {
            "DefineStmt": {"kind": "OBJECT_AGGREGATE", "defnames": names}
        }:
            _function(own, names, tree.parameters)
        case {"DefineStmt": {"kind": "OBJECT_OPERATOR", "defnames": names}}:
            own.named["operator"].add(words(names)[-1])
        case {"CompositeTypeStmt": {"typevar": {"relname": name}}}:
            own.named["own-type"].add(name)
        case (
            {"DefineStmt": {"kind": "OBJECT_TYPE", "defnames": names}}
            | {"CreateEnumStmt": {"typeName": names}}
            | {"CreateRangeStmt": {"typeName": names}}
            | {"CreateDomainStmt": {"domainname": names}}
        ):
            own.named["own-type"].add(words(names)[-1])
        case {"CreateTrigStmt": trigger}:
            events = (event for event, bit in _EVENTS.items() if trigger["events"] & bit)
            found = ((event, trigger["relation"]["relname"]) for event in events)
            own.triggers[words(trigger["funcname"])[-1]].update(found)
        case {"CreateExtensionStmt": {"extname": name}}:
            own.named["extension"].add(name)
        case {"VariableSetStmt": {"name": "session_authorization", "args": args}}:
            roles = (constant_text(each["A_Const"]) for each in args if "A_Const" in each)
            own.named["session-role"].update(roles)


def _function(own: Names, names: list[Node], given: list[Node]) -> None:
    *schemas, name = words(names)
    if {"pg_catalog", "information_schema"}.isdisjoint(schemas):
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
