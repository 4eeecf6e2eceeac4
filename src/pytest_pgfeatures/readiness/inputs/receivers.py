"""Find texts of a program that are none for PostgreSQL: it only shows them to people, or gives them to a driver of
another database system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.inputs.languages import ParsedText
from pytest_pgfeatures.readiness.inputs.texts import OTHERS, are_others

if TYPE_CHECKING:
    from tree_sitter import Node

_PATH = re.compile(
    r"(?>(?:(?:await|new|return|yield|from|using|static|my|our)\s+|[&*(]\s*)*)([$@]?\w+(?:(?:\??\.|::|->)\$?\w+)*)"
)
"""The name that an expression begins with, and those of its members."""
_LOGGERS = r"(?:\w*log(?:ger|ging|rus)?|console|tracing|stdout|stderr)"
_SHOWING = re.compile(
    rf"(?:[$@]?[\w$]+(?:\.|::|->))*?{_LOGGERS}(?:\.|::|->)\w+!?\s*[({{]"
    r"|(?:fmt\.)?(?:e?print(?:ln|f)?!?|puts|say|warn|echo)(?:\s*\(|\s+)\s*(?:STD(?:OUT|ERR)\b|(?![\s\w{$]))"
    r"|(?:die|raise|croak|carp|confess|abort|error|panic|bail!|error_log|errors\.New|fmt\.Errorf)[\s(]"
    r"|fmt\.Fprint\w*\s*\(\s*os\.Std(?:out|err)\b|System\.(?:out|err)\.\w+\s*\("
    r"|Console\.(?:Error\.)?Write\w*\s*\(|IO\.\w+\s*\(|click\.\w*echo\s*\("
    r"|(?:\w+::)?(?:info|debug|warn|error|trace|panic|bail|anyhow)!\s*\(",
    re.IGNORECASE,
)
"""The call of a function that shows its arguments to people, or makes an error of them."""
_TO_A_FILE = re.compile(r"\bfile\s*=\s*(?!sys\.std)")
_ERRORS = re.compile(r"(?:throw|raise)_\w+|echo_statement|print_intrinsic")
_FORMATS = re.compile(r"(?i)(?:\b|\.)(?:s?printf|format(?:ted)?|dedent|trim\w*|strip\w*|join)\s*\(?\Z")
_CALL = re.compile(r"\w*(?:call|invocation|instance_expression|object_creation)\w*")
BLOCK = re.compile(r"\w*(?:block|body|statements|statement_list|module|program|unit|file)|compound_statement")
_STEP = re.compile(rf"{BLOCK.pattern}|\w*(?:statement|declaration|declarator)")
"""A node that ends the search for the call that gets a text."""
_BINDING = frozenset({
    "assignment_expression", "assignment_statement", "assignment", "as_pattern", "resource",
    "public_field_definition",
})  # fmt: skip
_SIDES = re.compile(
    r"(?:[^=\"'(]*?[\s(])??(?P<name>[$@]?\w+(?:(?:\.|->)\w+)*)(?:\s*,\s*\w+)*\s*(?::[^=]*)?:?=(?!=)\s*(?P<value>.*)"
    r"|(?P<given>.*)\bas\s+(?P<as>\w+)\Z",
    re.DOTALL,
)
_CONNECTS = re.compile(
    r"conn|open|cursor|pool|engine|session|database|client|\bnew\b|pdo|acquire|begin|transaction|require"
    r"|knex|sequel|datasource|statement|prepare",
    re.IGNORECASE,
)
"""A call that returns a driver, a connection, or a cursor."""
_IMPORTS = re.compile(r"import_\w+|use_declaration")
_PARAMETERS = re.compile(r"\w*parameter(?:s|_list)")
_MEMBERS = re.compile(r"(?:\w+_)?(?:field|property)_(?:declaration|definition)|variable_declaration")
"""A declaration with a type, maybe without a value."""
_RETURNS = re.compile(r"return_statement|yield\w*")
_FIRST = re.compile(r"[^(\[{]*[(\[{]\s*[\"'`]([^\"'`\s]*)")
_CHOICE = re.compile(r"\b(?:client|dialect|driver|adapter|type|engine)\b[\"']?\s*(?::|=>?)\s*[\"'`]([\w-]+)")
_LONGEST = 300


class Receivers:
    """The names of a program that stand for connections to other database systems."""

    def __init__(self, program: ParsedText) -> None:
        self._program = program
        self._bound: dict[int, dict[str, bool]] = {}
        """By the node around: names, and whether each stands for another system's connection."""
        self._makers: set[str] = set()  # functions that return such a connection
        self._has_others = OTHERS.search(program.text) is not None
        for node in program.nodes() if self._has_others else ():
            self._bind(node, program.around)

    def are_ours(self, node: Node) -> bool:
        """Whether the text at the program's current node may be for PostgreSQL."""
        around, is_first = self._program.around, True
        is_call = _CALL.fullmatch(node.type) and node.named_children
        begin = node.named_children[-1].start_byte + 1 if is_call else node.start_byte
        for at, outer in reversed([*enumerate([*around, node])]):
            if _ERRORS.fullmatch(outer.type):
                return False
            if _STEP.fullmatch(outer.type):
                return True
            if not _CALL.fullmatch(outer.type):
                continue
            called = self._program.text[outer.start_byte : min(begin, outer.start_byte + _LONGEST)]
            if is_first and _SHOWING.match(called) and not _TO_A_FILE.search(self._program.of(outer)):
                return False
            if self._has_others and self._gets_others(outer, begin, around[:at]):
                return False
            is_first = is_first and _FORMATS.search(called) is not None
        return True

    def _gets_others(self, call: Node, begin: int, around: Sequence[Node]) -> bool:
        """Whether a call is one of another system's driver, or has a connection to one beside the text."""
        arguments = call.named_children[-1] if call.named_children else call
        beside = [each for each in arguments.named_children if not each.start_byte <= begin < each.end_byte]
        given = (_PATH.fullmatch(self._program.of(each).rpartition("=")[2].strip()) for each in beside)
        bindings = (self._binding(path[1], around) for path in given if path)
        return self._is_others(self._program.text[call.start_byte : begin], around) or any(bindings)

    def _is_others(self, expression: str, around: Sequence[Node]) -> bool:
        """Whether an expression begins with something of another system."""
        path = _PATH.match(expression)
        if path and self._binding(path[1], around):
            return True
        first = _FIRST.match(expression, 0, _LONGEST)
        said = [path[1]] if path else []
        if first and (":" in first[1] or _CONNECTS.search(expression[: first.start(1)])):
            said.append(first[1])
        said += _CHOICE.findall(expression[:_LONGEST]) if _CONNECTS.search(expression[:_LONGEST]) else []
        return any(map(are_others, said))

    def _binding(self, path: str, around: Sequence[Node]) -> bool | None:
        """Whether a name, or one that it is a member of, stands for another system's; None if it has no value."""
        parts = re.split(r"(\??\.|::|->)", path)
        for end in range(len(parts), 0, -2):
            name = "".join(parts[:end])
            for node in (*reversed(around), self._program.root):
                if name in self._bound.get(node.id, {}):
                    return self._bound[node.id][name]
        return None

    def _bind(self, node: Node, around: Sequence[Node]) -> None:
        """Note which of the names that a node gives a value stand for another system's."""
        of = self._program.of
        if _IMPORTS.fullmatch(node.type):
            for name in re.findall(r"\w+", of(node)) if are_others(of(node)) else ():
                self._note(name, self._program.root, is_others=True)
        elif ("parameter" in node.type and not _PARAMETERS.fullmatch(node.type)) or (
            around and _PARAMETERS.fullmatch(around[-1].type) and not node.named_children
        ):
            inside = next((each for each in reversed(around) if "parameter" not in each.type), node)
            names = re.findall(r"[$\w]+", of(node).partition("=")[0])
            for name in names[:1] + names[-1:]:
                self._note(name, inside, is_others=are_others(of(node)))
        elif _MEMBERS.fullmatch(node.type) and "=" not in of(node) and are_others(of(node)):
            naming = node.child_by_field_name("name")
            said = of(naming) if naming is not None else re.split(r"(?<!:):(?!:)", of(node))[0]
            name = re.findall(r"\w+", said)[-1]
            for each in (name, f"${name}", f"this.{name}", f"self.{name}", f"$this->{name}"):
                self._note(each, self._program.root, is_others=True)
        elif _RETURNS.fullmatch(node.type):
            naming = next(filter(None, (each.child_by_field_name("name") for each in reversed(around))), None)
            path = _PATH.fullmatch(of(node).strip("; \n"))
            is_others = (path and self._binding(path[1], around)) or self._connects(of(node), around)
            self._makers |= {of(naming)} if naming is not None and is_others else set()
        elif node.type in self._program.language.constants or node.type in _BINDING:
            sides = _SIDES.match(of(node)[:_LONGEST])
            if sides is not None:
                name, value = sides["name"] or sides["as"], sides["value"] or sides["given"]
                blocks = (each for each in reversed(around) if BLOCK.fullmatch(each.type))
                is_member = re.search(r"\W", name.lstrip("$@"))
                inside = self._program.root if is_member else next(blocks, self._program.root)
                is_others = self._connects(value, around)
                self._note(name, inside, is_others=is_others)
                if "field" in node.type:
                    self._note(f"this.{name}", self._program.root, is_others=is_others)

    def _connects(self, value: str, around: Sequence[Node]) -> bool:
        """Whether an expression is a connection to another system, a cursor of one, or a driver's module."""
        path = _PATH.match(value)
        if path is None or not re.match(r"\s*[({\[]", value[path.end() :]):
            return False
        called = re.split(r"\W+", path[1])[-1]
        makes = _CONNECTS.search(called) or value.startswith("new ") or are_others(called)
        return called in self._makers or bool(makes and self._is_others(value, around))

    def _note(self, name: str, node: Node, *, is_others: bool) -> None:
        known = self._bound.setdefault(node.id, {})
        known[name] = is_others and known.get(name, True)
