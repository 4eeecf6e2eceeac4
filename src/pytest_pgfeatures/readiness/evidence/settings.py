"""Search for evidence in settings: in the configuration, in statements, and in programs' options."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.evidence.inputs import command_of, is_only_printed
from pytest_pgfeatures.readiness.evidence.subjects import Hit
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS
from pytest_pgfeatures.readiness.model import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.affects import Default, SettingUsed
    from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs
    from pytest_pgfeatures.readiness.statements.context import StatementContext

_FLAGS = re.IGNORECASE | re.DOTALL


class OfSetting:
    """Searches for the evidence of :class:`~pytest_pgfeatures.affects.SettingUsed`."""

    keys = frozenset({"VariableSetStmt", "VariableShowStmt", "setstmt", "FuncCall", "RangeVar"})

    def __init__(self, kind: SettingUsed) -> None:
        self._kind = kind
        self._names = re.compile("|".join(kind.names), _FLAGS)
        self._value = re.compile(kind.value, _FLAGS) if kind.value is not None else None

    def __call__(self, context: StatementContext) -> Iterator[int]:
        """The settings that a statement sets or reads."""
        for name, value, at, of_system in context.settings:
            if self._matches(name, value, in_file=of_system):
                yield at

    def _matches(
        self, name: str, value: str | None, *, in_file: bool, present: frozenset[str] = frozenset()
    ) -> bool:
        kind = self._kind
        if not self._names.fullmatch(name) or (kind.file and not in_file):
            return False
        if kind.beside and not (value and present.intersection(kind.beside) - {name}):
            return False
        return self._value is None or (value is not None and self._value.fullmatch(value.strip()) is not None)

    def elsewhere(self, searched: SearchedInputs) -> Iterator[Hit]:
        """The settings in files and in programs' options."""
        present = frozenset(use.name.lower() for use in searched.settings if use.value)
        for use in searched.settings:
            value = use.value if use.is_known else None
            if self._matches(use.name.lower(), value, in_file=use.kind == "file", present=present):
                yield Hit(self._kind, use.place, use.text)
        for file, lines in searched.scripts:
            for number, at, line in self._in_script(lines):
                yield Hit(self._kind, Place(file, number, at + 1), line.strip())

    def _in_script(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
        """The places where a script sets one of the settings, as ``name = value`` or ``name: value``: the number of
        the line, the index in it, and the line."""
        found = [
            (name, number, match.start(), line)
            for name in self._kind.names
            if self._kind.scripts
            for number, line, match in assignments(name, lines)
            if self._value is None or self._value.fullmatch(match[1].strip())
            if not _is_anothers(line, match.start())
        ]
        names = {name for name, *_ in found}
        seen = set()
        for name, number, at, line in found:
            alone = self._kind.beside and not names.intersection(self._kind.beside) - {name}
            if not alone and number not in seen:
                seen.add(number)
                yield number, at, line


def of_default(kind: Default, searched: SearchedInputs) -> Iterator[Hit]:
    """The configuration, and scripts that set one of the settings for which a default matters, without its own."""
    for file, lines in searched.scripts:
        set_there = [each for name in kind.given for each in assignments(name, lines)]
        if set_there and not any(assignments(kind.name, lines)):
            number, line, match = min(set_there, key=lambda each: each[0])
            yield Hit(kind, Place(file, number, match.start() + 1), line.strip())
    named = {use.name.lower() for use in searched.settings}
    in_files = {use.name.lower(): use.place for use in reversed(searched.settings) if use.kind == "file"}
    by_system = {
        use.name for use in searched.application.settings if use.text.startswith("ALTER SYSTEM SET ")
    }
    if (
        "config" in searched.application.given
        and (not kind.given or named.intersection(kind.given))
        and kind.name not in in_files.keys() | by_system
    ):
        files = [place.file for place in reversed(in_files.values())]
        near = next((in_files[name] for name in kind.near if name in in_files), None)
        place = _commented(kind.name, files) or near or (Place(files[0], 1) if files else None)
        yield Hit(kind, place, f"# {kind.name} is not set", kind.name)


def assignments(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, re.Match[str]]]:
    """The places where a script sets a setting."""
    pattern = re.compile(_ASSIGNED.format(name=name), re.IGNORECASE)
    for number, line in lines:
        if name in line.lower():
            for match in pattern.finditer(line):
                yield number, line, match


def _commented(name: str, files: Iterable[str]) -> Place | None:
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
_OPTION = re.compile(r"[\s\"'](?:-c[\s\"',]*|--(?:[a-z][\w-]*+[\s=][\"']?)?)$")
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
