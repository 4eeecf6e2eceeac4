"""A statement, with the known facts about the names in it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from psycopg.sql import Identifier

from pytest_pgfeatures.readiness.servers.analyzed import NO_SERVERS, Analyzed, Servers
from pytest_pgfeatures.readiness.statements.grammar import column_fields, short, type_name
from pytest_pgfeatures.readiness.statements.settings import settings_used
from pytest_pgfeatures.readiness.statements.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pgfeatures.readiness.names import Names
    from pytest_pgfeatures.readiness.statements.grammar import Node
    from pytest_pgfeatures.readiness.statements.reading import StatementReading
    from pytest_pgfeatures.readiness.statements.settings import SettingNamed

_ROUTINE = re.compile(r"(\w+)\"?\(")
"""The name in ``function public.total(integer)``."""


@dataclass
class StatementContext:
    """A statement, with the known facts about the application's names.

    Parameters:
        reading: the statement.
        own: the application's own objects.
        servers: resolve the names in it.
        as_role: whether an earlier statement of its file has set the role that runs it.
    """

    reading: StatementReading
    own: Names
    servers: Servers = NO_SERVERS
    as_role: bool = False

    @functools.cached_property
    def analyzed(self) -> Analyzed:
        """The names as the old server resolved them; empty if it did not resolve them."""
        return self.servers.old(self.reading.query) or Analyzed()

    @functools.cached_property
    def anew(self) -> Analyzed:
        """The names as the new server resolves them; empty if it does not resolve them."""
        return self.servers.new(self.reading.query) or Analyzed()

    def is_hidden(
        self, name: str, types: tuple[str, ...] | None, hides: Callable[[str], bool] = lambda _: True
    ) -> bool:
        """Whether PostgreSQL's own function hides the application's one in a call with the same types on the
        new server, and not already on the old one, as far as the servers can be asked. One that the old server
        has loaded, and does not find without its schema, is called with it.

        Parameters:
            types: the types of its arguments, if they are known.
            hides: whether PostgreSQL's function that the new server chooses is the one to look for.
        """
        known = self.own.arguments.get(name, set())
        same = [each for each in known if tuple(map(short, each)) == types]
        path = ", ".join(
            Identifier(schema or "public").as_string() for schema, *_ in self.own.functions[name]
        )
        asked = replace(self.reading.query, variables=(), settings=(("search_path", path),))
        given = [", ".join(f"NULL::{one}" for one in each) for each in same or known]
        calls = [replace(asked, sql=f"SELECT {name}({each})") for each in given]
        old, new = (
            [signature for each in calls if (found := ask(each)) for signature in found.functions.values()]
            for ask in self.servers
        )
        found_before = any(map(_is_own, old)) if old else self.reading.query.kind != "schema"
        return not new or (any(not _is_own(each) and hides(each) for each in new) and found_before)

    def begin(self, at: int) -> int:
        """The index at which a name begins, given its last token."""
        while self.reading.keyword(at - 1) == "." and self.reading.name(at - 2) is not None:
            at -= 2
        return self.reading.excerpt_index(at)

    def _type_of_column(self, node: Node) -> str | None:
        """The type of the application's column, or of the routine's variable or its field; None if unknown."""
        *around, name = column_fields(node)
        first = self.tree.at(node)
        column = self.tree.columns.get(first + 2 * len(around))
        named = (each.name for each in (self.tree.reached(column) if column else ()) if each.name is not None)
        found = self.own.column_type(name, named)
        if found is None:
            _, resolved = self.analyzed.columns.get(self.reading.excerpt_index(first), (None, ""))
            found = short(resolved) or None
        variables = dict(self.reading.query.variables)
        if found is not None or not variables or len(around) > 1:
            return found
        if not around:
            return self._resolved(variables.get(name, ""))
        if around[0] in ("new", "old"):
            routine = _ROUTINE.search(self.reading.query.inside or "")
            return self.own.column_type(name, self.own.triggered.get(routine[1], ()) if routine else ())
        return self.own.column_type(name, [variables.get(around[0], "").rpartition(".")[2]])

    def _resolved(self, name: str) -> str | None:
        """A type's name as columns have it; the type of the column for ``orders.total%TYPE``."""
        if name.endswith("%type"):
            relation, _, column = name.removesuffix("%type").rpartition(".")
            return self.own.column_type(column, [relation.rpartition(".")[2]])
        return name or None

    @functools.cached_property
    def tree(self) -> Tree:
        """The statement's tree."""
        return Tree(self.reading)

    @functools.cached_property
    def settings(self) -> tuple[SettingNamed, ...]:
        """The settings that it sets or reads."""
        return tuple(settings_used(self.tree))

    def type_of_constant(self, at: int) -> str | None:
        """The type that a string constant gets, as the old server resolved it, or as the statement and the schema
        show it; None if unknown."""
        resolved = self.analyzed.constants.get(self.reading.excerpt_index(at))
        if resolved is None:
            return self._constants.get(at)
        return short(resolved).rpartition(".")[2]

    @functools.cached_property
    def _constants(self) -> dict[int, str | None]:
        """The types of string constants, as the statement and the schema show them, by token."""
        tree = self.tree
        found: dict[int, str | None] = {}
        for _, node, _ in tree.named.get("A_Expr", ()):
            left, right = node.get("lexpr", {}), node.get("rexpr", {})
            for one, other in ((left, right), (right, left)):
                found.update((at, self.type_of(other)) for at in tree.strings(one))
        for given, node in tree.given:
            for at in tree.strings(node):
                found[at] = given if isinstance(given, str) else self._type_in_row(*given)
        return found

    def _type_in_row(self, relation: str, column: str | int) -> str | None:
        if isinstance(column, str):
            return self.own.column_type(column, [relation])
        known = (list((own.columns or {}).values()) for own in self.own.relations.get(relation, ()))
        return next((types[column] for types in known if column < len(types)), None)

    def type_of(self, node: Node) -> str | None:
        """The type of an expression, as the old server resolved it, or as the statement and the schema show it; of
        a call that it did not resolve, the function's name."""
        called = node.get("A_Expr") or node.get("FuncCall")
        index = self.reading.excerpt_index(self.tree.at(called)) if called else -1
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
            case {"A_ArrayExpr": {"elements": items}} if any(
                "ival" in one.get("A_Const", ()) for one in items
            ):
                return "integer[]"
        return None


def _is_own(signature: str) -> bool:
    """Whether a function that a server chose is not PostgreSQL's: its name has a schema."""
    return "." in signature.partition("(")[0]


def names_without_schema(context: StatementContext) -> bool:
    """Whether a statement names an object of the application or of an extension without schema."""
    own, tree = context.own, context.tree
    return any(
        used.schema is None
        and used.name is not None
        and not used.called
        and own.has_relation(used.name)
        and not tree.is_common(used.name)
        for used in tree.relations
    ) or any(
        call.name in own.functions
        or call.name in _OF_EXTENSIONS
        or _is_own(context.analyzed.functions.get(context.begin(call.at), ""))
        for calls in tree.calls.values()
        for call in calls
        if call.schema is None
    )


_OF_EXTENSIONS = frozenset({
    "unaccent", "similarity", "word_similarity", "hstore", "crypt", "digest", "gen_salt", "uuid_generate_v4",
    "levenshtein", "soundex", "metaphone", "earth_distance", "ll_to_earth",
})  # fmt: skip
"""Functions of contrib extensions, for statements that no server has resolved."""
