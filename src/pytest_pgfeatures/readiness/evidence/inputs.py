"""Search for evidence outside of SQL: in settings, pg_hba.conf, pg_ident.conf, calls of programs, and scripts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from pytest_pgfeatures import affects
from pytest_pgfeatures.readiness.evidence.searched_inputs import SearchedInputs, SearchedScript
from pytest_pgfeatures.readiness.evidence.subjects import Hit, compiled, matches
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS
from pytest_pgfeatures.readiness.inputs.texts import are_others, has_expression
from pytest_pgfeatures.readiness.model import Place, SettingUse, Word
from pytest_pgfeatures.readiness.statements.context import StatementContext

_LONGEST_BUNDLE = 5
_PRINTING = frozenset({"--version", "-V", "--help", "-?"})
"""Options of all of PostgreSQL's programs with which they do nothing else."""
_TYPES = frozenset({"local", "host", "hostssl", "hostnossl", "hostgssenc", "hostnogssenc"})
_MASK = re.compile(r"[0-9.]+|[0-9a-fA-F:]+")
_COMMAND = re.compile(
    r"\s*+(?:-\s++)?(?:[\w.-]++:\s++|Exec\w*+=|(?:RUN|CMD|ENTRYPOINT)\s++)?"
    r"\[?[\"']?(?>/(?:[\w.-]*/)+?(?=\\?[a-z]))?\\?[a-z][\w./-]*+[\s\"']"
)
_WORD = re.compile(r"[\w./-]+")
_OPTION = re.compile(r"[\s\"'](?:-c[\s\"',]*|--(?:[a-z][\w-]*+[\s=][\"']?)?)$")
_RUN_SERVERS = PROGRAMS | {
    "docker", "podman", "docker-entrypoint.sh", "echo", "exec", "gosu", "kubectl", "printf", "su", "sudo",
}  # fmt: skip
_PROSE = re.compile(
    r"(?<!-c )(?<!-lc )(?<!eval )(?<!command=)(?:(?<=^)|(?<=[\s=(]))"
    r"(\"(?=[^\"\n]*[a-z] )[^\"\n]*+\"|'(?=[^'\n]*[a-z] )[^'\n]*+')"
)
"""Several words in quotes that no shell gets by an option."""
_IF_RUN = "if this text is a command, or a list of files"
_PATH = re.compile(r"[\w./${}~-]*")
_ASSIGNED = r"(?<![\w.])({names})[\"']?\s*[:=]\s*[\"']?([^\"'\s#]*)"


def of_setting(kind: affects.SettingUsed, context: StatementContext) -> Iterator[int]:
    """The settings that a statement sets or reads and that match the evidence."""
    return (use.at for use in context.settings if _matches(kind, use.name, use.value, in_file=use.of_system))


def _matches(kind: affects.SettingUsed, name: str, value: str | None, *, in_file: bool) -> bool:
    is_other = (kind.file and not in_file) or (kind.read and value is not None)
    if is_other or not matches("|".join(kind.names), name):
        return False
    return kind.value is None or (value is not None and matches(kind.value, value.strip()))


def of_setting_elsewhere(kind: affects.SettingUsed, searched: SearchedInputs) -> Iterator[Hit]:
    """The settings in files, programs' options and scripts that match the evidence, the first of each line."""
    uses_in_scripts = (_assignments(kind.names, script) for script in searched.scripts)
    for uses in () if kind.read else (searched.settings, *uses_in_scripts):
        hits: dict[str, Hit] = {}
        for use in uses:
            value = use.value if use.is_known else None
            if _matches(kind, use.name.lower(), value, in_file=use.kind == "file"):
                hits.setdefault(use.place.where, Hit(kind.may, use.place, use.text))
        yield from hits.values()


def _assignments(names: Iterable[str], script: SearchedScript) -> Iterator[SettingUse]:
    """The places where a script sets some settings, except for options of other programs."""
    pattern = compiled(_ASSIGNED.format(names="|".join(names)))
    for number, line in enumerate(script.settings, 1):
        for match in pattern.finditer(line) if any(name in line.lower() for name in names) else ():
            is_option = _COMMAND.match(line) and _OPTION.search(line, 0, match.start())
            programs = (PurePath(word.rstrip(".-")).name for word in _WORD.findall(line))
            # a name in capital letters is one of an environment variable
            if not (match[1].isupper() or (is_option and _RUN_SERVERS.isdisjoint(programs))):
                place = Place(script.file, number, match.start() + 1)
                is_known = "$" not in match[2] and not has_expression(line)
                excerpt = script.excerpts[number - 1]
                yield SettingUse(match[1].lower(), match[2], "file", place, excerpt, is_known)


