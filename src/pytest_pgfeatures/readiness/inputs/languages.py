"""The languages and formats that a grammar reads, and the characters of their string literals, with their places.

https://tree-sitter.github.io/tree-sitter/using-parsers/
"""

from __future__ import annotations

import functools
import importlib
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.texts import Text, expression, place_in

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class Language(NamedTuple):
    """A language or format."""

    suffixes: tuple[str, ...] = ()  # of its files
    strings: tuple[str, ...] = ()  # its nodes of string literals, also of those with interpolations
    constants: tuple[str, ...] = ()  # its nodes that give a name a value: by = or :=, or by a sign
    module: str = ""  # its grammar's, after tree_sitter_, where it isn't the language's name
    function: str = "language"  # the module's function that returns the grammar
    documentation: str = ""  # its node of statements that are documentation if they consist of a string
    braces: bool = False  # whether placeholders of its formats are in braces, not after a percent sign
    dollars: bool = False  # whether names after a dollar sign in strings are interpolated, but no nodes
    continues: bool = False  # whether a backslash at the end of a line leaves out the white space after it


_ECMA = (("string", "template_string"), ("variable_declarator",))
LANGUAGES: dict[str, Language] = {
    "python": Language(
        (".py", ".pyi"), ("string",), ("assignment",), documentation="expression_statement", braces=True
    ),
    "javascript": Language((".js", ".jsx", ".mjs", ".cjs"), *_ECMA),
    "typescript": Language((".ts", ".mts", ".cts"), *_ECMA, "typescript", "language_typescript"),
    "tsx": Language((".tsx",), *_ECMA, "typescript", "language_tsx"),
    "go": Language(
        (".go",), ("interpreted_string_literal", "raw_string_literal"),
        ("const_spec", "var_spec", "short_var_declaration"),
    ),
    "java": Language((".java",), ("string_literal",), ("variable_declarator",)),
    "kotlin": Language(
        (".kt", ".kts"), ("string_literal", "multiline_string_literal"), ("property_declaration",), dollars=True
    ),
    "scala": Language((".scala", ".sc"), ("string", "interpolated_string"), ("val_definition", "var_definition")),
    "php": Language(
        (".php", ".phtml", ".inc"), ("string", "encapsed_string", "heredoc", "nowdoc"),
        ("const_element", "assignment_expression"), function="language_php",
    ),
    "c#": Language(
        (".cs", ".csx"),
        ("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"),
        ("variable_declarator",), "c_sharp", braces=True,
    ),
    "rust": Language(
        (".rs",), ("string_literal", "raw_string_literal"), ("const_item", "static_item", "let_declaration"),
        continues=True,
    ),
    "ruby": Language((".rb", ".rake", ".ru"), ("string", "heredoc_body"), ("assignment",)),
    "elixir": Language((".ex", ".exs"), ("string", "sigil"), ("unary_operator",)),
    "perl": Language(
        (".pl", ".pm", ".t"), ("string_literal", "interpolated_string_literal", "heredoc_content"),
        ("assignment_expression",),
    ),
    "hcl": Language((".tf", ".hcl"), ("string_lit", "heredoc_template")),
    "toml": Language((".toml",), ("string",)),
    "dockerfile": Language(module="containerfile"),
    "shell": Language(constants=("variable_assignment",), module="bash"),
}  # fmt: skip
BY_SUFFIX = {suffix: name for name, language in LANGUAGES.items() for suffix in language.suffixes}
"""The language of a file, by its suffix."""
_INTERPRETER = re.compile(rb"#![^\n]*\b(python|perl|ruby|php|node|elixir)")
_TABLES = re.compile(rb"^[ \t]*\[\[[^\[\]\n]+\]\]", re.MULTILINE)


def language_of(path: Path) -> str | None:
    """The language of a file by its suffix, or by the program in its first line; or TOML if it has tables as only
    TOML writes them. None if unknown."""
    suffix = path.suffix.lower()
    if suffix == ".conf":
        return "toml" if _TABLES.search(read_regular(path, 1 << 16)) else None
    if suffix:
        return BY_SUFFIX.get(suffix)
    run_by = _INTERPRETER.match(read_regular(path, 200))
    return run_by and {"node": "javascript"}.get(name := run_by[1].decode(), name)


@functools.cache
def lacking(name: str) -> str:
    """Why files of a language can't be read; empty if they can."""
    try:
        grammar(name)
    except ExtraMissingError as error:
        return error.problem
    return ""


@functools.cache
def grammar(name: str) -> Parser:
    """Return the parser of a language."""
    language = LANGUAGES[name]
    try:
        import tree_sitter

        module = importlib.import_module(f"tree_sitter_{language.module or name}")
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "tree-sitter", "readiness") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of grammars made for an earlier tree-sitter
        return tree_sitter.Parser(tree_sitter.Language(getattr(module, language.function)()))


def parts_of(node: Node) -> list[Node]:
    """The named nodes directly in a node, without comments."""
    return [child for child in node.named_children if "comment" not in child.type]


