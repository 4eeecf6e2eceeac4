"""Patterns over a statement's tokens, as :class:`pytest_pgfeatures.affects.Sql` describes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import BehaviorError
from pytest_pgfeatures.readiness.reading import StatementReading

if TYPE_CHECKING:
    from pytest_pgfeatures.readiness.names import Names, OwnRelation

_CONSTANTS = frozenset({"string", "number", "word", "identifier", "parameter"})
_STEPS_PER_TOKEN = 20
_SHORT = 200
"""A search may take _STEPS_PER_TOKEN steps for each token of a statement and for _SHORT more, so it is linear."""
_LARGEST_INTEGER = 2147483647
Test = Callable[[StatementReading, int], int | None]
"""Takes the index of a token, and returns the index after the accepted tokens; None if it accepts nothing."""


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
            return _Item(_end, width=0)
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
        return _Item(_one_of(words, names), words)

    def _wildcard(self, name: str) -> _Item:
        if name in self._own:
            quoted = self._own[name].pattern.startswith('"')
            return _Item(
                _described(self._own[name]), kinds=frozenset({"identifier"}) if quoted else _CONSTANTS
            )
        sort, _, rest = name.partition(":")
        listed = frozenset(rest.lower().split("|")) if rest != "||" else frozenset((rest,))
        match sort:
            case "string" if rest:
                return _Item(_string(self._own[rest]), kinds=frozenset({"string"}))
            case "column":
                return _Item(_own_column(listed), width=-1)
            case "builtin":
                return _Item(_builtin(listed), listed)
            case "operator":
                return _Item(_operator(listed), listed)
            case "not-after":
                return _Item(lambda reading, at: None if reading.keyword(at - 1) in listed else at, width=0)
        if name not in _WILDCARDS:
            raise BehaviorError(
                f"the pattern {self._source!r} has <{name}>",
                remedy=f"give tokens={{{name!r}: ...}}, or write one of {', '.join(_WILDCARDS)}",
            )
        width = None if name == "group" else 1 if name in _SINGLE else -1
        return _Item(_WILDCARDS[name], width=width, kinds=_SINGLE.get(name, frozenset()))


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


def _one_of(words: frozenset[str], names: frozenset[str]) -> Test:
    """A test that accepts one of some words. Names may be quoted."""

    def test(reading: StatementReading, at: int) -> int | None:
        if reading.keyword(at) in words:
            return at + 1
        return at + 1 if names and reading.name(at) in names else None

    return test


def _not(item: _Item) -> Test:
    test = item.test
    assert test is not None
    return lambda reading, at: at if test(reading, at) is None else None


def _end(reading: StatementReading, at: int) -> int | None:
    return at if at >= len(reading.tokens) or reading.keyword(at) == ";" else None


def _described(pattern: re.Pattern[str]) -> Test:
    def test(reading: StatementReading, at: int) -> int | None:
        if at >= len(reading.tokens):
            return None
        if pattern.pattern.startswith('"'):
            return at + 1 if pattern.fullmatch(reading.tokens[at].text) else None
        if reading.tokens[at].kind in ("punctuation", "operator"):
            return None
        value = reading.value(at)
        text = value if value is not None else reading.name(at) or reading.tokens[at].text
        return at + 1 if pattern.fullmatch(text) else None

    return test


def _string(pattern: re.Pattern[str]) -> Test:
    def test(reading: StatementReading, at: int) -> int | None:
        value = reading.value(at)
        return at + 1 if value is not None and pattern.fullmatch(value) else None

    return test


def _kind(*kinds: str) -> Test:
    return lambda reading, at: (
        at + 1 if at < len(reading.tokens) and reading.tokens[at].kind in kinds else None
    )


def _name(reading: StatementReading, at: int) -> int | None:
    if reading.name(at) is None:
        return None
    at += 1
    while reading.keyword(at) == "." and reading.name(at + 1) is not None:
        at += 2
    return at


def _group(reading: StatementReading, at: int) -> int | None:
    return min(reading.closing(at) + 1, len(reading.tokens)) if reading.keyword(at) == "(" else None


def _junk(reading: StatementReading, at: int) -> int | None:
    """Accept a number or parameter that a word follows without white space."""
    if at >= len(reading.tokens):
        return None
    token = reading.tokens[at]
    if (
        token.kind == "other"
        and (token.text[0].isdigit() or token.text[0] in ".$")
        and token.text[-1].isalnum()
    ):
        return at + 1
    if token.kind not in ("number", "parameter") or at + 1 >= len(reading.tokens):
        return None
    following = reading.tokens[at + 1]
    return at + 2 if following.kind == "word" and following.start == token.end else None


def _huge(reading: StatementReading, at: int) -> int | None:
    if at >= len(reading.tokens) or reading.tokens[at].kind != "parameter":
        return None
    return at + 1 if int(reading.tokens[at].text[1:]) > _LARGEST_INTEGER else None


def _own_column(types: frozenset[str]) -> Test:
    """A test that accepts a column of the application that has one of the types."""

    def test(reading: StatementReading, at: int) -> int | None:
        end = _name(reading, at)
        if end is None or reading.context is None:
            return None
        return end if reading.context.type_of_column(end - 1) in types else None

    return test


def _own(is_one: Callable[[OwnRelation], bool]) -> Test:
    """A test that accepts a relation of the application."""

    def test(reading: StatementReading, at: int) -> int | None:
        end = _name(reading, at)
        if end is None or reading.context is None:
            return None
        known = reading.context.own.relations.get(reading.name(end - 1) or "", ())
        return end if any(map(is_one, known)) else None

    return test


def _builtin(names: frozenset[str]) -> Test:
    """A test that accepts one of PostgreSQL's functions, without a schema or with pg_catalog."""

    def test(reading: StatementReading, at: int) -> int | None:
        if reading.keyword(at) not in names:
            return None
        schema = reading.name(at - 2) if reading.keyword(at - 1) == "." else None
        own = reading.context is not None and reading.keyword(at) in reading.context.own.functions
        return at + 1 if schema == "pg_catalog" or (schema is None and not own) else None

    return test


