"""The syntax of selectors.

selector  = chain { "," chain }
chain     = compound { (">" | ">>") compound }
compound  = [ name ] { "[" attribute [ operator value ] "]" | ":has(" .. ")" | ":not(" .. ")"
                     | ":nth-child(" .. ")" }
name      = a label; * stands for any text. In quotes it may contain > , [ ] : ( ), and needn't be a known one
operator  = "=" | "!=" | "^=" | "$=" | "*=" | "~=" | ">" | ">=" | "<" | "<="
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_pgfeatures.errors import PlanSelectorError
from pytest_pgfeatures.plan.known import Doubt, is_key, is_node, is_value, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = re.compile(r"[^>,\[\]:()\"]+(?:\([^>,\[\]:()\"]*\))?").match
_QUOTED = re.compile(r'"([^"]*)"|\'([^\']*)\'').match
_ATTRIBUTE = re.compile(r"[A-Za-z_][\w /.-]*").match
_OPERATOR = re.compile(r"[!^$*~<>]?=|[<>]").match
_VALUE = re.compile(r"[^\]\"']*").match
_PSEUDO = re.compile(r":(has|not|nth-child)\(").match
_NTH = re.compile(r"(odd|even)|([-+]?\d{0,9})n(?: ?([-+]) ?(\d{1,9}))?|([-+]?\d{1,9})").fullmatch
_ORDERED = (">", ">=", "<", "<=")
_DEEPEST = 50
"""The number of ``:has`` and ``:not`` that may nest: each takes a level of the interpreter's stack."""


@dataclass(frozen=True, slots=True)
class Test:
    """``[name operator value]``. An empty operator asks whether the node has the key."""

    __test__ = False
    name: str
    operator: str
    value: str
    doubts: tuple[Doubt, ...] = ()
    """The name or the value, if no plan can have it."""
    relation: str | None = None
    """The relation or index that it names, unless in quotes."""


@dataclass(frozen=True, slots=True)
class Compound:
    """The conditions on one node."""

    name: str
    tests: tuple[Test, ...]
    pseudos: tuple[tuple[str, Any], ...]
    """``has`` and ``not`` with their chains, ``nth-child`` with its step and its first place."""
    doubts: tuple[Doubt, ...] = ()
    """The name, if no plan can have such a node."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Compounds from the top down, each with its link to the one before: ``>`` or ``>>``."""

    steps: tuple[tuple[str, Compound], ...]

    @property
    def compounds(self) -> Iterator[Compound]:
        """Its compounds, each before those in its ``:has`` and ``:not``."""
        for _, compound in self.steps:
            yield compound
            for kind, argument in compound.pseudos:
                if kind != "nth-child":
                    for chain in argument:
                        yield from chain.compounds

    @property
    def doubts(self) -> Iterator[Doubt]:
        """The names and values in it that no plan can have."""
        for compound in self.compounds:
            yield from compound.doubts
            for test in compound.tests:
                yield from test.doubts


