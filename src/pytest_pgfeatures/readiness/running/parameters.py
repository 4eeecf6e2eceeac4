"""Values for the parameters of a statement: from a file, a log, or the expressions that they are compared with;
else any that a server has, or takes, for a type."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from operator import itemgetter

import psycopg
from psycopg.abc import Params

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.statements.grammar import Around, Node, nodes_in, query_of, words

_TYPES = """
SELECT DISTINCT ON (1) pg_catalog.format_type(oid, NULL), typcategory::text FROM pg_catalog.pg_type ORDER BY 1, oid
"""
_ROWS = 10_000  # the number of rows whose middle value is taken
_MIDDLE = ("percentile_disc(0.5) WITHIN GROUP (ORDER BY value)", "(array_agg(value))[1]")
"""Since 9.4, of types that have an order; and any value of others."""
_SAMPLE = """
SELECT {middle}::text, pg_catalog.format_type(pg_typeof({middle}), NULL) FROM (
    SELECT value FROM ({query}) AS read (value) WHERE value IS NOT NULL LIMIT {rows}
) AS known
"""
_COLUMNS = """
SELECT pg_catalog.format('SELECT %%I FROM %%I.%%I', attname, nspname, relname)
  FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_class c ON c.oid = attrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = relnamespace JOIN pg_catalog.pg_type t ON t.oid = atttypid,
       (SELECT oid, typcategory FROM pg_catalog.pg_type WHERE oid = %(type)s::text::regtype) AS wanted
 WHERE (t.oid = wanted.oid OR t.typcategory = wanted.typcategory AND wanted.typcategory IN ('D', 'N', 'S'))
   AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped
   AND (relname = ANY(%(read)s) OR nspname !~ '^pg_' AND nspname <> 'information_schema' AND relkind IN ('r', 'p'))
 ORDER BY attname <> %(name)s, relname <> ALL(%(read)s), nspname, relname, t.oid <> wanted.oid, attnum
 LIMIT 5
"""
_USUAL = (
    "a", "1 day", "$", "{}", "simple", "integer", "pg_class", "now", "1", "2024-01-01 00:00:00+00", "127.0.0.1",
    "00000000-0000-0000-0000-000000000001", "08:00:2b:01:02:03", "[1,10)", "(0,0)", "(0,0),(1,1)", "<(0,0),1>",
    "[2024-01-01,2024-02-01)", "*", "", "empty",
)  # fmt: skip
"""Nearly every type accepts at least one of these values."""


class Samples:
    """The values of a database. The connection is in autocommit mode."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._categories: dict[str, str] = dict(connection.execute(_TYPES.encode()).fetchall())
        self.of_query = functools.cache(self._of_query)
        self.takes = functools.cache(self._takes)

    def _of_query(self, query: str) -> tuple[str, str] | None:
        """A value of the one column that a query returns, as text, and the name of its type; None if there is
        none, or the server refuses it."""
        for middle in _MIDDLE:
            for row in self._rows(_SAMPLE.format(middle=middle, query=query, rows=_ROWS)):
                return None if None in row else (str(row[0]), str(row[1]))
        return None

    def _takes(self, type_: str, value: str) -> bool:
        """Whether a text is a value of a type."""
        return bool(self._rows(f"SELECT CAST(%s AS {type_.replace('%', '%%')})::text", [value]))

    def _rows(self, query: str, values: Params | None = None) -> list[tuple[str | None, ...]]:
        """The rows of a query; none if the server refuses it."""
        try:
            return self._connection.execute(query.encode(), values).fetchall()
        except psycopg.Error:
            if self._connection.closed:
                raise
            return []

    def as_asked(self, query: str, is_near: bool, type_: str) -> str | None:
        """The value that a query returns, as one of a type. If the query only reads what is near the parameter, the
        value's own type has to be this one, or an alike one: a number for a number, a string, a date."""
        value, of_type = self.of_query(query) or ("", "")
        element = type_.removesuffix("[]")
        one, other = self._categories.get(of_type), self._categories.get(element)
        is_alike = of_type in (type_, element) or (one == other and one in ("D", "N", "S"))
        return self.as_type(value, type_) if of_type and (is_alike or not is_near) else None

    def as_type(self, value: str, type_: str) -> str | None:
        """A value as one of a type, or an array's only element; None if the server does not take it."""
        forms = [value]
        if type_.endswith("[]"):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            is_array = value.startswith("{") and not type_.startswith("json")
            forms = [*([value] if is_array else []), f'{{"{escaped}"}}']
        return next((form for form in forms if self.takes(type_, form)), None)

    def of_type(self, type_: str, relations: Sequence[str], name: str) -> str | None:
        """A value for a parameter of which only the type is known, and perhaps a name: that of a column with this
        name or type, in the statement's relations first; or any that the server takes."""
        if type_.endswith("[]"):
            element = self.of_type(type_[:-2], relations, name)
            return "{}" if element is None else self.as_type(element, type_)
        if type_ == "boolean":
            return "true"
        wanted = {"type": type_, "read": list(relations), "name": name}
        columns = [query for (query,) in self._rows(_COLUMNS, wanted) if query]
        for value, _ in filter(None, map(self.of_query, columns)):
            if self.takes(type_, value):
                return value
        if self._categories.get(type_) == "C":
            return None
        first = self._rows(f"SELECT pg_catalog.enum_first(NULL::{type_})::text")
        values = (*(label for (label,) in first if label), *_USUAL)
        return next((value for value in values if self.takes(type_, value)), None)


