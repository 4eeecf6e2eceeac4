"""No regular expression takes time that grows faster than the text that it reads.

Python's engine tries the ways to match one after the other. In the worst case it tries all ways in which the
pattern's automaton can read a prefix of the text. Their number is bounded, unless

- a state returns to itself in two ways with the same word: then it grows exponentially, as for ``(a+)+b``;
- with the same word, a state stays where it is, and goes to another state that stays there: then it grows with the
  length, as for ``\\s*\\s*x``, or for a search for ``a+b``, which starts anew at each place.

The second does no harm if the other state may end the match: the engine is done when it gets there.

(A. Weber and H. Seidl, "On the degree of ambiguity of finite automata", 1991; N. Weideman and others, "Analyzing
matching time behavior of backtracking regular expression matchers by using ambiguity of NFA", 2016.) The test looks
for both in the automaton of each pattern of the modules that read text from outside.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import product
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

import pytest

import pytest_pgfeatures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CHARACTERS = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
ANCHORED = frozenset(("match", "fullmatch"))
LONGEST_REPEAT = 100
"""A repeat with a higher bound counts as one without."""
ALPHABET = [*map(chr, range(256)), *"Ωω٣日—│─↵\u2003\u0130\u0131"]
"""Stands for all characters: some of each category that patterns tell apart. A pattern's own are added."""


class UnsupportedError(Exception):
    """The pattern has something of which this check does not know how long it takes."""


# --- the automaton of a pattern ----------------------------------------------------------------------------


@dataclass
class Part:
    """A part of a pattern: whether it matches nothing at all, and the states that it can start and end with.

    The counters say in how many ways.
    """

    nullable: bool
    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)


class Automaton:
    """A state for each place of the pattern that reads a character (Glushkov's construction).

    Parameters:
        pattern: its source.
        flags: of ``re``.
        method: of ``re.Pattern``, with which it is used.
    """

    def __init__(self, pattern: str, flags: int, method: str) -> None:
        self.flags = flags
        self.alphabet = sorted({*ALPHABET, *pattern})
        self.reads: list[int] = []
        """The characters that each state reads, as a set of bits."""
        self.ways: Counter[tuple[int, int]] = Counter()
        """The steps from a state to the next one, and in how many ways."""
        self.guarded = method == "fullmatch"
        """Whether the end of the pattern is not yet the end of the match."""
        items = list(parser.parse(pattern, flags))
        whole = self.sequence(items)
        if method not in ANCHORED:
            self.then(self.before(items), whole)
        self.accepting = frozenset() if self.guarded else frozenset(whole.last)
        self.next: list[list[int]] = [[] for _ in self.reads]
        for before, after in self.ways:
            self.next[before].append(after)

    def before(self, items: list[Any]) -> Part:
        """What comes before a match: any characters, or lines."""
        if items[:1] != [(op.AT, op.AT_BEGINNING)]:
            return self.star(self.state(lambda _: True))
        if not self.flags & re.MULTILINE:
            return Part(True)
        line = self.star(self.state(lambda sign: sign != "\n"))
        return self.star(self.then(line, self.state(lambda sign: sign == "\n")))

    def state(self, reads: Any) -> Part:
        self.reads.append(sum(1 << at for at, sign in enumerate(self.alphabet) if self.folded(reads, sign)))
        return Part(False, Counter([len(self.reads) - 1]), Counter([len(self.reads) - 1]))

    def folded(self, reads: Any, sign: str) -> bool:
        if not self.flags & re.IGNORECASE:
            return bool(reads(sign))
        return any(map(reads, {sign, sign.lower()[:1], sign.upper()[:1]}))

    def steps(self, before: Counter[int], after: Counter[int]) -> None:
        for (one, ways), (other, more) in product(before.items(), after.items()):
            self.ways[one, other] += ways * more

    def then(self, one: Part, other: Part) -> Part:
        self.steps(one.last, other.first)
        first = one.first + other.first if one.nullable else one.first
        last = other.last + one.last if other.nullable else other.last
        return Part(one.nullable and other.nullable, first, last)

    def star(self, part: Part) -> Part:
        self.steps(part.last, part.first)
        return Part(True, part.first, part.last)

    def sequence(self, items: Iterable[Any]) -> Part:
        whole = Part(True)
        for kind, argument in items:
            whole = self.then(whole, self.item(kind, argument))
        return whole

    def item(self, kind: Any, argument: Any) -> Part:
        if kind in CHARACTERS:
            return self.state(lambda sign: self.is_one_of(kind, argument, sign))
        if kind is op.SUBPATTERN:
            return self.sequence(argument[-1])
        if kind is op.BRANCH:
            parts = [self.sequence(branch) for branch in argument[1]]
            nothing: Counter[int] = Counter()
            return Part(
                any(part.nullable for part in parts),
                sum((part.first for part in parts), nothing),
                sum((part.last for part in parts), nothing),
            )
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
            return self.repeat(*argument)
        if kind is op.POSSESSIVE_REPEAT and len(argument[2]) == 1 and argument[2][0][0] in CHARACTERS:
            return self.repeat(*argument)  # before Python 3.11.5 those of groups lose their place
        if kind is op.AT:
            self.guarded |= argument is not op.AT_BEGINNING
            return Part(True)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            direction, inner = argument
            self.guarded |= direction > 0
            # Ahead it reads on its own, and what follows starts at the same place. What is behind is short.
            return Part(True, self.sequence(inner).first if direction > 0 else Counter())
        raise UnsupportedError(f"{kind} is not allowed: write it without")

    def repeat(self, least: int, most: Any, items: Any) -> Part:
        whole = Part(True)
        for _ in range(least):
            whole = self.then(whole, self.sequence(items))
        if most is op.MAXREPEAT or most - least > LONGEST_REPEAT:
            return self.then(whole, self.star(self.sequence(items)))
        optional = Part(True)
        for _ in range(most - least):
            optional = self.then(self.sequence(items), optional)
            optional.nullable = True
        return self.then(whole, optional)

    def is_one_of(self, kind: Any, argument: Any, sign: str) -> bool:
        if kind is op.ANY:
            return sign != "\n" or bool(self.flags & re.DOTALL)
        if kind is op.LITERAL:
            return ord(sign) == argument
        if kind is op.NOT_LITERAL:
            return ord(sign) != argument
        negated = argument[0][0] is op.NEGATE
        return any(_is_member(item, sign) for item in argument) is not negated


