"""Search for evidence in settings: in the configuration, in statements, and in programs' options."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.evidence.inputs import command_of, is_only_printed
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS
from pytest_pgfeatures.readiness.model import Place
from pytest_pgfeatures.readiness.statements.nodes import text_of
from pytest_pgfeatures.readiness.statements.settings import settings_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.affects import SettingUsed
    from pytest_pgfeatures.readiness.model import Application
    from pytest_pgfeatures.readiness.statements.context import StatementContext
    from pytest_pgfeatures.readiness.statements.trees import Tree

_FLAGS = re.IGNORECASE | re.DOTALL
_NAMING = frozenset({"set", "reset", "show"})
_CALLED = frozenset({"current_setting", "set_config"})


class Use(NamedTuple):
    """A setting in a statement or a file.

    Parameters:
        name: the name in lower case.
        value: the value; None if the setting is only read.
        where: ``file``, ``system`` (ALTER SYSTEM), ``statement``, ``option``.
    """

    name: str
    value: str | None
    where: str
    place: Place
    text: str


def uses_in(context: StatementContext) -> Iterator[tuple[str, str | None, str, int]]:
    """The settings that a statement sets or reads, each with the token of its name."""
    reading = context.reading
    if not _NAMING.isdisjoint(reading.positions):
        for name, value, at, of_system in settings_named(context.tree):
            yield name, value, "system" if of_system else "statement", at
    if not _CALLED.isdisjoint(reading.positions):
        yield from _called(context.tree)
    if "pg_settings" in reading.positions and "name" in reading.positions:
        for at in range(len(reading.tokens)):
            text = reading.value(at)
            if text is not None:
                yield text.lower(), None, "statement", at


def _called(tree: Tree) -> Iterator[tuple[str, str | None, str, int]]:
    """The settings in calls of current_setting() and set_config()."""
    for call in (call for name in _CALLED for call in tree.calls.get(name, ())):
        if call.schema in (None, "pg_catalog") and call.arguments:
            first, *others = call.arguments
            for at in tree.strings(first.get("TypeCast", {}).get("arg", first))[:1]:
                sets = call.name == "set_config" and others
                value = text_of(others[0]).strip("'") if sets else None
                yield (tree.reading.value(at) or "").lower(), value, "statement", at


def uses_of_inputs(application: Application) -> Iterator[Use]:
    """The settings in files and in programs' options."""
    for use in application.settings:
        if use.kind != "statement":
            yield Use(use.name.lower(), use.value, use.kind, use.place, use.text)


class OfSetting:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.SettingUsed`.

    Parameters:
        kind: the evidence.
        present: settings that have a non-empty value in the files.
    """

    def __init__(self, kind: SettingUsed, present: frozenset[str] = frozenset()) -> None:
        self.kind = kind
        self._value = re.compile(kind.value, _FLAGS) if kind.value is not None else None
        self._like = re.compile(kind.like, _FLAGS) if kind.like is not None else None
        self._present = present

    @property
    def names(self) -> tuple[str, ...]:
        """The settings; ``*`` if a regular expression describes them."""
        return ("*",) if self._like else self.kind.names

    def matches(self, name: str, value: str | None, where: str) -> bool:
        """Whether a use matches the evidence."""
        if self._like is not None:
            if value is None or not self._like.fullmatch(name):
                return False
        elif name not in self.kind.names:
            return False
        if self.kind.file and where not in ("file", "system"):
            return False
        if self.kind.beside and not (value and self._present.intersection(self.kind.beside) - {name}):
            return False
        if self._value is None:
            return True
        return value is not None and self._value.fullmatch(value.strip()) is not None

    def in_script(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
        """The places where a script sets one of the settings, as ``name = value`` or ``name: value``.

        Parameters:
            lines: the numbered lines of the script.

        Yields:
            the number of the line, the index in it, and the line.
        """
        found = [
            (name, number, match.start(), line)
            for name in self.kind.names
            if self.kind.scripts
            for number, line, match in assignments(name, lines)
            if self._value is None or self._value.fullmatch(match[1].strip())
            if not _is_anothers(line, match.start())
        ]
        names = {name for name, *_ in found}
        seen = set()
        for name, number, at, line in found:
            alone = self.kind.beside and not names.intersection(self.kind.beside) - {name}
            if not alone and number not in seen:
                seen.add(number)
                yield number, at, line


def assignments(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """The places where a script sets a setting."""
    pattern = re.compile(_ASSIGNED.format(name=name), re.IGNORECASE)
    for number, line in lines:
        if name in line.lower():
            for match in pattern.finditer(line):
                yield number, line, match


def commented(name: str, files: Iterable[str]) -> Place | None:
    """The place of a setting in a comment, such as ``#jit = on``, as configurations have for their defaults."""
    pattern = re.compile(rf"^[ \t]*#[ \t]*({name})[ \t]*=", re.IGNORECASE | re.MULTILINE)
    for file in dict.fromkeys(files):
        try:
            text = read_regular_text(Path(file), errors="replace")
        except OSError:  # settings of a live database have no file
            continue
        if match := pattern.search(text):
            return Place(file, text.count("\n", 0, match.start()) + 1, match.start(1) - match.start() + 1)
    return None


def _is_anothers(line: str, at: int) -> bool:
    """Whether an assignment in a line of a script is only printed, or an option of another program."""
    if not command_of(line):
        return False
    if command_of(line) in ("echo", "printf"):
        return is_only_printed(line, at)
    words = {PurePath(word).name for word in _WORD.findall(line)}
    return words.isdisjoint(_RUN_SERVERS) and _OPTION.search(line, 0, at) is not None


_WORD = re.compile(r"[\w./-]*\w")
_OPTION = re.compile(r"\s(?:-c[\s\"']*|--(?:[a-z][\w-]*+[\s=][\"']?)?)$")
_RUN_SERVERS = PROGRAMS | {
    "docker",
    "podman",
    "docker-entrypoint.sh",
    "exec",
    "gosu",
    "su",
    "sudo",
    "kubectl",
}
_ASSIGNED = r"(?<![\w.]){name}[\"']?\s*[:=]\s*[\"']?([^\"'\s#]*)"
