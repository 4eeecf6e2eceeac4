"""The commands of shell text, by the grammar of tree-sitter: their words with places, their here-documents and pipes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import grammar
from pytest_pgfeatures.readiness.model import Place, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_RECIPE = re.compile(r"^(?:[+-]*@[@+-]*(?=[\w/$.])|[+-](?=pg_))")
"""The characters before a command that are for make."""
_COMMANDS = frozenset({"command", "declaration_command"})
_ASSIGNING = frozenset({"variable_assignment", "variable_assignments"})
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\(?:\n|([\"\\$`]))")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(slots=True)
class ShellCommand:
    """One command: its words, the variables that it sets, and its here-document.

    Parameters:
        start, end: the indexes of its words in the text.
        document: the text of its here-document or here-string, and the index at which it begins.
        source: the command whose output it reads through a pipe.
    """

    words: list[Word]
    assigned: list[tuple[str, Word]]
    start: int
    end: int
    document: tuple[str, int] | None = None
    source: ShellCommand | None = None


def commands(text: str, place: Callable[[int], Place]) -> Iterator[ShellCommand]:
    """The commands of a text, including those inside ``$( )`` and backquotes.

    Parameters:
        text: shell text.
        place: returns the place of an index in the text.

    Raises:
        ExtraMissingError: the grammar is not installed.
    """
    yield from _Script(text, place).found.values()


class _Script:
    def __init__(self, text: str, place: Callable[[int], Place]) -> None:
        self._text = text
        self._place = place
        self.found: dict[int, ShellCommand] = {}
        """The commands, by their nodes."""
        # with a byte for each character, the tree's offsets are those of the text
        waiting = [grammar("shell").parse(_NOT_ASCII.sub("x", text).encode("ascii")).root_node]
        pairs: list[tuple[Node | None, Node | None]] = []
        documents: list[Node] = []
        while waiting:
            node = waiting.pop()
            if node.type in _COMMANDS:
                self.found[node.id] = self._command(node)
            elif node.type in _ASSIGNING and (node.parent is None or node.parent.type not in _COMMANDS | _ASSIGNING):
                self.found[node.id] = self._command(node)
            elif node.type == "pipeline":
                parts = node.named_children
                pairs += ((_last(one), _first(other)) for one, other in zip(parts, parts[1:], strict=False))
            elif node.type in ("heredoc_redirect", "herestring_redirect"):
                documents.append(node)
                pairs += ((_owner(node), _first(each)) for each in node.named_children if each.type == "pipeline")
            waiting += reversed(node.named_children)
        for one, other in pairs:
            if one is not None and other is not None:
                self.found[other.id].source = self.found[one.id]
        for node in documents:
            owner, given = _owner(node), node.named_children[-1]
            body = next((each for each in node.named_children if each.type == "heredoc_body"), None)
            if owner is not None and (body is not None or node.type == "herestring_redirect"):
                text = self._of(body) if body is not None else self._value(given)
                self.found[owner.id].document = text, (body or given).start_byte

    def _of(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte]

    def _command(self, node: Node) -> ShellCommand:
        words: list[Word] = []
        assigned: list[tuple[str, Word]] = []
        start = end = node.start_byte
        children = [node] if node.type == "variable_assignment" else node.children
        for child in children:
            if "redirect" in child.type:
                continue
            at = self._place(child.start_byte)
            if child.type == "variable_assignment":
                name, value = child.named_children[0], child.child_by_field_name("value")
                assigned.append((self._of(name), Word(self._value(value) if value else "", at)))
                if node.type != "declaration_command":
                    continue
            value_of_word = self._value(child)
            if not words:
                value_of_word = _RECIPE.sub("", value_of_word)
                start = child.start_byte
            words.append(Word(value_of_word, at))
            end = child.end_byte
        return ShellCommand(words, assigned, start, end)

    def _value(self, node: Node) -> str:
        """The value of a word without quotes. Expansions stay as they are written."""
        said = self._of(node)
        match node.type:
            case "word":
                return _ESCAPED.sub(r"\1", said)
            case "raw_string":
                return said[1:-1]
            case "ansi_c_string":
                return said[2:-1]
            case "string":
                return _ESCAPED_IN_QUOTES.sub(r"\1", said[1:-1])
            case "concatenation" | "command_name" | "variable_assignment" if node.children:
                return "".join(map(self._value, node.children))
        return said


def _owner(redirect: Node) -> Node | None:
    """The command that a redirection is of."""
    node = redirect.parent
    if node is None or node.type in _COMMANDS:
        return node
    body = node.child_by_field_name("body")
    return _last(body) if body is not None else None


def _last(node: Node) -> Node | None:
    """The last command below a node."""
    if node.type in _COMMANDS:
        return node
    parts = [each for each in node.named_children if "redirect" not in each.type]
    return _last(parts[-1]) if parts else None


def _first(node: Node) -> Node | None:
    """The first command below a node."""
    if node.type in _COMMANDS:
        return node
    return _first(node.named_children[0]) if node.named_children else None
