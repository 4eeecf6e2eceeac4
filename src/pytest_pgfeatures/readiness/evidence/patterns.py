"""Patterns over a statement's tokens, as :class:`pytest_pgfeatures.affects.Sql` describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import BehaviorError
from pytest_pgfeatures.readiness.evidence.wildcards import (
    SINGLE,
    WILDCARDS,
    Test,
    builtin,
    described,
    end,
    one_of,
    operator,
    own_column,
    string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_pgfeatures.readiness.statements.reading import StatementReading

_CONSTANTS = frozenset({"string", "number", "word", "identifier", "parameter"})
_STEPS_PER_TOKEN = 20
_SHORT = 200
"""A search may take _STEPS_PER_TOKEN steps for each token of a statement and for _SHORT more, so it is linear."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A part of a pattern.

    Parameters:
        test: accepts a single token or a name; None for a skip or an optional part.
        words: the words that the token may be, if they are few.
        skip: 1 to skip tokens at this depth, 2 to skip tokens at any depth.
        stops: words that end a skip.
        optional: the items of an optional part.
        trigger: whether it is the trigger.
        width: the number of tokens: 1 or 0; -1 for a name with or without schema; None if it varies otherwise.
        kinds: the kinds of tokens that it accepts; empty for any.
    """

    test: Test | None = None
    words: frozenset[str] = frozenset()
    skip: int = 0
    stops: frozenset[str] = frozenset()
    optional: tuple[_Item, ...] = ()
    trigger: bool = False
    width: int | None = 1
    kinds: frozenset[str] = frozenset()


class Pattern:
    """A compiled pattern.

    Parameters:
        text: the pattern.
        tokens: regular expressions for the pattern's own ``<x>``.

    Raises:
        BehaviorError: the pattern's syntax is wrong.
    """

    def __init__(self, text: str, tokens: Mapping[str, str] | None = None) -> None:
        self._own = {
            name: re.compile(regex, re.IGNORECASE | re.DOTALL) for name, regex in (tokens or {}).items()
        }
        words = text.split()
        self.at_beginning = words[:1] == ["^"]
        self._source = text
        items, rest = self._items(words[self.at_beginning :])
        if rest:
            raise BehaviorError(f"the pattern {text!r} has a ] without [")
        self._pattern = items
        self._anchor, self._offsets = self._find_anchor()

    @property
    def required(self) -> frozenset[str]:
        """Words of which each matching statement contains at least one; empty if there is no such set."""
        literal = [item for item in self._pattern if item.words]
        triggers = [item for item in literal if item.trigger]
        return min(
            triggers or literal, key=lambda item: (_common(item.words), len(item.words)), default=_Item()
        ).words

    def search(self, reading: StatementReading) -> Iterator[int]:
        """The trigger token of each match."""
        seen = set()
        reading.steps = _STEPS_PER_TOKEN * (len(reading.tokens) + _SHORT)
        for start in self._starts(reading):
            found = next(self._match(self._pattern, 0, reading, start, None), None)
            if found is not None:
                trigger = start if found[1] is None else found[1]
                if trigger not in seen:
                    seen.add(trigger)
                    yield trigger

    def matches(self, reading: StatementReading) -> bool:
        """Whether the pattern matches somewhere in the statement."""
        return next(self.search(reading), None) is not None

    def _find_anchor(self) -> tuple[frozenset[str], tuple[int, ...]]:
        """The rarest words at a known number of tokens from the beginning of the pattern, and these numbers."""
        best: tuple[frozenset[str], tuple[int, ...]] = (frozenset(), ())
        offsets = {0}
        for item in self._pattern:
            if item.words and (not best[0] or (_common(best[0]) and not _common(item.words))):
                best = (item.words, tuple(sorted(offsets)))
            if item.skip or item.optional or item.width is None:
                break
            widths = (1, 3, 5) if item.width < 0 else (item.width,)
            offsets = {offset + width for offset in offsets for width in widths}
        return best

    def _starts(self, reading: StatementReading) -> Iterable[int]:
        if self.at_beginning:
            return (0, *(at + 1 for at in reading.positions.get(";", ())))
        if self._anchor:
            if self._offsets == (0,) and len(self._anchor) == 1:
                return reading.positions.get(next(iter(self._anchor)), ())
            return sorted(
                at - offset
                for word in self._anchor
                for at in reading.positions.get(word, ())
                for offset in self._offsets
                if at >= offset
            )
        kinds = self._pattern[0].kinds
        if kinds:
            return sorted(at for kind in kinds for at in reading.kinds.get(kind, ()))
        return range(len(reading.tokens))

    def _match(
        self, items: tuple[_Item, ...], index: int, reading: StatementReading, at: int, trigger: int | None
    ) -> Iterator[tuple[int, int | None]]:
        """Each way in which the items from ``index`` on match at a token: the end of the match, and the trigger."""
        if index == len(items):
            yield at, trigger
            return
        item = items[index]
        if item.skip:
            while True:
                yield from self._match(items, index + 1, reading, at, trigger)
                following = _after_one(reading, at, deep=item.skip == 2)
                reading.steps -= 1
                if (
                    following is None
                    or reading.steps < 0
                    or (item.stops and reading.keyword(at) in item.stops)
                ):
                    return
                at = following
        elif item.optional:
            for end, found in self._match(item.optional, 0, reading, at, trigger):
                yield from self._match(items, index + 1, reading, end, found)
            yield from self._match(items, index + 1, reading, at, trigger)
        else:
            assert item.test is not None
            end_of_item = item.test(reading, at)
            if end_of_item is not None:
                yield from self._match(
                    items, index + 1, reading, end_of_item, at if item.trigger else trigger
                )

    def _items(self, words: list[str]) -> tuple[tuple[_Item, ...], list[str]]:
        items: list[_Item] = []
        while words:
            word, words = words[0], words[1:]
            if word == "]":
                return tuple(items), [word, *words]
            if word == "[":
                inside, words = self._items(words)
                if words[:1] != ["]"]:
                    raise BehaviorError(f"the pattern {self._source!r} has a [ without ]")
                items.append(_Item(optional=inside))
                words = words[1:]
            else:
                items.append(self._item(word))
        return tuple(items), []

    def _item(self, word: str) -> _Item:
        if word in ("...", "***"):
            return _Item(skip=1 if word == "..." else 2)
        if word.startswith("...!"):
            return _Item(skip=1, stops=frozenset(word.removeprefix("...!").lower().split("|")))
        if word == "$":
            return _Item(end, width=0)
        if len(word) > 2 and word[0] == "{" and word[-1] == "}":
            inner = self._item(word[1:-1])
            return replace(inner, trigger=True)
        if len(word) > 1 and word[0] == "!" and (word[1].isalpha() or word[1] in "(<,.;:$"):
            return _Item(_not(self._item(word[1:])), width=0)
        if len(word) > 2 and word[0] == "<" and word[-1] == ">" and word[1].isalpha():
            return self._wildcard(word[1:-1])
        plain = word.removeprefix("\\")
        choices = plain.split("|") if all(plain.split("|")) else [plain]
        names = frozenset(choice for choice in choices if choice.islower())
        words = frozenset(choice.lower() for choice in choices)
        return _Item(one_of(words, names), words)

    def _wildcard(self, name: str) -> _Item:
        if name in self._own:
            quoted = self._own[name].pattern.startswith('"')
            return _Item(
                described(self._own[name]), kinds=frozenset({"identifier"}) if quoted else _CONSTANTS
            )
        sort, _, rest = name.partition(":")
        listed = frozenset(rest.lower().split("|")) if rest != "||" else frozenset((rest,))
        match sort:
            case "string" if rest:
                return _Item(string(self._own[rest]), kinds=frozenset({"string"}))
            case "column":
                return _Item(own_column(listed), width=-1)
            case "builtin":
                return _Item(builtin(listed), listed)
            case "operator":
                return _Item(operator(listed), listed)
            case "not-after":
                return _Item(lambda reading, at: None if reading.keyword(at - 1) in listed else at, width=0)
        if name not in WILDCARDS:
            raise BehaviorError(
                f"the pattern {self._source!r} has <{name}>",
                remedy=f"give tokens={{{name!r}: ...}}, or write one of {', '.join(WILDCARDS)}",
            )
        width = None if name == "group" else 1 if name in SINGLE else -1
        return _Item(WILDCARDS[name], width=width, kinds=SINGLE.get(name, frozenset()))


def _common(words: frozenset[str]) -> bool:
    """Whether nearly every statement contains one of the words."""
    return not words.isdisjoint(_COMMON)


_COMMON = frozenset({
    "select", "from", "where", "and", "or", "as", "on", "in", "by", "create", "alter", "table", "set", "(", ")",
    ",", ".", "=", "*", ";", "insert", "update", "function", "index", "with", "begin", "is", "not", "null",
    "to", "::",
})  # fmt: skip


def _after_one(reading: StatementReading, at: int, *, deep: bool) -> int | None:
    """The token after this one, or after its parentheses; None if a skip must end here."""
    if at >= len(reading.tokens):
        return None
    if deep:
        return at + 1
    text = reading.keyword(at)
    if text in (")", "]", ";"):
        return None
    return min(reading.closing(at) + 1, len(reading.tokens)) if text in ("(", "[") else at + 1


def _not(item: _Item) -> Test:
    test = item.test
    assert test is not None
    return lambda reading, at: at if test(reading, at) is None else None
