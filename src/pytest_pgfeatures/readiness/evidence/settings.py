"""Search for evidence in settings: in the configuration, in statements, and in programs' options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from pytest_pgfeatures.affects import Default, SettingUsed
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs, SearchedScript
from pytest_pgfeatures.readiness.evidence.subjects import Hit, compiled
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS
from pytest_pgfeatures.readiness.model import Place, SettingUse
from pytest_pgfeatures.readiness.statements.context import StatementContext


def of_setting(kind: SettingUsed, context: StatementContext) -> Iterator[int]:
    """The settings that a statement sets or reads and that match the evidence."""
    for name, value, at, of_system in context.settings:
        if _matches(kind, name, value, in_file=of_system):
            yield at


def _matches(
    kind: SettingUsed, name: str, value: str | None, *, in_file: bool, present: frozenset[str] = frozenset()
) -> bool:
    if not compiled("|".join(kind.names)).fullmatch(name) or (kind.file and not in_file):
        return False
    if kind.beside and not (value and present.intersection(kind.beside) - {name}):
        return False
    return kind.value is None or (value is not None and bool(compiled(kind.value).fullmatch(value.strip())))


def of_setting_elsewhere(kind: SettingUsed, searched: SearchedInputs) -> Iterator[Hit]:
    """The settings in files, programs' options and scripts that match the evidence, the first of each line."""
    scripts = searched.scripts if kind.scripts else ()
    for uses in (searched.settings, *([*_assignments(kind.names, script)] for script in scripts)):
        present = frozenset(use.name.lower() for use in uses if use.value)
        hits: dict[str, Hit] = {}
        for use in uses:
            value = use.value if use.is_known else None
            if _matches(kind, use.name.lower(), value, in_file=use.kind == "file", present=present):
                hits.setdefault(use.place.where, Hit(kind, use.place, use.text))
        yield from hits.values()


def of_default(kind: Default, searched: SearchedInputs) -> Iterator[Hit]:
    """The configuration, and scripts that set one of the settings for which a default matters, without its own."""
    for script in searched.scripts:
        first = next(_assignments(kind.given, script), None)
        if first and not any(_assignments((kind.name,), script)):
            yield Hit(kind, first.place, first.text)
    named = {use.name.lower() for use in searched.settings}
    in_files = {use.name.lower(): use.place for use in reversed(searched.settings) if use.kind == "file"}
    uses = searched.application.settings
    by_system = {use.name for use in uses if use.text.startswith("ALTER SYSTEM SET ")}
    is_set = kind.name in in_files.keys() | by_system
    has_given = not kind.given or named.intersection(kind.given)
    if "config" in searched.application.given and has_given and not is_set:
        files = [place.file for place in reversed(in_files.values())]
        near = next((in_files[name] for name in kind.near if name in in_files), None)
        place = _commented(kind.name, files) or near or (Place(files[0], 1) if files else None)
        yield Hit(kind, place, f"# {kind.name} is not set", kind.name)


def _assignments(names: Iterable[str], script: SearchedScript) -> Iterator[SettingUse]:
    """The places where a script sets some settings, except for options of other programs."""
    pattern = compiled(_ASSIGNED.format(names="|".join(names)))
    for number, line in enumerate(script.settings, 1):
        for match in pattern.finditer(line) if any(name in line.lower() for name in names) else ():
            if not _is_anothers(line, match.start()):
                place = Place(script.file, number, match.start() + 1)
                yield SettingUse(match[1].lower(), match[2], "file", place, script.excerpt(number))


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
    """Whether an assignment in a line of a script is an option of another program."""
    if not _COMMAND.match(line) or not _OPTION.search(line, 0, at):
        return False
    return _RUN_SERVERS.isdisjoint(PurePath(word).name for word in _WORD.findall(line))


_COMMAND = re.compile(
    r"\s*+(?:-\s++)?(?:[\w.-]++:\s++|Exec\w*+=|(?:RUN|CMD|ENTRYPOINT)\s++)?"
    r"\[?[\"']?(?:/[\w./-]*/)?\\?[a-z][\w./-]*+[\s\"']"
)
_WORD = re.compile(r"[\w./-]*\w")
_OPTION = re.compile(r"[\s\"'](?:-c[\s\"',]*|--(?:[a-z][\w-]*+[\s=][\"']?)?)$")
_RUN_SERVERS = PROGRAMS | {
    "docker", "podman", "docker-entrypoint.sh", "echo", "exec", "gosu", "kubectl", "printf", "su", "sudo",
}  # fmt: skip
_ASSIGNED = r"(?<![\w.])({names})[\"']?\s*[:=]\s*[\"']?([^\"'\s#]*)"
