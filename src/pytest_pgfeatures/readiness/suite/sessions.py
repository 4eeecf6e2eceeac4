"""The state of each session of a suite: its search path, and temporary objects.

With the path, a name without a schema means what it meant to the suite. Since 12, auto_explain logs it with each
plan, whatever has set it. Statements that set it serve for definitions, which have no plan, and for older servers.

https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-SEARCH-PATH
https://www.postgresql.org/docs/current/auto-explain.html (auto_explain.log_settings)
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.readiness.running.reading import nodes_in, words
from pytest_pgfeatures.readiness.statements.grammar import parse
from pytest_pgfeatures.readiness.statements.nodes import constant_text
from pytest_pgfeatures.readiness.suite.rows import DEFAULT_PATH, with_values
from pytest_pgfeatures.server.configuration import USER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pgfeatures.readiness.statements.nodes import Node

    Values = Sequence[str | None]
    PathSettings = dict[tuple[str, str], str]
    """The paths that ALTER ROLE and ALTER DATABASE set, by role and database; empty for all."""

_LONGEST = 1 << 14
"""The number of characters from which on a statement isn't read."""
_MOST = 50
"""The definitions of temporary objects that are kept of a session."""
_CONCERNS = re.compile(
    r"search_path|\bset\s++schema\b|\b(?:reset|discard|temp|temporary|pg_temp|begin|start|commit|end|abort|rollback"
    r"|savepoint|prepare)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(r"\b(?:create|alter|drop|comment|grant|revoke)\b", re.IGNORECASE)
_DEFINES = re.compile(
    r"(?:\A|;)\s*+(?:(?:create|alter|drop)\s++(?!database\b|tablespace\b|subscription\b|system\b)"
    r"|(?:comment\s++on|grant|revoke|security\s++label)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w++")
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*+\Z")
_LOGGED = re.compile(r"search_path = '(?P<path>.*?)'(?:, \w++ = '|$)", re.MULTILINE)
_TEMPORARY = "pg_temp"
_CREATED = {"CreateStmt": "relation", "ViewStmt": "view", "CreateSeqStmt": "sequence"}
"""The statements that create relations, with the relation's property."""
_ROWS = frozenset({"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt", "CopyStmt", "TruncateStmt"})
_NAMES = ("objects", "object", "funcname", "defnames", "typeName", "domainname")
"""The properties of statements that have names of objects other than relations."""
_NEAR = 2
"""The number of nodes around the relations that a statement itself names, which may be in a list."""


@dataclass(slots=True)
class SearchPath:
    """A path, as several statements of a session had it.

    Parameters:
        user: the session's role.
        value: as SHOW has it; empty for the default.
        known: whether the server has logged it, or a statement of the session has set it.
    """

    user: str = USER
    value: str = ""
    known: bool = False

    @property
    def meant(self) -> str:
        """The path with the role's name in place of ``"$user"``, unless the role is the superuser that we made."""
        if self.user == USER:
            return self.value
        return (self.value or DEFAULT_PATH).replace('"$user"', '"' + self.user.replace('"', '""') + '"')


class _Definition(NamedTuple):
    """A statement that defines or changes temporary objects.

    Parameters:
        names: of the objects that it needs.
        until_commit: whether they are dropped when the transaction ends.
    """

    sql: str
    names: frozenset[str]
    until_commit: bool = False


class _State(NamedTuple):
    """The facts that a refused statement, or the end of a transaction, takes back.

    Parameters:
        path: the search path.
        lasting: the one after COMMIT.
        temporary: the definitions of temporary objects.
        defined: the definitions of other objects, with the search path of each.
    """

    path: SearchPath
    lasting: SearchPath
    temporary: tuple[_Definition, ...] = ()
    defined: tuple[tuple[str, SearchPath], ...] = ()


class SessionState:
    """The state of a session, statement by statement.

    Parameters:
        start: its search path. Only a plan shows one that the connection's options have set.
        settings: noted are those of statements.
    """

    def __init__(self, start: SearchPath, settings: PathSettings | None = None) -> None:
        self._settings: PathSettings = {} if settings is None else settings
        self._start = start
        self._now = self._before = self._outside = _State(start, start)
        self._saved: dict[str, _State] = {}
        self.begun = self._failed = False

    @property
    def path(self) -> SearchPath:
        """The search path."""
        return self._now.path

    def planned(self, path: str) -> None:
        """Take the path that the server logged."""
        if not self.path.known:
            self.path.value, self.path.known = path, True
        elif self.path.value != path:
            self._set(path, is_local=False)

    def refuse(self) -> None:
        """The server has refused the last statement."""
        self._now, self._failed = self._before, True

    def committed(self) -> tuple[tuple[str, SearchPath], ...]:
        """The definitions that were committed since the last call."""
        if self.begun:
            return ()
        defined = self._now.defined
        self._now = self._now._replace(defined=())
        return defined

    def named_in(self, sql: str) -> tuple[str, ...]:
        """The definitions of the session's temporary objects, if a statement names one of them."""
        if not self._now.temporary or len(sql) > _LONGEST:
            return ()
        found = set(_WORD.findall(sql.lower()))
        if not any(found.issuperset(_WORD.findall(name.lower())) for name in self._known()):
            return ()
        return tuple(each.sql for each in self._now.temporary)

    def follow(self, sql: str, values: Values = ()) -> str:
        """Follow a statement.

        Parameters:
            values: of its parameters.

        Returns:
            the statement without its parts that concern temporary objects alone.
        """
        self._before = self._now
        if not self.begun:
            self._outside, self._failed = self._now, False
        concerns = _CONCERNS.search(sql) or (self._now.temporary and _CHANGES.search(sql))
        parts = _parts(sql) if concerns and len(sql) <= _LONGEST else ()
        rest = [part for part, kind, node in parts if not self._takes(part, kind, node, values)]
        lasting = sql if len(rest) == len(parts) else ";".join(rest)
        if _DEFINES.search(lasting):
            self._now = self._now._replace(defined=(*self._now.defined, (lasting, self.path)))
        return lasting

    def _takes(self, sql: str, kind: str, node: Node, values: Values) -> bool:
        """Follow one statement of a message. Return whether it concerns temporary objects alone."""
        match kind:
            case "TransactionStmt":
                self._transact(node["kind"].removeprefix("TRANS_STMT_"), node)
            case "VariableSetStmt":
                for path in _paths_in(node):
                    self._set(path, is_local=node.get("is_local", False))
            case "DiscardStmt":
                if node["target"] == "DISCARD_ALL":
                    self._set(None, is_local=False)
                if node["target"] in ("DISCARD_ALL", "DISCARD_TEMP"):
                    self._now = self._now._replace(temporary=())
            case "AlterRoleSetStmt" | "AlterDatabaseSetStmt":
                role = node.get("role", {}).get("rolename", "")
                for path in _paths_in(node["setstmt"]):
                    self._settings[role, str(node.get("database") or node.get("dbname", ""))] = path or ""
            case _:
                self._configure(node, values)
                return self._defines_temporary(sql, kind, node, values)
        return False

    def _transact(self, kind: str, node: Node) -> None:
        now, name = self._now, node.get("savepoint_name", "")
        if kind in ("BEGIN", "START"):
            self.begun = True
        elif kind == "SAVEPOINT":
            self._saved[name] = now
        elif kind == "ROLLBACK_TO":
            self._now, self._failed = self._saved.get(name, now), False
        elif kind in ("COMMIT", "ROLLBACK", "PREPARE"):
            is_kept = kind == "COMMIT" and not self._failed
            kept = now._replace(path=now.lasting) if is_kept else self._outside
            lasting = tuple(each for each in kept.temporary if not each.until_commit)
            self._now = self._outside = kept._replace(temporary=lasting)
            self.begun, self._failed = node.get("chain", False), False

    def _configure(self, tree: Node, values: Values) -> None:
        """Follow ``set_config('search_path', 'shop', false)``."""
        for name, node, _ in nodes_in(tree):
            if name == "FuncCall" and words(node["funcname"])[-1] == "set_config":
                of, path, local = ([_valued(each, values) for each in node.get("args", ())] + [None] * 3)[:3]
                if of == "search_path" and path is not None:
                    self._set(path, is_local=local in ("true", "t", "on", "1", "yes"))

    def _set(self, path: str | None, *, is_local: bool) -> None:
        """Set the path; None is the one that the session began with."""
        if is_local and not self.begun:
            return
        now = self._start if path is None else SearchPath(self._start.user, path, known=True)
        self._now = self._now._replace(path=now, lasting=self._now.lasting if is_local else now)

    def _known(self) -> frozenset[str]:
        return frozenset(name for each in self._now.temporary for name in each.names)

    def _defines_temporary(self, sql: str, kind: str, node: Node, values: Values) -> bool:
        """Whether a statement concerns temporary objects alone, which it may create, change or drop."""
        known = self._known()
        into = _into(kind, node)
        created = into.get("rel") if into else node.get(_CREATED.get(kind, ""))
        others = [each for each in _relations(kind, node) if each is not created]
        names = {each["relname"] for each in others if _is_temporary(each, known)}
        if created and (_is_temporary(created, frozenset()) or (names and kind != "SelectStmt")):
            names.add(created["relname"])
        found = list(_names(node))
        of_objects = [name[-1] for name in found if name[0] == _TEMPORARY]
        of_objects += [name[0] for name in found if name[0] in known]
        temporary = self._now.temporary
        if kind == "DropStmt":
            taken = 0 < len(found) == len(of_objects)
            if taken:
                left = tuple(each for each in temporary if each.names.isdisjoint(of_objects))
                self._now = self._now._replace(temporary=left)
            return taken
        names.update(of_objects)
        if not names or kind in _ROWS or (kind == "SelectStmt" and created is None):
            return bool(names)
        if node.get("renameType") != "OBJECT_COLUMN":
            names.update(node[key] for key in ("newname", "idxname") if key in node)
        until = (into or {}).get("onCommit", node.get("oncommit")) == "ONCOMMIT_DROP"
        if len(temporary) < _MOST and (self.begun or not until):
            kept = _Definition(with_values(sql.strip(), tuple(values)), frozenset(names), until)
            self._now = self._now._replace(temporary=(*temporary, kept))
        return True


def begun(user: str, database: str, settings: PathSettings) -> SessionState:
    """The state of a new session."""
    of = (user, database), (user, ""), ("", database), ("", "")
    return SessionState(
        SearchPath(user, next((settings[each] for each in of if each in settings), "")), settings
    )


def logged_path(plan: str) -> str:
    """The path in a plan of auto_explain as text; empty for the default."""
    at = plan.rfind("\nSettings: ")
    found = _LOGGED.search(plan, at) if at >= 0 else None
    return found["path"] if found else ""


@functools.lru_cache(1 << 10)
def _parts(sql: str) -> Sequence[tuple[str, str, Node]]:
    """The statements of a message: text, kind and tree."""
    try:
        statements, _ = parse(sql)
    except (ExtraMissingError, RecursionError):
        return ()
    text = sql.encode("utf-8", "surrogateescape")
    found = []
    for each in statements:
        at = each.get("stmt_location", 0)
        part = text[at : at + each.get("stmt_len", len(text))].decode("utf-8", "surrogateescape")
        found += [(part, kind, node) for kind, node in each["stmt"].items()]
    return found


def _paths_in(node: Node) -> Iterator[str | None]:
    """The path that SET, SET SCHEMA or RESET sets; None for the one that the session began with."""
    if node["kind"] == "VAR_RESET_ALL":
        yield None
    elif node.get("name") == "search_path":
        schemas = (constant_text(each["A_Const"]) for each in node.get("args", ()))
        quoted = (each if _PLAIN.match(each) else '"' + each.replace('"', '""') + '"' for each in schemas)
        yield ", ".join(quoted) if node["kind"] == "VAR_SET_VALUE" else None


def _valued(node: Node, values: Values) -> str | None:
    """The value of a constant or a parameter; None for another expression."""
    while "TypeCast" in node:
        node = node["TypeCast"]["arg"]
    if "ParamRef" in node:
        number = node["ParamRef"]["number"]
        return (values[number - 1] or "") if number <= len(values) else f"${number}"
    return constant_text(node["A_Const"]) if "A_Const" in node else None


def _into(kind: str, node: Node) -> Node | None:
    """The table that CREATE TABLE AS or SELECT INTO creates."""
    if kind == "CreateTableAsStmt":
        return dict(node["into"])
    while kind == "SelectStmt" and "larg" in node:
        node = node["larg"]
    return node.get("intoClause") if kind == "SelectStmt" else None


def _is_temporary(relation: Node, known: frozenset[str]) -> bool:
    schema = relation.get("schemaname")
    return (
        relation.get("relpersistence") == "t"
        or schema == _TEMPORARY
        or (schema is None and relation["relname"] in known)
    )


def _relations(kind: str, node: Node) -> Iterator[Node]:
    """The relations that a statement defines or changes, and those that a query or a view reads."""
    for _, each, around in nodes_in({} if kind == "CreateTableAsStmt" else node):
        if "relname" in each and (len(around) <= _NEAR or kind in ("SelectStmt", "ViewStmt")):
            yield each


def _names(node: Node) -> Iterator[list[str]]:
    """The names of objects, in parts, that a statement defines, changes or drops; a column's is its table's."""
    for _, each, _ in nodes_in({name: node[name] for name in _NAMES if name in node}):
        for value in each.values():
            if isinstance(value, list) and value and all("String" in part for part in value):
                parts = words(value)
                yield parts[:-1] if node.get("objtype") == "OBJECT_COLUMN" else parts
