"""The texts that a program builds from its string literals, by the grammars of tree-sitter.

What the program joins becomes one text: adjacent literals, operators, ``append()``, and constants of the same file.
Interpolated expressions, and those that are joined to a literal, become placeholders.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import LANGUAGES, grammar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

PLACEHOLDER = "%s"
_WORD = re.compile(r"\w")
_OPENING = re.compile(r"[\w$@]{0,3}#*+(\"++|'++|`)")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_EDGES = re.compile(r"\w*_(?:start|end|beginning)|sigil_name|heredoc_identifier|interpolation_quote")
"""Named nodes beside the contents of a literal, such as ``string_start`` and ``heredoc_end``."""
_CONTENTS = re.compile(r"\w*(?:content|fragment|_body|nowdoc_string|template_literal)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_BRACES = frozenset({"{", "}", "${", "#{"})
"""The nodes around an interpolation that don't belong to it."""
_KEPT = re.compile(r"\\[A-Zac-mo-qswyz]")
"""A backslash before a letter that does not make it an escape: in regular expressions."""
_QUOTED = re.compile(r"\\(?=['\"\\])|\"(?=\")")
_MARGIN = re.compile(r"^(\s*+)\|", re.MULTILINE)
_IN_WRAPPERS = frozenset(
    {
        "parenthesized_expression", "concatenated_string", "chained_string", "argument", "value_argument",
        "arguments", "argument_list", "value_arguments", "expression_list",
    }
)  # fmt: skip
_DECLARED = frozenset({"variable_declaration", "expression_list"})
"""Nodes around a name to which a value is assigned."""
_NAMES = frozenset({"identifier", "constant", "name", "variable_name", "scalar"})
_BUILDING = re.compile(r"(?:new\s++)?String(?:Builder|Buffer)\s*+")
_APPENDING = ".append"
_NO_LONGER_TEXT = re.compile(r"\s*+\.\s*+(?:join|split|length|size|hashCode|count|index|find)\b")
_MARGINAL = re.compile(r"\s*+\.\s*+(?:stripMargin|trimMargin)\b")
_IN_TCL = re.compile(
    r'(?<=[\s\[])"(?P<quoted>(?>(?:[^"\\]++|\\.)*))"'
    r"|\bspi_(?:exec|prepare)\b(?>(?:\s++-\w++\s++[^\s{}]++)*)\s++\{(?P<braced>[^{}]*+)\}",
    re.DOTALL,
)
_VALUE_IN_TCL = re.compile(r"\$(?:[A-Za-z_]\w*+|\{[^{}]*+\})(?>(?:\([^()]*+\))?)|\[[^\[\]]*+\]")
_DEEPEST = 100
_LONGEST_CONSTANT = 1 << 16


@dataclass(slots=True)
class Text:
    """A text of a program, and for each of its lines, the line and column in the file."""

    text: str = ""
    lines: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)


def texts_of(program: str, language: str) -> Iterator[Text]:
    """The texts that a program builds, in the order in which they begin.

    Parameters:
        language: the name of its language.

    Raises:
        ExtraMissingError: the grammar of the language is not installed.
    """
    return _of_tcl(program) if language == "tcl" else _Program(program, language).texts()


def _of_tcl(text: str) -> Iterator[Text]:
    """The quoted words of a program in Tcl, and the statements in braces."""
    for match in _IN_TCL.finditer(text):
        start = match.start("quoted") if match["braced"] is None else match.start("braced")
        inner = match["braced"] or _VALUE_IN_TCL.sub(PLACEHOLDER, match["quoted"] or "")
        line = text.count("\n", 0, start) + 1
        count = inner.count("\n")
        column = start - text.rfind("\n", 0, start)
        yield Text(inner, list(range(line, line + count + 1)), [column, *[1] * count])


