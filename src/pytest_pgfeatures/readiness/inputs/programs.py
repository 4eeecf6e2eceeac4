"""Find the calls of programs in ``--scripts``: shell, YAML, Dockerfiles, systemd units and crontabs."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs import texts
from pytest_pgfeatures.readiness.inputs.access import access_in_script
from pytest_pgfeatures.readiness.inputs.files import NO_READER, InputReading, SearchedText, of_each, written
from pytest_pgfeatures.readiness.inputs.shell import ShellCommand, commands
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS, code_of, format_of, snippets_of
from pytest_pgfeatures.readiness.inputs.source_code import statements_in_yaml
from pytest_pgfeatures.readiness.inputs.sql_files import read_by_psql
from pytest_pgfeatures.readiness.inputs.yaml_files import SUFFIXES
from pytest_pgfeatures.readiness.model import Invocation, Place, Query, SettingUse, Word, line_begins

_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "su", "runuser"})
_RUNNING = frozenset({"-c", "-lc", "-ec", "-xc", "--command"})
_DIRECTORIES = re.compile(r"cron\.(?:d|hourly|daily|weekly|monthly)|crontabs")
"""The names of directories that have scripts and crontabs without suffixes."""
_SHELL_LINE = re.compile(rb"#!.*\b(?:sh|bash|dash|ash|zsh|ksh)\b")
_OPTION = re.compile(r"(?P<name>[A-Za-z_][\w.-]*+)=(?P<value>.*)", re.DOTALL)
_BEFORE_A_NAME = ("-u", "-U", "--user", "--username", "-d", "-h", "--host", "--name", "su", "gosu", "-")
_PREFIXES = frozenset({"sudo", "env", "exec", "nohup", "time", "nice", "ionice"})
_TAKE_TEXT = frozenset({
    "[", "[[", "alias", "apk", "apt", "apt-get", "basename", "brew", "cat", "cd", "chmod", "chown", "command", "cp",
    "curl", "diff", "dirname", "dnf", "du", "echo", "egrep", "fgrep", "file", "git", "grep", "head", "journalctl",
    "kill", "killall", "ldd", "less", "ln", "logger", "ls", "mail", "mailx", "man", "mkdir", "mv", "pgrep", "pidof",
    "pkill", "popd", "printf", "pushd", "readlink", "realpath", "rg", "rm", "rmdir", "rsync", "scp", "sed",
    "service", "stat", "systemctl", "tail", "tar", "test", "touch", "type", "wget", "which", "yum", "zip",
})  # fmt: skip
"""Programs that don't run their arguments."""
_CONTAINERS = frozenset({"docker", "podman", "kubectl", "docker-compose", "nerdctl"})
_RUN_IN_CONTAINER = frozenset({"run", "exec", "create", "debug"})
_SERVERS = frozenset({"postgres", "postmaster"})
_SHOWING = re.compile(
    r"echo|printf|cat|read|curl|mailx?|whiptail|dialog|(?:die|log(?:ger)?|warn(?:ing)?|err(?:or)?|info|fail|fatal|abort|msg|notice|note|debug|say|usage)"
    r"(?:_\w+)?",
    re.IGNORECASE,
)
"""Commands, and functions by their usual names, that only show or write their arguments."""
_FOR_PEOPLE = re.compile(r"[A-Z_]{4,}|[\w.-]+\.(?:txt|md|rst|adoc|html?)")
"""The name of a file for people, such as README and notes.txt."""
_NAME = re.compile(r"[\w.-]+")
SILENT = "/dev/null"
_NoCode = tuple[Word, str]
"""A part of a script that is no code: what a program of another database system gets, and what is only printed or
written to a file for people; with the file's name, which may be empty."""


