"""Find the shell text in files other than shell scripts: YAML, Dockerfiles, systemd units, crontabs."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.model import Place, Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

PROGRAMS = frozenset(
    {
        "clusterdb", "createdb", "createuser", "createlang", "droplang", "dropdb", "dropuser", "ecpg",
        "initdb", "oid2name", "pg_amcheck", "pg_archivecleanup", "pg_basebackup", "pg_checksums",
        "pg_combinebackup", "pg_config", "pg_controldata", "pg_createcluster", "pg_createsubscriber",
        "pg_ctl", "pg_ctlcluster", "pg_dump", "pg_dumpall", "pg_isready", "pg_receivewal",
        "pg_receivexlog", "pg_recvlogical", "pg_resetwal", "pg_resetxlog", "pg_restore", "pg_rewind",
        "pg_standby", "pg_test_fsync", "pg_test_timing", "pg_upgrade", "pg_upgradecluster",
        "pg_verify_checksums", "pg_verifybackup", "pg_waldump", "pg_walsummary", "pg_xlogdump", "pgbench",
        "postgres", "postmaster", "psql", "reindexdb", "vacuumdb", "vacuumlo",
    }
)  # fmt: skip
"""PostgreSQL's programs, of all majors: https://www.postgresql.org/docs/current/reference-client.html"""
_SQL_KEYS = frozenset({"query", "sql", "statement"})
_OF_PEOPLE = frozenset(
    {
        "name", "description", "title", "summary", "message", "label", "subject", "path", "src", "dest", "image",
        "hosts", "working-directory", "working_dir", "chdir", "creates",
        "slack_message", "container_name", "hostname",
    }
)  # fmt: skip
"""Keys of texts and paths, which may contain names of programs without being commands."""
FOR_PEOPLE = re.compile(rf"\s*+(?:-\s++)?(?:{'|'.join(sorted(_OF_PEOPLE))}):\s", re.IGNORECASE)
"""A line of YAML with such a key."""
_OF_YAML = re.compile(r"\.ya?ml\Z")
_STATEMENT = re.compile(
    r"(?>(?:\s++|--[^\n]*+\n|/\*.*?\*/)*)(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|GRANT|REVOKE|SET|DO|CALL"
    r"|VACUUM|ANALYZE|REINDEX|TRUNCATE|COPY|EXPLAIN|BEGIN)\b",
    re.IGNORECASE | re.DOTALL,
)
_SHELL_FORM = re.compile(
    r"(?P<instruction>RUN|CMD|ENTRYPOINT|HEALTHCHECK|SHELL|ENV)\b(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_FLAGS = re.compile(r"\s*+(?>(?:--[\w-]++(?:=\S*+)?\s++)*)")
_EXEC = re.compile(r"\s*+(?:Exec\w+|Environment)\s*+=\s*+[-@:+!|]*+")
_RECIPE = re.compile(r"^\t[ \t]*[-@+]+", re.MULTILINE)
"""The characters in a makefile that tell make not to print a command. They don't belong to the command."""
_CRON = re.compile(r"\s*+(?:@\w++|(?:[\d*/,A-Za-z-]++\s++){5})\s*+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """Shell text in a file, or the words of one command.

    Parameters:
        place: returns the place of an index in the text.
        excerpt: the line to show; empty to show the command's line.
        is_sql: whether the text is SQL instead.
    """

    text: str = ""
    place: Callable[[int], Place] = lambda _: Place("", 1)
    words: Sequence[Word] = ()
    excerpt: str = ""
    is_sql: bool = False


def snippets_of(path: Path, name: str, text: str) -> Iterator[Snippet]:
    """The shell text of a file.

    Raises:
        PgFeaturesError: it isn't valid YAML.
        ExtraMissingError: PyYAML is missing.
    """
    suffix, base = path.suffix.lower(), path.name.lower()
    if suffix in (".yml", ".yaml"):
        yield from _of_yaml(text, name)
    elif base.startswith(("dockerfile", "containerfile")) or suffix in (".dockerfile", ".containerfile"):
        yield from _of_dockerfile(text, name)
    elif suffix in (".service", ".timer", ".socket", ".container"):
        yield from _of_lines(text, name, _EXEC)
    elif suffix == ".cron" or base.startswith("crontab"):
        yield from _of_lines(text, name, _CRON)
    else:
        shown = _RECIPE.sub(_blank, text) if base.startswith("makefile") or suffix == ".mk" else text
        yield Snippet(shown, lambda index: _place(text, name, index))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _place(text: str, name: str, index: int, first: int = 1, column: int = 0) -> Place:
    line = text.count("\n", 0, index)
    start = text.rfind("\n", 0, index) + 1
    return Place(name, first + line, index - start + 1 + (column if line == 0 else 0))


def _index_place(text: str, name: str, first: int, column: int, index: int) -> Place:
    return _place(text, name, index, first, column)


def _mark(node: Any, name: str) -> Place:
    return Place(name, node.start_mark.line + 1, node.start_mark.column + 1)


def _of_lines(text: str, name: str, beginning: re.Pattern[str]) -> Iterator[Snippet]:
    """The commands in lines that begin in a certain way. A backslash at the end continues a line."""
    for number, line in _logical(text):
        if match := beginning.match(line):
            rest = line[match.end() :]
            yield Snippet(
                rest,
                partial(_index_place, rest, name, number, match.end()),
            )


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """The lines, each joined with its continuation lines, with newlines kept, and with its number."""
    start, parts = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        start = start if parts else number
        parts += line
        if line.endswith("\\"):
            parts += "\n"
            continue
        yield start, parts
        parts = ""
    if parts:
        yield start, parts


def _of_dockerfile(text: str, name: str) -> Iterator[Snippet]:
    for number, line in _logical(text):
        match = _SHELL_FORM.match(line.lstrip())
        if match is None:
            continue
        column = len(line) - len(line.lstrip()) + match.start("rest")
        rest = match["rest"]
        flags = _FLAGS.match(rest)
        cut = flags.end() if flags else 0
        if rest[cut : cut + 4].upper() == "CMD ":
            cut += 4
        rest = rest[cut:]
        column += cut
        if rest.lstrip().startswith("["):
            try:
                words = json.loads(rest)
            except ValueError:
                continue
            yield from _listed(
                [Word(str(word), Place(name, number, column + 1)) for word in words], rest.strip()
            )
        else:
            yield Snippet(
                rest,
                partial(_index_place, rest, name, number, column),
            )


def _listed(words: list[Word], excerpt: str) -> Iterator[Snippet]:
    """A command given as a list of words."""
    if words:
        yield Snippet(words=words, excerpt=excerpt)


def _of_yaml(text: str, name: str) -> Iterator[Snippet]:
    try:
        import yaml
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "PyYAML", "readiness") from None
    try:
        for document in yaml.compose_all(text, Loader=yaml.SafeLoader):
            yield from _of_node(document, text, name, set())
    except (yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise PgFeaturesError(f"{name} is no YAML: {said}", remedy="fix it, or name other files") from None


def _of_node(node: Any, text: str, name: str, visited: set[int]) -> Iterator[Snippet]:
    """The snippets below a node that is not in ``visited``: aliases of aliases may name it a million times."""
    import yaml

    if id(node) in visited:
        return
    visited.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and _is_sql(str(key.value), value.value):
                yield from _sql_of(value, text, name)
            elif (
                isinstance(value, yaml.ScalarNode) and value.style == "|" and _OF_YAML.search(str(key.value))
            ):
                yield from _nested(value, text, name)
            elif not (isinstance(value, yaml.ScalarNode) and str(key.value).lower() in _OF_PEOPLE):
                yield from _of_node(value, text, name, visited)
    elif isinstance(node, yaml.SequenceNode):
        scalars = [each for each in node.value if isinstance(each, yaml.ScalarNode)]
        words = [
            Word(each.value, Place(name, each.start_mark.line + 1, each.start_mark.column + 1))
            for each in scalars
        ]
        if words and len(scalars) == len(node.value) and _is_command(words):
            yield from _listed(words, " ".join(word.text for word in words))
            return
        for value in node.value:
            yield from _of_node(value, text, name, visited)
    elif isinstance(node, yaml.ScalarNode):
        yield from _of_scalar(node, text, name)


def _nested(node: Any, text: str, name: str) -> Iterator[Snippet]:
    """The snippets of a file of YAML in a block scalar, as ConfigMaps have them."""
    first = node.start_mark.line + 1
    line = text.split("\n")[first] if first < text.count("\n") else ""
    indent = len(line) - len(line.lstrip(" "))

    def moved(place: Place) -> Place:
        return Place(name, place.line + first, place.column + indent)

    def placing(inner: Callable[[int], Place]) -> Callable[[int], Place]:
        return lambda index: moved(inner(index))

    for each in _of_yaml(node.value, name):
        words = [Word(word.text, moved(word.place)) for word in each.words]
        yield replace(each, place=placing(each.place), words=words)


def _is_sql(key: str, value: str) -> bool:
    """Whether a value is SQL, as in Ansible's ``query:``, an exporter's queries, and files of a ConfigMap."""
    return (key in _SQL_KEYS or key.endswith(".sql")) and _STATEMENT.match(value) is not None


def _sql_of(node: Any, text: str, name: str) -> Iterator[Snippet]:
    line, column = node.start_mark.line + 1, node.start_mark.column
    content = text[node.start_mark.index : node.end_mark.index]
    if node.style in ("|", ">"):
        body = content[content.find("\n") + 1 :]
        yield Snippet(body, lambda index: _place(body, name, index, line + 1), is_sql=True)
    else:
        value = node.value if "\n" not in content else content.strip("'\"")
        yield Snippet(value, lambda index: _place(value, name, index, line, column), is_sql=True)


def _folded(body: str) -> str:
    """Fold a block scalar as YAML does: a newline becomes a space, except beside an empty or further indented line.
    Each character keeps its place."""
    lines = body.split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    base = min((indent for line, indent in zip(lines, indents, strict=True) if line.strip()), default=0)
    plain = [bool(line.strip()) and indent == base for line, indent in zip(lines, indents, strict=True)]
    parts = [lines[0]]
    for number, line in enumerate(lines[1:], 1):
        parts += (" " if plain[number - 1] and plain[number] else "\n", line)
    return "".join(parts)


def _is_command(words: Sequence[Word]) -> bool:
    """Whether a list is the words of one command, and not a list of commands."""
    first = PurePath(words[0].text).name
    shells = ("sh", "bash", "dash", "ash")
    return (first in PROGRAMS or first in shells or first == "CMD") and " " not in words[0].text


def _of_scalar(node: Any, text: str, name: str) -> Iterator[Snippet]:
    value = node.value
    if not any(program in value for program in PROGRAMS):
        return
    line, column = node.start_mark.line + 1, node.start_mark.column
    content = text[node.start_mark.index : node.end_mark.index]
    if node.style in ("|", ">"):
        newline = content.find("\n")
        body = content[newline + 1 :]
        shown = _folded(body) if node.style == ">" else body
        yield Snippet(shown, lambda index: _place(body, name, index, line + 1))
    elif not node.style and "\n" in content:  # lines that YAML joins
        yield Snippet(content.replace("\n", " "), lambda index: _place(content, name, index, line, column))
    else:
        quote = 1 if node.style else 0
        yield Snippet(value, lambda index: _place(value, name, index, line, column + quote))
