"""psql's meta-commands: their arguments, and the effect of ``\\if`` and ``\\copy`` on the statements of a script.

https://www.postgresql.org/docs/current/app-psql.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.sql import interpolated, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pgfeatures.sql import Token

_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)


def arguments_of(text: str, variables: Mapping[str, str]) -> list[str]:
    """The arguments of a meta-command, with quotes removed and variables replaced; one without a value stays.

    Parameters:
        text: the text after the command's name.
        variables: the values, by variable name.
    """
    found: list[str] = []
    together = False
    for token in tokens(text, psql=True, standard_conforming_strings=False):
        if token.kind == "space":
            together = False
            continue
        part = _argument(token.kind, token.text, variables)
        if together:
            found[-1] += part
        else:
            found.append(part)
        together = True
    return found


def _argument(kind: str, text: str, variables: Mapping[str, str]) -> str:
    if kind == "string" and text.startswith("'"):
        return _ESCAPE.sub(_unescaped, text[1:-1].replace("''", "'"))
    return interpolated(text, variables) if kind == "variable" else text


def _unescaped(match: re.Match[str]) -> str:
    hexadecimal, octal, other = match.groups()
    if hexadecimal or octal:
        return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8))
    return _ESCAPES.get(other, other)


_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")
_SHORTEST = {"on": 2, "off": 2}
"""psql recognizes it by the beginning of the word, but not by ``o``."""


@dataclass(slots=True)
class _Level:
    """A block: whether the current branch runs, and whether any has run; None if only a run can decide."""

    runs: bool | None
    taken: bool | None


class Branches:
    """The blocks of ``\\if`` around a place in a script. A branch whose condition is unknown may run."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []

    @property
    def may_run(self) -> bool:
        """Whether psql may run the text here."""
        return all(level.runs is not False for level in self._levels)

    @property
    def runs(self) -> bool:
        """Whether psql certainly runs the text here."""
        return all(level.runs for level in self._levels)

    def follow(self, command: str, condition: str) -> bool:
        """Follow a meta-command.

        Parameters:
            command: its name.
            condition: its arguments, with the known variables replaced.

        Returns:
            whether it is one of ``\\if``, ``\\elif``, ``\\else``, ``\\endif``.
        """
        if command == "if":
            value = truth(condition)
            self._levels.append(_Level(value, value))
        elif command in ("elif", "else"):
            if self._levels:
                level = self._levels[-1]
                level.runs = _after(level.taken, truth(condition) if command == "elif" else True)
                level.taken = level.runs if level.taken is False else level.taken
        elif command == "endif":
            self._levels = self._levels[:-1]
        else:
            return False
        return True


def _after(taken: bool | None, value: bool | None) -> bool | None:
    """Whether a branch runs, given its condition's value, and whether one of the earlier branches ran."""
    if taken or value is False:
        return False
    return None if taken is None else value


def truth(text: str) -> bool | None:
    """The value of a condition as psql reads it; None if it has none, such as a variable without a value."""
    said = text.strip().strip("'").lower()
    for words, value in ((_TRUE, True), (_FALSE, False)):
        if any(len(said) >= _SHORTEST.get(word, 1) and word.startswith(said) for word in words):
            return value
    return None


@dataclass(frozen=True, slots=True)
class Copied:
    """The statement of a ``\\copy``.

    Parameters:
        sql: the query whose result is copied, or COPY with STDIN or STDOUT in place of the file.
        shift: the index in the command's arguments at which ``sql`` begins.
        file: the file that is read; empty if a file is written, or a program is run.
        runs_program: whether the data comes from a program, or goes to one.
    """

    sql: str
    shift: int
    file: str = ""
    runs_program: bool = False


_COPY = "COPY "


def copied(arguments: str) -> Copied | None:
    """The statement of a ``\\copy`` with these arguments; None if it has neither FROM nor TO."""
    found = list(tokens(arguments, psql=True))
    significant = [at for at, token in enumerate(found) if token.significant]
    if not significant:
        return None
    if found[significant[0]].text == "(":
        end = _closing(found, significant[0])
        begin = significant[0] + 1
        query = "".join(token.text for token in found[begin:end])
        return Copied(query, found[begin - 1].end) if query.strip() else None
    depth = 0
    for number, at in enumerate(significant[:-1]):
        depth += (found[at].text == "(") - (found[at].text == ")")
        way = found[at].keyword
        if depth or way not in ("from", "to"):
            continue
        named = significant[number + 1]
        program = found[named].keyword == "program" and number + 2 < len(significant)
        first = significant[number + 2] if program else named
        last = first
        while last + 1 < len(found) and found[first].kind != "string" and found[last + 1].kind != "space":
            last += 1
        file = "".join(token.text for token in found[first : last + 1])
        before = arguments[: found[named].start]
        client = "STDIN" if way == "from" else "STDOUT"
        rest = arguments[found[last].end :]
        reads = way == "from" and not program and file.lower() not in ("stdin", "pstdin")
        sql = f"{_COPY}{before}{client}{rest}"
        return Copied(sql, -len(_COPY), arguments_of(file, {})[0] if reads else "", program)
    return None


def _closing(found: list[Token], opening: int) -> int:
    """The closing parenthesis for an opening one, or the end."""
    depth = 0
    for at in range(opening, len(found)):
        depth += (found[at].text == "(") - (found[at].text == ")")
        if depth == 0:
            return at
    return len(found)
