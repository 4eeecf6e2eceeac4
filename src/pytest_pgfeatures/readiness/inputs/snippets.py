"""Find the shell text in files other than shell scripts: YAML, Dockerfiles, systemd units, crontabs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from pytest_pgfeatures.install import client_programs
from pytest_pgfeatures.readiness.inputs.languages import ParsedText
from pytest_pgfeatures.readiness.inputs.shell import sourced
from pytest_pgfeatures.readiness.inputs.texts import PROGRAMS_OF_OTHERS, blanked, place_in
from pytest_pgfeatures.readiness.inputs.yaml_files import entries, last_key, nodes, written_scalar
from pytest_pgfeatures.readiness.model import Place, Word

PROGRAMS = frozenset(client_programs.PROGRAMS) | {
    "ecpg", "initdb", "pg_archivecleanup", "pg_checksums", "pg_config", "pg_controldata", "pg_createcluster",
    "pg_createsubscriber", "pg_ctl", "pg_ctlcluster", "pg_resetwal", "pg_resetxlog", "pg_rewind", "pg_standby",
    "pg_test_fsync", "pg_test_timing", "pg_upgrade", "pg_upgradecluster", "pg_verify_checksums", "pg_waldump",
    "pg_walsummary", "pg_xlogdump", "postgres", "postmaster",
}  # fmt: skip
"""PostgreSQL's programs, of all majors: https://www.postgresql.org/docs/current/reference-client.html"""
_MAY_RUN = re.compile(rf"{'|'.join(PROGRAMS)}|echo|printf|(?i:{PROGRAMS_OF_OTHERS.pattern})")
"""A program of PostgreSQL or of another database system, or one that prints."""
_OF_PATHS = ("path", "src", "dest", "working-directory", "working_dir", "chdir", "creates", "removes")
"""Keys of paths, which may contain names of programs without being commands."""
_RUNNING = re.compile("command|cmd|run|shell|script|exec|entrypoint|args|start|stop|hook")
"""Parts of the keys of programs without arguments."""
_FORMATS = {
    "YAML": r"\.ya?ml$",
    "Dockerfile": "dockerfile|containerfile",
    "unit": r"\.(?:service|timer|socket|container)$",
    "crontab": r"crontab|\.cron$",
    "Jenkinsfile": "jenkinsfile",
    "makefile": r"makefile|\.mk$",
    "shell": r"\.(?:ba|k|z)?sh$|procfile",
}
"""Formats of files with shell text, by parts of their names."""
_LINES = re.MULTILINE | re.DOTALL
_LINE = r"(?>(?:[^\n\\]++|\\.)+)"  # with those that backslashes continue it with
_INSTRUCTIONS = frozenset(
    f"{name}_instruction" for name in ("run", "cmd", "entrypoint", "healthcheck", "onbuild", "shell", "env")
)
"""The nodes of a Dockerfile's instructions that hold commands."""
_IN_JSON = re.compile(r'("(?>(?:[^"\\]|\\.)*)")|[\[\],]')  # the strings and signs of an array
_STEP = re.compile(
    r"""\bsh\b\s*+\(?+\s*+(?>(?:\w++:\s*+\w++\s*+,\s*+)*)(?>(?:script\s*+:\s*+)?)('{3}|"{3}|'|")((?>(?:\\.|(?!\1).)*))\1""",
    re.DOTALL,
)
"""A step of a Jenkinsfile that runs shell commands."""
_NO_STEP = re.compile(r"^[ \t]*+(?://[^\n]*|echo\b[^\n]*|/\*.*?\*/)", _LINES)
_MESSAGE = re.compile(
    r"(?<=\?)[^\"'{}?$]{3,}(?=\})|\$\((?:info|warning|error)\s[^()]*\)|^[ \t]*(?:LABEL|MAINTAINER)\b(?:\\\n|.)*"
    r"|\b(?:\w+_)?(?:MSG|MESSAGE|USAGE|HELP|DESCRIPTION|SUBJECT|TITLE)=(?:\"[^\"]*\"|'[^']*')",
    re.MULTILINE | re.IGNORECASE,
)
"""A message of ``${name:?message}``, of a makefile, or in a variable that is called so; labels of a Dockerfile."""
_NO_COMMAND = re.compile(rf"(?<!\\\n)^(?![ \t]*+(?:Exec\w*+|Environment)[ \t]*+=){_LINE}", _LINES)
"""A line of a systemd unit without commands and variables."""
_INDENT = re.compile(r"^ *(?=\S)", re.MULTILINE)
_RECIPE = re.compile(r"^\t[ \t]*[-@+]+", re.MULTILINE)
"""Signs that tell make not to print a command. They don't belong to the command."""
_OF_MAKE = re.compile(
    r"^(?:export[ \t]+)?([\w.-]+)[ \t]*(?:[:?]|::)?=[ \t]*((?>(?:[^\n#\\]|\\\n|\\.)*))", re.MULTILINE
)
"""A variable of a makefile."""
_COMMANDS = {
    "unit": re.compile(rf"^[ \t]*+\w++[ \t]*+=[-@:+!| \t]*+({_LINE})", _LINES),
    "crontab": re.compile(
        rf"(?<!\\\n)^[ \t]*+(?:@[^\s#=]++|[^\s#=@][^\s#=]*+(?:[ \t]++[^\s#=]++){{4}})[ \t]++({_LINE})",
        _LINES,
    ),
}
"""The commands in lines of systemd units, after the signs that tell how to run them, and of crontabs, also with the
user before them; and the variables in lines of systemd units."""
_OF_CRONTABS = frozenset({"cron.d", "crontabs"})  # names of directories of crontabs


