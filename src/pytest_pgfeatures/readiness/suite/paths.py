"""The search path of each session of a suite: with it, a name without a schema means what it meant to the suite.

Since 12, auto_explain logs the path with each plan, whatever has set it. Statements that set it serve for
definitions, which have no plan, and for older servers.

https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-SEARCH-PATH
https://www.postgresql.org/docs/current/auto-explain.html (auto_explain.log_settings)
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.readiness.statements.nodes import constant_text
from pytest_pgfeatures.readiness.statements.trees import parse
from pytest_pgfeatures.server.configuration import USER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.statements.nodes import Node

DEFAULT = '"$user", public'
_LONGEST = 1 << 14
"""The number of characters from which on a statement isn't searched for the path."""
_WORDS = ("search_path", "set schema", "reset all", "discard all")
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*+\Z")
_LOGGED = re.compile(r"search_path = '(?P<path>.*?)'(?:, \w++ = '|$)", re.MULTILINE)


class PathChange(NamedTuple):
    """A change of the path by a statement.

    Parameters:
        value: None for the one that the session began with. One of ``set_config`` may be a parameter.
        local: whether it ends with the transaction.
        role, database: for which sessions that begin later it is; empty for all; both None for this session.
    """

    value: str | None
    local: bool = False
    role: str | None = None
    database: str | None = None


@dataclass(slots=True)
class SearchPath:
    """A path, as several statements of a session had it.

    Parameters:
        user: the session's role.
        value: as SHOW has it; empty for the default.
        known: whether the server has logged it, or a statement of the session has set it.
    """

    user: str
    value: str = ""
    known: bool = False

    @property
    def meant(self) -> str:
        """The path with the role's name in place of ``"$user"``, unless the role is the superuser that we made."""
        if self.user == USER:
            return self.value
        return (self.value or DEFAULT).replace('"$user"', '"' + self.user.replace('"', '""') + '"')


class SessionPath:
    """The path of a session, statement by statement.

    Parameters:
        start: as the settings of its role and database have it. Only a plan shows what the connection's options
            have set.
    """

    def __init__(self, start: str, user: str) -> None:
        self._start = self._lasting = self._outside = self._before = self.now = SearchPath(user, start)
        self._begun = False

    def begin(self) -> None:
        """Follow a BEGIN."""
        if not self._begun:
            self._begun = True
            self._lasting = self._outside = self.now

    def end(self, *, committed: bool) -> None:
        """Follow the end of a transaction."""
        if self._begun:
            self.now = self._lasting if committed else self._outside
        self._begun = False

    def change(self, changes: Sequence[PathChange], values: Sequence[str | None]) -> None:
        """Follow a statement.

        Parameters:
            values: of its parameters.
        """
        self._before = self.now
        for change in changes:
            if change.role is not None or (change.local and not self._begun):
                continue
            value = change.value
            self.now = self._start if value is None else self._known(_valued(value, values))
            if not change.local:
                self._lasting = self.now

    def refuse(self) -> None:
        """The server has refused the last statement."""
        self.now = self._before

    def planned(self, value: str) -> None:
        """Take the path that the server logged."""
        if not self.now.known:
            self.now.value, self.now.known = value, True
        elif self.now.value != value:
            self.now = self._lasting = self._known(value)

    def _known(self, value: str) -> SearchPath:
        return SearchPath(self._start.user, value, known=True)


class PathSettings:
    """The paths that ALTER ROLE and ALTER DATABASE set for sessions that begin later."""

    def __init__(self) -> None:
        self._set: dict[tuple[str, str], str] = {}

    def change(self, changes: Sequence[PathChange]) -> None:
        """Follow a statement."""
        for change in changes:
            if change.role is not None and change.database is not None:
                self._set[change.role, change.database] = change.value or ""

    def begun(self, user: str, database: str) -> SessionPath:
        """The path of a new session."""
        of = (user, database), (user, ""), ("", database), ("", "")
        return SessionPath(next((self._set[each] for each in of if each in self._set), ""), user)


def logged_path(plan: str) -> str:
    """The path in a plan of auto_explain as text; empty for the default."""
    at = plan.rfind("\nSettings: ")
    found = _LOGGED.search(plan, at) if at >= 0 else None
    return found["path"] if found else ""


def set_path(path: str, *, local: bool = False) -> str:
    """The statement that sets a path; an empty one is the default."""
    value = (path or DEFAULT).replace("'", "''")
    return f"SELECT pg_catalog.set_config('search_path', '{value}', {str(local).lower()})"


def changes_in(sql: str) -> Sequence[PathChange]:
    """The changes of the path by a statement, or by several in one message."""
    if len(sql) > _LONGEST:
        return ()
    lower = sql.lower()
    if not any(word in lower for word in _WORDS):
        return ()
    return _changes(sql)


@functools.lru_cache(1 << 10)
def _changes(sql: str) -> Sequence[PathChange]:
    try:
        statements, _ = parse(sql)
    except (ExtraMissingError, RecursionError):
        return ()
    return [
        change for each in statements for kind, node in each["stmt"].items() for change in _by(kind, node)
    ]


def _by(kind: str, node: Node) -> Iterator[PathChange]:
    """The changes by one statement."""
    match kind:
        case "VariableSetStmt":
            yield from _set(node)
        case "DiscardStmt" if node["target"] == "DISCARD_ALL":
            yield PathChange(None)
        case "AlterRoleSetStmt" | "AlterDatabaseSetStmt":
            role, database = (
                node.get("role", {}).get("rolename", ""),
                node.get("database", node.get("dbname", "")),
            )
            for change in _set(node["setstmt"]):
                yield PathChange(change.value or "", False, role, database)
        case _:
            yield from _configured(node)


def _set(node: Node) -> Iterator[PathChange]:
    """The change by SET, SET SCHEMA or RESET."""
    if node["kind"] == "VAR_RESET_ALL":
        yield PathChange(None)
    elif node.get("name") == "search_path":
        schemas = ", ".join(_element(constant_text(each["A_Const"])) for each in node.get("args", ()))
        yield PathChange(schemas if node["kind"] == "VAR_SET_VALUE" else None, node.get("is_local", False))


def _element(schema: str) -> str:
    """A schema of a path, as SHOW has it."""
    return schema if _PLAIN.match(schema) else '"' + schema.replace('"', '""') + '"'


def _configured(node: Any) -> Iterator[PathChange]:
    """The changes by ``set_config('search_path', 'shop', false)``."""
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _configured(each)
    if isinstance(node, dict) and node.get("funcname", [{}])[-1] == {"String": {"sval": "set_config"}}:
        name, value, local = ([*map(_constant, node.get("args", ())), "", "", ""])[:3]
        if name == "search_path" and value is not None:
            yield PathChange(value, local in ("true", "t", "on", "1", "yes"))


def _constant(node: Node) -> str | None:
    """The value of a constant, or the parameter that it is; None for another expression."""
    while "TypeCast" in node:
        node = node["TypeCast"]["arg"]
    if "ParamRef" in node:
        return f"${node['ParamRef']['number']}"
    return constant_text(node["A_Const"]) if "A_Const" in node else None


def _valued(value: str, values: Sequence[str | None]) -> str:
    """A value, or that of the parameter that it is."""
    if value[:1] == "$" and value[1:].isdecimal() and int(value[1:]) <= len(values):
        return values[int(value[1:]) - 1] or ""
    return value
