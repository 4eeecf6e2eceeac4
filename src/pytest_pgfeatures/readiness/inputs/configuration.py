"""The settings of ``--config``: a ``postgresql.conf`` with its includes, a directory, or files for other programs:
Terraform, and YAML of operators, Patroni and Ansible."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.inputs import texts
from pytest_pgfeatures.readiness.inputs.files import NO_READER, InputReading, of_each, written
from pytest_pgfeatures.readiness.inputs.languages import ParsedText
from pytest_pgfeatures.readiness.inputs.yaml_files import entries, nodes, scalars
from pytest_pgfeatures.readiness.model import Place, SettingUse, Word
from pytest_pgfeatures.settings_file import setting_lines

if TYPE_CHECKING:
    from tree_sitter import Node


_READ_BY_OTHERS = {"pg_hba.conf": "--hba reads them", "pg_ident.conf": "--ident reads them"}
_OURS = re.compile("postgres(?!t)|(?<![a-z])pg(?![a-z])", re.IGNORECASE)
_OTHERS = re.compile("mysql|mariadb|sqlserver", re.IGNORECASE)
_PROGRAM = re.compile("postgres(?!t)|psql|initdb|pg", re.IGNORECASE)
"""A part of the names of PostgreSQL's programs and of their variables."""
_RUNS_SERVERS = re.compile(rf"sh$|{_PROGRAM.pattern}", re.IGNORECASE)
"""A part of the words of a command that may run a server."""
_MAPPINGS = frozenset({"body", "object"})
_ENTRIES = frozenset({"attribute", "object_elem"})
_BLOCK = 2  # the number of nodes around a file's blocks
_SETTING = re.compile(r"[A-Za-z_]\w*+(?:\.\w++)?")  # names of more parts are the kernel's, as of sysctl


def _named(values: Mapping[str, Word]) -> list[tuple[Word, Word]]:
    """The setting of a mapping that has a name and a value."""
    naming = values.get("name", values.get("option"))
    return [(naming, values["value"])] if naming is not None and "value" in values else []


def _of_hcl(text: str, name: str) -> Iterator[tuple[Word, Word]]:
    """The pairs of a name and a value in blocks that are about PostgreSQL."""
    tree = ParsedText(text, "hcl")

    def value(node: Node) -> Word:
        return Word(tree.of(node).strip().strip('"'), Place(name, *texts.place_in(text, node.start_byte)))

    def is_ours(node: Node) -> bool:
        """Whether a node is in a block that is about PostgreSQL, or is around the blocks."""
        said = tree.of(node) if len(tree.around) == _BLOCK else "postgres"
        return bool(_OURS.search(said) and not _OTHERS.search(said))

    for node in tree.nodes(is_ours):
        if node.type in _MAPPINGS:
            parts = [each.named_children for each in node.named_children if each.type in _ENTRIES]
            yield from _named({value(one[0]).text: value(one[-1]) for one in parts if len(one) > 1})


def _of_yaml(text: str, name: str) -> Iterator[tuple[Word, Word]]:
    """The mappings ``parameters``, and the pairs of a name and a value, below a key that names PostgreSQL."""

    def value(node: Any) -> Word:
        said = text[node.start_mark.index : node.end_mark.index]
        at = Place(name, *texts.place_in(text, node.start_mark.index))
        return Word(said if texts.has_expression(said) else node.value, at)

    for node, keys, *_ in nodes(text, name):
        inside = entries(node) if any(map(_OURS.search, keys)) else []
        pairs = [
            (value(key), value(each)) for _, key, each in inside if key and key.id == each.id == "scalar"
        ]
        yield from _named({key.text: each for key, each in pairs})
        yield from pairs if keys[-1:] == ("parameters",) else ()