def read_scripts(given: str, reading: InputReading) -> Iterator[Any]:
    """The texts of one argument of ``--scripts``, except what is no code, the calls of programs in them, the SQL
    that psql gets, and the lines for pg_hba.conf."""

    def contents(path: Path, name: str) -> Iterator[Any]:
        raw = written(path, name)
        if b"\0" in raw[:4096]:
            raise PgFeaturesError(f"{name} is no script")
        text, bare = raw.decode("utf-8", "replace"), texts.written_by(path)
        code = code_of(bare, text if path == bare else texts.without_expressions(text))
        try:
            found = list(_in_snippets(bare, name, code))
        except PgFeaturesError:
            yield SearchedText(name, code, text)
            raise
        yield from (each for each in found if not isinstance(each, tuple))
        if bare.suffix.lower() in SUFFIXES and path.resolve() not in reading.already:
            yield from statements_in_yaml(code, name)
        code = _without([each for each in found if isinstance(each, tuple)], code)
        yield from access_in_script(name, code)
        yield SearchedText(name, code, text)

    yield from of_each(given, _why_not, reading, contents, "there is no script in it")


def _in_snippets(path: Path, name: str, text: str) -> Iterator[Invocation | Query | _NoCode]:
    for snippet in snippets_of(path, name, text):
        whole = Word(snippet.text, Place(name, *texts.place_in(text, snippet.start)))
        listed = [ShellCommand(snippet.words, whole)] if snippet.words else None
        lines = text[snippet.start : snippet.start + len(snippet.text)]
        yield from _calls(listed or commands(whole, snippet.variables, lines), snippet.excerpt)


def _without(parts: Sequence[_NoCode], text: str) -> str:
    """A text with spaces in place of parts, except for what is written to files that the rest names again."""
    starts = line_begins(text)

    def blank(some: Iterable[_NoCode]) -> str:
        kept = list(text)
        for (said, place), _ in some:
            begin = starts[place.line - 1] + place.column - 1
            *_, last = lines = said.split("\n")
            end = starts[place.line - 2 + len(lines)] + len(last) if len(lines) > 1 else begin + len(said)
            kept[begin:end] = texts.blanked(text[begin:end])
        return "".join(kept)

    named = Counter(_NAME.findall(blank(parts)))
    named.subtract(file for _, file in parts)
    return blank(part for part in parts if named[part[1]] <= 0)


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    bare = texts.written_by(path)
    if format_of(bare) or (not bare.suffix and _DIRECTORIES.fullmatch(path.absolute().parent.name)):
        return ""
    with contextlib.suppress(OSError):
        if _SHELL_LINE.match(read_regular(path, 200)):
            return ""
    return NO_READER


def _calls(given: Iterable[ShellCommand], excerpt: str) -> Iterator[Invocation | Query | _NoCode]:
    """The calls of programs by commands, and the SQL that psql gets by a here-document or a pipe."""
    for command in given:
        names = [*map(_name, command.words)]
        systems = [name for name in names if name in PROGRAMS or texts.PROGRAMS_OF_OTHERS.fullmatch(name)]
        if systems and systems[0] not in PROGRAMS:  # none of PostgreSQL comes before it
            yield from ((part, "") for part in (command.written, command.document) if part is not None)
            continue
        program = names[0] if names else ""
        if command.output is not None and _SHOWING.fullmatch(program):
            file = PurePath(command.output.removeprefix(SILENT)).name
            if not file or _FOR_PEOPLE.fullmatch(file):
                yield from ((part, file) for part in (command.written, command.document) if part is not None)
        source = command.source.words if command.source is not None else []
        if command.source and source and all(map(_SHOWING.fullmatch, (program, _name(source[0])))):
            yield (command.source.written, "")
        yield from _called(command, excerpt or " ".join(command.written.text.split()))
        if "psql" in names:
            for giving in (command, command.source):
                if giving is not None and giving.document is not None:
                    yield from read_by_psql(*giving.document)
            for word in source[1:] if source and source[0].text in ("echo", "printf") else ():
                if not word.text.startswith("-"):
                    yield from read_by_psql(word.text.replace("\\n", "  "), word.place)


