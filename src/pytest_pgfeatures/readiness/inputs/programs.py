"""Find the calls of programs in ``--scripts``: shell, YAML, Dockerfiles, systemd units and crontabs."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.files import NO_READER, found, report_unread, written
from pytest_pgfeatures.readiness.inputs.shell import ShellCommand, commands
from pytest_pgfeatures.readiness.inputs.snippets import PROGRAMS, code_of, snippets_of
from pytest_pgfeatures.readiness.inputs.sql_files import SqlReader
from pytest_pgfeatures.readiness.model import Invocation, Place, SettingUse, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pytest_pgfeatures.install import Resolver
    from pytest_pgfeatures.readiness.model import Problems, Query

_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "su", "runuser"})
_RUNNING = frozenset({"-c", "-lc", "-ec", "-xc", "--command"})
_SUFFIXES = frozenset({".sh", ".bash", ".ksh", ".zsh", ".yml", ".yaml", ".service", ".timer", ".cron", ".mk"})
_NAMES = re.compile(r"(?:Dockerfile|Containerfile|crontab|Makefile|Procfile|Jenkinsfile)", re.IGNORECASE)
_SHELL_LINE = re.compile(rb"#!.*\b(?:sh|bash|dash|ash|zsh|ksh)\b")
_OPTION = re.compile(r"(?P<name>[A-Za-z_][\w.-]*+)=(?P<value>.*)", re.DOTALL)
_BEFORE_A_NAME = frozenset(
    {"-u", "-U", "--user", "--username", "-d", "-h", "--host", "--name", "su", "gosu", "-"}
)
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
_CONTROLLING = frozenset({"pg_ctl", "pg_ctlcluster"})


class Scripts(NamedTuple):
    """The contents of scripts.

    Parameters:
        texts: the whole texts by file.
        queries: SQL that psql receives by -c or from a here-document.
    """

    invocations: list[Invocation]
    texts: list[tuple[str, str]]
    queries: list[Query]


def read_scripts(given: Sequence[str], problems: Problems) -> Scripts:
    """The calls of programs in the files of ``--scripts``. Files that can't be read are reported as problems."""
    scripts = Scripts([], [], [])
    for argument in given:
        some = False
        for path, name in found(argument, "scripts", _why_not, problems):
            some = True
            try:
                raw = written(path, name)
                if b"\0" in raw[:4096]:
                    raise PgFeaturesError(f"{name} is no script")
                text = raw.decode("utf-8", "replace")
                scripts.texts.append((name, code_of(path, text)))
                for snippet in snippets_of(path, name, text):
                    if snippet.is_sql:
                        _sql(scripts, snippet.text, snippet.place(0))
                    elif snippet.words:
                        _take(scripts, ShellCommand(list(snippet.words), [], 0, 0), snippet.excerpt)
                    else:
                        _read(scripts, snippet.text, snippet.place, snippet.excerpt, snippet.variables)
            except (PgFeaturesError, OSError) as error:
                report_unread(problems, "scripts", argument, path, error)
        if not some:
            problems.not_read("scripts", f"--scripts {argument}: there is no script in it")
    return scripts


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    if path.suffix.lower() in _SUFFIXES or _NAMES.search(path.name):
        return ""
    with contextlib.suppress(OSError):
        first = read_regular(path, 200).partition(b"\n")[0]
        if _SHELL_LINE.match(first) is not None if path.suffix else first.startswith(b"#!"):
            return ""
    return NO_READER


def _read(
    scripts: Scripts,
    text: str,
    place: Callable[[int], Place],
    excerpt: str,
    variables: Mapping[str, str] | None = None,
) -> None:
    for command in tuple(commands(text, place, variables)):
        shown = excerpt or " ".join(text[command.start : command.end].split())
        _take(scripts, command, shown)
        if any(PurePath(word.text).name == "psql" for word in command.words):
            for giving in (command, command.source):
                if giving is not None and giving.document is not None:
                    document, start = giving.document
                    _sql(scripts, document, place(start))
            if command.source is not None and command.source.words:
                for word in _printed(command.source.words):
                    _sql(scripts, word.text, word.place)


def _printed(words: Sequence[Word]) -> Iterator[Word]:
    """The texts that echo or printf prints."""
    if words[0].text in ("echo", "printf"):
        for word in words[1:]:
            if not word.text.startswith("-"):
                yield Word(word.text.replace("\\n", "  "), word.place)


