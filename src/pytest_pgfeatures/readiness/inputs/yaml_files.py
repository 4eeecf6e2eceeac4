"""Read YAML as a tree of nodes, each with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import ExtraMissingError, PgFeaturesError
from pytest_pgfeatures.readiness.inputs.templates import without_expressions

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAPPING = re.compile(r"(?>(?:[ \t]*(?:#[^\n]*)?\n)*)[ \t]*[\w.-]+:(?:\s|\Z)")
_KEY = re.compile(r"[\w.-]+")
_NOT_NEWLINE = re.compile(r"[^\n]")
SUFFIXES = frozenset({".yml", ".yaml"})


def documents(text: str, name: str) -> Iterator[Any]:
    """The documents of a file, or of one that a template writes. Aliases are the nodes that they name.

    Raises:
        ExtraMissingError: PyYAML is missing.
        PgFeaturesError: it isn't valid YAML.
    """
    try:
        import yaml
    except ImportError:
        raise ExtraMissingError(f"reading {name}", "PyYAML", "readiness") from None
    try:
        try:
            found = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
        except yaml.YAMLError:
            plain = without_expressions(text)
            if plain == text:
                raise
            found = list(yaml.compose_all(plain, Loader=yaml.SafeLoader))
        yield from found
    except (yaml.YAMLError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise PgFeaturesError(f"{name} is no YAML: {said}", remedy="fix it, or name other files") from None


def nested(node: Any, text: str, name: str) -> Any:
    """The mapping in a block of text, such as a file in a ConfigMap, with places in the whole text; None if it has
    none."""
    if node.id != "scalar" or node.style != "|" or not _MAPPING.match(node.value):
        return None
    body = text.find("\n", node.start_mark.index)
    try:
        found = next(
            documents(_NOT_NEWLINE.sub(" ", text[:body]) + text[body : node.end_mark.index], name), None
        )
    except PgFeaturesError:
        return None
    if found is None or found.id != "mapping":
        return None
    return found if all(_KEY.fullmatch(key) for key, _, _ in entries(found)) else None


def entries(node: Any) -> list[tuple[str, Any, Any]]:
    """The keys of a mapping as text and as nodes, with their values; the items of a sequence, without keys.

    A key that is no scalar has no text.
    """
    if node.id == "mapping":
        return [(key.value if key.id == "scalar" else "", key, value) for key, value in node.value]
    return [("", None, each) for each in node.value] if node.id == "sequence" else []
