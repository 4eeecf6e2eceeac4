"""Find the behaviors in the modules that declare them."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.declared import declared_by
from pytest_pgfeatures.errors import BehaviorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from types import ModuleType

    from pytest_pgfeatures.behaviors.model import Behavior

ATLAS = "pytest_pgfeatures.atlas"
"""The package whose modules are the atlas."""


def declared_in(module: ModuleType) -> Iterator[Behavior]:
    """The behaviors that ``module`` itself declares, in the order of declaration."""
    for thing in vars(module).values():
        found = declared_by(thing)
        if found is not None and found.observe.__module__ == module.__name__:
            yield found


def by_id(behaviors: Iterable[Behavior]) -> dict[str, Behavior]:
    """``behaviors`` by their ids, in the same order.

    Raises:
        BehaviorError: an id is declared in two places.
    """
    found: dict[str, Behavior] = {}
    for behavior in behaviors:
        first = found.setdefault(behavior.id, behavior)
        if first.defined_at != behavior.defined_at:
            raise BehaviorError(
                f"two behaviors have the id {behavior.id}",
                details=(first.defined_at, behavior.defined_at),
                remedy="give one of them another id",
            )
    return found


def atlas_modules() -> tuple[ModuleType, ...]:
    """Every module of the atlas, imported, in the order of majors and areas."""
    package = importlib.import_module(ATLAS)
    names = [
        info.name
        for info in pkgutil.walk_packages(package.__path__, f"{ATLAS}.")
        if not info.ispkg and info.name.startswith(f"{ATLAS}.v")
    ]
    return tuple(map(importlib.import_module, sorted(names, key=_by_major)))


def atlas_files() -> tuple[Path, ...]:
    """The files of :func:`atlas_modules`, which pytest collects as they are."""
    from pathlib import Path

    return tuple(Path(str(module.__file__)) for module in atlas_modules())


@functools.cache
def atlas() -> Mapping[str, Behavior]:
    """All behaviors of the atlas by id, oldest major first.

    Raises:
        BehaviorError: one of them is declared wrongly.
    """
    return by_id(behavior for module in atlas_modules() for behavior in declared_in(module))


def find(id: str, behaviors: Mapping[str, Behavior]) -> Behavior:
    """The behavior with this id.

    Raises:
        BehaviorError: there is none. The message suggests similar ids.
    """
    if id in behaviors:
        return behaviors[id]
    near = difflib.get_close_matches(id, behaviors, n=3, cutoff=0.4)
    raise BehaviorError(
        f"no behavior has the id {id!r}",
        remedy=f"did you mean {' or '.join(near)}?" if near else "pgfeatures show lists them",
    )


def _by_major(name: str) -> tuple[tuple[int, ...], str]:
    """Sorts ``...atlas.v9_4.x`` before ``...atlas.v16.x``."""
    major, _, area = name.removeprefix(f"{ATLAS}.v").partition(".")
    return tuple(int(part) for part in major.split("_")), area
