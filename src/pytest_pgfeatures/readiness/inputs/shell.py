"""The commands of shell text, by the grammar of tree-sitter: words with their places, here-documents, pipes.

Variables have the values that the text gives them, and calls of its functions are the commands in these.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.inputs.files import written
from pytest_pgfeatures.readiness.inputs.languages import ParsedText
from pytest_pgfeatures.readiness.inputs.texts import place_in
from pytest_pgfeatures.readiness.model import Place, Word

if TYPE_CHECKING:
    from tree_sitter import Node


_COMMANDS = frozenset({"command", "declaration_command"})
_DOCUMENTS = frozenset({"heredoc_redirect", "herestring_redirect"})
_ASSIGNING = frozenset({"variable_assignment", "variable_assignments"})
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r"\\(?:\n|([\"\\$`]))")
_WRITING = frozenset({">", ">>", ">|", "&>", "&>>"})
_VARIABLE = re.compile(r"(?<!\\)\$(?:(\w++|[@*])|\{(\w++|[@*])(?:\[[@*]\])?\}|(\([\w.-]++\)))")
"""A variable. Those that make replaces are also known as ``(NAME)``."""
_CALLED = r"(?:\$\(|`)\s*{0}(?=[\s)`])|^[ \t]*{0}(?=[\s|>])(?!\s*\()[^\n;]*(?:\||>(?!&2))"
"""A call of a function whose output something gets."""
_PASSING = frozenset({"command_substitution", "process_substitution"})
_LONGEST_VALUE = 1 << 16
_MOST_CALLS = 1000
_MOST_ELEMENTS = 1000
_MOST_AROUND = 50
_DEEPEST = 5
_SOURCED = re.compile(
    r"^[ \t]*+(?:\.|source)[ \t]++[^\n;|&]*?(?<![\w.-])([\w.-]++)[\"']?[ \t]*+(?:[;|&#].*)?$", re.MULTILINE
)
_LINE_END = re.compile(r"(?<!\\)\n")


@dataclass(slots=True)
class ShellCommand:
    """One command."""

    words: Sequence[Word]
    written: Word  # its text, without redirections
    assigned: Sequence[tuple[str, Word]] = ()  # the variables that it sets
    document: Word | None = None  # its here-document or here-string
    source: ShellCommand | None = None  # the command whose output it reads through a pipe
    output: str | None = None
    """The file to which it writes; empty if it only prints, None if another command gets its output."""


def commands(text: Word, variables: Mapping[str, str] = {}, written: str = "") -> Iterator[ShellCommand]:
    """The commands of a text, including those inside ``$( )`` and backquotes. If its file has other line ends, as
    where YAML joins lines, ``written`` is the file's text there."""
    script = _Script(text, variables, written or text.text)
    yield from script.found.values()
    yield from script.called