def without_others(text: str, name: str) -> tuple[str, str]:
    """A text of YAML with an x for each character of what is no code, and of what is below a key that names
    another database system, or beside its image. Then this with an x also for each key of a mapping or sequence,
    and for each value in one line, and its key, that can't be a setting of PostgreSQL, because nothing near names
    it or one of its programs: the file's path, a key above, the value, one beside it or beside such a key, or the
    ``metadata`` of a Kubernetes object."""
    code, settings = [*text], [*text]
    near: set[int] = set()
    with contextlib.suppress(PgFeaturesError, ExtraMissingError):  # reported where the file is read
        for node, keys, around, not_ours in nodes(text, name):
            parts = [node, *(value for key, _, value in entries(node) if key == "metadata")]
            said = (value for part in parts for value in scalars(part).values())
            is_named = any(map(_OURS.search, (name, *keys[-1:]))) or any(map(_PROGRAM.search, said))
            if id(around) in near or is_named:
                near.add(id(node))
            no_settings = [naming for _, naming, value in entries(node) if naming and value.id != "scalar"]
            others = no_settings if id(node) in near else [*_of_others(node), *no_settings]
            for other in [node] if not_ours else others:
                start, end = other.start_mark.index, other.end_mark.index
                for kept in (code, settings) if not_ours else (settings,):
                    kept[start:end] = texts.blanked(text[start:end], sign="x")
    return "".join(code), "".join(settings)


def _of_others(node: Any) -> Iterator[Any]:
    """The keys and values in a mapping or sequence that can't be settings of PostgreSQL."""
    inside, before = entries(node), ""
    words = [value.value for _, _, value in inside if value.id == "scalar"]
    runs_server = " ".join(words).startswith("-") or any(map(_RUNS_SERVERS.search, words))
    for key, naming, value in inside:
        is_scalar = value.id == "scalar"
        said = f"{key} {value.value if is_scalar else '-'}"
        is_ours = (runs_server and before == " -c") or _PROGRAM.search(said)
        before = said
        if is_scalar and not is_ours and value.start_mark.line == value.end_mark.line:
            yield from (each for each in (naming, value) if each)


_READERS: dict[str, Callable[[str, str], Iterator[tuple[Word, Word]]]] = {
    ".tf": _of_hcl, ".hcl": _of_hcl, ".yml": _of_yaml, ".yaml": _of_yaml,
}  # fmt: skip
"""By suffix of the file, the function that finds the parameters in its text."""


def read_configuration(given: str, reading: InputReading) -> Iterator[SettingUse]:
    """Each line of the file and of the files that it includes; of a directory, those of each file, once."""
    read: set[Path] = set()

    def settings(path: Path, name: str) -> Iterator[SettingUse]:
        if path.resolve() in read:
            return
        bare = texts.written_by(path)
        of_another = _READERS.get(bare.suffix.lower())
        text = written(path, name).decode("utf-8", "replace") if of_another or bare != path else ""
        if of_another:
            for setting, value in list(of_another(text, name)):
                if _SETTING.fullmatch(setting.text):
                    said, is_known = f"{setting.text} = {value.text}", not texts.has_expression(value.text)
                    yield SettingUse(setting.text, value.text, "file", setting.place, said, is_known)
            return
        as_written = text.split("\n")
        for line in list(setting_lines(path, texts.without_expressions(text) if text else None)):
            read.add(line.file.resolve())
            said = as_written[line.line - 1] if text and line.file == path else line.text
            place = Place(str(line.file), line.line, line.column)
            yield SettingUse(line.name, line.value, "file", place, said.strip(), said == line.text)

    # postgresql.conf comes first, and what ALTER SYSTEM writes last
    yield from of_each(
        given, _why_not, reading, settings, "there is no configuration in it",
        lambda path: (path.name == "postgresql.auto.conf", path.name != "postgresql.conf"),
    )  # fmt: skip


def _why_not(path: Path) -> str:
    """Why a file of a directory is not read; empty if it is."""
    path = texts.written_by(path)
    return _READ_BY_OTHERS.get(path.name, "" if path.suffix.lower() in (".conf", *_READERS) else NO_READER)
