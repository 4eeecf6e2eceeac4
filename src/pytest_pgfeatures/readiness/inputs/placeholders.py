"""Convert the placeholders of drivers and templates to the server's parameters ``$1``, ``$2``, ..., and names."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_pgfeatures.readiness.inputs.texts import blanked
from pytest_pgfeatures.readiness.statements.grammar import parse, refused_at
from pytest_pgfeatures.sql import tokens

_SIGN = re.compile("[%:?@${#]")
_DIRECTIVE = re.compile(
    r"\A(?>(?:\s*+\{\{(?>(?:[^{}]++|\{[^{}]*+\})*)\}\}[ \t]*+\n)+)|\{%[^%]*+%\}|\{#[^#]*+#\}"
)
"""A directive of a template, or an expression on lines of its own before a statement."""
_FORMAT = re.compile(r"\d*+(?:\.\d++)?[dfgqsvxX]")  # a conversion of printf() after its percent sign
_LONGEST = 100  # the maximum number of tokens of a placeholder in braces
_WORD = re.compile(r"\w")
_ENCLOSING = re.compile("@|(?:#|%%)[A-Z]")  # a sign before and after a placeholder, and how that begins
NAME_FILLED_IN = re.compile(r"\bx\d+\b")  # in place of a name that a program fills in
_NUMBERED = re.compile(r"[$:]\d+")  # the text of a placeholder that has a number already
_COMPARING = frozenset({"", "=", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "||"})
"""Operators that may directly precede a placeholder, without a space."""
_FILLED_IN = re.compile(r"'\s*\{\{[^{}]*\}\}\s*'")  # a constant that a template fills in
_TYPED = re.compile(rf"\b(?:(date|timestamp(?:tz)?)|interval)\s+{_FILLED_IN.pattern}", re.IGNORECASE)
_GREATEST_NUMBER = 65535  # the largest number of a parameter in the protocol. A server refuses $4294967297
_BEFORE_RELATIONS = frozenset({"from", "join", "into", "update"})
_VALUE, _OPERATOR, _NAME, _CONSTANT = range(4)  # the readings of a placeholder
_SHOWN = {_NAME: "x", _CONSTANT: "'x'"}
_MOST_DECIDED = 50  # the maximum number of placeholders of one text about which the grammar is asked again


class _Piece(NamedTuple):
    """A token, or a placeholder."""

    text: str
    name: str | None = None  # of a placeholder
    operator: str = ""  # before it in its token
    sure: bool = True  # whether it is no operator


def with_parameters(sql: str) -> tuple[str, tuple[str, ...]]:
    """Replace each placeholder by a parameter: ``%s``, ``%(id)s``, ``:id``, ``?``, ``@id``, ``{id}``, ``${id}``,
    ``#ID#``.

    Placeholders with the same name become the same parameter. PostgreSQL's grammar tells where ``?``, ``@`` and
    ``%`` are operators, and where a placeholder stands for a name: it becomes ``x1``, ``x2``, ... there. The name
    ``:"name"`` stays. If there are Python placeholders, ``%%`` becomes ``%``. Returns the statement and the
    name of each parameter, empty for one without a name.
    """
    if _SIGN.search(sql) is None:
        return sql, ()
    sql = _DIRECTIVE.sub(lambda found: blanked(found[0]), sql)
    sql = _TYPED.sub(lambda found: f"{found[1]} '2000-01-01'" if found[1] else "interval '1 day'", sql)
    pieces = list(_pieces(sql))
    readings = _readings(pieces)
    numbers = {piece.text: int(piece.text[1:]) for piece in pieces if _NUMBERED.fullmatch(piece.text)}
    last = max(numbers.values(), default=0)
    filled_in: dict[str, int] = {}
    parts: list[str] = []
    for at, piece in enumerate(pieces):
        reading = readings.get(at, _OPERATOR)
        if piece.name is None or reading == _OPERATOR:
            parts.append(piece.text)
        elif reading == _CONSTANT:
            parts.append(f"{piece.operator}'x'")
        elif reading == _NAME:
            parts.append(f"{piece.operator}x{filled_in.setdefault(piece.name, len(filled_in) + 1)}")
        else:
            number = numbers.setdefault(piece.name, last + 1)
            last = max(last, number)
            parts.append(f"{piece.operator}${number}")
    if any(name.startswith("%") for name in (*numbers, *filled_in)):
        parts = [part.replace("%%", "%") for part in parts]
    # a placeholder's own text is not a name
    names = {number: name[1:].strip("{} '") for name, number in numbers.items() if not name[1:].isdigit()}
    count = max((number for number in numbers.values() if number <= _GREATEST_NUMBER), default=0)
    return "".join(parts), tuple(names.get(number, "") for number in range(1, count + 1))


def _pieces(sql: str) -> Iterator[_Piece]:
    """The tokens of a text. Those of a placeholder are one."""
    found = list(tokens(sql, psql=True))
    at = 0
    while at < len(found):
        token, *following = found[at : at + 5]
        sign, operator = token.text[-1], token.text[:-1]
        after = [each.text for each in following]
        word = after[0] if following and following[0].kind == "word" else ""
        is_enclosed = after[1:2] == [token.text] and _ENCLOSING.match(token.text + word)
        length, piece = 1, _Piece(token.text)
        if token.kind == "parameter" or _FILLED_IN.fullmatch(token.text):
            piece = _Piece(token.text, token.text)
        elif token.kind == "variable":
            is_name = token.text.startswith((':"', ":{"))
            piece = _Piece(token.text[1:]) if is_name else _Piece(token.text, ":" + token.text.strip(":'"))
        elif token.text == "{":
            braces = ((each.text == "{") - (each.text == "}") for each in found[at : at + _LONGEST])
            depths = enumerate(itertools.accumulate(braces))
            length += next((number for number, depth in depths if not depth), 0)
            beside = sql[: token.start].removesuffix("$")[-1:] + sql[found[at + length - 1].end :][:1]
            piece = _Piece("x") if _WORD.search(beside) else _Piece("", f"{{{token.start}")
        elif sign in ("$", "#") and operator in _COMPARING and after[:1] == ["{"]:
            piece = _Piece(operator)
        elif word and (token.text == "$" or is_enclosed):
            length, piece = 2 + (token.text != "$"), _Piece("", token.text + word)
        elif token.kind == "operator" and operator in _COMPARING:
            if sign == "%" and after[:1] + after[2:] == ["(", ")", "s"]:
                length, piece = 5, _Piece("", f"%{after[1]}", operator)
            elif sign == "%" and after and _FORMAT.fullmatch(after[0]):
                length, piece = 2, _Piece(token.text + after[0], f"%{token.start}", operator, sure=False)
            elif sign == "?" and not (word and parse(f"TABLE {word}")[1] is None):  # as ?name in SPARQL
                piece = _Piece(token.text, f"?{token.start}", operator, sure=False)
            elif token.text == "@" and word:
                length, piece = 2, _Piece(f"@{word}", f"@{word}", sure=False)
        yield piece
        at += length


def _readings(pieces: Sequence[_Piece]) -> dict[int, int]:
    """Decide what each placeholder stands for: a value, or a name where a point follows; where the grammar stops at
    one, what lets the grammar go furthest."""
    before_point = {at for at, piece in enumerate(pieces, -1) if piece.text == "."}
    names = {at for at in before_point if not _NUMBERED.fullmatch(pieces[at].text)}
    placeholders = (at for at, piece in enumerate(pieces) if piece.name is not None)
    readings = {at: _NAME if at in names else _VALUE for at in placeholders}
    decided: set[int] = set()
    while readings and len(decided) < _MOST_DECIDED:
        at = _stop(pieces, readings)
        if at not in readings or at in decided:
            break
        decided.add(at)
        possible = (_VALUE, _NAME) if pieces[at].sure else (_VALUE, _OPERATOR, _NAME)
        readings[at] = max(possible, key=lambda reading: _stop(pieces, readings | {at: reading}))
    else:
        at = len(pieces)
    word = ""
    for number, piece in enumerate(pieces):
        if number in readings and word == "password":
            readings[number] = _CONSTANT
        elif number > at and number in readings and word in _BEFORE_RELATIONS:  # behind what is refused
            readings[number] = _NAME
        word = piece.text.strip().lower() or word
    return readings


def _stop(pieces: Sequence[_Piece], readings: Mapping[int, int]) -> int:
    """The piece at which the grammar refuses a text; their number if it refuses none."""
    shown = [piece.text for piece in pieces]
    for at, reading in readings.items():
        if reading != _OPERATOR:
            shown[at] = f"{pieces[at].operator} {_SHOWN.get(reading, '1')} "
    refused = refused_at("".join(shown))
    starts = list(itertools.accumulate(map(len, shown), initial=0))
    return len(pieces) if refused is None else bisect.bisect_right(starts, refused) - 1