_ARGUMENTS = {
    ("date_trunc", 0): "day", ("date_trunc", 2): "UTC", ("date_part", 0): "day", ("timezone", 0): "UTC",
    ("to_char", 1): "YYYY-MM-DD", ("to_date", 0): "2024-01-01", ("to_date", 1): "YYYY-MM-DD",
    ("to_timestamp", 0): "2024-01-01", ("to_timestamp", 1): "YYYY-MM-DD", ("to_number", 0): "12",
    ("to_number", 1): "99", ("encode", 1): "hex", ("decode", 0): "00", ("decode", 1): "hex",
    ("split_part", 1): " ", ("string_to_array", 1): ",", ("array_to_string", 1): ",", ("string_agg", 1): ",",
    ("regexp_replace", 3): "g", ("current_setting", 0): "TimeZone", ("digest", 1): "sha256",
    ("ts_headline", 3): "MaxFragments=1", ("generate_series", 1): "3", ("generate_series", 2): "1",
    ("repeat", 1): "2", ("lpad", 1): "5", ("rpad", 1): "5", ("left", 1): "3", ("right", 1): "3",
    ("substr", 1): "1", ("substr", 2): "3", ("substring", 1): "1", ("substring", 2): "3", ("split_part", 2): "1",
    ("ntile", 0): "4", ("lag", 1): "1", ("lead", 1): "1", ("round", 1): "2", ("trunc", 1): "2",
}  # fmt: skip
"""Usual arguments of PostgreSQL's functions that don't accept every value of their type, counted from 0:
https://www.postgresql.org/docs/current/functions.html."""
_LIMITS = {"limitCount": "SELECT 10", "limitOffset": "SELECT 0"}
_THROUGH = frozenset({"TypeCast", "CollateClause", "A_ArrayExpr", "List", "RowExpr"})
"""Expressions that a parameter may be in and still be compared with the other operand, or with a part of it."""
_ENDS = frozenset({"BoolExpr", "SubLink", "SelectStmt", "UpdateStmt", "InsertStmt", "DeleteStmt", "JoinExpr"})
_KEYS = frozenset({"->", "->>", "?"})
_MOST = """
SELECT value FROM (
    SELECT value, rank() OVER (ORDER BY count(*) DESC) FROM (SELECT * FROM ({}) AS read LIMIT 10000) AS read (value)
     WHERE value IS NOT NULL GROUP BY 1
) AS known WHERE rank = 1
"""
"""The values that most rows have."""
_KEY = "SELECT (SELECT min(key) FROM jsonb_object_keys(value::jsonb) AS key) FROM ({}) AS read (value)"


