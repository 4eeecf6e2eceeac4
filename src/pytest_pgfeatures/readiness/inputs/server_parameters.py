"""The server's parameters in files for other programs: Terraform, and YAML of operators, Patroni and Ansible."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.files import read_regular_text
from pytest_pgfeatures.readiness.inputs.languages import grammar
from pytest_pgfeatures.readiness.model import Place, SettingUse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tree_sitter import Node

_OURS = re.compile("postgres", re.IGNORECASE)
_OTHERS = re.compile("mysql|mariadb|sqlserver", re.IGNORECASE)
_MAPPINGS = frozenset({"body", "object"})
_ENTRIES = frozenset({"attribute", "object_elem"})
_NAMING = frozenset({"name", "option"})
_MOST = 4 << 20
"""The maximum size of a file, in characters."""
_SETTING = re.compile(r"[A-Za-z_][\w.]*+")


def _of_hcl(text: str, name: str) -> Iterator[SettingUse]:
    """The pairs of a name and a value in blocks that are about PostgreSQL."""
    plain = text.encode("ascii", "replace")
    root = grammar("hcl").parse(plain).root_node
    for body in root.named_children:
        for block in body.named_children:
            said = text[block.start_byte : block.end_byte]
            if block.type != "block" or not _OURS.search(said) or _OTHERS.search(said):
                continue
            waiting = [block]
            while waiting:
                node = waiting.pop()
                waiting += reversed(node.named_children)
                if node.type in _MAPPINGS:
                    entries = {
                        _bare(text, entry.named_children[0]): entry.named_children[-1]
                        for entry in node.named_children
                        if entry.type in _ENTRIES and len(entry.named_children) > 1
                    }
                    if _NAMING & entries.keys() and "value" in entries:
                        yield from _pair(text, name, entries)


def _bare(text: str, node: Node) -> str:
    return text[node.start_byte : node.end_byte].strip().strip('"')


def _pair(text: str, name: str, entries: dict[str, Node]) -> Iterator[SettingUse]:
    naming = next(entries[key] for key in sorted(_NAMING) if key in entries)
    setting, value = _bare(text, naming), _bare(text, entries["value"])
    if _SETTING.fullmatch(setting) and "${" not in value:
        place = Place(name, naming.start_point.row + 1, naming.start_point.column + 1)
        yield SettingUse(setting, value, "file", place, f"{setting} = {value}")


def _of_yaml(text: str, name: str) -> Iterator[SettingUse]:
    """The mappings ``parameters``, and the pairs of a name and a value, below a key that names PostgreSQL."""
    try:
        import yaml
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "PyYAML", "readiness") from None
    try:
        for document in yaml.compose_all(text, Loader=yaml.SafeLoader):
            yield from _of_node(document, name, set(), ours=False)
    except (yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise PgFeaturesError(f"{name} is no YAML: {said}", remedy="fix it, or name other files") from None


def _of_node(
    node: Any, name: str, seen: set[int], *, ours: bool, parameters: bool = False
) -> Iterator[SettingUse]:
    import yaml

    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from _of_node(each, name, seen, ours=ours)
        return
    scalars = {key.value: value for key, value in node.value if isinstance(value, yaml.ScalarNode)}
    naming = next((scalars[key] for key in sorted(_NAMING) if key in scalars), None)
    if ours and naming is not None and "value" in scalars:
        yield from _scalar(naming, scalars["value"], name)
    for key, value in node.value:
        if parameters:
            yield from _scalar(key, value, name)
        below = ours or _OURS.search(str(key.value)) is not None
        yield from _of_node(value, name, seen, ours=below, parameters=ours and key.value == "parameters")


def _scalar(naming: Any, value: Any, name: str) -> Iterator[SettingUse]:
    import yaml

    if (
        isinstance(value, yaml.ScalarNode)
        and _SETTING.fullmatch(str(naming.value))
        and "{{" not in value.value
    ):
        place = Place(name, naming.start_mark.line + 1, naming.start_mark.column + 1)
        yield SettingUse(naming.value, value.value, "file", place, f"{naming.value} = {value.value}")


def without_keys_of_others(text: str, name: str) -> str:
    """YAML with an x for each character of a key that has a value, and nothing near it that names PostgreSQL: the
    file's path, a key above, a value beside it or beside such a key, or the ``metadata`` of a Kubernetes object."""
    try:
        import yaml
    except ImportError:  # reported where the file is read
        return text
    kept = list(text)
    seen: set[int] = set()

    def look(node: Any, *, ours: bool) -> None:
        if id(node) in seen or not isinstance(node, yaml.CollectionNode):
            return
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            for each in node.value:
                look(each, ours=ours)
            return
        ours = ours or any(_names_ours(key, value) for key, value in node.value)
        for key, value in node.value:
            if isinstance(value, yaml.ScalarNode) and not ours:
                at, end = key.start_mark.index, key.end_mark.index
                kept[at:end] = "x" * (end - at)
            look(value, ours=ours or _OURS.search(str(key.value)) is not None)

    with contextlib.suppress(yaml.YAMLError, RecursionError):
        for document in yaml.compose_all(text, Loader=yaml.SafeLoader):
            look(document, ours=_OURS.search(name) is not None)
    return "".join(kept)


def _names_ours(key: Any, value: Any) -> bool:
    import yaml

    if isinstance(value, yaml.ScalarNode):
        return _OURS.search(value.value) is not None
    return key.value == "metadata" and any(
        _names_ours(*each) for each in (value.value if isinstance(value, yaml.MappingNode) else ())
    )


READERS: dict[str, Callable[[str, str], Iterator[SettingUse]]] = {
    ".tf": _of_hcl, ".hcl": _of_hcl, ".yml": _of_yaml, ".yaml": _of_yaml,
}  # fmt: skip
"""By suffix of the file, the function that finds the parameters in its text."""


def read_server_parameters(path: Path, name: str) -> list[SettingUse]:
    """The parameters of PostgreSQL in a file for another program, each with its place.

    Raises:
        ExtraMissingError: the parser of its format is not installed.
        PgFeaturesError: it has syntax errors, or is larger than files that people write.
    """
    text = read_regular_text(path, errors="replace")
    if len(text) > _MOST:
        raise PgFeaturesError(f"{name} is larger than {_MOST >> 20} MB", remedy="name smaller files")
    return list(READERS[path.suffix.lower()](text, name))