def parse(text: str) -> tuple[Chain, ...]:
    """Return the alternatives of a selector.

    Raises:
        PlanSelectorError: a syntax error; the message points at the column.
    """
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def fail(self, problem: str, at: int | None = None, remedy: str | None = None) -> NoReturn:
        column = (self.at if at is None else at) + 1
        raise PlanSelectorError(problem, selector=self.text, column=column, remedy=remedy)

    def space(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def took(self, sign: str) -> bool:
        self.space()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def whole(self) -> tuple[Chain, ...]:
        chains = self.chains(relative=False)
        if self.at < len(self.text):
            self.fail(f"unexpected {self.text[self.at]!r}")
        return chains

    def chains(self, *, relative: bool) -> tuple[Chain, ...]:
        found = [self.chain(relative=relative)]
        while self.took(","):
            found.append(self.chain(relative=relative))
        self.space()
        return tuple(found)

    def link(self) -> str:
        return ">>" if self.took(">>") else ">" if self.took(">") else ""

    def chain(self, *, relative: bool) -> Chain:
        first = (self.link() if relative else "") or ">>"
        steps = [(first, self.compound())]
        while link := self.link():
            steps.append((link, self.compound()))
        return Chain(tuple(steps))

    def compound(self) -> Compound:
        self.space()
        start = self.at
        name = self.name()
        quoted = self.text.startswith(('"', "'"), start)
        doubts = () if quoted or name == "" or is_node(name) else (Doubt("node", name, start),)
        tests: list[Test] = []
        pseudos: list[tuple[str, Any]] = []
        while True:
            if self.took("["):
                tests.append(self.test())
            elif self.text.startswith(":", self.at):
                pseudos.append(self.pseudo())
            else:
                break
        if self.at == start:
            sign = self.text[self.at : self.at + 1]
            self.fail(f"a node's name is missing before {sign!r}" if sign else "a node's name is missing")
        return Compound(name, tuple(tests), tuple(pseudos), doubts)

    def name(self) -> str:
        quoted = _QUOTED(self.text, self.at)
        if quoted is not None:
            self.at = quoted.end()
            return quoted[1] if quoted[1] is not None else quoted[2]
        match = _NAME(self.text, self.at)
        if match is None:
            if self.text.startswith('"', self.at):
                self.fail("the quote is not closed")
            return ""
        self.at = match.end()
        return " ".join(match[0].split())

    def test(self) -> Test:
        start = self.at - 1
        self.space()
        quoted = _QUOTED(self.text, self.at)
        match = quoted or _ATTRIBUTE(self.text, self.at)
        if match is None:
            self.fail(
                "an attribute's name is missing after '['",
                remedy="write it like [relation=t] or [run_condition]",
            )
        name_at = self.at
        self.at = match.end()
        name = match[0].strip() if quoted is None else match[0][1:-1]
        doubts = [] if quoted or is_key(name) else [Doubt("key", name, name_at)]
        self.space()
        operator = _OPERATOR(self.text, self.at)
        value = ""
        relation = None
        if operator is not None:
            self.at = operator.end()
            self.space()
            value_at = self.at
            value = self.value()
            literal = self.text.startswith(('"', "'"), value_at)
            if operator[0] == "=" and not literal and not is_value(key_of(name), value):
                doubts.append(Doubt(key_of(name), value, value_at))
            if operator[0] == "=" and not literal and key_of(name) in ("Relation Name", "Index Name"):
                relation = value
            if operator[0] in _ORDERED:
                try:
                    float(value)
                except ValueError:
                    self.fail(f"{operator[0]} compares numbers, {value!r} isn't one", value_at)
        if not self.took("]"):
            if self.at >= len(self.text):
                self.fail("'[' is not closed", start)
            self.fail(f"{self.text[self.at]!r} isn't an operator", remedy="use = != ^= $= *= ~= > >= < or <=")
        return Test(name, "" if operator is None else operator[0], value, tuple(doubts), relation)

    def value(self) -> str:
        quoted = _QUOTED(self.text, self.at)
        if quoted is not None:
            self.at = quoted.end()
            return quoted[0][1:-1]
        match = _VALUE(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return match[0].strip()

    def pseudo(self) -> tuple[str, Any]:
        start = self.at
        match = _PSEUDO(self.text, self.at)
        if match is None:
            self.fail("unknown pseudo-class", remedy="use :has(...), :not(...) or :nth-child(...)")
        self.at = match.end()
        if match[1] == "nth-child":
            return match[1], self.nth()
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail(f"nested more than {_DEEPEST} deep", start)
        chains = self.chains(relative=match[1] == "has")
        self.depth -= 1
        if not self.took(")"):
            self.fail(f"':{match[1]}(' is not closed", start)
        return match[1], chains

    def nth(self) -> tuple[int, int]:
        end = self.text.find(")", self.at)
        match = _NTH(" ".join(self.text[self.at : end].split())) if end >= 0 else None
        if match is None:
            self.fail("not a place among children", remedy="write 2, odd, even, 2n+1 or n+2")
        self.at = end + 1
        word, step, sign, offset, place = match.groups()
        if word is not None:
            return 2, 1 if word == "odd" else 0
        if place is not None:
            return 0, int(place)
        return int(step + "1" if step in ("", "+", "-") else step), int((sign or "+") + (offset or "0"))