def _called(command: ShellCommand, excerpt: str) -> Iterator[Invocation | Query | _NoCode]:
    """A command, or the one that it runs as sudo, docker exec and sh -c do, and the SQL that it passes on."""
    words = command.words
    names = [*map(_name, words)]
    at = _program(names)
    for number, word in enumerate(words[:-1] if at is None else words[:at]):
        if word.text in _RUNNING and _SHELLS & set(names[:number]):
            text = words[number + 1]
            yield from _calls(commands(text), "" if "\n" in text.text else excerpt)
            return
    at = at or 0
    pairs = ((_OPTION.fullmatch(word.text), word.place) for word in words[:at])
    assigned = [(pair["name"], Word(pair["value"], place)) for pair, place in pairs if pair]
    if words or command.assigned:
        name = names[at] if words else ""
        silenced = [Word(f">{SILENT}", words[at].place)] if words and command.output == SILENT else []
        yield Invocation(name, (*words[at:], *silenced), excerpt, (*command.assigned, *assigned))
        for variable, value in (*command.assigned, *assigned):
            if variable == "POSTGRES_INITDB_ARGS":
                yield from _calls(commands(Word(f"initdb {value.text}", value.place)), excerpt)
        for sql in _values(words[at:], "-[Atqx1XwW]*c", "--command") if name == "psql" else ():
            yield from read_by_psql(*sql)
        for table in _values(words[at:], "-t", "--table") if name == "vacuumdb" else ():
            yield from read_by_psql(f"VACUUM {table.text}", table.place)


def _name(word: Word) -> str:
    """The name of the program that a word may be."""
    return "" if word.text.endswith("/") else PurePath(word.text).name


def _program(names: Sequence[str]) -> int | None:
    """The index of the word that is the PostgreSQL program, if a command runs one, directly or by another program.
    The word ``postgres`` after an option, or before another PostgreSQL program, names a user or a container."""
    first = next((name for name in names if name not in _PREFIXES), "")
    after = names[names.index(first) :] if first else names
    if first in _TAKE_TEXT or (first in _CONTAINERS and _RUN_IN_CONTAINER.isdisjoint(after)):
        return None
    begin = 0
    if first == "find":  # paths come before what it runs
        begin = names.index("-exec") if "-exec" in names else len(names)
    found = [number for number, name in enumerate(names) if name in PROGRAMS and number >= begin]
    of_users = {at for at in found if at != found[-1] or (at > 0 and names[at - 1] in _BEFORE_A_NAME)}
    return next((at for at in found if names[at] not in _SERVERS or at not in of_users), None)


def _values(words: Sequence[Word], short: str, long: str) -> Iterator[Word]:
    """The values that a call gives to an option. Its short form is a regular expression."""
    for number, word in enumerate(words):
        if word.text.startswith(f"{long}="):
            yield Word(word.text.removeprefix(f"{long}="), word.place)
        elif number + 1 < len(words) and (word.text == long or re.fullmatch(short, word.text)):
            yield words[number + 1]


def settings_of(invocations: Iterable[Invocation]) -> Iterator[SettingUse]:
    """The settings that options and PGOPTIONS set: ``postgres -c name=value``, ``pg_ctl -o "-c ..."``."""
    for invocation in invocations:
        words = invocation.words[1:]
        given = [value for name, value in invocation.environment if name == "PGOPTIONS"]
        if invocation.program in ("pg_ctl", "pg_ctlcluster"):
            given += _values(words, "-o", "--options")
        lists = [words] if invocation.program in _SERVERS else []
        lists += (tuple(each.words) for value in given for each in commands(value))
        for some in lists:
            for before, word in zip(("", *(each.text for each in some)), some, strict=False):
                prefix = "" if before == "-c" else word.text[:2]
                match = _OPTION.fullmatch(word.text, len(prefix))
                if match and prefix in ("", "-c", "--"):
                    name = match["name"].replace("-", "_")
                    yield SettingUse(name, match["value"], "option", word.place, invocation.text)
