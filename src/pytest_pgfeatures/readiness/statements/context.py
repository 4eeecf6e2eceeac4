"""A statement, with the known facts about the names in it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.names import Names
from pytest_pgfeatures.readiness.servers.analyzed import Analyzed, Servers, Signature
from pytest_pgfeatures.readiness.statements.grammar import Node, short, type_name, words
from pytest_pgfeatures.readiness.statements.settings import SettingNamed, settings_used
from pytest_pgfeatures.readiness.statements.trees import Tree

_ROUTINE = re.compile(r"\b(\w++)\"?\(")  # the name in function public.total(integer)


class StatementContext(Tree):
    """A statement, with the known facts about the application's names."""

    def __init__(self, query: Query, own: Names, servers: Servers, *, as_role: bool = False) -> None:
        super().__init__(query)
        self.own, self.servers = own, servers
        self.as_role = as_role  # whether an earlier statement of its file has set the role that runs it

    @functools.cached_property
    def analyzed(self) -> Analyzed:
        """The names as the old server resolved them; empty if it did not resolve them."""
        return self.servers.old(self.query)

    @functools.cached_property
    def anew(self) -> Analyzed:
        """The names as the new server resolves them; empty if it does not resolve them."""
        return self.servers.new(self.query)

    def chosen(self, at: int) -> tuple[Signature | None, Signature | None]:
        """The function or operator that the old and the new server choose for the name that ends at a token."""
        begin = self.begin(at)
        return self.analyzed.calls.get(begin), self.anew.calls.get(begin)

    def begin(self, at: int) -> int:
        """The index at which a name begins, given its last token."""
        while self.keyword(at - 1) == "." and self.name(at - 2) is not None:
            at -= 2
        return self.excerpt_index(at)

    def _type_of_column(self, node: Node) -> str | None:
        """The type of a column, or of the routine's variable or its field; None if unknown."""
        *around, name = words(node["fields"])
        first = self.at(node)
        _, resolved = self.analyzed.columns.get(self.excerpt_index(first), (None, ""))
        column = self.columns.get(first + 2 * len(around))
        relations = [each.name or "" for each in (self.reached(column) if column else ())]
        found = short(resolved) or self.own.column_type(name, relations)
        variables = dict(self.query.variables)
        if found or len(around) > 1:
            return found
        if not around:
            *around, name = variables.get(name, "").removesuffix("%type").split(".")
            return self.own.column_type(name, around[-1:]) if around else name or None
        if around[0] in ("new", "old"):
            routine = _ROUTINE.search(self.query.inside or "")
            triggers = self.own.triggers.get(routine[1], ()) if routine else ()
            return self.own.column_type(name, (table for _, table in triggers))
        return self.own.column_type(name, [variables.get(around[0], "").rpartition(".")[2]])

    @functools.cached_property
    def settings(self) -> tuple[SettingNamed, ...]:
        """The settings that it sets or reads."""
        return tuple(settings_used(self))

    def type_of_constant(self, at: int) -> str | None:
        """The type that a string constant gets; None if unknown."""
        resolved = self.analyzed.constants.get(self.excerpt_index(at))
        return self._constants.get(at) if resolved is None else short(resolved).rpartition(".")[2]

    @functools.cached_property
    def _constants(self) -> dict[int, str | None]:
        """The types of string constants, as the statement and the schema show them, by token."""
        return {at: of_type for of_type, node in self._given() for at in self.constants(node)}

    def _given(self) -> Iterator[tuple[str | None, Node]]:
        """The types that operands, casts, declarations and columns give to expressions, and these."""
        for node in self.of("A_Expr"):
            left, right = node.get("lexpr", {}), node.get("rexpr", {})
            yield from ((self.type_of(right), left), (self.type_of(left), right))
        yield from ((type_name(node["typeName"]), node["arg"]) for node in self.of("TypeCast"))
        declared = self.of("FunctionParameter")
        yield from ((type_name(node["argType"]), node.get("defexpr", {})) for node in declared)
        for node in self.of("ColumnDef"):
            for each in node.get("constraints", ()) if "typeName" in node else ():
                yield type_name(node["typeName"]), each["Constraint"].get("raw_expr", {})
        for node in self.of("InsertStmt", "UpdateStmt"):
            relation, query = node["relation"]["relname"], node.get("selectStmt", {}).get("SelectStmt", {})
            known = (list(own.columns) for own in self.own.relations.get(relation, ()) if own.columns)
            columns = [each["ResTarget"]["name"] for each in node.get("cols", ())] or next(known, [])
            rows = [each["List"]["items"] for each in query.get("valuesLists", ())]
            rows.append([each["ResTarget"].get("val", {}) for each in query.get("targetList", ())])
            cells = [cell for row in rows for cell in zip(columns, row, strict=False)]
            targets = (each["ResTarget"] for each in node.get("targetList", ()))
            cells += ((each.get("name", ""), each.get("val", {})) for each in targets)
            yield from ((self.own.column_type(column, [relation]), value) for column, value in cells)

    def type_of(self, node: Node) -> str | None:
        """The type of an expression; of a call that the old server did not resolve, the function's name."""
        called = node.get("A_Expr") or node.get("FuncCall")
        index = self.excerpt_index(self.at(called)) if called else -1
        if index in self.analyzed.results:
            return short(self.analyzed.results[index])
        match node:
            case {"ColumnRef": column}:
                return self._type_of_column(column)
            case {"TypeCast": {"typeName": name}}:
                return type_name(name)
            case {"FuncCall": {"funcname": [*_, {"String": {"sval": str(name)}}]}}:
                return name
            case {"A_Indirection": {"arg": arg}}:
                return (self.type_of(arg) or "").removesuffix("[]") or None
            case {"A_Expr": {"name": [*_, {"String": {"sval": "->" | "#>"}}], "lexpr": left}}:
                return "jsonb" if self.type_of(left) != "hstore" else "text"
            case {"SQLValueFunction": {"op": "SVFOP_CURRENT_DATE"}}:
                return "date"
            case {"A_Const": {"ival": _}}:
                return "integer"
            case {"A_ArrayExpr": {"elements": items}}:
                return "integer[]" if any("ival" in one.get("A_Const", ()) for one in items) else None
        return None


def without_schema(context: StatementContext) -> Iterator[int]:
    """The names in a statement that stand without schema for objects of the application or of an extension."""
    own = context.own
    for name in (used.name for used in context.relations if used.schema is None and used.name):
        if own.has_relation(name) and not context.is_common(name):
            yield context.positions[name][0]
    for call in (call for some in context.calls.values() for call in some if call.schema is None):
        resolved = context.analyzed.calls.get(context.begin(call.at))
        if call.name in own.functions or (resolved and resolved.has_schema):
            yield call.at
