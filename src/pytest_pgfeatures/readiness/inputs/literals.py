"""The characters of the string literals in a program, each with its place."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import LANGUAGES, ParsedText
from pytest_pgfeatures.readiness.inputs.texts import Text, expression, place_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

_OPENING = re.compile(r"[\w$@]{0,3}#*+(\"++|'++|`)")
_EDGES = re.compile(r"\w*_(?:start|end|beginning)|sigil_name|heredoc_identifier|interpolation_quote")
"""Named nodes beside the contents of a literal, such as ``string_start`` and ``heredoc_end``."""
_CONTENTS = re.compile(r"\w*(?:content|fragment|_body|nowdoc_string|template_literal)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_BRACES = frozenset({"{", "}", "${", "#{"})
"""The nodes around an interpolation that don't belong to it."""
_KEPT = re.compile(r"\\[A-Zac-mo-qswyz]")
"""A backslash before a letter that does not make it an escape: in regular expressions."""
_QUOTED = re.compile(r"\\(?=['\"\\])|\"(?=\")")
_DOLLAR = re.compile(r"\$([A-Za-z_]\w*+)")
_MARGIN = re.compile(r"^(\s*+)\|", re.MULTILINE)
_MARGINAL = re.compile(r"\s*+\.\s*+(?:stripMargin|trimMargin)\b")


class ProgramText(ParsedText):
    """A program with its literals."""

    def __init__(self, text: str, language: str) -> None:
        super().__init__(text, language)
        self.language = LANGUAGES[language]

    def literal(self, node: Node, constant: Callable[[str], Text | None]) -> Text:
        """The characters of a literal, with escapes resolved, and with parameters for interpolations.

        Parameters:
            constant: returns the text of a name, if it has one.
        """
        position, close, raw = self._contents(node)
        found = Text().add("", place_in(self.text, position))
        waiting = list(reversed(node.children))
        while waiting:
            child = waiting.pop()
            if child.end_byte <= position or child.start_byte >= close:
                continue
            if _CONTENTS.fullmatch(child.type):
                waiting += reversed(child.children)
            elif child.is_named or child.type in _BRACES:
                self._take(found, position, child.start_byte, raw=raw)
                position = child.end_byte
                if "escape" in child.type:
                    written = self.of(child)
                    character = _ESCAPES.get(written[1:2], written[1:2] if len(written) == 2 else "x")
                    found.text += written if _KEPT.fullmatch(written) else character
                    if character == "\n":
                        found.places.append(place_in(self.text, position))
                elif child.is_named:
                    unknown = expression(found.text, self.text[position : position + 1])
                    found.text += _line(constant(self.of(child).strip("${}# ")), unknown)
        self._take(found, position, close, raw=raw)
        if self.language.dollars:
            found.text = _DOLLAR.sub(lambda name: _line(constant(name[1]), name[0]), found.text)
        if _MARGINAL.match(self.text, node.end_byte):
            found.text = _MARGIN.sub(r"\1 ", found.text)
        return found

    def _contents(self, node: Node) -> tuple[int, int, bool]:
        """Where the contents of a literal begin and end, and whether no sequence in them is an escape."""
        children = node.children
        first, begin = 0, node.start_byte
        while first < len(children) and _is_edge(children[first]) and children[first].start_byte == begin:
            begin = children[first].end_byte
            first += 1
        opening = _OPENING.match(self.text, node.start_byte, node.end_byte)
        begins = bool(children) and _CONTENTS.fullmatch(children[0].type) is not None
        if not first and not begins and opening is not None:
            return opening.end(), node.end_byte - len(opening[1]), len(opening[1]) > 1
        after = itertools.takewhile(_is_edge, reversed(children[first:]))
        close = min(
            (each.start_byte for each in after), default=children[-1].end_byte if begins else node.end_byte
        )
        quote = self.of(children[first - 1]) if first else ""
        if close == node.end_byte and quote and self.text.endswith(quote, begin, close):
            close -= len(quote)
        return children[0].start_byte if begins else begin, close, quote[-1:] not in ("'", '"')

    def _take(self, found: Text, start: int, end: int, *, raw: bool) -> None:
        """Add a part of the file as it is; two quotes in a literal are one."""
        part = self.text[start:end]
        found.add(part if raw else _QUOTED.sub("", part), place_in(self.text, start))


def _line(text: Text | None, otherwise: str) -> str:
    """A text of one line; another one instead of None and of longer texts."""
    return text.text if text is not None and len(text.places) == 1 else otherwise


def _is_edge(node: Node) -> bool:
    return not node.is_named or _EDGES.fullmatch(node.type) is not None