class Snippet(NamedTuple):
    """Shell text in a file, or the words of one command."""

    text: str = ""
    start: int = 0
    words: Sequence[Word] = ()
    excerpt: str = ""  # the line to show; empty to show the command's line
    variables: Mapping[str, str] = {}
    """Those that the file has outside of the text, with their values."""


def format_of(path: Path) -> str:
    """The format of a file by its name; empty if that does not tell."""
    return next((name for name, part in _FORMATS.items() if re.search(part, path.name, re.IGNORECASE)), "")


def snippets_of(path: Path, name: str, text: str) -> Iterator[Snippet]:
    """The shell text of a file."""
    kind = "crontab" if path.absolute().parent.name in _OF_CRONTABS else ""
    match format_of(path) or kind:
        case "YAML":
            yield from _of_yaml(text, name)
        case "Dockerfile":
            yield from _of_dockerfile(text)
        case "unit" | "crontab" as known:
            yield from (Snippet(each[1], each.start(1)) for each in _COMMANDS[known].finditer(text))
        case "Jenkinsfile":
            yield from (Snippet(each[2].replace("\\$", " $"), each.start(2)) for each in _STEP.finditer(text))
        case "makefile":
            variables = {each[1]: each[2].replace("\\\n", " ").strip() for each in _OF_MAKE.finditer(text)}
            variables |= {f"({each})": value for each, value in variables.items()}
            yield Snippet(_RECIPE.sub(lambda found: " " * len(found[0]), text), variables=variables)
        case _:
            yield Snippet(text, variables=sourced(path, text))


def code_of(path: Path, text: str) -> str:
    """The text of a script; of a systemd unit, only its lines with commands and variables, at their places; of a
    Jenkinsfile, without comments and what is only printed; of others, without messages."""
    no_code = {"Jenkinsfile": _NO_STEP, "unit": _NO_COMMAND}.get(format_of(path), _MESSAGE)
    return no_code.sub(lambda found: blanked(found[0]), text)


def _of_dockerfile(text: str) -> Iterator[Snippet]:
    tree = ParsedText(text, "dockerfile")
    for node in tree.nodes(lambda node: node.type in _INSTRUCTIONS or not node.type.endswith("_instruction")):
        start, said = node.start_byte, tree.of(node)
        if node.type == "json_string_array":
            words = _IN_JSON.sub(lambda found: found[1] or " ", said).replace("\\n", " \n")
            yield Snippet(words, start, excerpt=said)
        elif node.type == "env_pair":
            variable, value = tree.of(node.named_children[0]), "".join(map(tree.of, node.named_children[1:]))
            value = value if "=" in said[: len(variable) + 1] else shlex.quote(value)
            yield Snippet(f"{variable}={value}", start, excerpt=said)
        elif node.type in ("shell_command", "heredoc_content"):
            for each in node.named_children:
                if each.type == "comment":
                    said = blanked(said, each.start_byte - start, each.end_byte - start)
            yield Snippet(said, start)


def _of_yaml(text: str, name: str) -> Iterator[Snippet]:
    of_commands: set[int] = set()
    for node, keys, _, not_ours in nodes(text, name):
        inside = [each for _, _, each in entries(node)]
        if node.id == "sequence" and inside and all(each.id == "scalar" for each in inside):
            written = (
                written_scalar(each, text) if each.style == "|" else (each.value, each.start_mark.index)
                for each in inside
            )
            words = [Word(said, Place(name, *place_in(text, start))) for said, start in written]
            if _is_command(words):
                of_commands.update(map(id, inside))
                start, end = node.start_mark.index, node.end_mark.index
                yield Snippet(text[start:end], start, words, " ".join(word.text for word in words))
        key = last_key(keys).lower()
        may_run = node.id == "scalar" and (_RUNNING.search(key) or len(node.value.split()) > 1)
        may_run = may_run and not_ours != "no code" and key not in _OF_PATHS
        if may_run and id(node) not in of_commands and _MAY_RUN.search(node.value):
            yield _of_scalar(node, text)


def _of_scalar(node: Any, text: str) -> Snippet:
    """A scalar as shell gets it, with its characters at their places. YAML joins the lines of a plain one, and in a
    folded one those that are neither empty nor further indented."""
    value, start = written_scalar(node, text)
    if node.style == ">":
        base = min(_INDENT.findall(value), default="")
        value = re.sub(rf"^({base}\S.*)\n(?={base}\S)", r"\1 ", value, flags=re.MULTILINE)
    elif node.style != "|":
        has_escapes = bool(node.style) and ("\\" in value or "''" in value)
        value = node.value if has_escapes else value.replace("\n", " ")
    return Snippet(value, start)


def _is_command(words: Sequence[Word]) -> bool:
    """Whether a list is the words of one command, and not a list of commands."""
    first = PurePath(words[0].text).name
    is_known = first in PROGRAMS or first in ("sh", "bash", "dash", "ash", "CMD")
    has_option = len(words) > 1 and words[1].text.startswith("-")
    of_others = has_option and PROGRAMS_OF_OTHERS.fullmatch(first) is not None
    return " " not in words[0].text and (is_known or of_others)