def _take(scripts: Scripts, command: ShellCommand, excerpt: str) -> None:
    """Add a command. If it runs another command, as sudo, docker exec or sh -c do, add the other one."""
    words = command.words
    environment = tuple(command.assigned)
    names = ["" if word.text.endswith("/") else PurePath(word.text).name for word in words]
    at = _program(names)
    for number, word in enumerate(words[:-1]):
        runs_text = word.text in _RUNNING and bool(_SHELLS & set(names[:number]))
        if runs_text and (at is None or at > number):
            _read(scripts, words[number + 1].text, _fixed(words[number + 1].place), excerpt)
            return
    if at is None:
        if not words:
            if environment:
                scripts.invocations.append(Invocation("", (), excerpt, environment))
            return
        at = 0
    assigned = [
        (name, Word(value, word.place))
        for word in words[:at]
        for name, equals, value in [word.text.partition("=")]
        if equals and name.isupper()
    ]
    invocation = Invocation(names[at], tuple(words[at:]), excerpt, (*environment, *assigned))
    scripts.invocations.append(invocation)
    if invocation.program == "psql":
        for sql in _values(invocation.words, "-[Atqx1XwW]*c", "--command"):
            _sql(scripts, sql.text, sql.place)
    elif invocation.program == "vacuumdb":
        for table in _values(invocation.words, "-t", "--table"):
            _sql(scripts, f"VACUUM {table.text}", table.place)


def _program(names: Sequence[str]) -> int | None:
    """The index of the word that is the PostgreSQL program, if a command runs one, directly or by another program.

    The word ``postgres`` after an option, or before another PostgreSQL program, names a user or a container. To
    other programs, such as echo and grep, each word is only text.
    """
    first = next((number for number, name in enumerate(names) if name not in _PREFIXES), None)
    if first is not None and (
        names[first] in _TAKE_TEXT
        or (names[first] in _CONTAINERS and not _RUN_IN_CONTAINER.intersection(names[first + 1 :]))
    ):
        return None
    candidates = [number for number, name in enumerate(names) if name in PROGRAMS]
    for number in candidates:
        is_name = number > 0 and names[number - 1] in _BEFORE_A_NAME
        if names[number] not in _SERVERS or not (is_name or number != candidates[-1]):
            return number
    return None


def _fixed(place: Place) -> Callable[[int], Place]:
    """Returns a function that gives the place of a quoted text for every index in it."""
    return lambda _: place


def _values(words: Sequence[Word], short: str, long: str) -> Iterator[Word]:
    """The values that a call gives to an option.

    Parameters:
        short: a regular expression for its short form, together with others that take no value.
        long: its long form.
    """
    for number, word in enumerate(words):
        if word.text.startswith(f"{long}="):
            yield Word(word.text.removeprefix(f"{long}="), word.place)
        elif number + 1 < len(words) and (word.text == long or re.fullmatch(short, word.text)):
            yield words[number + 1]


def _sql(scripts: Scripts, text: str, place: Place) -> None:
    """The statements of a text that psql receives. Files that it includes are not read."""
    reader = SqlReader("script", _no_archive)
    scripts.queries.extend(each.query for each in reader.text(text, place.file, Path(), place.line))


def _no_archive() -> Resolver:
    raise AssertionError("a text is no archive")


def settings_of(invocations: Iterable[Invocation]) -> Iterator[SettingUse]:
    """The settings that options and PGOPTIONS set: ``postgres -c name=value``, ``pg_ctl -o "-c ..."``."""
    for invocation in invocations:
        words = invocation.words[1:]
        if invocation.program in _SERVERS:
            yield from _of_words(words, invocation.text)
        texts = [value for name, value in invocation.environment if name == "PGOPTIONS"]
        if invocation.program in _CONTROLLING:
            texts += _values(words, "-o", "--options")
        for value in texts:
            for command in commands(value.text, _fixed(value.place)):
                yield from _of_words(command.words, invocation.text)


def _of_words(words: Sequence[Word], excerpt: str) -> Iterator[SettingUse]:
    for number, word in enumerate(words):
        text = word.text
        if text == "-c" and number + 1 < len(words):
            word, text = words[number + 1], words[number + 1].text
        elif (text.startswith("-c") and "=" in text) or (text.startswith("--") and "=" in text):
            text = text[2:]
        else:
            continue
        if match := _OPTION.fullmatch(text):
            name = match["name"].replace("-", "_")
            yield SettingUse(name, match["value"], "option", word.place, excerpt)
