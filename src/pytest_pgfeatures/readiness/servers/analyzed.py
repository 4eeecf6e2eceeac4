"""A statement's names as a server resolved them, from the parse tree that it prints, and the server's functions,
operators and relations by OID, which such trees have: see ``debug_print_parse`` in
https://www.postgresql.org/docs/current/runtime-config-logging.html
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import psycopg

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.embedded import Substituted
from pytest_pgfeatures.scripts.source import encoded

_SCHEMA = "CASE n.nspname WHEN 'pg_catalog' THEN '' ELSE quote_ident(n.nspname) || '.' END"
_EXTENSIONS = """
      LEFT JOIN (pg_depend AS d JOIN pg_extension AS e ON d.deptype = 'e' AND e.oid = d.refobjid)
             ON d.classid = '{0}'::regclass AND d.objid = {1}.oid
"""
_CALLED = f"""
    SELECT false, p.oid::bigint, {_SCHEMA} || quote_ident(p.proname), p.proargtypes::text, p.provolatile::text,
           e.extname::text, a.aggfnoid IS NOT NULL, n.nspname = 'pg_catalog' AND p.proacl::text !~ '[{{,]='
      FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      LEFT JOIN pg_aggregate AS a ON a.aggfnoid = p.oid {_EXTENSIONS.format("pg_proc", "p")}
     UNION ALL
    SELECT true, o.oid::bigint, {_SCHEMA} || o.oprname, o.oprleft || ' ' || o.oprright, p.provolatile::text,
           e.extname::text, false, false
      FROM pg_operator AS o JOIN pg_namespace AS n ON n.oid = o.oprnamespace
      LEFT JOIN pg_proc AS p ON p.oid = o.oprcode {_EXTENSIONS.format("pg_operator", "o")}
"""
_TYPES = "SELECT oid::bigint, format_type(oid, NULL) FROM pg_type"
_QUOTED = re.compile(r'"([a-z_][a-z0-9_]*+)"(?=[.(])')
"""A name in quotes that it needs only if it is a key word; servers differ in these."""


class Signature(NamedTuple):
    """A function or operator."""

    name: str  # with its schema, unless that is pg_catalog, in the quotes that they need
    types: tuple[str, ...]  # of its arguments
    volatility: str | None  # i, s or v, as pg_proc has it
    extension: str | None = None
    is_aggregate: bool = False
    is_restricted: bool | None = False  # whether it is PostgreSQL's, and PUBLIC may not call it

    @property
    @functools.cache  # noqa: B019 - trees have a few of a server's
    def signature(self) -> str:
        """Such as ``lower(text)`` and ``public.total(integer)``."""
        return _QUOTED.sub(r"\1", f"{self.name}({','.join(self.types)})") if self.name else ""

    @property
    def has_schema(self) -> bool:
        """Whether its schema is not pg_catalog."""
        return "." in self.name

    @property
    def is_own(self) -> bool:
        """Whether it is neither PostgreSQL's nor an extension's."""
        return self.has_schema and self.extension is None

    @property
    def bare_name(self) -> str:
        """The name without the schema."""
        return self.name.rpartition(".")[2].strip('"')


class ServerNames(NamedTuple):
    """A server's objects by OID. Those in pg_catalog have no schema in their names."""

    called: Mapping[tuple[bool, int], Signature]  # the keys say whether it is an operator
    relations: Mapping[int, str]
    types: Mapping[int, str]


def names_on(connection: psycopg.Connection) -> ServerNames:
    """The names that a server knows. Types have no schema if it is in the connection's search path."""
    found: dict[tuple[bool, int], Signature] = {}
    known: dict[int, str] = dict(connection.execute(_TYPES).fetchall())
    with connection.transaction():
        connection.execute("SET LOCAL search_path = ''")
        types = {0: "NONE", **dict(connection.execute(_TYPES).fetchall())}
        for is_operator, oid, name, arguments, *facts in connection.execute(_CALLED):
            of_types = tuple(types[int(each)] for each in arguments.split())
            found[is_operator, oid] = Signature(name, of_types, *facts)
        named = connection.execute("SELECT oid::bigint, oid::regclass::text FROM pg_class")
        relations = {oid: _QUOTED.sub(r"\1", name) for oid, name in named}
    return ServerNames(found, relations, known)