def _is_member(item: tuple[Any, Any], sign: str) -> bool:
    kind, argument = item
    if kind is op.LITERAL:
        return ord(sign) == argument
    if kind is op.RANGE:
        return argument[0] <= ord(sign) <= argument[1]
    if kind is op.CATEGORY:
        name = str(argument).removeprefix("CATEGORY_")
        kinds = {"DIGIT": sign.isdecimal(), "SPACE": sign.isspace(), "WORD": sign.isalnum() or sign == "_"}
        return not kinds[name[4:]] if name.startswith("NOT_") else kinds[name]
    return False  # NEGATE


# --- how many ways ------------------------------------------------------------------------------------------


def problem(pattern: str, flags: int = 0, method: str = "search") -> str | None:
    """Why matching can take longer than in proportion to the text; None if it can't."""
    try:
        automaton = Automaton(pattern, flags, method)
    except UnsupportedError as error:
        return str(error)
    reachable = [_reachable(automaton.next, state) for state in range(len(automaton.reads))]
    loops = [state for state, others in enumerate(reachable) if state in others]
    loop_of = {state: {other for other in reachable[state] if state in reachable[other]} for state in loops}
    for state in loops:
        if _returns_twice(automaton, loop_of[state], state):
            return "exponential"
    for state, other in product(loops, loops):
        harmful = state != other and other in reachable[state] - automaton.accepting
        if harmful and _stays_and_goes(automaton, loop_of[state], loop_of[other], state, other):
            return "polynomial"
    return None


def _reachable(following: list[list[int]], start: int) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for state in following[waiting.pop()]:
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


def _returns_twice(automaton: Automaton, loop: set[int], start: int) -> bool:
    """Whether one word leads from a state back to it in two ways."""
    if any(ways > 1 and one in loop and other in loop for (one, other), ways in automaton.ways.items()):
        return True
    seen = {(start, start, False)}
    waiting = list(seen)
    while waiting:
        one, other, apart = waiting.pop()
        for after in product(automaton.next[one], automaton.next[other]):
            if loop.issuperset(after) and automaton.reads[after[0]] & automaton.reads[after[1]]:
                found = (*after, apart or after[0] != after[1])
                if found == (start, start, True):
                    return True
                if found not in seen:
                    seen.add(found)
                    waiting.append(found)
    return False


def _stays_and_goes(
    automaton: Automaton, loop: set[int], other_loop: set[int], start: int, goal: int
) -> bool:
    """Whether one word leads from ``start`` to itself and to ``goal``, and from ``goal`` to itself."""
    reads, following = automaton.reads, automaton.next
    seen = {(start, start, goal)}
    waiting = list(seen)
    while waiting:
        one, way, other = waiting.pop()
        for a in loop.intersection(following[one]):
            for c in other_loop.intersection(following[other]):
                both = reads[a] & reads[c]
                for b in following[way] if both else ():
                    if both & reads[b]:
                        if (a, b, c) == (start, goal, goal):
                            return True
                        if (a, b, c) not in seen:
                            seen.add((a, b, c))
                            waiting.append((a, b, c))
    return False


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
