"""The texts that a program builds from its literals: what it joins is one, with the values of the file's constants,
and placeholders for other expressions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import ParsedText, parts_of
from pytest_pgfeatures.readiness.inputs.receivers import BLOCK, Receivers
from pytest_pgfeatures.readiness.inputs.texts import PLACEHOLDER, Text, expression, place_in
from pytest_pgfeatures.readiness.statements.reading import may_be_statement

if TYPE_CHECKING:
    from tree_sitter import Node


_JOINS = frozenset({"binary_operator", "binary_expression", "infix_expression", "binary", "binary_operation"})
_OPERATORS = frozenset({"+", "++", ".", "<>"})  # operators that join texts
_CALLS = frozenset({
    "call", "call_expression", "function_call", "function_call_expression", "ambiguous_function_call_expression",
    "method_invocation", "method_call_expression", "member_call_expression", "invocation_expression",
    "object_creation_expression", "attribute", "member_expression", "selector_expression", "navigation_expression",
    "field_expression", "member_access_expression", "dot",
})  # fmt: skip
"""Nodes of calls, and of names of members."""
_IN_WRAPPERS = frozenset({
    "parenthesized_expression", "concatenated_string", "chained_string", "argument", "value_argument",
    "arguments", "argument_list", "value_arguments", "expression_list", "literal_element",
    "array_element_initializer", "interpolated_string_expression",
})  # fmt: skip
_TEXTS = _JOINS | _IN_WRAPPERS
_ELEMENTS = frozenset({"literal_value", "initializer_expression"})
_LISTS = _ELEMENTS | {
    "list", "tuple", "array", "array_expression", "array_creation_expression", "implicit_array_creation_expression",
    "composite_literal", "anonymous_array_expression",
}  # fmt: skip
_IN_ANNOTATIONS = frozenset({"element_value_array_initializer", "collection_literal"})
"""Lists in annotations: MyBatis joins their texts by spaces."""
_CHAINS = frozenset({"concatenated_string", "chained_string", "token_tree"})
_COMPREHENSIONS = frozenset({"generator_expression", "list_comprehension"})
_CALLED = re.compile(
    r"(?:(?P<appends>(?i:\.(?:append|appendLine|push_str|WriteString))\s*+)"
    r"|(?P<formats>(?i:format(?:ted)?|printf)\s*+\(?\s*+)"
    r"|(?P<joins>(?:\bjoin(?:ToString)?|mkString|implode|\.Join)\s*+\(?\s*+)"
    r"|(?P<lists>(?:\b(?:Seq|List|Vector|Array)|\bof|asList|(?:list|array)Of)\s*+\(?\s*+))\Z"
)
"""The text before the arguments of a call, with the kind of the call."""
_DECLARED = frozenset({"variable_declaration", "expression_list"})
"""Nodes around a name to which a value is assigned."""
_NAMES = frozenset({"identifier", "constant", "name", "variable_name", "scalar", "unary_operator"})
_MEMBER = re.compile(r"\b(?:[Ss]elf|this|static|cls|[A-Z]\w*+)(?:\.|::|->)(\w++)")
"""A member of the class itself, or of one with a name."""
_BUILDING = re.compile(r"(?:new\s++)?String(?:Builder|Buffer|::from)\s*+")
_LONGEST_NAME = 40
_ADDING = frozenset({"+=", ".=", "<<"})  # operators that add a text to the one that a name has
_HOLES = {True: re.compile(r"\{(\w*+)[^{}]*+\}"), False: re.compile(r"%(?:(\d++)\$)?[svq]")}
"""The placeholders of formats, with braces and without."""
_NO_LONGER_TEXT = re.compile(r"\s*+\.\s*+(?:join|split|length|size|hashCode|count|index|find)\b")
_IN_TCL = re.compile(
    r'(?<=[\s\[])"(?P<quoted>(?>(?:[^"\\]++|\\.)*))"'
    r"|\bspi_(?:exec|prepare)\b(?>(?:\s++-\w++\s++[^\s{}]++)*)\s++\{(?P<braced>[^{}]*+)\}",
    re.DOTALL,
)
"""The quoted words of a program in Tcl, and the statements in braces."""
_VALUE_IN_TCL = re.compile(r"\$(?:[A-Za-z_]\w*+|\{[^{}]*+\})(?>(?:\([^()]*+\))?)|\[[^\[\]]*+\]")
_FUNCTION = re.compile(r"(?:\w+\.)?func\.(?P<name>[a-z]\w*)\(")
_NO_TEXT = re.compile(r"-?\d+(?:\.\d+)?|True|False")  # a constant that is the same in SQL
_NUMBER = re.compile(r"\d+")
_DEEPEST = 100
_LONGEST_CONSTANT = 1 << 16


def texts_of(program: str, language: str) -> Iterator[Text]:
    """The texts that a program builds, in the order in which they begin."""
    if language != "tcl":
        yield from _Program(program, language).texts()
        return
    for match in _IN_TCL.finditer(program):
        inner = match["braced"] or _VALUE_IN_TCL.sub(PLACEHOLDER, match["quoted"] or "")
        yield Text.at(place_in(program, match.start(match.lastgroup or 0)), inner)


class _Program(ParsedText):
    """A program, with what its names stand for."""

    def __init__(self, text: str, language: str) -> None:
        super().__init__(text, language)
        self._strings = self.language.strings
        self._depth = 0
        self._used: list[int] = []
        self._grown: dict[int, list[tuple[Node, bool]]] = {}
        """By node at which a name gets a text: this one and those added to it but for ELSE, and whether always."""
        self._names: dict[int, str] = {}  # by node that gives a name a text, and by that text's node
        self._constants = self._given()
        self._receivers = Receivers(self)
        self._for_others = self._names_for_others()
        self._known: dict[str, Text | None] = {}

    def texts(self) -> Iterator[Text]:
        """The literals. Those that the program joins become one."""
        building = {*self._strings, *_JOINS, *_IN_ANNOTATIONS, *_CHAINS}
        done: set[int] = set()
        for node in self.nodes():
            if node.type == self.language.documentation:
                done.update(child.id for child in node.children[:1] if child.type in self._strings)
            is_text = node.type in building or self._call(node) in ("appends", "formats", "joins")
            parts = self._grown.get(node.id, [(node, True)] if is_text and node.id not in done else [])
            self._used = []
            if parts and self._are_ours(node):
                yield from self._whole(parts)
            done.update(self._used)
            if node.type == "call" and (called := _FUNCTION.match(self.text, node.start_byte)):
                yield self._query_of(node, called)

    def _query_of(self, node: Node, called: re.Match[str]) -> Text:
        """The query that calls a function of the server, as a call of SQLAlchemy's ``func`` stands for."""
        said: list[str] = []
        for word, text in ((self.of(each), self._read(each)) for each in parts_of(parts_of(node)[-1])):
            unknown = word if _NO_TEXT.fullmatch(word) else PLACEHOLDER
            said.append(f"'{text.text}'" if text and len(text.places) == 1 else unknown)
        line, column = place_in(self.text, called.start("name"))
        return Text.at((line, column - len("SELECT ")), f"SELECT {called['name']}({', '.join(said)})")

    def _are_ours(self, node: Node) -> bool:
        """Whether a text may be for PostgreSQL: by the call that gets it, or the calls that get its name."""
        name = next((self._names[each.id] for each in (node, *self.around) if each.id in self._names), "")
        return name not in self._for_others and self._receivers.are_ours(node)

    def _names_for_others(self) -> set[str]:
        """The names of texts that the file only shows to people, or gives to other database systems."""
        ours: dict[str, bool] = {}
        known = {*self._names.values()}
        for node in self.nodes():
            if node.type in _NAMES and (name := self.of(node)) in known:
                given = (self._names[each.id] for each in reversed(self.around) if each.id in self._names)
                if name != next(given, None):  # it does not get its value there
                    ours[name] = ours.get(name, False) or self._receivers.are_ours(node)
        return {name for name, are_ours in ours.items() if not are_ours}

    def _given(self) -> dict[str, Node]:
        """The values of names to which the file assigns exactly one value. Notes what is added to others."""
        values: dict[str, list[tuple[Node, bool]]] = {}
        growing: dict[str, tuple[Node, list[tuple[Node, bool]]]] = {}
        chained: set[int] = set()
        for node in self.nodes():
            named: tuple[str, Node] | None = None
            adding = node.type not in self.language.constants
            if not adding:
                named = self._assigned(node, ("=", ":="))
            elif node.type in _ADDING or node.type == "operator_identifier":
                named = self._assigned(self.around[-1], _ADDING) if self.of(node) in _ADDING else None
            elif node.id not in chained and self._call(node) == "appends":
                receiver = parts_of(node)[0]
                while receiver.type in _CALLS and parts_of(receiver):
                    chained.add(receiver.id)
                    receiver = parts_of(receiver)[0]
                named = (self.of(receiver), node) if receiver.type in _NAMES else None
            if named is None:
                continue
            name, value = named
            if value.type in _TEXTS or value.type in self._strings:
                self._names[node.id] = self._names[value.id] = name
            values.setdefault(name, []).append((value, adding))
            inner = next((each for each in reversed(self.around) if BLOCK.fullmatch(each.type)), self.root)
            block, parts = growing.get(name, (None, []))
            if not adding or block is None or node.start_byte >= block.end_byte:
                parts = [(value, True)]
                growing[name] = inner, parts
                self._grown[node.id] = parts
            elif not self._is_alternative(block):
                parts.append((value, inner.id == block.id))
        self._grown = {at: parts for at, parts in self._grown.items() if len(parts) > 1}
        self._added = {name: [one for one, adding in found if adding] for name, found in values.items()}
        first = {name: found[0][0] for name, found in values.items() if not found[0][1]}
        once = {name: node for name, node in first.items() if len(values[name]) == 1 + len(self._added[name])}
        return {name: node for name, node in once.items() if node.type in _LISTS or not self._added[name]}

    def _is_alternative(self, block: Node) -> bool:
        """Whether the node that is looked at belongs to an ELSE inside a block."""
        return any(
            one.start_byte > block.start_byte and one in other.children_by_field_name("alternative")
            for other, one in itertools.pairwise(self.around)
        )

    def _assigned(self, node: Node, operators: Collection[str]) -> tuple[str, Node] | None:
        """The name to which a node assigns a value, and the value."""
        children = node.children
        if len(children) == 2 and children[1].type in _CALLS:  # @name "text"
            name, *values = parts_of(children[1])
            return (self.of(children[0]) + self.of(name), values[-1]) if values else None
        at = next((at for at, child in enumerate(children) if self.of(child) in operators), len(children))
        wrapped = (each for child in children[:at] if child.type in _DECLARED for each in child.children)
        named = [child for child in (*children[:at], *wrapped) if child.type in _NAMES]
        value = children[at + 1 : at + 2]
        if value and value[0].type == "indented_block":  # of Scala
            value = parts_of(value[0])
        return (self.of(named[0]), value[0]) if named and value else None

    def _read(self, node: Node) -> Text | None:
        """The text that an expression builds; None if it builds none, or an unknown one."""
        used = len(self._used)
        self._depth += 1
        found = self._built(node) if self._depth <= _DEEPEST else None
        self._depth -= 1
        if found is None and node.type not in _JOINS:
            del self._used[used:]
        return found

    def _built(self, node: Node) -> Text | None:
        kind = node.type
        if kind in self._strings:
            self._used.append(node.id)
            return self.literal(node, self._constant)
        if kind in _JOINS:
            return self._joined(node)
        if kind in _IN_WRAPPERS:
            parts = parts_of(node)[-1 if kind.endswith(("argument", "string_expression")) else 0 :]
            return self._together([self._read(each) for each in parts])
        if kind == "token_tree":
            return self._in_macro(node)
        if kind in _IN_ANNOTATIONS:
            texts = [self._read(each) or Text(PLACEHOLDER) for each in parts_of(node)]
            are_statements = all(may_be_statement(each.text) for each in texts)
            return None if are_statements else self._joined_by(Text(" "), texts)
        if kind in _NAMES or _MEMBER.fullmatch(self.text, node.start_byte, node.end_byte):
            found = self._constant(self.of(node))
            is_number = found and _NUMBER.fullmatch(found.text)  # which says nothing where it is defined
            return Text.at(place_in(self.text, node.start_byte), found.text) if found and is_number else found
        return self._called(node) if kind in _CALLS else None

    def _constant(self, name: str) -> Text | None:
        """The text of a name; None while it is being looked up, because a name may refer to itself."""
        name = _MEMBER.sub(r"\1", name)
        if name in self._constants and name not in self._known:
            self._known[name] = None
            used, value = len(self._used), self._constants[name]
            found, said = self._read(value), self.of(value)
            if found is None and _NUMBER.fullmatch(said):
                found = Text.at(place_in(self.text, value.start_byte), said)
            del self._used[used:]
            self._known[name] = found if found and len(found.text) <= _LONGEST_CONSTANT else None
        return self._known.get(name)

    def _joined(self, node: Node) -> Text | None:
        """The text of a chain of operators."""
        operands: list[Node] = []
        while node.type in _JOINS:
            self._used.append(node.id)
            parts = [child for child in node.children if "comment" not in child.type]
            if len(parts) != 3:
                return None
            operator = self.of(parts[1])
            if operator == "%" and not operands:
                left = self._read(parts[0])
                return left and self._filled(left, self._items(parts[2]) or parts[2:], braces=False)
            if operator not in _OPERATORS:
                break
            operands.append(parts[2])
            node = parts[0]
        texts = (self._read(each) for each in (node, *reversed(operands)))
        return self._together([*texts]) if operands else None

    def _in_macro(self, node: Node) -> Text | None:
        """The literals that a macro of Rust joins by ``+`` or ``concat!``: to the grammar, it has only tokens."""
        sign = "," if self.text.endswith("concat!", 0, node.start_byte) else "+"
        tokens = list(itertools.dropwhile(lambda each: each.type not in self._strings, node.children))
        end = next((at for at, each in enumerate(tokens) if at % 2 and each.type != sign), len(tokens))
        parts = tokens[:end:2]
        are_texts = len(parts) > 1 and all(each.type in self._strings for each in parts)
        return self._together([self._read(each) for each in parts]) if are_texts else None

    def _call(self, node: Node) -> str | None:
        """The kind of a call; None for other nodes and calls."""
        parts = parts_of(node) if node.type in _CALLS else []
        end = parts[-1].start_byte if len(parts) > 1 else 0
        called = _CALLED.search(self.text[max(node.start_byte, end - _LONGEST_NAME) : end])
        return called and called.lastgroup

    def _called(self, node: Node) -> Text | None:
        """The text of a new ``StringBuilder``, and of calls that return, append to, format or join a text."""
        parts = parts_of(node)
        if not parts:
            return None
        if _BUILDING.fullmatch(self.text, node.start_byte, parts[-1].start_byte):
            return self._read(parts[-1]) or Text()
        kind = self._call(node)
        if kind == "joins":
            given = parts[-1:] if parts[-1].type in _COMPREHENSIONS else parts_of(parts[-1])
            self._used.append(node.id)
            return self._list(parts[0], given)
        first = self._read(parts[0])
        if kind == "appends":
            self._used.append(node.id)
            added = self._read(parts[-1])
            end = " " if self.text.endswith("ine", 0, parts[-1].start_byte) else ""  # of AppendLine()
            return self._together([first or Text(), added, Text(end)]) if first or added else None
        if kind == "formats":
            given = parts_of(parts[-1])
            if first is None and given:
                first = self._read(given.pop(0))
            return first and self._filled(first, given, braces=self.language.braces)
        return None if _NO_LONGER_TEXT.match(self.text, parts[0].end_byte) else first

    def _items(self, node: Node) -> list[Node] | None:
        """The elements of a list, also of one with a name, with those that are added to it, and one for a
        comprehension; None for other expressions."""
        name = self.of(node) if node.type in _NAMES else ""
        node = self._constants.get(name, node)
        while node.type in _IN_WRAPPERS and len(node.named_children) == 1:
            node = node.named_children[0]
        parts = parts_of(node)
        if node.type in _COMPREHENSIONS:
            return parts[:1]
        if self._call(node) == "lists":
            return parts_of(parts[-1])
        while parts and parts[-1].type in _ELEMENTS:
            parts = parts_of(parts[-1])
        return parts + self._added.get(name, []) if node.type in _LISTS else None

    def _list(self, called: Node, arguments: Sequence[Node]) -> Text | None:
        """The text of a call that joins the elements of a list, or its own arguments, by a text. If one is unknown,
        the other ones are texts of their own, too: a statement may be one without it."""
        used = len(self._used)
        receiver = (parts_of(called) or [called])[0] if called.type in _CALLS else called
        given = [(each, self._items(each)) for each in (receiver, *arguments)]
        texts = [self._read(each) for each, items in given if items is None]
        between = next((text for text in texts if text), None)
        if between is None:
            return None
        elements = next((items for _, items in given if items is not None), arguments[texts.index(between) :])
        found = [self._read(each) for each in elements]
        if not all(found):
            del self._used[used:]
        return self._joined_by(Text(between.text.replace("\n", " ")), found)

    def _joined_by(self, between: Text, parts: Sequence[Text | None]) -> Text | None:
        """The parts as one text, with another one between them."""
        return self._together([each for part in parts for each in (between, part)][1:])

    def _filled(self, text: Text, arguments: Sequence[Node], *, braces: bool) -> Text:
        """A format with those of its arguments in place that are texts of one line."""
        values: dict[str, str] = {}
        for number, argument in enumerate(arguments):
            name = argument.child_by_field_name("name")
            value = self._read(argument.children[-1] if name else argument)
            if value is not None and len(value.places) == 1:
                values[self.of(name) if name else str(number)] = value.text
        numbers = map(str, itertools.count())

        def fill(match: re.Match[str]) -> str:
            given = match[1] if braces or not match[1] else str(int(match[1]) - 1)
            return values.get(given or next(numbers), match[0])

        return Text(_HOLES[braces].sub(fill, text.text), text.places)

    def _whole(self, parts: Sequence[tuple[Node, bool]]) -> Iterator[Text]:
        """The text of all parts, and that of those that are always there; none if the first part is unknown."""
        known = [(self._read(part), always) for part, always in parts[:1]]
        if known and known[0][0]:
            known += ((self._read(part), always) for part, always in parts[1:])
            texts = [text for text, _ in known if text]
            fewer = [text for text, always in known if text and always]
            forms = (texts, fewer) if len(fewer) < len(texts) else (texts,)
            yield from filter(None, map(self._together, forms))

    def _together(self, parts: Sequence[Text | None]) -> Text | None:
        """The parts as one text, with parameters in place of unknown parts."""
        whole, following = Text(), [""]
        for part in reversed(parts[1:]):
            following.append(part.text if part else following[-1])
        for part, after in zip(parts, reversed(following), strict=False):
            whole.append(part or Text(expression(whole.text, after)))
        return whole if whole.places else None
