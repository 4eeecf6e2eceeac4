"""A statement's tree by PostgreSQL's own grammar: relations, columns, calls, types and operators, and their places.

The grammar knows no catalogs: names are as they are written."""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements import grammar
from pytest_pgfeatures.readiness.statements.grammar import Node, Noted, noted_in, text_of, type_name, words
from pytest_pgfeatures.readiness.statements.reading import StatementReading, qualified

_MOST_MASKED = 4
_MATCHING = frozenset({"~", "~*", "~~", "~~*"})
_WORDS = re.compile(r"\w+")
_CREATE = "CREATE FUNCTION f("  # makes arguments of a declaration of PL/pgSQL
_TEXTS = frozenset({
    "text", "varchar", "character varying", "char", "character", "name", "json", "jsonb", "xml", "regtype",
})  # fmt: skip
"""Types whose values show how a number is written, or its type."""
_VALUED = frozenset({"A_Expr", "FuncCall", "CoalesceExpr", "MinMaxExpr", "CaseExpr", "CaseWhen"})
"""Nodes whose value is made of those in them."""
_NO_TYPE = re.compile(r"\b(?:constant|not\s+null)\b|%\s*rowtype\b", re.IGNORECASE)


class RelationNamed(NamedTuple):
    """A relation that a query reads or changes, or a function in FROM; a subquery has no name."""

    schema: str | None
    name: str | None
    alias: str | None
    query: Noted | None


class ColumnNamed(NamedTuple):
    """A column of a query, ``*`` for all."""

    name: str
    qualifier: str | None
    queries: Sequence[Noted]  # and those around it, inside out
    noted: Noted


class Called(NamedTuple):
    """A function, operator or cast, with its arguments."""

    name: str  # SQL's own syntax has one, too: timezone for AT TIME ZONE; of a cast, the type's
    schema: str | None
    at: int  # the last word of its name, the operator, or the word of SQL's syntax
    arguments: Sequence[Node]  # a prefix operator's left one is empty; the types, if this is a signature
    casts: bool = False


