"""The commands of shell text, by the grammar of tree-sitter: words with their places, here-documents, pipes."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import ParsedText
from pytest_pgfeatures.readiness.model import Place, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

_RECIPE = re.compile(r"^(?:[+-]*@[@+-]*(?=[\w/$.])|[+-](?=pg_))")
"""The characters before a command that are addressed to make."""
_COMMANDS = frozenset({"command", "declaration_command"})
_DOCUMENTS = frozenset({"heredoc_redirect", "herestring_redirect"})
_ASSIGNING = frozenset({"variable_assignment", "variable_assignments"})
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\(?:\n|([\"\\$`]))")
_LINE_END = re.compile(r"(?<!\\)\n")


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


class _Script(ParsedText):
    """A text with the commands in it."""

    def __init__(self, text: str, place: Callable[[int], Place]) -> None:
        super().__init__(text, "shell")
        self._place = place
        self.found: dict[int, ShellCommand] = {}
        """The commands, by their nodes."""
        pairs: list[tuple[Node | None, Node | None]] = []
        documents: list[tuple[Node, Node | None]] = []
        for node in self.nodes():
            parts, around = node.named_children, self.around[-1].type if self.around else ""
            if node.type in _COMMANDS or (node.type in _ASSIGNING and around not in _COMMANDS | _ASSIGNING):
                self.found[node.id] = self._command(node)
            elif node.type == "pipeline":
                pairs += (
                    (_command_of(one, -1), _command_of(other, 0)) for one, other in itertools.pairwise(parts)
                )
            elif node.type in _DOCUMENTS:
                owner = _owner(node)
                documents.append((node, owner))
                pairs += ((owner, _command_of(each, 0)) for each in parts if each.type == "pipeline")
        for one, other in pairs:
            if one is not None and other is not None:
                self.found[other.id].source = self.found[one.id]
        end = 0
        for redirect, owner in documents:
            first, last = redirect.named_children[0], redirect.named_children[-1]
            if redirect.type == "herestring_redirect":
                document = self._value(last), last.start_byte
            elif last.type == "heredoc_end" and (line := _LINE_END.search(text, first.end_byte)) is not None:
                # the grammar's own node leaves out what the first line begins with
                begin = max(line.end(), end)
                end = text.find("\n", last.start_byte) + 1
                document = text[begin : last.start_byte], begin
            else:
                continue
            if owner is not None:
                self.found[owner.id].document = document

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
                assigned.append((self.of(name), Word(self._value(value) if value else "", at)))
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
        said = self.of(node)
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
    return _command_of(body, -1) if body is not None else None


def _command_of(node: Node, at: int) -> Node | None:
    """The first command below a node, or the last one if ``at`` is -1."""
    while node.type not in _COMMANDS:
        parts = [each for each in node.named_children if "redirect" not in each.type]
        if not parts:
            return None
        node = parts[at]
    return node
