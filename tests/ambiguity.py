"""The time that a regular expression takes, by the ways in which its automaton can read a text.

Python's engine tries the ways to match one after the other. In the worst case it tries all ways in which the
pattern's automaton can read a prefix of the text. Their number is bounded, unless

- a state returns to itself in two ways with the same word: then it grows exponentially, as for ``(a+)+b``;
- with the same word, a state stays where it is, and goes to another state that stays there: then it grows with the
  length, as for ``\\s*\\s*x``, or for a search for ``a+b``, which starts anew at each place.

The second does no harm if the other state may end the match: the engine is done when it gets there.

(A. Weber and H. Seidl, "On the degree of ambiguity of finite automata", 1991; N. Weideman and others, "Analyzing
matching time behavior of backtracking regular expression matchers by using ambiguity of NFA", 2016.)
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

CHARACTERS = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
ANCHORED = frozenset(("match", "fullmatch"))
LONGEST_REPEAT = 100
"""A repeat with a higher bound counts as one without."""
ALPHABET = [*map(chr, range(256)), *"Ωω٣日—│─↵\u2003\u0130\u0131"]
"""Stands for all characters: some of each category that patterns tell apart. A pattern's own are added."""


class UnsupportedError(Exception):
    """The pattern has something of which this check does not know how long it takes."""


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