class Tree(StatementReading):
    """A statement's tokens, and its tree with their places; empty if the grammar refuses it."""

    def __init__(self, query: Query) -> None:
        super().__init__(query)
        self._starts = [token.start for token in self.tokens]
        self._offset = 0
        self.is_too_deep = False  # whether it is nested too deeply to be read
        self.too_long: set[int] = set()  # tokens with a value that is too long to be compared
        self.relations: list[RelationNamed] = []
        self.columns: dict[int, ColumnNamed] = {}
        self.named: dict[str, list[Noted]] = defaultdict(list)
        self.calls: dict[str, list[Called]] = defaultdict(list)  # functions, operators, and casts, by name
        self.defined: dict[int, tuple[str, ...] | None] = {}
        """By name of a function that the statement creates or drops: its arguments' types, if they are known."""
        self.statements = self._parsed()
        for noted in noted_in(self.statements):
            if not (_sorts_output(noted) or (noted.around and _sorts_output(noted.around))):
                self.named[noted.name].append(noted)
        for noted in itertools.chain.from_iterable(self.named.values()):
            self._note(noted)

    def _parsed(self) -> list[Node]:
        sql = self.query.sql
        if sql.startswith("DECLARE "):
            bare = _NO_TYPE.sub(lambda found: " " * len(found[0]), sql[8:]).replace(":=", " =")
            sql, self._offset = f"{_CREATE}{bare}) RETURNS int LANGUAGE sql AS ''", len(_CREATE) - 8
        else:
            sql = self.without_into()
        masked: list[tuple[str, str]] = []
        for _ in range(_MOST_MASKED):
            try:
                statements, refused_at = grammar.parse(sql, masked)
            except RecursionError:
                self.is_too_deep, statements, refused_at = True, [], None
            if refused_at is None:
                break
            # a parameter in place of a name, or the name of a function that only newer grammars accept
            at = bisect.bisect_right(self._starts, refused_at - self._offset) - 1
            if at < 0 or self.tokens[at].kind != "parameter":
                at -= 1
                if self.keyword(at + 1) != "(" or self.name(at) is None:
                    break
            token = self.tokens[at]
            start, end = token.start + self._offset, token.end + self._offset
            mask = chr(ord("z") - len(masked)) + "z" * (end - start - 1)
            masked.append((mask, self.name(at) or token.text))
            sql = sql[:start] + mask + sql[end:]
        self._bytes = b"" if sql.isascii() else sql.encode("utf-8", "surrogateescape")
        return statements

    def at(self, node: Node, key: str = "location") -> int:
        """The token at which a node begins."""
        location = int(node.get(key, 0))
        index = len(self._bytes[:location].decode("utf-8", "surrogateescape")) if self._bytes else location
        return max(bisect.bisect_right(self._starts, index - self._offset) - 1, 0)

    @functools.cached_property
    def keys(self) -> frozenset[str]:
        """The names of its nodes, of the functions that it calls or defines, and of its columns."""
        defined = (self.name(at) or "" for at in self.defined)
        return frozenset((*self.named, *self.calls, *(each.name for each in self.columns.values()), *defined))

    def of(self, *names: str) -> Iterator[Node]:
        """The nodes with these names."""
        return (noted.node for name in names for noted in self.named.get(name, ()))

    @property
    def parameters(self) -> list[Node]:
        """The parameters of the function that it creates that a call passes."""
        outer = ("FUNC_PARAM_OUT", "FUNC_PARAM_TABLE")
        return [each for each in self.of("FunctionParameter") if each.get("mode") not in outer]

    def _note(self, noted: Noted) -> None:
        """Note a node of the tree."""
        key, node = noted.name, noted.node
        alias = node.get("alias", {}).get("aliasname")
        if "relname" in node or key in ("RangeSubselect", "RangeFunction"):
            in_from = (each.node for each in noted_in(node.get("functions", [])) if each.name == "FuncCall")
            name = node.get("relname") or next((words(each["funcname"])[-1] for each in in_from), None)
            query = next(iter(noted.queries), None)
            self.relations.append(RelationNamed(node.get("schemaname"), name, alias, query))
        elif key == "ColumnRef":
            *qualifiers, name = words(node["fields"])
            at = self.at(node) + 2 * len(qualifiers)
            self.columns[at] = ColumnNamed(name, qualifiers[-1] if qualifiers else None, noted.queries, noted)
        elif key == "A_Expr":
            name = words(node["name"])[-1]
            operands = node.get("lexpr", {}), node.get("rexpr", {})
            self.calls[name].append(Called(name, None, self.at(node), operands))
        elif key == "TypeCast":
            name, at = type_name(node["typeName"]), self.at(node["typeName"])
            self.calls[name].append(Called(name, None, at, (node["arg"],), casts=True))
        elif (key == "FuncCall" or key.startswith("Json") or key == "constructor") and "location" in node:
            self._note_call(node)
        else:
            self._note_function(key, node)

    def reached(self, column: ColumnNamed) -> list[RelationNamed]:
        """The relations that a column may belong to."""
        near = (each for each in self.relations if each.query in column.queries)
        return [each for each in near if column.qualifier in (None, each.alias or each.name)]

    def is_common(self, name: str | None) -> bool:
        """Whether a name is that of a WITH query."""
        return any(name == each["ctename"] for each in self.of("CommonTableExpr"))

    def _note_call(self, node: Node) -> None:
        begin = self.at(node)
        name, schema, end = qualified(self, begin)
        at = max(begin, end - 1)
        called = words(node["funcname"])[-1] if "funcname" in node else name or ""
        if called == name and self.keyword(at + 1) != "(" and node.get("funcformat") != "COERCE_SQL_SYNTAX":
            return
        given = node.get("args", ())
        if "funcname" not in node and "args" not in node:
            given = [{} for _ in self.split(at + 2, self.closing(at + 1))]
        self.calls[called].append(Called(called, schema, at, given))

    def _note_function(self, key: str, node: Node) -> None:
        """Note a function that the statement creates, drops or names. The tree has no places of these."""
        is_aggregate = key == "DefineStmt" and node.get("kind") == "OBJECT_AGGREGATE"
        field = "defnames" if is_aggregate else "objname" if key == "ObjectWithArgs" else "funcname"
        if field not in node:
            return
        *schemas, name = words(node[field])
        called = [at for at in self.positions.get(name, ()) if self.keyword(at + 1) == "("]
        if called and (key in ("CreateFunctionStmt", "DefineStmt") or self.keyword(0) == "drop"):
            types = tuple(type_name(each["argType"]) for each in self.parameters)
            self.defined[called[0]] = types if "parameters" in node else None
        elif called:
            schema = schemas[-1] if schemas else None
            self.calls[name].append(Called(name, schema, called[0], node.get("objargs", ())))

    def compared_with(self, column: ColumnNamed) -> Iterator[tuple[int, str]]:
        """The constants that a column is compared with, and their parts, with their places. The one that COALESCE
        gives for NULL is none."""
        within = [*itertools.takewhile(lambda each: each is not column.queries[0], column.noted.outward())]
        defaults = [text_of(each.node["args"][-1]) for each in within if each.name == "CoalesceExpr"]
        comparing = next((each for each in within if each.name in ("A_Expr", "CaseExpr")), None)
        matches = comparing and text_of(comparing.node.get("name", [])) in _MATCHING
        for noted in self.named.get("A_Const", ()):
            is_compared = any(each is comparing for each in noted.outward())
            if is_compared and text_of({"A_Const": noted.node}) not in defaults:
                at, text = self.at(noted.node), grammar.constant_text(noted.node)
                words_of = _WORDS.findall(text) if matches else []
                parts = text[1:-1].split(",") if text.startswith("{") else words_of
                yield from ((at, part.strip('" ')) for part in (text, *parts))

    @functools.cached_property
    def _called(self) -> dict[int, Noted]:
        """The calls and operators, by the index at which their places are."""
        found = (each for name in ("A_Expr", "FuncCall") for each in self.named.get(name, ()))
        return {self.excerpt_index(self.at(each.node)): each for each in found}

    def is_absorbed(self, index: int, old: Mapping[int, str], new: Mapping[int, str]) -> bool:
        """Whether a number of another type at an index is a number of one type, or compared, before it is read.

        Parameters:
            old, new: by index, the types that the two servers' functions and operators return.
        """
        for each in self._called[index].outward() if index in self._called else ():
            at = self.excerpt_index(self.at(each.node)) if each.name in ("A_Expr", "FuncCall") else -1
            if each.name == "TypeCast":
                return type_name(each.node["typeName"]) not in _TEXTS
            if at >= 0 and old.get(at) == new.get(at):
                return at in old and old[at] not in _TEXTS
            if each.name not in _VALUED:
                is_filling = each.name == "ResTarget" and self.fills_numbers
                return is_filling or each.name in ("SortBy", "NullTest", "SelectStmt")
        return False

    @functools.cached_property
    def fills_numbers(self) -> bool:
        """Whether it fills variables of PL/pgSQL by INTO, all of them numbers."""
        types = dict(self.query.variables)
        names = filter(None, map(self.name, self.into[1:]))
        filled = {types.get(name, "") for name in names if name != "strict"}
        return bool(filled) and filled <= grammar.NUMBERS

    def constants(self, node: Node) -> list[int]:
        """The tokens of the string constants that an expression is, or that a list or array has."""
        if "sval" in node.get("A_Const", ()):
            return [self.at(node["A_Const"])]
        items = node.get("List", {}).get("items") or node.get("A_ArrayExpr", {}).get("elements", ())
        return [at for each in items for at in self.constants(each)]


def _sorts_output(noted: Noted) -> bool:
    """Whether a query sorts by a name that it gives to an output column."""
    if noted.name != "SortBy" or noted.around is None:
        return False
    targets = [each["ResTarget"] for each in noted.around.node.get("targetList", ()) if "ResTarget" in each]
    unnamed = (each.get("val", {}).get("ColumnRef", {}) for each in targets if "name" not in each)
    outputs = {each["name"] for each in targets if "name" in each}
    outputs |= {words(each["fields"])[-1] for each in unnamed if len(each.get("fields", ())) > 1}
    fields = words(noted.node.get("node", {}).get("ColumnRef", {}).get("fields", ()))
    return len(fields) == 1 and fields[0] in outputs
