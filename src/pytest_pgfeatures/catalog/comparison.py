"""Differences between two catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pytest_pgfeatures.catalog.builds import of_the_build, properties_of_the_build

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pgfeatures.catalog.snapshot import Catalog

KINDS = (
    "function", "operator", "cast", "type", "operator class", "setting", "keyword", "relation", "column", "role",
    "extension", "extension function", "error condition", "wait event", "EXPLAIN option", "program",
)  # fmt: skip
"""The order in which differences are listed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One object that differs between two catalogs.

    Parameters:
        kind: one of :data:`KINDS`.
        name: the object's name.
        what: whether the object is gone, is new, or has other properties.
        before, after: the properties that differ; all properties if the object is gone or new.
        note: a remark about the difference, or empty.
    """

    kind: str
    name: str
    what: Literal["gone", "new", "changed"]
    before: Mapping[str, str]
    after: Mapping[str, str]
    note: str = ""


_FUNCTIONS = ("function", "extension function")
CALLS_WORK = "calls still work: each new argument has a default"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences, and what could not be compared.

    Parameters:
        differences: the differences, ordered by kind, then by name.
        not_compared: objects that were not compared, with the reason, one line each.
    """

    differences: tuple[Difference, ...]
    not_compared: tuple[str, ...]


def compare(old: Catalog, new: Catalog) -> Comparison:
    """Compare two catalogs, without objects and properties that depend on the build; see
    :mod:`pytest_pgfeatures.catalog.builds`."""
    differences: list[Difference] = []
    missing: list[str] = []
    for kind in KINDS:
        if kind not in old.objects or kind not in new.objects:
            without = old if kind not in old.objects else new
            missing.append(f"{kind}s: PostgreSQL {without.version.major} has no view of them")
            continue
        differences += extended(_of_kind(kind, old, new))
    missing += _programs_missing(old, new)
    return Comparison(tuple(differences), tuple(missing))


def _of_kind(kind: str, old: Catalog, new: Catalog) -> Iterator[Difference]:
    before, after = old.objects[kind], new.objects[kind]
    # If the whole is new or gone, its columns, options or functions are not reported separately.
    wholes = _wholes(kind, old), _wholes(kind, new)
    in_both = _properties(before) & _properties(after)
    for name in sorted({*before, *after}):
        if of_the_build(kind, name) is not None:
            continue
        whole = _whole(kind, name)
        if whole is not None and not (whole in wholes[0] and whole in wholes[1]):
            continue
        if kind == "program" and whole is None and not (_has_clients(old) and _has_clients(new)):
            continue
        if name not in after:
            yield Difference(kind, name, "gone", before[name], {})
        elif name not in before:
            yield Difference(kind, name, "new", {}, after[name])
        else:
            ignored = properties_of_the_build(kind, name)
            known = in_both - ignored
            differing = [
                each
                for each in sorted({*before[name], *after[name]} & known)
                if before[name].get(each) != after[name].get(each)
            ]
            if differing:
                yield Difference(
                    kind, name, "changed", _some(before[name], differing), _some(after[name], differing)
                )


def extended(differences: Iterable[Difference]) -> list[Difference]:
    """The differences, with a function that only gained arguments with defaults as one change, not as gone
    and new."""
    found = list(differences)
    created: list[Difference] = []
    for gone in (each for each in found if each.what == "gone" and each.kind in _FUNCTIONS):
        successors = [each for each in found if each.what == "new" and _takes_its_calls(gone, each)]
        if len(successors) == 1:  # with two such functions, a call would be ambiguous
            (new,) = successors
            differing = [name for name in new.after if gone.before.get(name) != new.after[name]]
            change = Difference(
                gone.kind,
                gone.name,
                "changed",
                _some(gone.before, differing),
                _some(new.after, differing),
                CALLS_WORK,
            )
            found = [change if each is gone else each for each in found]
            created.append(new)
    return [each for each in found if each not in created]


def _takes_its_calls(gone: Difference, new: Difference) -> bool:
    """Whether each call of one function is also a call of the other, which has more arguments."""
    (name, before), (other, after) = _signature(gone.name), _signature(new.name)
    optional = [each.get("arguments", "").count(" DEFAULT ") for each in (gone.before, new.after)]
    return (
        name == other
        and len(before) < len(after)
        and before == after[: len(before)]
        and len(after) - optional[1] <= len(before) - optional[0]
    )


def _signature(name: str) -> tuple[str, list[str]]:
    """The name of a function, and the types of its arguments."""
    function, _, types = name.removesuffix(")").partition("(")
    return function, types.split(", ") if types else []


def _properties(objects: Mapping[str, Mapping[str, str]]) -> set[str]:
    """The names of the properties that a catalog has for a kind of object."""
    return {property_ for properties in objects.values() for property_ in properties}


def _some(properties: Mapping[str, str], names: list[str]) -> dict[str, str]:
    return {name: properties[name] for name in names if name in properties}


def _whole(kind: str, name: str) -> str | None:
    """The name of the object to which this one belongs, if any."""
    if kind == "column":
        return name.rpartition(".")[0]
    if kind == "extension function":
        return name.partition(": ")[0]
    if kind == "program" and " " in name:
        return name.partition(" ")[0]
    return None


def _wholes(kind: str, catalog: Catalog) -> frozenset[str]:
    """The objects to which objects of this kind belong."""
    if kind == "column":
        return frozenset(catalog.objects["relation"])
    if kind == "extension function":
        return frozenset(name.partition(": ")[0] for name in catalog.objects[kind])
    return frozenset(name for name in catalog.objects[kind] if " " not in name)


def _has_clients(catalog: Catalog) -> bool:
    """Whether an install has client programs. The programs of a bare server say nothing about the major."""
    return "pg_dump" in catalog.objects["program"]


def _programs_missing(old: Catalog, new: Catalog) -> Iterator[str]:
    for catalog in (old, new):
        if not _has_clients(catalog):
            yield (
                f"client programs: the install of {catalog.version} ({catalog.source}) has none;"
                " name one that has, such as path:DIR"
            )