class _Script(ParsedText):
    """A text with the commands in it."""

    def __init__(self, text: Word, variables: Mapping[str, str], written: str) -> None:
        super().__init__(text.text, "shell")
        self._begin, self._written = text.place, written
        self.found: dict[int, ShellCommand] = {}  # the commands, by their nodes
        self.called: list[ShellCommand] = []  # the commands in functions, with the arguments of their calls
        self.values: dict[str, list[tuple[str, Place | None]]] = {}
        self.values |= {name: [(value, None)] for name, value in variables.items()}
        """The values of variables, at the end of the text read so far. Arguments have their places."""
        self._functions: dict[str, Node] = {}
        self._end_of_documents = 0
        sources: dict[int, int] = {}  # by the first command after a pipe: the one before it
        called_by: dict[int, list[ShellCommand]] = {}  # by a call of a function: the commands in it
        for node in self.nodes():
            parts, around = node.named_children, self.around[-1].type if self.around else ""
            if node.type in _COMMANDS or (node.type in _ASSIGNING and around not in _COMMANDS | _ASSIGNING):
                self.found[node.id] = command = self._command(node)
                command.output = self._output(node)
                command.source = self.found.get(sources.get(node.id, 0))
                count = len(self.called)
                self._call(command.words, 0)
                called_by[node.id] = self.called[count:]
                for each in called_by[node.id]:  # they read what the function gets
                    each.source = command.source
            elif node.type == "function_definition":
                self._functions[self.of(parts[0])] = parts[-1]
            if node.type == "variable_assignment" and around != "command":
                self._assign(node)
            elif node.type == "pipeline":
                pairs = itertools.pairwise(parts)
                sources |= {_command_of(other, 0): _command_of(one, -1) for one, other in pairs}
            elif node.type in _DOCUMENTS and self.around:
                owner = _command_of(self.around[-1], -1)
                sources |= {_command_of(each, 0): owner for each in parts if each.type == "pipeline"}
                document = self._document(node)
                if owner in self.found and document is not None:
                    for each in (self.found[owner], *called_by.get(owner, ())):
                        each.document = document

    def _word(self, start: int, text: str) -> Word:
        """A text that begins at an index. If quotes and escapes are removed before it, its column is not exact."""
        line, column = place_in(self._written, start)
        column += self._begin.column - 1 if line == 1 else 0
        return Word(text, Place(self._begin.file, self._begin.line + line - 1, column))

    def _output(self, node: Node) -> str | None:
        """Where the output of the command goes that the nodes around belong to."""
        for around in reversed(self.around[-_MOST_AROUND:]):
            is_passed = around.type == "pipeline" and node != around.named_children[-1]
            if around.type == "function_definition":
                called = _CALLED.format(re.escape(self.of(around.named_children[0])))
                is_passed = re.search(called, self.text, re.MULTILINE) is not None
            if is_passed or around.type in _PASSING:
                return None
            for redirect in around.named_children if around.type == "redirected_statement" else ():
                target = redirect.child_by_field_name("destination")
                if target is not None and redirect.children[0].type in _WRITING:
                    return self._value(target)
            node = around
        return ""

    def _document(self, redirect: Node) -> Word | None:
        """A here-document or here-string with the values that variables have there."""
        first, last = redirect.named_children[0], redirect.named_children[-1]
        if redirect.type == "herestring_redirect":
            return self._word(last.start_byte, self._value(last))
        line = _LINE_END.search(self.text, first.end_byte)
        if line is None or last.type != "heredoc_end":
            return None
        # the grammar's own node leaves out what the first line begins with
        begin = max(line.end(), self._end_of_documents)
        self._end_of_documents = self.text.find("\n", last.start_byte) + 1
        document = self.text[begin : last.start_byte]
        is_quoted = self.of(first)[:1] in ("'", '"', "\\")
        return self._word(begin, document if is_quoted else self._filled(document))

    def _command(self, node: Node) -> ShellCommand:
        words: list[Word] = []
        assigned: list[tuple[str, Word]] = []
        start = end = node.start_byte
        children = [node] if node.type == "variable_assignment" else node.children
        for child in (each for each in children if "redirect" not in each.type):
            at = self._word(child.start_byte, "").place
            if child.type == "variable_assignment":
                name, value = child.named_children[0], child.child_by_field_name("value")
                assigned.append((self.of(name), Word(self._value(value) if value else "", at)))
                if node.type != "declaration_command":
                    continue
            start, end = start if words else child.start_byte, child.end_byte
            words += [Word(value, place or at) for value, place in self._parts(child)]
        return ShellCommand(words, self._word(start, self.text[start:end]), assigned)

    def _parts(self, node: Node) -> list[tuple[str, Place | None]]:
        """The words that a node becomes: those of a variable's value, unless it is quoted. Arguments of a function
        that is called have their places."""
        said = self.of(node)
        is_quoted = said.startswith('"')
        known = self._known(said[1:-1] if is_quoted else said)
        if known is None:
            return [(self._value(node), None)]
        return known if is_quoted else [(value, place) for whole, place in known for value in whole.split()]

    def _known(self, said: str) -> list[tuple[str, Place | None]] | None:
        """The values of a variable, such as ``${name}``; None for other texts, and if its value is not known."""
        variable = _VARIABLE.fullmatch(said)
        return self.values.get(variable[variable.lastindex or 0]) if variable else None

    def _assign(self, node: Node) -> None:
        """Note the value of a variable, or forget the one it had if the new one is not known."""
        name, value = self.of(node.named_children[0]), node.child_by_field_name("value")
        known = self.values.get(name, []) if node.children[1].type == "+=" else []
        if value is not None and value.type == "array":
            for each in (each for each in value.named_children if each.type != "comment"):
                place = self._word(each.start_byte, "").place
                known = known + [(said, at or place) for said, at in self._parts(each)]
            self.values[name] = known[:_MOST_ELEMENTS]
            return
        parts = self._parts(value) if value is not None else [("", None)]
        said = "".join(each for each, _ in known) + " ".join(each for each, _ in parts)
        if "$" in said or "`" in said or len(said) > _LONGEST_VALUE:
            self.values.pop(name, None)
        else:
            self.values[name] = [(said, parts[0][1] if parts else None)]

    def _call(self, words: Sequence[Word], depth: int) -> None:
        """Add the commands of a function that is called, with its arguments in place of ``$1`` and ``$@``."""
        body = self._functions.get(words[0].text) if words else None
        if body is None or depth > _DEEPEST or len(self.called) > _MOST_CALLS:
            return
        outer = dict(self.values)
        arguments: list[tuple[str, Place | None]] = [(word.text, word.place) for word in words[1:]]
        self.values |= {str(number): [each] for number, each in enumerate(arguments, 1)}
        self.values |= {"@": arguments, "*": arguments}
        for node in self.nodes(top=body):
            if node.type == "variable_assignment":
                self._assign(node)
            elif node.type == "command":
                self.called.append(self._command(node))
                self._call(self.called[-1].words, depth + 1)
        self.values = outer

    def _filled(self, text: str) -> str:
        """A text with known values of one line in place of variables."""

        def value(variable: re.Match[str]) -> str:
            known = self._known(variable[0]) or ()
            return known[0][0] if len(known) == 1 and "\n" not in known[0][0] else variable[0]

        return _VARIABLE.sub(value, text)

    def _value(self, node: Node) -> str:
        """The value of a word without quotes. Expansions whose values are not known stay as they are written."""
        said = self.of(node)
        match node.type:
            case "word":
                return _ESCAPED.sub(r"\1", said)
            case "raw_string":
                return said[1:-1]
            case "ansi_c_string":
                return said[2:-1]
            case "string":
                return _ESCAPED_IN_QUOTES.sub(r"\1", self._filled(said[1:-1]))
            case "simple_expansion" | "expansion":
                return self._filled(said)
            case "concatenation" | "command_name" | "variable_assignment" if node.children:
                return "".join(map(self._value, node.children))
        return said


def sourced(path: Path, text: str) -> dict[str, str]:
    """The variables that a script gets from files beside it, which it reads by ``.`` or ``source``."""
    found: dict[str, str] = {}
    for name in _SOURCED.findall(text):
        with contextlib.suppress(OSError, PgFeaturesError):
            read = written(path.parent / name, name).decode("utf-8", "replace")
            values = _Script(Word(read, Place(name, 1)), {}, read).values
            found |= {each: " ".join(value for value, _ in some) for each, some in values.items()}
    return found


def _command_of(node: Node, at: int) -> int:
    """The first command below a node, or the last one if ``at`` is -1; 0 if there is none."""
    while node.type not in _COMMANDS:
        parts = [each for each in node.named_children if "redirect" not in each.type]
        if not parts:
            return 0
        node = parts[at]
    return node.id
