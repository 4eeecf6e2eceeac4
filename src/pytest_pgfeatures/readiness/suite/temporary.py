"""The temporary objects of each session of a suite. They belong to the session's statements, not to the schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError
from pytest_pgfeatures.readiness.statements.trees import parse
from pytest_pgfeatures.readiness.suite.rows import with_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.readiness.statements.nodes import Node

_LONGEST = 1 << 14
"""The number of characters from which on a statement isn't searched for temporary objects."""
_MOST = 50
"""The definitions that are kept of a session."""
_MAKES = re.compile(r"\b(?:temp|temporary|pg_temp)\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:create|alter|drop|comment|grant|revoke|discard)\b", re.IGNORECASE)
_WORD = re.compile(r"\w++")
_SCHEMA = "pg_temp"
_CREATED = {"CreateStmt": "relation", "ViewStmt": "view", "CreateSeqStmt": "sequence"}
"""The statements that create relations, with the relation's property."""
_ROWS = frozenset({"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt", "CopyStmt", "TruncateStmt"})
_NAMES = ("objects", "object", "funcname", "defnames", "typeName", "domainname")
"""The properties of statements that have names of objects other than relations."""


class _Definition(NamedTuple):
    """A statement that defines or changes temporary objects.

    Parameters:
        names: of the objects that it needs.
        until_commit: whether they are dropped when the transaction ends.
    """

    sql: str
    names: frozenset[str]
    until_commit: bool = False


class TemporaryObjects:
    """The temporary objects of a session, statement by statement."""

    def __init__(self) -> None:
        self._now: tuple[_Definition, ...] = ()
        self._before: tuple[_Definition, ...] = ()
        self._outside: tuple[_Definition, ...] = ()
        self._begun = False

    def begin(self) -> None:
        """Follow a BEGIN."""
        if not self._begun:
            self._begun, self._outside = True, self._now

    def end(self, *, committed: bool) -> None:
        """Follow the end of a transaction."""
        if self._begun and not committed:
            self._now = self._outside
        self._begun = False
        self._now = tuple(each for each in self._now if not each.until_commit)

    def refuse(self) -> None:
        """The server has refused the last statement."""
        self._now = self._before

    def named_in(self, sql: str) -> tuple[str, ...]:
        """The definitions of the session's temporary objects, if a statement names one of them."""
        if not self._now or len(sql) > _LONGEST:
            return ()
        words = set(_WORD.findall(sql.lower()))
        if not any(
            words.issuperset(_WORD.findall(name.lower())) for each in self._now for name in each.names
        ):
            return ()
        return tuple(each.sql for each in self._now)

    def follow(self, sql: str, values: tuple[str | None, ...] = ()) -> str:
        """Follow a statement.

        Parameters:
            values: of its parameters.

        Returns:
            the statement without its parts that concern temporary objects alone.
        """
        self._before = self._now
        concerns = _MAKES.search(sql) or (self._now and _CHANGES.search(sql))
        if not concerns or len(sql) > _LONGEST:
            return sql
        try:
            statements, _ = parse(sql, {})
        except (ExtraMissingError, RecursionError):
            return sql
        text = sql.encode("utf-8", "surrogateescape")
        rest = []
        for statement in statements:
            at = statement.get("stmt_location", 0)
            part = text[at : at + statement.get("stmt_len", len(text))].decode("utf-8", "surrogateescape")
            ((kind, node),) = statement["stmt"].items()
            if not self._takes(part.strip(), kind, node, values):
                rest.append(part)
        return sql if len(rest) == len(statements) else ";".join(rest)

    def _takes(self, sql: str, kind: str, node: Node, values: tuple[str | None, ...]) -> bool:
        """Whether a statement concerns temporary objects alone."""
        if kind == "DiscardStmt":
            if node.get("target") in ("DISCARD_ALL", "DISCARD_TEMP"):
                self._now = ()
            return False
        known = frozenset(name for each in self._now for name in each.names)
        into = _into(kind, node)
        created = into.get("rel") if into else node.get(_CREATED.get(kind, ""))
        others = [each for each in _relations(kind, node) if each is not created]
        names = {each["relname"] for each in others if _is_temporary(each, known)}
        if created and (_is_temporary(created, frozenset()) or (names and kind != "SelectStmt")):
            names.add(created["relname"])
        found = list(_names(kind, node))
        of_objects = [name[-1] for name in found if name[0] == _SCHEMA]
        of_objects += [name[0] for name in found if name[0] in known]
        if kind == "DropStmt":
            taken = 0 < len(found) == len(of_objects)
            if taken:
                self._now = tuple(each for each in self._now if each.names.isdisjoint(of_objects))
            return taken
        names.update(of_objects)
        if not names or kind in _ROWS or (kind == "SelectStmt" and created is None):
            return bool(names)
        if node.get("renameType") != "OBJECT_COLUMN":
            names.update(node[key] for key in ("newname", "idxname") if key in node)
        until = (into or {}).get("onCommit", node.get("oncommit")) == "ONCOMMIT_DROP"
        kept = _Definition(with_values(sql, values), frozenset(names), until)
        if len(self._now) < _MOST and (self._begun or not until):
            self._now = (*self._now, kept)
        return True


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
        or schema == _SCHEMA
        or (schema is None and relation["relname"] in known)
    )


def _relations(kind: str, node: Node) -> Iterator[Node]:
    """The relations that a statement defines or changes, and those that a query or a view reads."""
    reads = kind in ("SelectStmt", "ViewStmt")
    left: list[Any] = [] if kind == "CreateTableAsStmt" else list(node.values())
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict) and "relname" in value:
            yield value
        elif isinstance(value, dict) and (reads or "RangeVar" in value):
            left += value.values()


def _names(kind: str, node: Node) -> Iterator[list[str]]:
    """The names of objects, in parts, that a statement defines, changes or drops; a column's is its table's."""
    left: list[Any] = [node[name] for name in _NAMES if name in node]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list) and value and all("String" in each for each in value):
            parts = [str(each["String"].get("sval", "")) for each in value]
            yield parts[:-1] if node.get("objtype") == "OBJECT_COLUMN" else parts
        elif isinstance(value, list):
            left += value
