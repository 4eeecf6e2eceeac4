"""Search for evidence in the nodes of statements' trees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.statements.commands import COMMANDS
from pytest_pgfeatures.readiness.statements.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pgfeatures import affects
    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.trees import Noted, Tree

_DEFINING = ("create", "alter")
_WORDS = {
    "AccessPriv": ("grant", "revoke"),
    "AlterTableCmd": ("alter",),
    "CaseExpr": ("case",),
    "ClosePortalStmt": ("close",),
    "CoalesceExpr": ("coalesce",),
    "ColumnDef": _DEFINING,
    "CommonTableExpr": ("with",),
    "Constraint": _DEFINING,
    "CreatedbStmt": ("create",),
    "DefineStmt": ("create",),
    "FetchStmt": ("fetch", "move"),
    "GrantRoleStmt": ("grant", "revoke"),
    "GrantStmt": ("grant", "revoke"),
    "IndexElem": _DEFINING,
    "IndexStmt": ("create",),
    "JsonArrayQueryConstructor": ("json_array",),
    "MultiAssignRef": ("update",),
    "ObjectWithArgs": ("alter", "comment", "drop", "grant", "revoke"),
    "RangeTableFunc": ("xmltable",),
    "RangeTableFuncCol": ("xmltable",),
    "RenameStmt": ("rename",),
    "TableLikeClause": ("create",),
    "TransactionStmt": ("begin", "start"),
    "TypeCast": ("cast", "::"),
    "VacuumStmt": ("vacuum", "analyze", "analyse"),
    "VariableSetStmt": ("set", "reset"),
    "ViewStmt": ("create",),
    "WindowDef": ("window",),
    "output": ("returning",),
    "over": ("over",),
}
"""By node: words of which each statement with it contains one, if no command is the first word of its name."""
_LAST = re.compile(r"\w+(?=\W*\Z)")
_WHOLE = re.compile(r"\^(?:\w+ )?(\w+)\$")
_FIRST = re.compile("[A-Z][a-z]+")
_WORD = re.compile(r"\w+")
_NAMED = {"DefElem": "defname", "FuncCall": "funcname", "RangeVar": "relname", "ResTarget": "name"}
"""By node: the field whose last word each statement with it contains, if a declaration names it as a whole."""
_KINDS: dict[str, Callable[[Names, str], bool]] = {
    "<cursor>": lambda own, name: name in own.cursors,
    "<foreign>": lambda own, name: any(each.kind == "foreign table" for each in own.relations.get(name, ())),
    "<path-function>": lambda own, name: name in own.path_functions,
    "<parent>": lambda own, name: name in own.parents,
    "<own-type>": lambda own, name: name in own.types or name in own.relations,
    "<partitioned>": lambda own, name: any(each.partitioned for each in own.relations.get(name, ())),
    "<session-role>": lambda own, name: name in own.session_roles,
    "<temporary>": lambda own, name: name in own.temporary,
}
"""The kinds of the application's own objects that evidence names."""


class OfNode:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.ParseNode`."""

    def __init__(self, kind: affects.ParseNode) -> None:
        self._kind = kind
        self._fields = {name: _search(regex) for name, regex in kind.fields.items()}
        self._lacks = {name: _search(regex) for name, regex in kind.lacks.items()}
        self.words = _words(kind)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if self._kind.extension is not None and self._kind.extension not in context.own.extensions:
            return
        tree = context.tree
        for noted in tree.nodes:
            if noted.name in self._kind.names and self._is_at_its_place(noted, tree):
                found = {
                    name: search(_text(noted, name), context.own) for name, search in self._fields.items()
                }
                if all(each is not None for each in found.values()) and not any(
                    search(_text(noted, name), context.own) is not None
                    for name, search in self._lacks.items()
                ):
                    at = tree.reading.positions.get(self._kind.at or "")
                    if self._kind.after is None or (
                        at and tree.reading.keyword(at[0] - 1) == self._kind.after
                    ):
                        texts = {name: each or "" for name, each in found.items()}
                        yield at[0] if at else _place(noted, texts, tree)

    def _is_at_its_place(self, noted: Noted, tree: Tree) -> bool:
        """Whether the nodes around a node are as the evidence's."""
        if noted.around >= 0 and tree.nodes[noted.around].name in self._kind.outside:
            return False
        while self._kind.within and noted.around >= 0:
            noted = tree.nodes[noted.around]
            if noted.name in self._kind.within:
                return True
            if noted.name.endswith("Stmt"):
                return False
        return not self._kind.within


def _search(regex: str) -> Callable[[str, Names], str | None]:
    """Return a function that finds what a declaration describes in a field's text."""
    is_one = _KINDS.get(regex)
    if regex.startswith("<column:"):
        types = set(regex[len("<column:") : -1].split("|"))
        is_one = lambda own, name: not types.isdisjoint(own.columns.get(name, ()))  # noqa: E731
    if is_one is not None:
        return lambda text, own: next((word for word in text.split() if is_one(own, word)), None)
    pattern = re.compile(regex, re.IGNORECASE | re.DOTALL)
    return lambda text, _: found[0] if (found := pattern.search(text)) else None


def _words(kind: affects.ParseNode) -> frozenset[str]:
    """Words of which each statement with such a node contains one; empty if unknown."""
    found: set[str] = set()
    for name in kind.within or kind.names:
        named = _WHOLE.fullmatch(kind.fields.get(_NAMED.get(name, ""), ""))
        first = {word.lower() for word in _FIRST.findall(name)[:1]} & COMMANDS
        some = (named[1],) if named else _WORDS.get(name) or first
        if not some:
            return frozenset()
        found.update(some)
    return frozenset(found)


def _text(noted: Noted, field: str) -> str:
    return text_of(noted.node.get(field, []))


def _place(noted: Noted, found: Mapping[str, str], tree: Tree) -> int:
    """The token of what was found last, or of the node, or of a word that was found."""
    located = [place for name, text in found.items() for place in _places(noted.node.get(name), text)][-1:]
    while not located and noted.around >= 0 and not noted.name.endswith("Stmt"):
        located = _places(noted.node, "")
        noted = tree.nodes[noted.around]
    if located:
        return tree.at(located[0])
    words = (word for text in found.values() for word in (*_WORD.findall(text), *_WORD.findall(text.lower())))
    return next((tree.reading.positions[word][0] for word in words if word in tree.reading.positions), 0)


def _places(value: object, text: str) -> list[dict[str, Any]]:
    """The nodes with a place in a field, none within another; of a list, of the last one with a word."""
    if isinstance(value, list):
        word = _LAST.search(text)
        having = [each for each in value if word is None or word[0] in text_of(each)]
        return _places(having[-1], text) if having else []
    if not isinstance(value, dict):
        return []
    if value.get("location", -1) >= 0:
        return [value]
    return [place for each in value.values() for place in _places(each, text)]
