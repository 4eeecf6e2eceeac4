"""A statement's tree by PostgreSQL's own grammar: relations, columns, calls, types and operators, and their places.

The grammar knows no catalogs: names are as they are written.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.readiness.statements.grammar import (
    DECLARED,
    Node,
    argument_types,
    as_arguments,
    column_fields,
    constant_text,
    parse,
    text_of,
    type_name,
)
from pytest_pgfeatures.readiness.statements.reading import qualified, without_into

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.statements.reading import StatementReading

_MOST_MASKED = 4
_SYNTAX = "COERCE_SQL_SYNTAX"
_MATCHING = frozenset({"~", "~*", "~~", "~~*"})
_COMPARING = frozenset({"A_Expr", "CaseExpr"})
_WORDS = re.compile(r"\w+")


class RelationNamed(NamedTuple):
    """A relation that a query reads or changes; without a name or as a call, a subquery or function.

    Parameters:
        query: the index of the query's node.
    """

    schema: str | None
    name: str | None
    alias: str | None
    query: int
    called: bool = False


class ColumnNamed(NamedTuple):
    """A column of a query, ``*`` for all.

    Parameters:
        queries: the indexes of the query's node and of those around it, inside out.
        node: the index of its own node.
    """

    name: str
    qualifier: str | None
    queries: tuple[int, ...]
    node: int


class Called(NamedTuple):
    """A function, operator or cast, with its arguments.

    Parameters:
        name: the function's; SQL's own syntax has one, too: ``extract``, ``timezone`` for AT TIME ZONE. Of a cast,
            the type's.
        schema: as it is written.
        at: the last word of its name, the operator, or the word of SQL's syntax.
        arguments: a prefix operator's left one is empty; the types, if this is a signature.
        casts: whether it is a cast.
    """

    name: str
    schema: str | None
    at: int
    arguments: Sequence[Node]
    casts: bool = False


class Noted(NamedTuple):
    """A node of the tree.

    Parameters:
        name: in PostgreSQL's ``nodes/parsenodes.h``; of one that is always the same kind of node, the field's.
        node: its fields.
        around: the index of the node around it; -1 if there is none.
    """

    name: str
    node: Node
    around: int


class Tree:
    """The tree of a statement. All places are tokens of its reading.

    Parameters:
        reading: the statement. If the grammar refuses it, its tree is empty.

    Raises:
        ExtraMissingError: the grammar is not installed.
    """

    def __init__(self, reading: StatementReading) -> None:
        self.reading = reading
        self._starts = [token.start for token in reading.tokens]
        self._offset = 0
        self.is_too_deep = False
        """Whether it is nested too deeply to be read."""
        self.relations: list[RelationNamed] = []
        self.columns: dict[int, ColumnNamed] = {}
        self.nodes: list[Noted] = []
        self.named: dict[str, list[Noted]] = defaultdict(list)
        """The nodes by name."""
        self.calls: dict[str, list[Called]] = defaultdict(list)
        """By name: the functions that are called or named, the operators, and the casts."""
        self.defined: dict[int, tuple[str, ...] | None] = {}
        """By name of a function that the statement creates or drops: its arguments' types, if they are known."""
        self.given: list[tuple[str | tuple[str, str | int], Node]] = []
        """The types and columns (of a relation, by name or number) that are given values, and the expressions."""
        self.statements = self._parsed()
        self._walk(self.statements)

    def _parsed(self) -> list[Node]:
        sql = self.reading.query.sql
        if sql.startswith("DECLARE "):
            sql = as_arguments(sql[8:])
            self._offset = len(DECLARED) - 8
        elif self.reading.query.variables:
            sql = without_into(sql)
        masked: dict[str, str] = {}
        done: set[int] = set()
        for _ in range(_MOST_MASKED):
            try:
                statements, refused_at = parse(sql, masked)
            except RecursionError:
                self.is_too_deep, statements, refused_at = True, [], None
            if refused_at is None:
                break
            at = self._maskable(refused_at - self._offset)
            if at is None or at in done:
                break
            start, end = (
                self.reading.tokens[at].start + self._offset,
                self.reading.tokens[at].end + self._offset,
            )
            mask = chr(ord("z") - len(masked)) + "z" * (end - start - 1)
            masked[mask] = self.reading.name(at) or self.reading.tokens[at].text
            done.add(at)
            sql = sql[:start] + mask + sql[end:]
        self._ascii = sql.isascii()
        self._bytes = b"" if self._ascii else sql.encode("utf-8", "surrogateescape")
        return statements

    def _maskable(self, index: int) -> int | None:
        """The token to parse as another name: a parameter in place of a name, or a function whose name only
        newer versions accept in their grammar."""
        at = bisect.bisect_right(self._starts, index) - 1
        if at < 0:
            return None
        if self.reading.tokens[at].kind == "parameter":
            return at
        return at - 1 if self.reading.keyword(at) == "(" and self.reading.name(at - 1) is not None else None

    def at(self, node: Node, key: str = "location") -> int:
        """The token at which a node begins."""
        location = int(node.get(key, 0))
        if not self._ascii:
            location = len(self._bytes[:location].decode("utf-8", "surrogateescape"))
        return max(bisect.bisect_right(self._starts, location - self._offset) - 1, 0)

    @functools.cached_property
    def keys(self) -> frozenset[str]:
        """The names of its nodes, of the functions that it calls or defines, and of its columns."""
        columns = (each.name for each in self.columns.values())
        defined = (self.reading.name(at) or "" for at in self.defined)
        return frozenset((*self.named, *self.calls, *columns, *defined))

    def _walk(self, nodes: list[Node]) -> None:
        """Note the contents of the trees. Operands may be nested more deeply than Python allows recursive calls."""
        left: list[tuple[str, Any, tuple[int, ...], int]] = [("", nodes, (-1,), -1)]
        while left:
            key, node, queries, around = left.pop()
            if isinstance(node, list):
                left += [
                    (key, each, queries, around) for each in reversed(node) if isinstance(each, dict | list)
                ]
                continue
            if key == "SortBy" and _sorts_output(node, self.nodes[around].node):
                continue
            if len(node) != 1 or not next(iter(node))[0].isupper():  # otherwise it only holds a node
                self.nodes.append(Noted(key, node, around))
                self.named[key].append(self.nodes[-1])
                around = len(self.nodes) - 1
            if key.endswith("Stmt") or "limitOption" in node:
                queries = (around, *queries)
            self._note(key, node, queries)
            left += [
                (name, value, queries, around)
                for name, value in reversed(node.items())
                if isinstance(value, dict | list)
            ]

    def _note(self, key: str, node: Node, queries: tuple[int, ...]) -> None:
        """Note a node of the tree."""
        self._note_values(key, node)
        alias = node.get("alias", {}).get("aliasname")
        if "relname" in node:
            self.relations.append(RelationNamed(node.get("schemaname"), node["relname"], alias, queries[0]))
        elif key in ("RangeSubselect", "RangeFunction"):
            self.relations.append(RelationNamed(None, _called(node), alias, queries[0], called=True))
        elif key == "ColumnRef":
            fields = column_fields(node)
            at = self.at(node) + 2 * len(fields) - 2
            qualifier = fields[-2] if len(fields) > 1 else None
            self.columns[at] = ColumnNamed(fields[-1], qualifier, queries, len(self.nodes) - 1)
        elif key == "A_Expr":
            left, right = node.get("lexpr", {}), node.get("rexpr", {})
            name = node["name"][-1]["String"]["sval"]
            self.calls[name].append(Called(name, None, self.at(node), (left, right)))
        elif key == "FuncCall" or key.startswith("Json") or key == "constructor":
            self._note_call(node)
        else:
            self._note_function(key, node)

    def reached(self, column: ColumnNamed) -> list[RelationNamed]:
        """The relations that a column may belong to."""
        return [
            each
            for each in self.relations
            if each.query in column.queries and column.qualifier in (None, each.alias or each.name)
        ]

    def is_common(self, name: str | None) -> bool:
        """Whether a name is that of a WITH query."""
        return any(name == each.node["ctename"] for each in self.named.get("CommonTableExpr", ()))

    def is_of_exists(self, column: ColumnNamed) -> bool:
        """Whether a column is in the output of the query of EXISTS, which is not used."""
        around = self.nodes[column.queries[0]].around
        return around >= 0 and self.nodes[around].node.get("subLinkType") == "EXISTS_SUBLINK"

    def _note_values(self, key: str, node: Node) -> None:
        """Note the expressions of a node that get a type from it."""
        if key == "TypeCast":
            to = type_name(node["typeName"])
            self.calls[to].append(Called(to, None, self.at(node["typeName"]), (node["arg"],), casts=True))
            self.given.append((to, node["arg"]))
        elif key == "ColumnDef" and "typeName" in node:
            constraints = (each["Constraint"] for each in node.get("constraints", ()))
            of_type = type_name(node["typeName"])
            self.given += ((of_type, each["raw_expr"]) for each in constraints if "raw_expr" in each)
        elif key == "FunctionParameter" and "defexpr" in node:
            self.given.append((type_name(node["argType"]), node["defexpr"]))
        elif key in ("InsertStmt", "UpdateStmt"):
            relation, query = node["relation"]["relname"], node.get("selectStmt", {}).get("SelectStmt", {})
            named = [each["ResTarget"]["name"] for each in node.get("cols", ())]
            rows = [each["List"]["items"] for each in query.get("valuesLists", ())]
            rows.append([each.get("ResTarget", {}).get("val", {}) for each in query.get("targetList", ())])
            for row in rows:
                places = zip(named or range(len(row)), row, strict=False)
                self.given += (((relation, column), each) for column, each in places)
            for target in (each["ResTarget"] for each in node.get("targetList", ())):
                self.given.append(((relation, target.get("name", "")), target.get("val", {})))

    def _note_call(self, node: Node) -> None:
        if "location" not in node:
            return
        begin = self.at(node)
        name, schema, end = qualified(self.reading, begin)
        at = max(begin, end - 1)
        called = node["funcname"][-1]["String"]["sval"] if "funcname" in node else name or ""
        if called == name and self.reading.keyword(at + 1) != "(" and node.get("funcformat") != _SYNTAX:
            return
        unknown: list[Node] = [{} for _ in self.reading.split(at + 2, self.reading.closing(at + 1))]
        given = node.get("args", () if "funcname" in node else unknown)
        self.calls[called].append(Called(called, schema, at, given))

    def _note_function(self, key: str, node: Node) -> None:
        """Note a function that the statement creates, drops or names. The tree has no places of these."""
        names = node.get("objname" if key == "ObjectWithArgs" else "funcname")
        if key == "DefineStmt" and node.get("kind") == "OBJECT_AGGREGATE":
            names = node["defnames"]
        if not names:
            return
        creates = key in ("CreateFunctionStmt", "DefineStmt") or self.reading.keyword(0) == "drop"
        name = names[-1].get("String", {}).get("sval")
        for at in self.reading.positions.get(name, ()):
            if self.reading.keyword(at + 1) == "(":
                if creates:
                    self.defined[at] = argument_types(node["parameters"]) if "parameters" in node else None
                else:
                    schema = self.reading.name(at - 2) if self.reading.keyword(at - 1) == "." else None
                    self.calls[name].append(Called(name, schema, at, node.get("objargs", ())))
                return

    def around(self, index: int) -> Iterator[int]:
        """The indexes of the nodes around a node, inside out."""
        while (index := self.nodes[index].around) >= 0:
            yield index

    def compared_with(self, column: ColumnNamed) -> Iterator[tuple[int, str]]:
        """The constants that a column is compared with, and their parts, with their places."""
        within = itertools.takewhile(lambda index: index != column.queries[0], self.around(column.node))
        comparing = next((index for index in within if self.nodes[index].name in _COMPARING), -1)
        matches = comparing >= 0 and text_of(self.nodes[comparing].node.get("name", [])) in _MATCHING
        for index, noted in enumerate(self.nodes):
            if noted.name == "A_Const" and comparing in self.around(index):
                at, text = self.at(noted.node), constant_text(noted.node)
                parts = text[1:-1].split(",") if text.startswith("{") else _WORDS.findall(text) * matches
                yield from ((at, part.strip('" ')) for part in (text, *parts))

    def strings(self, node: Node) -> list[int]:
        """The tokens of the string constants that an expression is, or that a list or array has."""
        if "sval" in node.get("A_Const", ()):
            return [self.at(node["A_Const"])]
        items = node.get("List", {}).get("items") or node.get("A_ArrayExpr", {}).get("elements", ())
        return [at for each in items for at in self.strings(each)]


def _sorts_output(node: Node, query: Node) -> bool:
    """Whether a query sorts by a name that it gives to an output column."""
    targets = [each["ResTarget"] for each in query.get("targetList", ()) if "ResTarget" in each]
    unnamed = (each.get("val", {}).get("ColumnRef", {}) for each in targets if "name" not in each)
    outputs = {each.get("name") for each in targets}
    outputs |= {names[-1] for names in map(column_fields, unnamed) if len(names) > 1}
    fields = column_fields(node.get("node", {}).get("ColumnRef", {}))
    return len(fields) == 1 and fields[0] in outputs


def _called(node: Node) -> str | None:
    """The function that is called in FROM."""
    functions = node.get("functions")
    names = functions[0]["List"]["items"][0].get("FuncCall", {}).get("funcname") if functions else None
    return names[-1]["String"]["sval"] if names else None
