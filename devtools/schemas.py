"""Writes the JSON Schemas in ``src/pytest_pgfeatures/schemas`` from the classes of the documents: ``make schemas``.

Descriptions come from the classes' docstrings: the first paragraph, and the parameters.
"""

from __future__ import annotations

import inspect
import json
import re
import typing
from pathlib import Path
from typing import Any

import msgspec

import pytest_pgfeatures
from pytest_pgfeatures.catalog.comparison import Comparison
from pytest_pgfeatures.measure.outcome import ALSO_WRITTEN
from pytest_pgfeatures.report.behavior_documents import DeclaredObject, DeltaObject, ObservedObject
from pytest_pgfeatures.report.bisect_document import BisectDocument
from pytest_pgfeatures.report.document import CommandDocument, ExtensionDocument, MatrixDocument
from pytest_pgfeatures.report.install_documents import (
    CellObject,
    CleanDocument,
    DoctorDocument,
    FailureObject,
    InitDocument,
    InstallObject,
    JobsDocument,
    ReleaseObject,
)
from pytest_pgfeatures.report.measure import MeasureDocument
from pytest_pgfeatures.report.needs import NeedsDocument
from pytest_pgfeatures.report.readiness_document import ReadinessDocument
from pytest_pgfeatures.results.model import Result
from pytest_pgfeatures.statistics.document import StatisticsFile
from pytest_pgfeatures.version import PgVersion

PLACE = Path(pytest_pgfeatures.__file__).parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "bisect": ("Output of pgfeatures bisect --json", (BisectDocument,)),
    "clean": ("Output of pgfeatures clean --json", (CleanDocument,)),
    "delta": ("Output of pgfeatures delta --json", (list[DeltaObject],)),
    "delta-catalog": ("Output of pgfeatures delta --catalog --json", (Comparison,)),
    "doctor": ("Output of pgfeatures doctor --json", (DoctorDocument,)),
    "extension": ("Output of pgfeatures extension --json", (ExtensionDocument,)),
    "init": ("Output of pgfeatures init --json", (InitDocument,)),
    "install": ("Output of pgfeatures install --json", (list[CellObject], list[FailureObject])),
    "list": (
        "Output of pgfeatures list --json; with --available, versions and sources",
        (list[InstallObject], list[ReleaseObject]),
    ),
    "matrix": ("Output of pgfeatures matrix --format github", (JobsDocument,)),
    "measure": ("Output of pgfeatures measure --json", (MeasureDocument,)),
    "needs": ("Output of pgfeatures needs --json", (NeedsDocument,)),
    "readiness": ("Output of pgfeatures readiness --json", (ReadinessDocument,)),
    "result": ("The result of one item in one cell of the matrix", (Result,)),
    "run": ("Output of pgfeatures run --json", (CommandDocument,)),
    "show": (
        "Output of pgfeatures show --json: an object with an ID, a list without",
        (ObservedObject, list[DeclaredObject]),
    ),
    "statistics": ("Output of pgfeatures statistics", (StatisticsFile,)),
    "verify": (
        "Output of pgfeatures verify --json, pytest --pg-json and pgfeatures merge --json",
        (MatrixDocument,),
    ),
}
"""By the file's name: the title, and the document's possible classes. Elements of lists may differ."""
_DEFINITIONS = "#/$defs/"
_ELSEWHERE = {"Result": "result.json", "Entry": f"result.json{_DEFINITIONS}Entry"}
"""Classes for which documents refer to the schema of results."""


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a document."""
    title, forms = DOCUMENTS[name]
    lists = [typing.get_args(form)[0] for form in forms if typing.get_origin(form) is list]
    if len(lists) == len(forms):  # one list, with elements of each form
        forms = tuple(lists)
    roots, parts = msgspec.json.schema_components(forms, schema_hook=_of_class)
    classes = {each.__name__: each for form in forms for each in _classes(form)}
    assert parts.keys() <= classes.keys(), "two classes have one name"
    for part, definition in parts.items():
        _describe(definition, classes[part])
    whole: dict[str, Any] = roots[0] if len(roots) == 1 else {"anyOf": list(roots)}
    if len(lists) == len(DOCUMENTS[name][1]):
        whole = {"type": "array", "items": whole}
    elif len(roots) == 1:
        whole = {**parts[forms[0].__name__]}
    if name != "result":
        whole, parts = _refer((whole, parts))
    used = _used(whole, parts)
    head = {"$schema": DIALECT, "$id": f"{name}.json", "title": title}
    definitions = {part: parts[part] for part in sorted(parts) if part in used}
    return {**head, **whole, **({"$defs": definitions} if definitions else {})}


def text(name: str) -> str:
    """Return the content of a schema's file."""
    return json.dumps(schema(name), indent=2) + "\n"


