"""Read YAML as a tree of nodes, each with its place."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.inputs.texts import are_others, without_expressions

_MAPPING = re.compile(r"(?>(?:[ \t]*(?:#[^\n]*)?\n)*)[ \t]*[\w.-]+:(?:\s|\Z)")
_KEY = re.compile(r"[\w.-]+")
SUFFIXES = frozenset({".yml", ".yaml"})
_SYSTEMS = ("dbms", "image")  # keys whose values name database systems
_NO_CODE = frozenset({
    "name", "description", "title", "summary", "message", "msg", "fail_msg", "success_msg", "label", "subject",
    "image", "hosts", "slack_message", "container_name", "hostname", "note", "notes", "comment", "help", "readme",
    "tags", "register", "tasks_from", "when", "if", "failed_when", "changed_when", "until", "that", "regexp",
    "regex", "search_string", "pattern",
})  # fmt: skip
"""Keys of texts for people, names, conditions and patterns, which may contain names of programs, files and settings
that nothing uses."""


class YamlNode(NamedTuple):
    """A node with the keys above it, and the node around it. An item of a sequence has an empty key."""

    node: Any
    keys: tuple[str, ...] = ()
    around: Any = None
    not_ours: Literal["", "for others", "no code"] = ""  # why it is none of ours


def nodes(text: str, name: str) -> Iterator[YamlNode]:
    """The nodes of a file, each once and before those in it. In place of a block of text that is a mapping, such as
    a file in a ConfigMap, there is this mapping.

    Raises:
        ExtraMissingError: PyYAML is missing.
        PgFeaturesError: it isn't valid YAML.
    """
    waiting = [YamlNode(each) for each in reversed(_documents(text, name))]
    seen: dict[int, Any] = {}  # with the nodes, so that no other one gets an id again
    while waiting:
        written, keys, around, not_ours = waiting.pop()
        if id(written) in seen:
            continue  # aliases of aliases may name it a million times
        seen[id(written)] = node = _nested(written, text, name) or written
        values = scalars(node)
        if any(map(are_others, (*keys[-1:], *(values.get(each, "") for each in _SYSTEMS)))):
            not_ours = "for others"
        elif node.id == "scalar" and ("annotations" in keys or last_key(keys).lower() in _NO_CODE):
            not_ours = "no code"
        yield YamlNode(node, keys, around, not_ours)
        below = reversed(entries(node))
        waiting += (YamlNode(value, (*keys, key), node, not_ours) for key, _, value in below)


def last_key(keys: Sequence[str]) -> str:
    """The innermost key that is not empty; empty if there is none."""
    return next(filter(None, reversed(keys)), "")


def _documents(text: str, name: str) -> list[Any]:
    """The documents of a file, or of one that a template writes. Aliases are the nodes that they name."""
    try:
        import yaml
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "PyYAML", "readiness") from None
    said = ""
    for form in (str, without_expressions):
        try:
            return list(yaml.compose_all(form(text), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        except (yaml.YAMLError, RecursionError) as error:
            said = " ".join(str(error).split())
    raise PgFeaturesError(f"{name} is no YAML: {said}", remedy="fix it, or name other files")


def _nested(node: Any, text: str, name: str) -> Any:
    """The mapping in a block of text, with places in the whole text; None if it has none."""
    if node.id != "scalar" or node.style != "|" or not _MAPPING.match(node.value):
        return None
    with contextlib.suppress(PgFeaturesError):
        said, start = written_scalar(node, text)
        for found in _documents(said, name)[:1]:
            if found.id == "mapping" and all(_KEY.fullmatch(key) for key, _, _ in entries(found)):
                _move(found, start, node.start_mark.line + 1)
                return found
    return None


def _move(node: Any, index: int, line: int) -> None:
    """Add to the places of a node and of those in it the place at which their text begins."""
    from yaml import Mark

    moved: dict[int, Any] = {}
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if id(each) not in moved:  # an alias names a node again
            moved[id(each)] = each
            waiting += (one for _, *pair in entries(each) for one in pair if one is not None)
            each.start_mark, each.end_mark = (
                Mark(at.name, at.index + index, at.line + line, at.column, None, None)
                for at in (each.start_mark, each.end_mark)
            )


def written_scalar(node: Any, text: str) -> tuple[str, int]:
    """A scalar, and its index in the file: its value if that is one line of the file, otherwise as the file has it,
    without quotes."""
    start, end = node.start_mark.index, node.end_mark.index
    if node.style in ("|", ">"):
        start = text.find("\n", start) + 1
        return text[start:end], start
    quotes = bool(node.style)
    start, end = start + quotes, end - quotes
    return text[start:end] if "\n" in text[start:end].rstrip() else node.value, start


def entries(node: Any) -> list[tuple[str, Any, Any]]:
    """The keys of a mapping as text, empty if a key is no scalar, and as nodes, with their values; the items of a
    sequence, without keys."""
    if node.id == "mapping":
        return [(key.value if key.id == "scalar" else "", key, value) for key, value in node.value]
    return [("", None, each) for each in node.value] if node.id == "sequence" else []


def scalars(node: Any) -> dict[str, str]:
    """The values of a mapping that are scalars, by key."""
    return {key: value.value for key, naming, value in entries(node) if naming and value.id == "scalar"}