def of_access(kind: affects.AccessRule, searched: SearchedInputs) -> Iterator[Hit]:
    """The lines of pg_hba.conf that match the evidence."""
    for line in searched.application.hba + searched.application.hba_in_scripts:
        fields = [each.replace('"', "") for each in line.fields]
        if len(fields) < 4 or fields[0].lower() not in _TYPES:
            continue
        has_mask = "/" not in fields[3] and len(fields) > 5 and _MASK.fullmatch(fields[4])
        at = 3 if fields[0].lower() == "local" else 5 if has_mask else 4
        method = fields[at] if at < len(fields) else ""
        values = (*(each.split(",") for each in line.fields[1:3]), [method], fields[at + 1 :])
        patterns = (kind.database, kind.user, kind.method, kind.option)
        if all(one is None or matches(one, *some) for one, some in zip(patterns, values, strict=True)):
            yield Hit(kind.may, line.place, line.text)


def of_identity(kind: affects.Identity, searched: SearchedInputs) -> Iterator[Hit]:
    """The lines of pg_ident.conf that match the evidence."""
    for line in searched.application.ident:
        if len(line.fields) > 2 and matches(kind.database_user, *line.fields[2].split(",")):
            yield Hit(kind.may, line.place, line.text)


def of_program(kind: affects.ProgramCall, searched: SearchedInputs) -> Iterator[Hit]:
    """The calls that match the evidence, each at its trigger word; none that only print a version or help."""
    for call in searched.application.invocations:
        arguments = call.words[1:]
        if call.program not in kind.names or any(word.text in _PRINTING for word in arguments):
            continue
        options = [word for word in arguments if _is_one_of(word.text, kind.option)]
        words = [word for word in arguments if kind.word and matches(kind.word, word.text)]
        has_all = (options or not kind.option) and (words or not kind.word)
        if has_all and not any(_is_one_of(text, kind.unless) for text in _with_values(arguments)):
            yield Hit(kind.may, (*words, *options, call.words[0])[0].place, call.text)


def _with_values(arguments: Sequence[Word]) -> Iterator[str]:
    """The words of a call; each option also with the word after it as its value."""
    for word, following in itertools.zip_longest(arguments, arguments[1:]):
        yield word.text
        if following is not None and word.text.startswith("-"):
            yield f"{word.text}{'=' * word.text.startswith('--')}{following.text}"


def _is_one_of(text: str, options: tuple[str, ...]) -> bool:
    """Whether a word is one of the options: ``-x``, also in ``-vx`` and ``-xfile``, or ``--long`` with a value."""
    bundled = len(text) <= _LONGEST_BUNDLE and re.fullmatch(r"-[A-Za-z]+|-[AaeEHqStxX]*1[A-Za-z]*", text)
    return any(
        text == option
        or (option.startswith("--") and text.startswith(f"{option}="))
        or (len(option) == 2 and (text.startswith(option) or (bundled and option[1] in text)))
        for option in options
    )


def of_text(kind: affects.ScriptText, searched: SearchedInputs) -> Iterator[Hit]:
    """The places in scripts that match the evidence; if it says so, also places in values of settings."""
    pattern = compiled(kind.pattern)
    if any(use.name.lower() == kind.default for use in searched.settings):
        return
    for script in searched.scripts:
        for number, line in enumerate(script.code, 1):
            found = (each for each in pattern.finditer(line) if not are_others(_path(line, each.start())))
            if first := next(found, None):
                is_prose = any(each.start(1) <= first.start() < each.end(1) for each in _PROSE.finditer(line))
                may = kind.may or (_IF_RUN if is_prose else None)
                yield Hit(may, Place(script.file, number, first.start() + 1), script.excerpts[number - 1])
    for use in searched.application.settings if kind.settings else ():
        if pattern.search(use.value):
            yield Hit(kind.may, use.place, use.text)


def _path(line: str, at: int) -> str:
    """The word at an index of a line if it is a path; its directories tell whose file it is."""
    word = next(each[0] for each in _PATH.finditer(line) if each.start() <= at <= each.end())
    return word if "/" in word else ""
