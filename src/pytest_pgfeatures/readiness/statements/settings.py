"""The settings that statements set or read, by PostgreSQL's own grammar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pytest_pgfeatures.readiness.model import Query, SettingUse
from pytest_pgfeatures.readiness.statements.grammar import Node, constant_text, text_of
from pytest_pgfeatures.readiness.statements.reading import StatementReading
from pytest_pgfeatures.readiness.statements.trees import Tree

_NAMING = ("VariableSetStmt", "VariableShowStmt", "setstmt")
_OF_ONE_SESSION = frozenset({"role", "session_authorization", "transaction", "xmloption"})
"""Settings that SET changes and no file holds."""


class SettingNamed(NamedTuple):
    """A setting in a statement."""

    name: str  # in lower case
    value: str | None  # None if the statement reads or resets it, takes its default, or a parameter
    at: int  # the token of the name
    of_system: bool = False  # whether ALTER SYSTEM sets it
    in_view: bool = False  # whether a query of pg_settings looks for it


def settings_named(tree: Tree) -> Iterator[SettingNamed]:
    """The settings that SET, RESET, SHOW, ALTER ... SET and the SET clauses of functions name."""
    for noted in (each for name in _NAMING for each in tree.named.get(name, ())):
        if "name" not in noted.node or noted.node.get("kind") == "VAR_SET_MULTI":
            continue
        around = noted.around or noted
        begin = tree.at(around.node, "location" if around.name == "DefElem" else "stmt_location")
        at = next(at for at in range(begin, len(tree.tokens)) if tree.keyword(at) in ("set", "reset", "show"))
        scoped = tree.keyword(at + 1) in ("session", "local") and tree.name(at + 2) is not None
        given = noted.node.get("args", ()) if noted.node.get("kind") == "VAR_SET_VALUE" else ()
        known = [_value(tree, each) for each in given if "ParamRef" not in each]
        value = ", ".join(known) if known and len(known) == len(given) else None
        of_system = around.name == "AlterSystemStmt"
        yield SettingNamed(noted.node["name"].lower(), value, at + 1 + scoped, of_system)


def settings_used(tree: Tree) -> Iterator[SettingNamed]:
    """The settings that a statement sets or reads."""
    yield from settings_named(tree)
    for call in (*tree.calls.get("current_setting", ()), *tree.calls.get("set_config", ())):
        if call.schema in (None, "pg_catalog") and call.arguments:
            first, *others = call.arguments
            for at in tree.constants(first.get("TypeCast", {}).get("arg", first))[:1]:
                value = text_of(others[0]).strip("'") if call.name == "set_config" and others else None
                yield SettingNamed(tree.strings.get(at, "").lower(), value, at)
    if "pg_settings" in tree.positions and "name" in tree.positions:
        yield from (SettingNamed(each.lower(), None, at, in_view=True) for at, each in tree.strings.items())


def role_is_set(tree: Tree) -> bool | None:
    """Whether a statement sets the role of its session; None if it says nothing about it."""
    for node in tree.of("VariableSetStmt"):
        if node.get("name") in ("role", "session_authorization"):
            given = [constant_text(each.get("A_Const", {})) for each in node.get("args", ())]
            return node["kind"] == "VAR_SET_VALUE" and given != ["none"]
    return None


def _value(tree: Tree, node: Node) -> str:
    """A value, or one of a list: quoted names stay quoted."""
    if "TypeCast" in node:  # SET TIME ZONE INTERVAL
        return f"INTERVAL {constant_text(node['TypeCast']['arg']['A_Const'])}"
    token = tree.tokens[tree.at(node["A_Const"])]
    return token.text if token.kind == "identifier" else constant_text(node["A_Const"])


def settings_in(queries: Iterable[Query]) -> Iterator[SettingUse]:
    """The settings that statements give a value."""
    setting = (query for query in queries if "set" in query.sql.lower())
    defining = (each for each in setting if StatementReading(each).keyword(0) in ("alter", "create", "set"))
    for tree in map(Tree, defining):
        for name, value, at, of_system, _ in settings_named(tree):
            if value is not None and name not in _OF_ONE_SESSION:
                begin = tree.excerpt_index(at)
                text = tree.query.sql[begin:].partition("\n")[0].strip()
                lead = "ALTER SYSTEM SET " if of_system else "SET "
                yield SettingUse(name, value, "statement", tree.query.place(begin), lead + text)


def search_path_of(queries: Iterable[Query]) -> str:
    """The ``search_path`` that ALTER DATABASE or ALTER ROLE sets; the last one counts."""
    altering = (query for query in queries if query.sql[:5].lower() == "alter")
    given = [use.value for use in settings_in(altering) if use.name == "search_path"]
    return given[-1] if given else ""
