"""The state of each session of a suite: its search path, and temporary objects.

With the path, a name without a schema means what it meant to the suite. Since 12, auto_explain logs it with each
plan, whatever has set it. Statements that set it serve for definitions, which have no plan, and for older servers.

https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-SEARCH-PATH
https://www.postgresql.org/docs/current/auto-explain.html (auto_explain.log_settings)
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.readiness.statements import grammar
from pytest_pgfeatures.server.configuration import USER
from pytest_pgfeatures.sql import statements

DEFAULT_PATH = '"$user", public'
_LONGEST = 1 << 14  # the number of characters from which on a statement isn't read
_MOST = 50  # the definitions of temporary objects that are kept of a session
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
_LOGGED = re.compile(r"search_path = '(?P<path>.*?)'(?:, \w++ = '|$)", re.MULTILINE)
_TEMPORARY = "pg_temp"
_CREATED = {
    "CreateStmt": "relation", "ViewStmt": "view", "CreateSeqStmt": "sequence", "CreateTableAsStmt": "into",
    "SelectStmt": "intoClause",
}  # fmt: skip
"""The statements that create relations, with the relation's property."""
_ROWS = frozenset({"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt", "CopyStmt", "TruncateStmt"})
_NAMES = ("objects", "object", "funcname", "defnames", "typeName", "domainname")
"""The properties of statements that have names of objects other than relations."""


class _Definition(NamedTuple):
    """A statement that defines or changes temporary objects, with the names of those that it needs."""

    sql: str
    names: frozenset[str]
    until_commit: bool


class _State(NamedTuple):
    """The facts that a refused statement, or the end of a transaction, takes back."""

    path: str | None = None  # as SHOW has it; empty for the default, None for the one of the session's start
    lasting: str | None = None  # the one after COMMIT
    temporary: tuple[_Definition, ...] = ()
    defined: tuple[tuple[str, str | None], ...] = ()  # definitions of other objects, with the path of each


