"""No regular expression takes time that grows faster than the text that it reads.

The test looks for ambiguity in the automaton of each pattern of the modules that read text from outside; see
``ambiguity.py``.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import warnings
from collections import defaultdict
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest
from tests.ambiguity import ANCHORED, CHARACTERS, problem

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterator


# --- the patterns in the package ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A pattern, and the method of ``re.Pattern`` that a module uses it with."""

    pattern: str
    flags: int
    method: str


def patterns(module: Any) -> Iterator[Found]:
    """The patterns in a module: those that its source gives to ``re``, and those within the objects that it has."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    called = {id(node.value): node.attr for node in attributes}
    uses = Uses(tree, attributes)
    tables = list(contained(list(vars(module).values()), ""))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) not in ARGUMENTS:
            continue
        name = ast.unparse(node.func)
        flags = [
            *node.args[ARGUMENTS[name] :],
            *(word.value for word in node.keywords if word.arg == "flags"),
        ]
        pattern = evaluated(node.args[0], module)
        if pattern is not None:
            method = name.removeprefix("re.")
            if method == "compile":
                method = called.get(id(node)) or uses.method(uses.names.get(id(node), ""))
            yield Found(pattern, sum(evaluated(flag, module) for flag in flags), method)
        else:  # a function's own variables are in it: what it makes may be in a table
            assert tables or not module.__name__.startswith("pytest_pgfeatures.plan"), node.lineno
    for name, compiled in tables:
        yield Found(compiled.pattern, compiled.flags, uses.method(name))


class Uses:
    """The methods of ``re.Pattern`` that a module uses, by name."""

    def __init__(self, tree: ast.Module, attributes: list[ast.Attribute]) -> None:
        self.methods: dict[str, set[str]] = defaultdict(set)
        for node in attributes:
            if f"re.{node.attr}" in ARGUMENTS:
                for value in (
                    (node.value.body, node.value.orelse)
                    if isinstance(node.value, ast.IfExp)
                    else (node.value,)
                ):
                    self.methods[ast.unparse(value).rpartition(".")[2]].add(node.attr)
        self.names: dict[int, str] = {}
        """The name of what is assigned, by the identity of the expression."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                self.names[id(node.value)] = ast.unparse(target)

    def method(self, name: str) -> str:
        """The one that asks for most of those that a name is used with; of all, if it goes by other names."""
        used = self.methods[name] or set().union(*self.methods.values())
        if not used or used - ANCHORED:
            return "search"
        return "fullmatch" if "fullmatch" in used else "match"


ARGUMENTS = {
    "re.compile": 1,
    "re.match": 2,
    "re.fullmatch": 2,
    "re.search": 2,
    "re.findall": 2,
    "re.finditer": 2,
    "re.split": 3,
    "re.sub": 4,
}
"""Functions of ``re``, and which argument their flags are."""


def evaluated(expression: ast.expr, module: Any) -> Any:
    """The value of an expression of constants; None if it has a function's own variables in it."""
    try:
        return eval(compile(ast.Expression(expression), module.__file__, "eval"), vars(module))
    except NameError:
        return None


def contained(value: Any, name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    """The patterns in tables of a module, each with the name of the field that it is in."""
    if isinstance(value, re.Pattern) and name:
        yield name, value
    elif isinstance(value, dict):
        yield from contained(list(value.values()), name)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from contained(item, name)
    elif is_dataclass(value) and not isinstance(value, type):
        for field_ in fields(value):
            yield from contained(getattr(value, field_.name, None), field_.name)


READERS = ("plan", "sql", "literals.scanner", "literals.inputs", "literals.jsonpath", "server.log")
"""The packages and modules that read text from outside: from users, servers and their logs."""
MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(pytest_pgfeatures.__path__, "pytest_pgfeatures.")
    if f"{name}.".startswith(tuple(f"pytest_pgfeatures.{reader}." for reader in READERS))
]


@pytest.mark.parametrize("name", MODULES)
def test_no_pattern_takes_more_than_linear_time(name: str):
    module = importlib.import_module(name)
    judged = {found: problem(found.pattern, found.flags, found.method) for found in patterns(module)}
    assert {found: said for found, said in judged.items() if said} == {}


JUDGED = {
    (r"\s*\s*x", "match"): "polynomial",
    (r"(a+)+b", "match"): "exponential",
    (r"(a*)*b", "match"): "exponential",
    (r"(a|aa)*b", "fullmatch"): "exponential",
    (r"a++b", "match"): None,
    (r"(.+?)\s+(Memory|Disk): (\d+)kB", "fullmatch"): "polynomial",
    (r"(.+?) (Memory|Disk): (\d+)kB", "fullmatch"): None,
    (r"(\w+) (true|false)", "match"): None,
    (r"(\w+) (true|false)", "findall"): "polynomial",
    (r"\w+", "findall"): None,
    (r"\d+(?!\d)", "search"): "polynomial",
    (r"x\d+", "search"): None,
    (r"(.*), (.*);", "match"): "polynomial",
    (r"([^,]*), (.*);", "match"): None,
    (r"^x: (.*)y", "search"): None,
    (r"x (.*)y", "search"): "polynomial",
    (r"[A-Z][\w -]{0,60}:", "match"): None,
    (r"(?:ab)++c", "match"): "POSSESSIVE_REPEAT is not allowed: write it without",
    (r"(a)\1", "match"): "GROUPREF is not allowed: write it without",
}


@pytest.mark.parametrize(("pattern", "method"), JUDGED, ids=lambda value: value)
def test_what_the_check_says(pattern: str, method: str):
    assert problem(pattern, method=method) == JUDGED[pattern, method]


# --- what Python 3.11.2 can't match ---------------------------------------------------------------------------


def groups_repeated_possessively(text: str) -> bool:
    """Whether a pattern, or a part of one, has a possessive repeat of a group, such as ``(?:ab)*+``.

    Before Python 3.11.5 it may find nothing where it should (CPython's issue 106052). An atomic group around the
    repeat, ``(?>(?:ab)*)``, means the same and works everywhere.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            parsed = parser.parse(text)
    except (re.error, OverflowError, RecursionError):  # a part that is no pattern by itself
        return re.search(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+", text) is not None
    return any(
        kind is op.POSSESSIVE_REPEAT and not (len(argument[2]) == 1 and argument[2][0][0] in CHARACTERS)
        for kind, argument in items_of(parsed)
    )


def items_of(part: Any) -> Iterator[tuple[Any, Any]]:
    """All items of a parsed pattern, at any depth."""
    if isinstance(part, parser.SubPattern):
        for item in part:
            yield item
            yield from items_of(item[1])
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from items_of(inner)


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        r"(?:ab)++c": True,
        r"x(?P<name>a|b){2,}+": True,
        r"((a)(?:b(?:cd|e)*+))": True,
        r"(?:\\a)?+": True,
        r"|(?:ab|b)*+{": True,
        r")*+": True,
        r"(?:a|b)*+(?:\\)?+": False,  # a class and a character, for Python
        r"\(a\)*+": False,
        r"(?>(?:ab)+)c": False,
        r"[)*+]++": False,
        r"a++b{2}+\s*+.?+": False,
    }.items(),
)
def test_possessive_repeats_of_groups_are_found(text: str, expected: bool):
    assert groups_repeated_possessively(text) is expected


def test_no_pattern_repeats_a_group_possessively():
    (place,) = map(Path, pytest_pgfeatures.__path__)
    found = [
        f"{path.relative_to(place)}:{node.lineno}: {node.value}"
        for path in sorted(place.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "+" in node.value
        and groups_repeated_possessively(node.value)
    ]
    assert found == []