class _Program:
    """A program: its text, and the tree of the grammar.

    Parameters:
        text: the program.
        language: the name of its language.
    """

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = LANGUAGES[language]
        # With a byte for each character, the tree's offsets are those of the text.
        plain = _NOT_ASCII.sub(lambda match: "x" if match[0].isalnum() else " ", text)
        self._root = grammar(language).parse(plain.encode("ascii")).root_node
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self._used: list[int] = []
        self._constants = self._given()
        self._known: dict[str, Text | None] = {}

    def texts(self) -> Iterator[Text]:
        """The literals. Those that the program joins become one."""
        language = self._language
        first = {*language.strings, *language.joins[::2], language.calls[0]}
        done: set[int] = set()
        for node in self._nodes():
            if node.type == language.documentation:
                done.update(child.id for child in node.children[:1] if child.type in language.strings)
            is_call = node.type == language.calls[0]
            if node.type not in first or node.id in done or (is_call and not self._appends(node)):
                continue
            self._used = [node.id]
            found = self._read(node, 0)
            done.update(self._used)
            if found is not None:
                yield found

    def _nodes(self) -> Iterator[Node]:
        """All nodes, in the order in which they begin.

        Queries of tree-sitter would take quadratic time for a node with errors of syntax.
        """
        cursor = self._root.walk()
        while (node := cursor.node) is not None:
            yield node
            if cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return

    def _given(self) -> dict[str, Node]:
        """The values of names to which the file assigns exactly one value."""
        found: list[tuple[str, Node]] = []
        for node in self._nodes():
            if node.type not in self._language.constants:
                continue
            children = node.children
            at = next((at for at, child in enumerate(children) if child.type in ("=", ":=")), len(children))
            wrapped = (each for child in children[:at] if child.type in _DECLARED for each in child.children)
            named = [child for child in (*children[:at], *wrapped) if child.type in _NAMES]
            if named and at + 1 < len(children):
                found.append((self._of(named[0]), children[at + 1]))
        times = Counter(name for name, _ in found)
        return {name: value for name, value in found if times[name] == 1}

    def _of(self, node: Node) -> str:
        return self._text[node.start_byte : node.end_byte]

    def _read(self, node: Node, depth: int) -> Text | None:
        """The text that an expression builds; None if it builds none, or an unknown one."""
        kind, used = node.type, len(self._used)
        found: Text | None = None
        if depth > _DEEPEST:
            return None
        if kind in self._language.strings:
            self._used.append(node.id)
            return self._literal(node, depth)
        if kind == self._language.joins[0]:
            found = self._joined(node, depth)
        elif kind in _IN_WRAPPERS:
            found = self._together([self._read(each, depth + 1) for each in _parts(node)])
        elif kind in _NAMES:
            found = self._constant(self._of(node), depth)
        elif kind in self._language.calls:
            found = self._called(node, depth)
        if found is None and kind != self._language.joins[0]:
            del self._used[used:]
        return found

    def _constant(self, name: str, depth: int) -> Text | None:
        """The text of a name; None while it is being looked up, because a name may refer to itself."""
        if name not in self._constants:
            return None
        if name not in self._known:
            self._known[name] = None
            used = len(self._used)
            found = self._read(self._constants[name], depth + 1)
            del self._used[used:]
            self._known[name] = found if found is not None and len(found.text) <= _LONGEST_CONSTANT else None
        known = self._known[name]
        return None if known is None else Text(known.text, list(known.lines), list(known.columns))

    def _joined(self, node: Node, depth: int) -> Text | None:
        """The text of a chain of operators."""
        operands: list[Node] = []
        operator = self._language.joins[1]
        while node.type == self._language.joins[0]:
            self._used.append(node.id)
            parts = [child for child in node.children if "comment" not in child.type]
            if len(parts) != 3:
                return None
            if (written := self._of(parts[1])) != operator:
                if written == "%" and not operands:
                    return self._read(parts[0], depth + 1)
                break
            operands.append(parts[2])
            node = parts[0]
        operands.append(node)
        if len(operands) == 1:
            return None
        return self._together([self._read(each, depth + 1) for each in reversed(operands)])

    def _appends(self, node: Node) -> bool:
        """Whether a call is one of ``append()``."""
        parts = _parts(node)
        return len(parts) > 1 and self._text[
            parts[0].start_byte : parts[-1].start_byte
        ].rstrip().lower().endswith(_APPENDING)

    def _called(self, node: Node, depth: int) -> Text | None:
        """The text of a method that returns it unchanged, of ``append()``, and of a new ``StringBuilder``."""
        parts = _parts(node)
        if not parts:
            return None
        if _BUILDING.fullmatch(self._text, node.start_byte, parts[-1].start_byte):
            return self._read(parts[-1], depth + 1) or Text()
        first = self._read(parts[0], depth + 1)
        after = parts[0].end_byte
        if node.type == self._language.calls[0] and self._appends(node):
            self._used.append(node.id)
            added = self._read(parts[-1], depth + 1)
            return self._together([first or Text(), added]) if first or added else None
        if first is None or _NO_LONGER_TEXT.match(self._text, after):
            return None
        return first

    def _together(self, parts: Sequence[Text | None]) -> Text | None:
        """The parts as one text, with parameters in place of unknown parts."""
        if not any(parts):
            return None
        whole = Text()
        for number, part in enumerate(parts):
            if part is None:
                following = next((each.text for each in parts[number + 1 :] if each is not None), "")
                whole.text += expression(whole.text, following)
            elif part.lines:
                _append(whole, part)
        return whole if whole.lines else None

    def _literal(self, node: Node, depth: int) -> Text:
        """The characters of a literal, with escapes resolved, and with parameters for interpolations."""
        begin, close, raw = self._contents(node)
        found = Text()
        self._mark(found, begin)
        waiting = list(reversed(node.children))
        position = begin
        while waiting:
            child = waiting.pop()
            if child.end_byte <= position or child.start_byte >= close:
                continue
            if _CONTENTS.fullmatch(child.type):
                waiting += reversed(child.children)
                continue
            if not child.is_named and child.type not in _BRACES:
                continue
            self._take(found, position, max(child.start_byte, position), raw=raw)
            position = child.end_byte
            if not child.is_named:
                continue
            if "escape" in child.type:
                self._escape(found, child)
            else:
                self._interpolate(found, child, depth)
        self._take(found, position, close, raw=raw)
        if _MARGINAL.match(self._text, node.end_byte):
            found.text = _MARGIN.sub(r"\1 ", found.text)
        return found

    def _contents(self, node: Node) -> tuple[int, int, bool]:
        """Where the contents of a literal begin and end, and whether no sequence in them is an escape."""
        children = node.children
        first, begin = 0, node.start_byte
        while first < len(children) and _is_edge(children[first]) and children[first].start_byte == begin:
            begin = children[first].end_byte
            first += 1
        last = next((at for at in range(len(children), first, -1) if not _is_edge(children[at - 1])), first)
        if first:
            quote = self._of(children[first - 1])
            close = children[last].start_byte if last < len(children) else node.end_byte
            if last == len(children) and quote and self._text.endswith(quote, begin, close):
                close -= len(quote)
            return begin, close, quote[-1:] not in "'\""
        if children and _CONTENTS.fullmatch(children[0].type):
            close = children[last].start_byte if last < len(children) else children[-1].end_byte
            return children[0].start_byte, close, True
        opening = _OPENING.match(self._text, node.start_byte, node.end_byte)
        if opening is None:
            close = children[last].start_byte if last < len(children) else node.end_byte
            return node.start_byte, close, True
        return opening.end(), node.end_byte - len(opening[1]), len(opening[1]) > 1

    def _mark(self, found: Text, index: int) -> None:
        line = bisect.bisect_right(self._starts, index)
        found.lines.append(line)
        found.columns.append(index - self._starts[line - 1] + 1)

    def _take(self, found: Text, start: int, end: int, *, raw: bool) -> None:
        """Add a part of the file as it is; two quotes in a literal are one."""
        part = self._text[start:end]
        found.text += part if raw else _QUOTED.sub("", part)
        for match in re.finditer("\n", part):
            self._mark(found, start + match.end())

    def _escape(self, found: Text, node: Node) -> None:
        written = self._of(node)
        character = _ESCAPES.get(written[1:2], written[1:2] if len(written) == 2 else "x")
        if _KEPT.fullmatch(written):
            character = written
        found.text += character
        if character == "\n":
            self._mark(found, node.end_byte)

    def _interpolate(self, found: Text, node: Node, depth: int) -> None:
        constant = self._constant(self._of(node).strip("${}# "), depth)
        if constant is not None and len(constant.lines) == 1:
            found.text += constant.text
        else:
            found.text += expression(found.text, self._text[node.end_byte : node.end_byte + 1])


