"""Read YAML as a tree of nodes, each with its place."""

from __future__ import annotations

import contextlib
import re
from typing import Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.inputs.texts import blanked, without_expressions

_MAPPING = re.compile(r"(?>(?:[ \t]*(?:#[^\n]*)?\n)*)[ \t]*[\w.-]+:(?:\s|\Z)")
_KEY = re.compile(r"[\w.-]+")
SUFFIXES = frozenset({".yml", ".yaml"})


def documents(text: str, name: str) -> list[Any]:
    """The documents of a file, or of one that a template writes. Aliases are the nodes that they name.

    Raises:
        ExtraMissingError: PyYAML is missing.
        PgFeaturesError: it isn't valid YAML.
    """
    try:
        import yaml
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "PyYAML", "readiness") from None
    said = ""
    for form in (str, without_expressions):
        try:
            return list(yaml.compose_all(form(text), Loader=yaml.SafeLoader))
        except (yaml.YAMLError, RecursionError) as error:
            said = " ".join(str(error).split())
    raise PgFeaturesError(f"{name} is no YAML: {said}", remedy="fix it, or name other files")


def nested(node: Any, text: str, name: str) -> Any:
    """The mapping in a block of text, such as a file in a ConfigMap, with places in the whole text; None if it has
    none."""
    if node.id != "scalar" or node.style != "|" or not _MAPPING.match(node.value):
        return None
    body = text.find("\n", node.start_mark.index)
    with contextlib.suppress(PgFeaturesError):
        for found in documents(blanked(text[: node.end_mark.index], 0, body), name)[:1]:
            if found.id == "mapping" and all(_KEY.fullmatch(key) for key, _, _ in entries(found)):
                return found
    return None


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
    """The keys of a mapping as text and as nodes, with their values; the items of a sequence, without keys.

    A key that is no scalar has no text.
    """
    if node.id == "mapping":
        return [(key.value if key.id == "scalar" else "", key, value) for key, value in node.value]
    return [("", None, each) for each in node.value] if node.id == "sequence" else []