_QUOTED_LITERAL = re.compile(r"[\w$@]{0,3}+(#*+)(\"{3}|'{3}|[\"'`])(.*)\2\1", re.DOTALL)
_EDGES = re.compile(r"\w*_(?:start|end|beginning)|sigil_name|heredoc_identifier|interpolation_quote")
"""Named nodes beside the contents of a literal, such as ``string_start`` and ``heredoc_end``."""
_CONTENTS = re.compile(r"\w*(?:content|fragment|_body|nowdoc_string|template_literal)")
_LEFT_OUT = re.compile(r"(?<=\\\n)\s*")  # after a backslash at the end of a line
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_KEPT = re.compile(r"\\[A-Zac-mo-qswyz]")
"""A backslash before a letter that does not make it an escape: in regular expressions."""
_QUOTED = re.compile(r"\\(?=['\"\\])|\"(?=\")")
_DOLLAR = re.compile(r"\$([A-Za-z_]\w*+)")
_MARGIN = re.compile(r"^([^\S\n]*+)\|", re.MULTILINE)
_MARGINAL = re.compile(r"\s*+\.\s*+(?:stripMargin|trimMargin)\b")
_FRAGMENT = re.compile(r"\S\s+\S|\(")  # a text of more than a name or number, which has its own place
_DEEPEST = 500  # of levels. Each node is looked at with those around it
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class ParsedText:
    """A text, and the tree that a grammar makes of it."""

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self.language = LANGUAGES[language]
        self.around: list[Node] = []  # the nodes around the one that nodes is at, the innermost last
        # With a byte for each character, the tree's offsets are those of the text.
        plain = _NOT_ASCII.sub(lambda found: " " if found[0].isspace() or found[0] == "\ufeff" else "x", text)
        self.root = grammar(language).parse(plain.encode("ascii")).root_node

    def of(self, node: Node) -> str:
        """The text of a node."""
        return self.text[node.start_byte : node.end_byte]

    def nodes(
        self, enters: Callable[[Node], bool] = lambda _: True, top: Node | None = None
    ) -> Iterator[Node]:
        """A node, by default that of the whole text, and those in it, in order, each before those in it.

        Queries of tree-sitter would take quadratic time for a node with errors of syntax.

        Parameters:
            enters: whether to go on to the nodes in one.
        """
        cursor = (top or self.root).walk()
        around: list[Node] = []
        while (node := cursor.node) is not None:
            self.around = around
            yield node
            if enters(node) and cursor.goto_first_child():
                around.append(node)
                if len(around) > _DEEPEST:
                    raise PgFeaturesError(f"read in part: code is nested more than {_DEEPEST} levels deep")
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                around.pop()

    def literal(self, node: Node, constant: Callable[[str], Text | None]) -> Text:
        """The characters of a literal: escapes are resolved, and interpolations are constants or parameters."""
        position, close, raw = self._contents(node)
        found = Text()

        def take(end: int) -> None:
            """Add a part of the file as it is; two quotes in a literal are one."""
            left_out = self.language.continues and _LEFT_OUT.match(self.text, position, end)
            begin = left_out.end() if left_out else position
            part = self.text[begin:end]
            found.append(Text.at(place_in(self.text, begin), part if raw else _QUOTED.sub("", part)))

        waiting = list(reversed(node.children))
        while waiting:
            child = waiting.pop()
            if child.end_byte <= position or child.start_byte >= close:
                continue
            if _CONTENTS.fullmatch(child.type):
                waiting += reversed(child.children)
            elif child.is_named or child.type in ("{", "}", "${"):
                take(child.start_byte)
                position = child.end_byte
                if "escape" in child.type:
                    written = self.of(child)
                    character = _ESCAPES.get(written[1:2], written[1:2] if len(written) == 2 else "x")
                    character = "" if self.language.continues and written == "\\\n" else character
                    found.text += written if _KEPT.fullmatch(written) else character
                    found.places += [place_in(self.text, position)] * character.count("\n")
                elif child.is_named:
                    if found.text.endswith("#") and self.of(child).startswith("$"):
                        found.text = f"{found.text[:-1]} "  # Slick's sign for text that is no parameter
                    unknown = expression(found.text, self.text[position : position + 1])
                    known = constant(self.of(child).strip("${}# "))
                    has_place = known and _FRAGMENT.search(known.text)
                    found.append(known if known and has_place else Text(_line(known, unknown)))
        take(close)
        if self.language.dollars:
            found.text = _DOLLAR.sub(lambda name: _line(constant(name[1]), name[0]), found.text)
        if self.text.endswith("fr", 0, node.start_byte):
            found.text += " "  # doobie's fragment
        if _MARGINAL.match(self.text, node.end_byte):
            found.text = _MARGIN.sub(r"\1 ", found.text)
        return found

    def _contents(self, node: Node) -> tuple[int, int, bool]:
        """Where the contents of a literal begin and end, and whether no sequence in them is an escape."""
        quoted = _QUOTED_LITERAL.fullmatch(self.text, node.start_byte, node.end_byte)
        if quoted is not None:
            return *quoted.span(3), quoted[1] + quoted[2] not in ("'", '"')
        begin, close = node.start_byte, node.end_byte
        edges = [each for each in node.children if not each.is_named or _EDGES.fullmatch(each.type)]
        while edges and edges[0].start_byte == begin:
            begin = edges.pop(0).end_byte
        while edges and edges[-1].end_byte == close:
            close = edges.pop().start_byte
        return begin, close, True


def _line(text: Text | None, otherwise: str) -> str:
    """A text of one line; another one instead of None and of longer texts."""
    return text.text if text is not None and len(text.places) == 1 else otherwise