def _operator(names: frozenset[str]) -> Test:
    """A test that accepts an operator that the application does not define."""

    def test(reading: StatementReading, at: int) -> int | None:
        own = reading.context.own.operators if reading.context is not None else ()
        return at + 1 if reading.keyword(at) in names and reading.keyword(at) not in own else None

    return test


def _known(is_one: Callable[[Names, str], bool]) -> Test:
    """A test that accepts a name for which the application's names satisfy a condition."""

    def test(reading: StatementReading, at: int) -> int | None:
        end = _name(reading, at)
        if end is None or reading.context is None:
            return None
        return end if is_one(reading.context.own, reading.name(end - 1) or "") else None

    return test


_SINGLE = {
    "word": frozenset({"word", "identifier"}),
    "string": frozenset({"string"}),
    "number": frozenset({"number"}),
    "parameter": frozenset({"parameter"}),
    "identifier": frozenset({"identifier"}),
    "junk": frozenset({"number", "parameter", "other"}),
    "huge": frozenset({"parameter"}),
    "any": frozenset[str](),
}
"""For each wildcard, the kinds of its first token."""


def _column_function(reading: StatementReading, at: int) -> int | None:
    """Accept the name of a created function with one argument, of a row type that has a column of that name."""
    end = _name(reading, at)
    if end is None or reading.context is None or reading.keyword(end) != "(":
        return None
    arguments = reading.split(end + 1, reading.closing(end))
    if len(arguments) != 1:
        return None
    start, stop = arguments[0]
    types = [reading.name(token) for token in range(start, stop)]
    own = reading.context.own
    named = [name for name in types if name is not None and name in own.relations]
    return end if any(own.has_column(reading.name(end - 1) or "", name) for name in named) else None


def _parent(reading: StatementReading, at: int) -> int | None:
    end = _name(reading, at)
    if end is None or reading.context is None or reading.name(end - 1) not in reading.context.own.parents:
        return None
    return end


def _function(reading: StatementReading, at: int) -> int | None:
    end = _name(reading, at)
    if end is None or reading.context is None or reading.name(end - 1) not in reading.context.own.functions:
        return None
    return end


_WILDCARDS: dict[str, Test] = {
    "partitioned": _own(lambda own: own.partitioned),
    "sequence": _own(lambda own: own.kind == "sequence"),
    "view": _own(lambda own: own.kind == "view"),
    "table": _own(lambda own: own.kind == "table"),
    "foreign": _own(lambda own: own.kind == "foreign table"),
    "parent": _parent,
    "own-type": _known(lambda own, name: name in own.types or name in own.relations),
    "overloaded": _known(lambda own, name: len(own.signatures.get(name, ())) > 1),
    "path-function": _known(lambda own, name: name in own.path_functions),
    "null-index": _known(lambda own, name: name in own.null_indexes),
    "column-function": _column_function,
    "function": _function,
    "name": _name,
    "word": _kind("word", "identifier"),
    "string": _kind("string"),
    "number": _kind("number"),
    "parameter": _kind("parameter"),
    "identifier": _kind("identifier"),
    "any": lambda reading, at: at + 1 if at < len(reading.tokens) else None,
    "group": _group,
    "junk": _junk,
    "huge": _huge,
}
