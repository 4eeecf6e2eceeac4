"""The possible effects of a statement, and what of its result it determines.

The server tells the functions and relations that it names, and whether two rows share their place in an order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query
from pytest_pgfeatures.readiness.servers.analyzed import Signature
from pytest_pgfeatures.readiness.servers.parsing import Parsed
from pytest_pgfeatures.readiness.statements.grammar import Node, nodes_in, sql_of, with_values, words
from pytest_pgfeatures.sql import tokens

READING = frozenset({"select", "values", "with", "table"})
"""The first words of statements that only read. Their WITH clauses and functions may still write."""
PLANNED = READING | {"insert", "update", "delete", "merge"}
"""The first words of statements for which the server makes a plan: queries, and those that change rows."""
EXECUTED = PLANNED | {"call"}  # the first words of statements whose results are compared
_OUTSIDE = frozenset({
    "pg_terminate_backend", "pg_cancel_backend", "pg_sleep", "pg_sleep_for", "pg_sleep_until",
    "pg_create_logical_replication_slot", "pg_create_physical_replication_slot",
})  # fmt: skip
"""Functions that every role may call, and that have effects outside of their transaction, or only wait."""
_CONNECTING = frozenset({"dblink"})  # extensions whose functions have effects in other sessions
_OF_SERVER = re.compile(
    r"pg_stat(?:io)?_\w+|pg_locks|pg_(?:settings|file_settings|config|hba_file_rules|timezone_names|timezone_abbrevs"
    r"|available_extension\w+)|pg_(?:database|tablespace|relation|total_relation|table|indexes)_size"
    r"|pg_(?:postmaster_start|conf_load)_time|inet_server_\w+|pg_(?:control|last|ls)_\w+|txid_\w+|pg_backend_pid"
    r"|pg_current_(?:wal|xlog|xact|snapshot|logfile)\w*|pg_relation_file\w+|pg_tablespace_location|pg_stat_file"
)
"""Functions and views whose results differ between servers or installs of any version."""
_VERSIONS = frozenset({"server_version", "server_version_num"})  # settings that have the server's version


def begins_with(first_words: frozenset[str], sql: str) -> bool:
    """Whether the first word of a statement, after comments and parentheses, is one of these."""
    first = next((each for each in tokens(sql) if each.significant and each.text != "("), None)
    return first is not None and first.keyword in first_words


def acts_outside(parsed: Parsed) -> str:
    """The function of a statement that has effects outside of its transaction, or only waits; else empty."""
    for called in parsed.names.called.values():
        is_open = called.is_restricted or called.extension in _CONNECTING
        if (is_open and called.volatility == "v") or (not called.is_own and called.bare_name in _OUTSIDE):
            return called.bare_name
    return ""


def differs_by_server(parsed: Parsed, tree: Node | None) -> str:
    """The function, view or setting of a statement that differs from server to server; empty if none does."""
    functions = [each.bare_name for each in parsed.names.called.values() if not each.is_own]
    names = [*functions, *(name.rpartition(".")[2] for name in parsed.names.relations)]
    texts = [node.get("sval", {}).get("sval") for name, node, _ in nodes_in(tree or {}) if name == "A_Const"]
    found = [name for name in names if _OF_SERVER.fullmatch(name)]
    return min([*found, *{"version"}.intersection(functions), *_VERSIONS.intersection(texts)], default="")


_OF_ORDER = frozenset({
    "json_agg", "jsonb_agg", "json_object_agg", "jsonb_object_agg", "JsonArrayAgg", "xmlagg", "array_agg",
    "string_agg",
})  # fmt: skip
"""Aggregates that depend on the order of rows."""
_FLOATS = frozenset({"real", "double precision"})
_CHOOSING = frozenset({"min", "max", "count"})
FORMS = 2  # the number of forms of a query for rows that share their place


class Tie(NamedTuple):
    """A question to the server: do two rows share their place in an order, which may be that of the whole result?
    If so, a part of the statement leaves its rows open. The first form that the server accepts returns a row."""

    why: str
    forms: tuple[Query, ...]
    is_whole: bool = False


class Determinacy(NamedTuple):
    """The properties of a result that its statement determines."""

    left_open: str  # why its rows or values may differ from run to run, or from yours; empty if they may not
    drawn_by: str
    """The volatile function by which it chooses its rows, so that two runs prove nothing; empty if none."""
    adds_up: bool  # whether it aggregates floating-point numbers, whose sums depend on the order of rows
    volatile: tuple[str, ...]  # the signatures of the volatile functions that it calls
    ties: tuple[Tie, ...]  # questions that remain to be asked; see decided
    ordered: bool | None = None  # whether it determines the order of all its rows; None if unknown

    def decided(self, apart: Set[Query]) -> Determinacy:
        """The properties, with the forms of ties for which the server returns no row."""
        is_open = [tie for tie in self.ties if apart.isdisjoint(tie.forms)]
        ordered = any(tie.is_whole and tie not in is_open for tie in self.ties) or None
        left_open = next(filter(None, [self.left_open, *(tie.why for tie in is_open)]), "")
        return self._replace(ordered=ordered, left_open=left_open, ties=())


def determinacy(query: Query, tree: Node | None, called: Mapping[str, Signature]) -> Determinacy:
    """The properties of the result of a statement with values for its parameters, which calls these functions."""
    volatile = {name: each.bare_name for name, each in called.items() if each.volatility == "v"}
    adding = (each for each in called.values() if each.is_aggregate and each.bare_name not in _CHOOSING)
    adds_up = any(_FLOATS.intersection(each.types) for each in adding)
    left_open = drawn_by = ""
    ties: list[Tie] = []
    for name, node, around in nodes_in(tree or {}):
        outer = [each for _, each in around]
        called_name = words(node["funcname"])[-1] if name == "FuncCall" else name
        if called_name in _OF_ORDER and "agg_order" not in node.get("constructor", node):
            left_open = "an aggregate that depends on the order of rows, without ORDER BY"
        if called_name == "row_number" and "over" in node:
            ties.append(_numbered(query, node["over"], outer))
        if "limitOption" not in node:
            continue
        sorts = _sorts(node)
        is_limited = not node.keys().isdisjoint(("limitCount", "limitOffset"))
        is_distinct_on = node.get("distinctClause", [{}]) != [{}]
        some = "DISTINCT ON" if is_distinct_on else "LIMIT" if is_limited else ""
        if some and not drawn_by:
            calls = (each for kind, each, _ in nodes_in({"": sorts}) if kind == "FuncCall")
            sorting = (words(each["funcname"])[-1] for each in calls)
            drawn_by = next((each for each in sorting if each in volatile.values()), "")
        if some or (len(outer) == 2 and sorts):
            ties.append(_tie(query, node, sorts, some, outer))
    return Determinacy(left_open, drawn_by, adds_up, tuple(sorted(volatile)), tuple(ties))


def _sorts(query: Node, clause: str = "sortClause") -> list[Node]:
    """The ORDER BY of a query, with expressions of the select list in place of its labels and numbers."""
    found = []
    targets = [each["ResTarget"] for each in query.get("targetList", ())]
    for sort in (each["SortBy"] for each in query.get(clause, ())):
        key = sort["node"]
        number = key.get("A_Const", {}).get("ival", {}).get("ival", 0)
        name = words(key.get("ColumnRef", {}).get("fields", ()))
        if 1 <= number <= len(targets):
            key = targets[number - 1]["val"]
        key = next((to["val"] for to in targets if name == [to.get("name")]), key)
        found.append({"SortBy": sort | {"node": key}})
    return found


def _tie(statement: Query, query: Node, sorts: Sequence[Node], some: str, outer: Sequence[Node]) -> Tie:
    """Whether rows share their place in the order of a query, up to the first row that LIMIT leaves out."""
    left_out = ("distinct", "limit") if some == "DISTINCT ON" else ("limitOffset",)
    left_out = ("lockingClause", "intoClause", *left_out)
    kept = {name: value for name, value in query.items() if not name.startswith(left_out)}
    kept |= {"sortClause": sorts, "limitOption": "LIMIT_OPTION_COUNT"}
    for more in (query.get("limitOffset"), {"A_Const": {"ival": {"ival": 1}}}):
        if more and "limitCount" in kept:
            both = {"lexpr": kept["limitCount"], "name": [{"String": {"sval": "+"}}], "rexpr": more}
            kept["limitCount"] = {"A_Expr": {"kind": "AEXPR_OP", **both}}
    why = f"{some} without an ORDER BY that no two rows share" if some else ""
    return Tie(why, _forms(statement, kept, sorts, outer), bool(sorts) and len(outer) == 2)


def _numbered(statement: Query, over: Node, outer: Sequence[Node]) -> Tie:
    """Whether rows share their place in a window that numbers its rows."""
    query = next(each for each in outer if "limitOption" in each)
    windows = (each["WindowDef"] for each in query.get("windowClause", ()))
    window = next((each for each in windows if each["name"] == over.get("name")), over)
    parts = [{"SortBy": {"node": each}} for each in window.get("partitionClause", ())]
    read = {name: query[name] for name in query.keys() & {"fromClause", "whereClause", "withClause"}}
    plain = read | {"targetList": [], "op": "SETOP_NONE", "limitOption": "LIMIT_OPTION_DEFAULT"}
    forms = _forms(statement, plain, [*parts, *_sorts(window, "orderClause")], outer)
    return Tie("row_number() over rows that share their place", forms)


def _forms(statement: Query, query: Node, sorts: Sequence[Node], outer: Sequence[Node]) -> tuple[Query, ...]:
    """Queries for rows of a query that share the keys; one without WHERE, which may refer to outer queries."""
    if sorts and "targetList" not in query:  # a set operation sorts by the names of its result
        return ()
    keys = {f"key{number}": each["SortBy"]["node"] for number, each in enumerate(sorts)}
    wanted = [{"ResTarget": {"name": name, "val": key}} for name, key in keys.items()]
    if keys:
        query = query | {"targetList": [*(query["targetList"] if "distinctClause" in query else ()), *wanted]}
    query = next(({"withClause": each["withClause"]} for each in outer if "withClause" in each), {}) | query
    group = f" GROUP BY {', '.join(keys)}" if keys else ""
    forms = (query, {name: value for name, value in query.items() if name != "whereClause"})
    texts = (with_values(sql_of(each), statement.values) for each in forms)
    asked = (f"SELECT 1 FROM ({text}) AS sorted{group} HAVING count(*) > 1 LIMIT 1" for text in texts)
    return tuple(replace(statement, sql=each, values=()) for each in asked)
