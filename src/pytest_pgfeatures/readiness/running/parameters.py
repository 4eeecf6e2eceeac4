"""Values for the parameters of a statement: from a file, a log, or the expressions that they are compared with."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.readiness.running.reading import nodes_in, query_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.inputs.parameters import GivenParameters
    from pytest_pgfeatures.readiness.model import Query
    from pytest_pgfeatures.readiness.running.reading import Around
    from pytest_pgfeatures.readiness.running.samples import Samples
    from pytest_pgfeatures.readiness.statements.nodes import Node

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
_KEY = "SELECT (SELECT min(key) FROM jsonb_object_keys(value::jsonb) AS key) FROM ({}) AS read (value)"


class ParameterValues(NamedTuple):
    """The values of a statement's parameters.

    Parameters:
        values: as text, None for NULL.
        by_type: the numbers of the parameters of which only the type is known, and which got some value of
            that type.
    """

    values: tuple[str | None, ...]
    by_type: tuple[int, ...] = ()


def values_of(
    query: Query, types: Sequence[str], tree: Node | None, given: GivenParameters, samples: Samples
) -> ParameterValues | int:
    """The values of a statement's parameters.

    Parameters:
        types: the parameters' types, as the old server reports them.
        tree: see :func:`~.reading.read`.

    Returns:
        the values; or the number of the first parameter that has none.
    """
    if len(query.values) >= len(types):
        return ParameterValues(query.values[: len(types)])
    known: dict[int, str] = given.of(query)
    by_type = []
    nodes = [] if tree is None else list(nodes_in(tree))
    relations = [node for _, node, _ in nodes if "relname" in node]
    for number, type_ in enumerate(types, 1):
        if number in known:
            continue
        places = [
            around for name, node, around in nodes if name == "ParamRef" and node.get("number") == number
        ]
        clues = sorted((clue for around in places for clue in _clues(around, relations)), key=itemgetter(1))
        value = next(filter(None, (_value(*clue, type_, samples) for clue in clues)), None)
        if value is None:
            by_type.append(number)
            name = query.names[number - 1] if number <= len(query.names) else ""
            value = samples.of_type(type_, [each["relname"] for each in relations], name)
        if value is None:
            return number
        known[number] = value
    return ParameterValues(tuple(known[number] for number in range(1, len(types) + 1)), tuple(by_type))


def _value(query: str, is_near: bool, type_: str, samples: Samples) -> str | None:
    value, of_type = samples.of_query(query) or (None, "")
    types = (type_, type_.removesuffix("[]"))
    if value is None or (is_near and not any(samples.alike(of_type, each) for each in types)):
        return None
    return samples.as_type(value, type_)


def _clues(around: Around, relations: Sequence[Node]) -> Iterator[tuple[str, bool]]:
    """Queries that read usual values at a parameter's place, the values that it is compared with, or those of
    columns near it; from the innermost of the nodes around it to the outermost.

    Parameters:
        relations: those of the statement. The server knows which of them has a column.

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
            other = node.get("lexpr" if inner_name == "rexpr" else "rexpr", {})
            if row is not None and row < len(other.get("RowExpr", {}).get("args", ())):
                other = other["RowExpr"]["args"][row]
            query = _KEY if words(node["name"])[-1] in _KEYS else "{}"
            of = relations if _is_readable(other) else ()
            yield from ((query.format(query_of(other, relation)), False) for relation in of)
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


def _is_readable(expression: Node) -> bool:
    names = {name for name, _, _ in nodes_in(expression)}
    return "ColumnRef" in names and names.isdisjoint(("ParamRef", "SelectStmt"))


def _place(items: Sequence[Node], item: Node) -> int:
    return next((number for number, each in enumerate(items) if each is item), -1)


def _target(around: Around, at: int) -> str | None:
    """The query that reads the column that UPDATE or INSERT fills with the expression at a place."""
    (name, node), after = around[at], around[at + 1 :]
    relation = next((each["relation"] for _, each in after if "relname" in each.get("relation", ())), None)
    if name == "ResTarget" and after[0][0] == "targetList" and after[1][0] != "SelectStmt":
        column = node.get("name")
    elif [each for each, _ in after[1:4]] == ["SelectStmt", "selectStmt", "InsertStmt"]:
        is_row = name == "List"
        number = _place(
            *(node["items"], around[at - 1][1]) if is_row else (after[1][1]["targetList"], after[0][1])
        )
        named = [each["ResTarget"]["name"] for each in after[3][1].get("cols", ())]
        if not named:
            named = [f"column{each}" for each in range(number + 1)]
            alias = {"aliasname": "target", "colnames": [{"String": {"sval": each}} for each in named]}
            relation = after[3][1]["relation"] | {"alias": alias}
        column = named[number]
    else:
        return None
    return relation and query_of({"ColumnRef": {"fields": [{"String": {"sval": column}}]}}, relation)
