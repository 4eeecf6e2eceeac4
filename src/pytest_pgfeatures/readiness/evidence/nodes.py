"""Search for evidence in the nodes of statements' trees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.readiness.evidence.subjects import compiled
from pytest_pgfeatures.readiness.statements.nodes import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pgfeatures.affects import ParseNode
    from pytest_pgfeatures.readiness.names.model import Names
    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.trees import Noted, Tree

_LAST = re.compile(r"\w+(?=\W*\Z)")
_WORD = re.compile(r"\w+")
_KINDS: dict[str, Callable[[Names, str, frozenset[str]], bool]] = {
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


def of_node(kind: ParseNode, context: StatementContext) -> Iterator[int]:
    """The tokens of a statement that match the evidence."""
    if kind.extension is not None and kind.extension not in context.own.extensions:
        return
    if kind.as_role and not context.as_role:
        return
    if (kind.beside and not any(True for _ in of_node(kind.beside, context))) or (
        kind.unless and any(True for _ in of_node(kind.unless, context))
    ):
        return
    tree = context.tree
    at = tree.reading.positions.get(kind.at or "")
    if kind.after not in (None, tree.reading.keyword(at[0] - 1) if at else None):
        return
    for noted in (noted for name in kind.names for noted in tree.named.get(name, ())):
        if _is_at_its_place(kind, noted, tree):
            found, lacking = (
                {
                    name: text
                    for name, regex in fields.items()
                    if (text := _found(regex, noted, name, context.own)) is not None
                }
                for fields in (kind.fields, kind.lacks)
            )
            if found.keys() == kind.fields.keys() and not lacking:
                yield at[0] if at else _place(noted, found, tree)


def _is_at_its_place(kind: ParseNode, noted: Noted, tree: Tree) -> bool:
    """Whether the nodes around a node are as the evidence's."""
    if noted.around >= 0 and tree.nodes[noted.around].name in kind.outside:
        return False
    while kind.within and noted.around >= 0:
        noted = tree.nodes[noted.around]
        if noted.name in kind.within:
            return True
        if noted.name.endswith("Stmt"):
            return False
    return not kind.within


def _found(regex: str, noted: Noted, field: str, own: Names) -> str | None:
    """Find what a declaration describes in the text of a node's field."""
    value = noted.node.get(field, "")
    text = value if isinstance(value, str) else text_of(value)
    if kind := _KIND.fullmatch(regex):
        is_one, some = _KINDS[kind[1]], frozenset(kind[2].split("|"))
        return next((word for word in text.split() if is_one(own, word, some)), None)
    found = compiled(regex).search(text)
    return found[0] if found else None


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
