"""Search for evidence in the nodes of statements' trees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.statements.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pgfeatures import affects
    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.trees import Noted, Tree

_LAST = re.compile(r"\w+(?=\W*\Z)")
_WORD = re.compile(r"\w+")
_KINDS: dict[str, Callable[[Names, str, frozenset[str]], bool]] = {
    "column": lambda own, name, types: not types.isdisjoint(own.columns.get(name, ())),
    "cursor": lambda own, name, _: name in own.cursors,
    "foreign": lambda own, name, _: own.is_of_kind(name, "foreign table"),
    "path-function": lambda own, name, _: name in own.path_functions,
    "parent": lambda own, name, _: name in own.parents,
    "own-type": lambda own, name, _: name in own.types or name in own.relations,
    "partitioned": lambda own, name, _: any(each.partitioned for each in own.relations.get(name, ())),
    "sequence": lambda own, name, _: own.is_of_kind(name, "sequence"),
    "session-role": lambda own, name, _: name in own.session_roles,
    "temporary": lambda own, name, _: name in own.temporary,
    "type": lambda own, name, types: name in types and name not in own.types and name not in own.relations,
}
"""The kinds of objects that evidence names, mostly the application's own, with what stands after a colon."""
_KIND = re.compile(r"<([a-z-]+):?([^>]*)>")


class OfNode:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.ParseNode`."""

    def __init__(self, kind: affects.ParseNode) -> None:
        self._kind = kind
        self._fields = {name: _search(regex) for name, regex in kind.fields.items()}
        self._lacks = {name: _search(regex) for name, regex in kind.lacks.items()}
        self._beside, self._unless = (each and OfNode(each) for each in (kind.beside, kind.unless))
        self.keys = frozenset(kind.names)

    def __call__(self, context: StatementContext) -> Iterator[int]:
        if self._kind.extension is not None and self._kind.extension not in context.own.extensions:
            return
        if self._kind.as_role and not context.as_role:
            return
        if (self._beside and not list(self._beside(context))) or (
            self._unless and list(self._unless(context))
        ):
            return
        tree = context.tree
        for noted in (noted for name in self._kind.names for noted in tree.named.get(name, ())):
            found = self._found(noted, context.own) if self._is_at_its_place(noted, tree) else None
            at = tree.reading.positions.get(self._kind.at or "")
            before = tree.reading.keyword(at[0] - 1) if at else None
            if found is not None and self._kind.after in (None, before):
                yield at[0] if at else _place(noted, found, tree)

    def _found(self, noted: Noted, own: Names) -> dict[str, str] | None:
        """Search each field of a node, and return what is found in it; None if it isn't as the evidence's."""
        found: dict[str, str] = {}
        for name, search in self._fields.items():
            part = search(_text(noted, name), own)
            if part is None:
                return None
            found[name] = part
        lacks = (search(_text(noted, name), own) for name, search in self._lacks.items())
        return found if all(part is None for part in lacks) else None

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
    if kind := _KIND.fullmatch(regex):
        is_one, some = _KINDS[kind[1]], frozenset(kind[2].split("|"))
        return lambda text, own: next((word for word in text.split() if is_one(own, word, some)), None)
    pattern = re.compile(regex, re.IGNORECASE | re.DOTALL)
    return lambda text, _: found[0] if (found := pattern.search(text)) else None


def _text(noted: Noted, field: str) -> str:
    value = noted.node.get(field, "")
    return value if isinstance(value, str) else text_of(value)


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