class SessionState:
    """The state of a role's session after each statement. The first plan shows a search path set by options."""

    def __init__(self, start: str | None = None, user: str = USER) -> None:
        self._start, self._user = start, user
        self._now = self._before = self._outside = _State()
        self._saved: dict[str, _State] = {}
        self.begun = self._failed = False

    @property
    def path(self) -> str:
        """The search path."""
        return self.meant(self._now.path)

    def meant(self, path: str | None) -> str:
        """A path, or the one that the session began with, with the role's name in place of ``"$user"``, unless the
        role is the superuser that we made."""
        value = (self._start or "") if path is None else path
        if self._user == USER:
            return value
        return (value or DEFAULT_PATH).replace('"$user"', _quoted(self._user))

    def planned(self, path: str) -> None:
        """Take the path that the server logged."""
        if self._now.path is None and self._start is None:
            self._start = path
        elif path != (self._start if self._now.path is None else self._now.path):
            self._set(path)

    def refuse(self) -> None:
        """The server has refused the last statement."""
        self._now, self._failed = self._before, True

    def committed(self) -> tuple[tuple[str, str | None], ...]:
        """The definitions that were committed since the last call, each with its search path; see :meth:`meant`."""
        if self.begun:
            return ()
        defined, self._now = self._now.defined, self._now._replace(defined=())
        return defined

    def named_in(self, sql: str) -> tuple[str, ...]:
        """The definitions of the session's temporary objects, if a statement names one of them."""
        if not (temporary := self._now.temporary) or len(sql) > _LONGEST:
            return ()
        found = set(_WORD.findall(sql.lower()))
        names = (_WORD.findall(name.lower()) for each in temporary for name in each.names)
        return tuple(each.sql for each in temporary) if any(map(found.issuperset, names)) else ()

    def follow(self, sql: str, values: Sequence[str | None] = ()) -> str:
        """Follow a statement; return it without its parts that concern temporary objects alone."""
        self._before = self._now
        if not self.begun:
            self._outside, self._failed = self._now, False
        concerns = _CONCERNS.search(sql) or (self._now.temporary and _CHANGES.search(sql))
        parts = _parts(grammar.with_values(sql, values)) if concerns and len(sql) <= _LONGEST else ()
        rest = [part for part, kind, node in parts if not self._takes(part, kind, node)]
        lasting = sql if len(rest) == len(parts) else ";".join(rest)
        if _DEFINES.search(lasting):
            self._now = self._now._replace(defined=(*self._now.defined, (lasting, self._now.path)))
        return lasting

    def _takes(self, sql: str, kind: str, node: grammar.Node) -> bool:
        """Follow one statement of a message. Return whether it concerns temporary objects alone."""
        if kind == "TransactionStmt":
            self._transact(node["kind"].removeprefix("TRANS_STMT_"), node)
        elif kind == "VariableSetStmt":
            if node.get("name") == "search_path" or node["kind"] == "VAR_RESET_ALL":
                schemas = (_quoted(_valued(each)) for each in node.get("args", ()))
                path = ", ".join(schemas) if node["kind"] == "VAR_SET_VALUE" else None
                self._set(path, is_local=node.get("is_local", False))
        elif kind == "DiscardStmt":
            if node["target"] == "DISCARD_ALL":
                self._set(None)
            if node["target"] in ("DISCARD_ALL", "DISCARD_TEMP"):
                self._now = self._now._replace(temporary=())
        else:
            for name, each, _ in grammar.nodes_in(node):
                if name == "FuncCall" and grammar.words(each["funcname"])[-1] == "set_config":
                    of, path, local = [*map(_valued, each.get("args", ())), "", "", ""][:3]
                    if of == "search_path":
                        self._set(path, is_local=local in ("true", "t", "on", "1", "yes"))
            return self._defines_temporary(sql, kind, node)
        return False

    def _transact(self, kind: str, node: grammar.Node) -> None:
        now, name = self._now, node.get("savepoint_name", "")
        if kind in ("BEGIN", "START"):
            self.begun = True
        elif kind == "SAVEPOINT":
            self._saved[name] = now
        elif kind == "ROLLBACK_TO":
            self._now, self._failed = self._saved.get(name, now), False
        elif kind in ("COMMIT", "ROLLBACK", "PREPARE"):
            kept = now._replace(path=now.lasting) if kind == "COMMIT" and not self._failed else self._outside
            lasting = tuple(each for each in kept.temporary if not each.until_commit)
            self._now = self._outside = kept._replace(temporary=lasting)
            self.begun, self._failed = node.get("chain", False), False

    def _set(self, path: str | None, *, is_local: bool = False) -> None:
        if self.begun or not is_local:
            self._now = self._now._replace(path=path, lasting=self._now.lasting if is_local else path)

    def _defines_temporary(self, sql: str, kind: str, node: grammar.Node) -> bool:
        """Whether a statement concerns temporary objects alone, which it may create, change or drop."""
        temporary = self._now.temporary
        created = node.get(_CREATED.get(kind, ""), {})
        made = {created.get("rel", created).get("relname")} - {None}
        known = {name for each in temporary for name in each.names} - made
        named = [parts for parts in _names(node) if parts[0] == _TEMPORARY or parts[0] in known]
        names = {parts[-1] if parts[0] == _TEMPORARY else parts[0] for parts in named}
        if kind == "DropStmt":
            left = tuple(each for each in temporary if each.names.isdisjoint(names))
            self._now = self._now._replace(temporary=left)
        elif names and kind not in _ROWS and (kind != "SelectStmt" or made):
            defined = names | made | {node[key] for key in ("newname", "idxname") if key in node}
            until = "ONCOMMIT_DROP" in (created.get("onCommit"), node.get("oncommit"))
            if len(temporary) < _MOST and (self.begun or not until):
                kept = _Definition(sql.strip(), frozenset(defined), until)
                self._now = self._now._replace(temporary=(*temporary, kept))
        return bool(names)


def _quoted(name: str) -> str:
    return name if re.fullmatch("[a-z_][a-z0-9_]*", name) else '"' + name.replace('"', '""') + '"'


def logged_path(plan: str) -> str:
    """The path in a plan of auto_explain as text; empty for the default."""
    at = plan.rfind("\nSettings: ")
    found = _LOGGED.search(plan, at) if at >= 0 else None
    return found["path"] if found else ""


@functools.lru_cache(1 << 10)
def _parts(sql: str) -> Sequence[tuple[str, str, grammar.Node]]:
    """The statements of a message: text, kind and tree."""
    try:
        trees = [(each.sql, grammar.read(each.sql)) for each in statements(sql, psql=False)]
    except ExtraMissingError:
        return ()
    return [(part, kind, node) for part, tree in trees if tree for kind, node in tree["stmt"].items()]


def _valued(node: grammar.Node) -> str:
    """The value of a constant; empty for another expression."""
    while "TypeCast" in node:
        node = node["TypeCast"]["arg"]
    return grammar.constant_text(node["A_Const"]) if "A_Const" in node else ""


def _names(node: grammar.Node) -> Iterator[list[str]]:
    """The names of relations and other objects, in parts; a column's is its table's."""
    for _, each, _ in grammar.nodes_in(node):
        if "relname" in each:
            schema = _TEMPORARY if each.get("relpersistence") == "t" else each.get("schemaname")
            yield [*filter(None, [schema]), each["relname"]]
    for _, each, _ in grammar.nodes_in({name: node[name] for name in _NAMES if name in node}):
        for value in each.values():
            if isinstance(value, list) and value and all("String" in part for part in value):
                parts = grammar.words(value)
                yield parts[:-1] if node.get("objtype") == "OBJECT_COLUMN" else parts
