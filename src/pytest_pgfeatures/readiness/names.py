"""Names of an application's own objects: from the catalogs of the old server with the schema loaded, and from the
application's CREATE statements, which suffice if there is no server."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.statements.grammar import OUTPUT, constant_text, parse, short, type_name
from pytest_pgfeatures.readiness.statements.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pgfeatures.readiness.statements.grammar import Node
    from pytest_pgfeatures.readiness.statements.reading import StatementReading


@dataclass(slots=True)
class OwnRelation:
    """A relation of the application.

    Parameters:
        schema: the schema; None if the statement does not name it.
        kind: ``table``, ``view``, ``sequence``, ...
        columns: the types by column; None if they are unknown, as for views.
        partitioned: whether it is a partitioned table.
    """

    schema: str | None
    kind: str
    columns: dict[str, str] | None = None
    partitioned: bool = False


@dataclass(slots=True)
class Names:
    """The names of the application's own objects."""

    functions: dict[str, list[tuple[str | None, int, int]]] = field(default_factory=lambda: defaultdict(list))
    """By name: the schema, and the minimum and maximum number of arguments."""
    relations: dict[str, list[OwnRelation]] = field(default_factory=lambda: defaultdict(list))
    types: set[str] = field(default_factory=set)
    operators: set[str] = field(default_factory=set)
    parents: set[str] = field(default_factory=set)
    """Tables that other tables inherit from."""
    extensions: set[str] = field(default_factory=set)
    arguments: dict[str, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the types of its arguments, as format_type() writes them, if a server knows them."""
    temporary: set[str] = field(default_factory=set)
    """Temporary tables and views."""
    path_functions: set[str] = field(default_factory=set)
    """Functions that name objects without a schema and don't set search_path."""
    events: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the events of the triggers that run it."""
    triggered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By function name: the tables of the triggers that run it."""
    session_roles: set[str] = field(default_factory=set)
    """Roles in SET SESSION AUTHORIZATION."""
    cursors: set[str] = field(default_factory=set)
    """Cursor variables of PL/pgSQL that are declared with a query."""

    def has_function(self, name: str, count: int, schema: str | None = None) -> bool:
        """Whether the application has a function of this name that takes this number of arguments."""
        return any(
            low <= count <= high and (schema is None or own is None or own == schema)
            for own, low, high in self.functions.get(name, ())
        )

    def has_relation(self, name: str, schema: str | None = None) -> bool:
        """Whether the application has a relation of this name."""
        return any(
            schema is None or own.schema is None or own.schema == schema
            for own in self.relations.get(name, ())
        )

    def is_of_kind(self, name: str | None, kind: str) -> bool:
        """Whether a relation of this name is of a kind."""
        return any(own.kind == kind for own in self.relations.get(name or "", ()))

    def column_type(self, column: str, relations: Iterable[str]) -> str | None:
        """The type of a column that one of the given relations has; None if unknown."""
        for name in relations:
            for own in self.relations.get(name, ()):
                if own.columns and column in own.columns:
                    return own.columns[column]
        return None

    def has_column(self, column: str, relation: str) -> bool | None:
        """Whether a relation of the application has a column; None if its columns are unknown."""
        found = self.relations.get(relation, ())
        if not found or any(own.columns is None for own in found):
            return None
        return any(own.columns and column in own.columns for own in found)


_OWN = """n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
    AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d WHERE d.objid = o.oid AND d.deptype = 'e')"""
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
_TYPES = """
    SELECT t.typname::text FROM pg_catalog.pg_type AS t
        JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""
_OPERATORS = f"""
    SELECT o.oprname::text FROM pg_catalog.pg_operator AS o
        JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace WHERE {_OWN}
"""
_EXTENSIONS = "SELECT extname::text FROM pg_catalog.pg_extension"
_PARENTS = """
    SELECT DISTINCT c.relname::text FROM pg_catalog.pg_inherits AS i
        JOIN pg_catalog.pg_class AS c ON c.oid = i.inhparent WHERE c.relkind = 'r'
"""
_KINDS = {
    "r": "table", "p": "table", "v": "view", "m": "view", "f": "foreign table", "S": "sequence", "c": "type",
}  # fmt: skip


def read_catalogs(own: Names, query: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
    """Add the objects in the old server's catalogs, except for those of extensions."""
    for schema, name, low, high, types in query(_FUNCTIONS):
        own.arguments[name].add(tuple(types))
        own.functions[name].append((schema, low, high))
    known: dict[tuple[object, object], OwnRelation] = {}
    for schema, name, kind, column, of_type in query(_COLUMNS):
        relation = known.get((schema, name))
        if relation is None:
            relation = OwnRelation(schema, _KINDS[kind], {}, partitioned=kind == "p")
            known[schema, name] = relation
            own.relations[name].append(relation)
        if column is not None and relation.columns is not None:
            relation.columns[column] = short(of_type)
    for names, sql in (
        (own.types, _TYPES),
        (own.operators, _OPERATORS),
        (own.extensions, _EXTENSIONS),
        (own.parents, _PARENTS),
    ):
        names.update(name for (name,) in query(sql))
    own.types.difference_update(str(name) for _, name in known)


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