_PART = re.compile(
    r"\\(.)|\{([A-Z]+)|\}"
    r"|:(funcid|aggfnoid|winfnoid|funcresulttype|aggtype|wintype|opno|opresulttype|varno|varlevelsup|vartype"
    r"|consttype|relid|location)\s(-?[0-9]++)"
    r"|:constvalue\s[0-9]++\s\[([-0-9\s]++)\]"
)
"""The parts of a tree that are read. The server breaks long lines at spaces. Each part begins with a literal
character, for which Python searches fast."""
_RESULTS = ("funcresulttype", "aggtype", "wintype", "opresulttype")
_BOOLEAN = 16  # the OID of this type
NO_CALL = Signature("", (), None)  # none, or one that did not exist when the names were read


@dataclass(frozen=True, slots=True)
class Analyzed:
    """A statement's names as a server resolved them, by the index at which they begin."""

    calls: dict[int, Signature] = field(default_factory=dict)  # functions and operators
    results: dict[int, str] = field(default_factory=dict)  # the types that these return
    columns: dict[int, tuple[str | None, str]] = field(default_factory=dict)
    """The relation, or None for a subquery, and the type; for ``*`` those of the last column."""
    constants: dict[int, str] = field(default_factory=dict)  # their types
    values: dict[int, str] = field(default_factory=dict)  # of constants, alike in every version
    relations: set[str] = field(default_factory=set)
    called: dict[str, Signature] = field(default_factory=dict)  # by signature


NO_NAMES = Analyzed()  # the names of a statement that no server has resolved


class Servers(NamedTuple):
    """Ask a server for the names in a statement; none if it can't be asked or refuses the statement."""

    old: Callable[[Query], Analyzed] = lambda _: NO_NAMES
    new: Callable[[Query], Analyzed] = lambda _: NO_NAMES


def analyzed_tree(tree: str, names: ServerNames, sent: Substituted) -> Analyzed:
    """Read what a server printed for a statement."""
    found = Analyzed()
    nodes: list[tuple[str, dict[str, Any]]] = []
    tables: list[dict[int, str | None]] = []  # the range tables of the queries around; None for subqueries
    sql, is_ascii = encoded(sent.sql), sent.sql.isascii()
    for part in _PART.finditer(tree):
        escaped, kind, name, value, constant = part.groups()
        if kind is not None:
            nodes.append((kind, {}))
            if kind == "QUERY":
                tables.append({})
        elif name is not None and nodes:
            nodes[-1][1][name] = int(value)
        elif constant is not None and nodes:
            nodes[-1][1]["constvalue"] = " ".join(constant.split())
        elif escaped is None and nodes:
            kind, fields = nodes.pop()
            if kind == "QUERY":
                tables.pop()
            elif kind in ("RTE", "RANGETBLENTRY") and tables:
                relation = names.relations.get(fields.get("relid", 0))
                tables[-1][len(tables[-1]) + 1] = relation
                found.relations.update([relation] if relation else [])
            else:
                at = location = fields.get("location", -1)
                if location > 0 and not is_ascii:
                    at = len(sql[:location].decode(errors="surrogateescape"))
                level = fields.get("varlevelsup", 0)
                table = tables[-1 - level] if level < len(tables) else {}
                _note(found, fields, names, table, sent.original(at) if location >= 0 else None)
    return found


def _note(
    found: Analyzed, fields: dict[str, Any], names: ServerNames, table: dict[int, str | None], at: int | None
) -> None:
    """Note a node, and its place if it has one."""
    function = fields.get("funcid") or fields.get("aggfnoid") or fields.get("winfnoid")
    if function or fields.get("opno"):
        # = ANY has no field for its type
        result = next((fields[each] for each in _RESULTS if each in fields), 0 if function else _BOOLEAN)
        called = names.called.get((not function, function or fields["opno"]), NO_CALL)
        found.called.update({called.signature: called} if called.name else {})
        if at is not None:
            found.calls.update({at: called} if called.name else {})
            found.results.update({at: names.types.get(result, "?")} if result else {})
    elif at is not None and "consttype" in fields:
        found.constants[at] = names.types.get(fields["consttype"], "?")
        found.values.update({at: fields["constvalue"]} if "constvalue" in fields else {})
    elif at is not None and "varno" in fields:
        found.columns[at] = table.get(fields["varno"]), names.types.get(fields["vartype"], "?")