def _parts(node: Node) -> list[Node]:
    return [child for child in node.named_children if "comment" not in child.type]


def _is_edge(node: Node) -> bool:
    return not node.is_named or _EDGES.fullmatch(node.type) is not None


def expression(before: str, after: str) -> str:
    """The text that stands for an expression: a parameter, or a letter if it is a part of a word."""
    return "x" if _WORD.match(before[-1:]) or _WORD.match(after[:1]) else PLACEHOLDER


_BETWEEN = frozenset(",()")
"""Punctuation beside which white space may stand."""


def _append(whole: Text, part: Text) -> None:
    """Append a text. If it begins on another line of the file, a newline replaces white space between the
    two, so that its place is kept."""
    if not whole.lines:
        whole.lines, whole.columns = list(part.lines), list(part.columns)
        whole.text += part.text
        return
    text, skip = part.text, 1
    if part.lines[0] != whole.lines[-1] and whole.text[-1:].isspace():
        whole.text, skip = whole.text[:-1] + "\n", 0
    elif part.lines[0] != whole.lines[-1] and text[:1].isspace():
        text, skip = "\n" + text[1:], 0
    elif part.lines[0] != whole.lines[-1] and (text[:1] in _BETWEEN or whole.text[-1:] in _BETWEEN):
        text, skip = "\n" + text, 0
    whole.text += text
    whole.lines += part.lines[skip:]
    whole.columns += part.columns[skip:]
