"""Parse shell text into commands and words with their places: quotes, continuation lines, ``$( )``, here-documents.

https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.readiness.model import Place, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_SEPARATORS = frozenset(";&|(){}\n")
_HEREDOC = re.compile(r"<<(-?)\s*+(['\"]?)(\w++)\2")
_HERE_STRING = re.compile(r"<<<[ \t]*+")
_REDIRECTION = re.compile(r"\d?(?:>>|>&|<&|>|<)")
_RECIPE = re.compile(r"^(?:[+-]*@[@+-]*(?=[\w/$.])|[+-](?=pg_))")
"""The characters before a command that are for make."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*+=")
_RESERVED = frozenset(
    {
        "if",
        "then",
        "else",
        "elif",
        "fi",
        "do",
        "done",
        "while",
        "until",
        "for",
        "case",
        "esac",
        "!",
        "time",
        "in",
    }
)


@dataclass(slots=True)
class ShellCommand:
    """One command: its words, the variables that it sets, and its here-document.

    Parameters:
        start: the index of its first word in the text.
        document: the text of its here-document or here-string, and the index at which it begins.
        source: the command whose output it reads through a pipe.
    """

    words: list[Word]
    assigned: list[tuple[str, Word]]
    start: int
    end: int
    document: tuple[str, int] | None = None
    source: ShellCommand | None = None
    nested: list[tuple[str, int]] = field(default_factory=list)


def commands(text: str, place: Callable[[int], Place]) -> Iterator[ShellCommand]:
    """The commands of a text, including those inside ``$( )`` and backquotes.

    Parameters:
        text: shell text.
        place: returns the place of an index in the text.
    """
    for command in _Reader(text, place).commands():
        yield command
        for inner, start in command.nested:
            yield from commands(inner, lambda index, start=start: place(start + index))  # type: ignore[misc]


class _Reader:
    def __init__(self, text: str, place: Callable[[int], Place]) -> None:
        self._text = text
        self._place = place
        self._at = 0
        self._waiting: list[tuple[ShellCommand, str, bool]] = []

    def commands(self) -> Iterator[ShellCommand]:
        """All commands, in order."""
        current = ShellCommand([], [], 0, 0)
        text, length = self._text, len(self._text)
        while self._at < length:
            character = text[self._at]
            if character == "\n" and self._waiting:
                self._at += 1
                self._documents()
                if current.words or current.assigned:
                    yield current
                current = ShellCommand([], [], self._at, self._at)
            elif character in _SEPARATORS and not (character in "{}" and self._in_word()):
                if current.words or current.assigned:
                    yield current
                source = self._source(current, character)
                self._at += 1
                current = ShellCommand([], [], self._at, self._at, source=source)
            elif character.isspace():
                self._at += 1
            elif text.startswith("\\\n", self._at):
                self._at += 2
            elif character == "#":
                newline = text.find("\n", self._at)
                self._at = length if newline < 0 else newline
            elif self._begins_document(current):
                continue
            elif match := _REDIRECTION.match(text, self._at):
                self._at = match.end()
                self._skip_target()
            else:
                self._word(current)
        if current.words or current.assigned:
            yield current

    def _begins_document(self, current: ShellCommand) -> bool:
        """Read a here-string, or the beginning of a here-document, if one is there."""
        if match := _HERE_STRING.match(self._text, self._at):
            start = self._at = match.end()
            current.document = (self._value(current), start)
        elif match := _HEREDOC.match(self._text, self._at):
            self._waiting.append((current, match[3], bool(match[1])))
            self._at = match.end()
        return match is not None

    def _source(self, current: ShellCommand, separator: str) -> ShellCommand | None:
        """The command whose output the next one reads, after a separator."""
        around = self._text[max(self._at - 1, 0) : self._at + 2]
        if separator == "|" and "||" not in around:
            return current
        return current.source if separator == "\n" and not current.words else None

    def _in_word(self) -> bool:
        """Whether a brace belongs to a word, as in ``{a,b}`` or ``{}``."""
        following = self._text[self._at + 1 : self._at + 2]
        return not (following.isspace() or following in ("", ";"))

    def _skip_target(self) -> None:
        """Skip the file of a redirection."""
        while self._text[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1
        self._word(ShellCommand([], [], self._at, self._at))

    def _documents(self) -> None:
        """Read the here-documents that belong to the line before."""
        for command, mark, indented in self._waiting:
            start = self._at
            while True:
                end = self._text.find("\n", self._at)
                line = self._text[self._at : end if end >= 0 else len(self._text)]
                begun, self._at = self._at, end + 1 if end >= 0 else len(self._text)
                if (line.lstrip("\t") if indented else line).rstrip("\r") == mark or end < 0:
                    command.document = (self._text[start:begun], start)
                    break
        self._waiting.clear()

    def _word(self, command: ShellCommand) -> None:
        """Read a word and add it to the command."""
        start = self._at
        value = self._value(command)
        if self._at == start:  # a character that can't begin anything
            self._at += 1
            return
        word = Word(value, self._place(start))
        if not command.words:
            value = _RECIPE.sub("", value)
            word = Word(value, word.place)
            if _ASSIGNMENT.match(value):
                name, _, rest = value.partition("=")
                command.assigned.append((name, Word(rest, word.place)))
                return
            if value in _RESERVED:
                return
            command.start = start
        command.words.append(word)
        command.end = self._at

    def _value(self, command: ShellCommand) -> str:
        text, length = self._text, len(self._text)
        parts: list[str] = []
        while self._at < length:
            character = text[self._at]
            if character.isspace() or character in ";&|()<>":
                break
            if character == "'":
                end = text.find("'", self._at + 1)
                end = length if end < 0 else end
                parts.append(text[self._at + 1 : end])
                self._at = end + 1
            elif character == '"':
                parts.append(self._double_quoted(command))
            elif character == "\\":
                if text[self._at + 1 : self._at + 2] != "\n":
                    parts.append(text[self._at + 1 : self._at + 2])
                self._at += 2
            elif text.startswith("$(", self._at) or character == "`":
                parts.append(self._substitution(command))
            else:
                parts.append(character)
                self._at += 1
        return "".join(parts)

    def _double_quoted(self, command: ShellCommand) -> str:
        text, length = self._text, len(self._text)
        parts: list[str] = []
        self._at += 1
        while self._at < length and text[self._at] != '"':
            if text[self._at] == "\\" and text[self._at + 1 : self._at + 2] in ('"', "\\", "$", "`", "\n"):
                parts.append("" if text[self._at + 1] == "\n" else text[self._at + 1])
                self._at += 2
            elif text.startswith("$(", self._at):
                parts.append(self._substitution(command))
            else:
                parts.append(text[self._at])
                self._at += 1
        self._at += 1
        return "".join(parts)

    def _substitution(self, command: ShellCommand) -> str:
        """Read a command substitution. Its commands are parsed later."""
        text, start = self._text, self._at
        if text[start] == "`":
            end = text.find("`", start + 1)
            end = len(text) if end < 0 else end
            command.nested.append((text[start + 1 : end], start + 1))
            self._at = end + 1
            return text[start : self._at]
        depth, position = 0, start + 1
        while position < len(text):
            if text[position] in "'\"":
                quoted = text.find(text[position], position + 1)
                position = len(text) if quoted < 0 else quoted
            depth += {"(": 1, ")": -1}.get(text[position : position + 1], 0)
            position += 1
            if depth == 0:
                break
        command.nested.append((text[start + 2 : position - 1], start + 2))
        self._at = position
        return text[start:position]