def _classes(form: Any) -> set[type]:
    """Return the classes of a document's parts."""
    found: set[type] = set()
    left = [msgspec.inspect.type_info(form)]
    while left:
        each = left.pop()
        if (cls := getattr(each, "cls", None)) is not None:
            if cls in found:
                continue
            found.add(cls)
        left += [field.type for field in getattr(each, "fields", ())]
        for inner in ("item_type", "value_type", "key_type"):
            left += [getattr(each, inner)] if hasattr(each, inner) else []
        left += [*getattr(each, "item_types", ()), *getattr(each, "types", ())]
    return found


def _of_class(cls: type) -> dict[str, Any]:
    """Return the schema of a class that isn't a document's part."""
    assert cls is Path, f"{cls} has no schema"
    return {"type": "string"}


def _describe(definition: dict[str, Any], cls: type) -> None:
    """Complete the definition of a class in place."""
    definition.pop("title", None)
    definition.pop("description", None)
    if cls is PgVersion:
        definition.clear()
        definition["type"] = "string"
        return
    about, parameters = _docstring(cls)
    if about:
        fields = dict(definition)
        definition.clear()
        definition |= {"description": about, **fields}
    properties = definition.get("properties")
    if properties is None:
        return
    names = list(properties)
    for field in ALSO_WRITTEN.get(cls, ()):
        getter = getattr(cls, field).fget
        properties[field] = msgspec.json.schema(typing.get_type_hints(getter)["return"])
        parameters[field] = _plain(inspect.getdoc(getter) or "")
    for field, form in properties.items():
        form = properties[field] = _short(form)
        if about_field := parameters.get(field, "" if form else "any value"):
            form["description"] = about_field
    if not (issubclass(cls, msgspec.Struct) and cls.__struct_config__.omit_defaults):
        definition["required"] = [*names, *ALSO_WRITTEN.get(cls, ())]


def _short(form: dict[str, Any]) -> dict[str, Any]:
    """Return a property's schema in fewer lines, and without its default, as documents have all properties."""
    short = {key: value for key, value in form.items() if key != "default"}
    match short:
        case {"enum": [only]}:
            return {"const": only}
        case {"anyOf": [{"type": str(one), **others}, {"type": "null"}]} if not others:
            return {"type": [one, "null"]}
    return short


def _docstring(cls: type) -> tuple[str, dict[str, str]]:
    """Return the first paragraph of a class's docstring, and its parameters' texts by their names in JSON."""
    whole = inspect.getdoc(cls) or ""
    if whole.startswith(f"{cls.__name__}("):
        return "", {}  # dataclasses generates one
    about, _, rest = whole.partition("\n\n")
    found: dict[str, str] = {}
    for block in re.findall(r"^Parameters:\n((?:    .*\n?|\n)+)", f"{rest}\n", re.MULTILINE):
        for names, said in re.findall(r"^    (\w[\w, ]*): (.*(?:\n        .*)*)", block, re.MULTILINE):
            found |= dict.fromkeys(names.split(", "), _plain(said))
    return _plain(about), found


def _plain(markup: str) -> str:
    """Return a docstring's text without markup, in one line."""
    joined = " ".join(markup.split())
    text = re.sub(r"(?::\w+:)?(`{1,2})~?(?:[\w.]+\.)?([^`]*)\1", r"\2", joined).removesuffix(".")
    return re.sub(r"\bNone\b", "null", text)


def _refer(value: Any) -> Any:
    """Return the schema with references to the schema of results."""
    if isinstance(value, dict):
        if (target := value.get("$ref", "").removeprefix(_DEFINITIONS)) in _ELSEWHERE:
            return {**value, "$ref": _ELSEWHERE[target]}
        return {key: _refer(each) for key, each in value.items()}
    return type(value)(map(_refer, value)) if isinstance(value, list | tuple) else value


def _used(value: Any, parts: dict[str, Any]) -> set[str]:
    """Return the parts that a schema refers to, directly or through other parts."""
    used: set[str] = set()
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            target = str(each.get("$ref", "")).removeprefix(_DEFINITIONS)
            if target in parts and target not in used:
                used.add(target)
                left.append(parts[target])
            left += each.values()
        elif isinstance(each, list):
            left += each
    return used


def main() -> None:
    """Write all files."""
    for name in DOCUMENTS:
        (PLACE / f"{name}.json").write_text(text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