def values_of(
    query: Query, types: Sequence[str], tree: Node | None, known: dict[int, str], samples: Samples
) -> tuple[tuple[str | None, ...], list[int]] | int:
    """The values of a statement's parameters of these types as text, and the numbers of those of which only the
    type is known, and which got some value of that type; or the number of the first one that has none."""
    if len(query.values) >= len(types):
        return query.values[: len(types)], []
    by_type = []
    nodes = [] if tree is None else list(nodes_in(tree))
    relations = [node for _, node, _ in nodes if "relname" in node]
    for number, type_ in enumerate(types, 1):
        if number in known:
            continue
        places = (each for name, node, each in nodes if name == "ParamRef" and node.get("number") == number)
        clues = sorted((clue for each in places for clue in _clues(each, relations)), key=itemgetter(1))
        value = next(filter(None, (samples.as_asked(*clue, type_) for clue in clues)), None)
        if value is None:
            by_type.append(number)
            name = "".join(query.names[number - 1 : number])
            value = samples.of_type(type_, [each["relname"] for each in relations], name)
        if value is None:
            return number
        known[number] = value
    return tuple(known[number] for number in range(1, len(types) + 1)), by_type


def _clues(around: Around, relations: Sequence[Node]) -> Iterator[tuple[str, bool]]:
    """Queries that read usual values at a parameter's place, the values that it is compared with, or those of
    columns near it: from the innermost of the nodes around it to the outermost. The server knows which relation
    has a column.

    Yields:
        a query, and whether it is of columns near the parameter, whose values count only if they have its type.
    """
    is_near, row = False, None
    for at, (name, node) in enumerate(around):
        inner_name, inner = around[at - 1] if at else ("", {})
        if name in _LIMITS and not is_near:
            yield _LIMITS[name], False
        elif name in _ENDS:
            return
        elif name == "RowExpr":
            row = _place(node["args"], inner)
        elif name == "A_Expr" and not is_near:
            yield from ((query, False) for query in _compared(node, inner_name, row, relations))
        elif name == "FuncCall" and not is_near:
            argument = words(node["funcname"])[-1], _place(node.get("args", ()), inner)
            if argument in _ARGUMENTS:
                yield f"SELECT '{_ARGUMENTS[argument]}'::text", False
        elif name in ("ResTarget", "List") and (target := _target(around, at)) is not None:
            yield target, is_near
        if name[:1].isupper() and name not in _THROUGH:
            is_near = True
            for column in ({key: each} for key, each, _ in nodes_in(node) if key == "ColumnRef"):
                yield from ((query_of(column, each), True) for each in relations)


def _compared(node: Node, operand: str, row: int | None, relations: Sequence[Node]) -> Iterator[str]:
    """Queries that read the other operand of an operator; of a row, the item with the same number."""
    other = node.get("lexpr" if operand == "rexpr" else "rexpr", {})
    if row is not None and row < len(other.get("RowExpr", {}).get("args", ())):
        other = other["RowExpr"]["args"][row]
    names = {each for each, _, _ in nodes_in(other)}
    operator = words(node["name"])[-1]
    query = _KEY if operator in _KEYS else _MOST if operator == "=" else "{}"
    if "ColumnRef" in names and names.isdisjoint(("ParamRef", "SelectStmt")):
        for item in other.get("List", {}).get("items", [other]):
            yield from (query.format(query_of(item, each)) for each in relations)


def _place(items: Sequence[Node], item: Node) -> int:
    return next((number for number, each in enumerate(items) if each is item), -1)


def _target(around: Around, at: int) -> str | None:
    """The query that reads the column that UPDATE or INSERT fills with the expression at a place."""
    (name, node), after = around[at], around[at + 1 :]
    relation = next((each["relation"] for _, each in after if "relname" in each.get("relation", ())), None)
    if name == "ResTarget" and after[0][0] == "targetList" and after[1][0] != "SelectStmt":
        column = node.get("name")
    elif [each for each, _ in after[1:4]] == ["SelectStmt", "selectStmt", "InsertStmt"]:
        (_, select), (_, insert) = after[1], after[3]
        items, item = (node["items"], around[at - 1]) if name == "List" else (select["targetList"], after[0])
        number = _place(items, item[1])
        named = [each["ResTarget"]["name"] for each in insert.get("cols", ())]
        if not named:
            named = [f"column{each}" for each in range(number + 1)]
            alias = {"aliasname": "target", "colnames": [{"String": {"sval": each}} for each in named]}
            relation = insert["relation"] | {"alias": alias}
        column = named[number]
    else:
        return None
    return relation and query_of({"ColumnRef": {"fields": [{"String": {"sval": column}}]}}, relation)
