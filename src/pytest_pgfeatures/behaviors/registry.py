"""Find the behaviors in the modules that declare them."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import pkgutil
import sys
import zlib
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.model import Behavior
from pytest_pgfeatures.errors import BehaviorError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from types import ModuleType


ATLAS = "pytest_pgfeatures.atlas"
"""The package whose modules are the atlas."""


def declared_in(module: ModuleType) -> Iterator[Behavior]:
    """The behaviors that ``module`` itself declares, in the order of declaration."""
    for thing in vars(module).values():
        found = Behavior.of(thing)
        if found is not None and found.observe.__module__ == module.__name__:
            yield found


def declared_in_files(paths: Iterable[Path]) -> tuple[Behavior, ...]:
    """The behaviors that Python files declare, such as a user's test files.

    Raises:
        BehaviorError: a file can't be loaded, or declares no behavior.
    """
    found: list[Behavior] = []
    for path in paths:
        behaviors = tuple(declared_in(_loaded(path)))
        if not behaviors:
            raise BehaviorError(
                f"{path} declares no behavior",
                remedy="name a file with functions below @behavior(...), or rows(...)",
            )
        found += behaviors
    return tuple(by_id(found).values())


def _loaded(path: Path) -> ModuleType:
    """Import a file as a module, once. It can import modules beside it, as a test file can."""
    name = f"_pgfeatures_behaviors_{zlib.crc32(str(path.resolve()).encode()):08x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    try:
        if spec is None or spec.loader is None:
            raise BehaviorError("it is not a Python file", remedy="its name has to end with .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        sys.path.insert(0, str(path.resolve().parent))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.pop(0)
    except Exception as error:
        sys.modules.pop(name, None)
        raise BehaviorError(
            f"{path} can't be loaded: {type(error).__name__}: {error}",
            remedy="pytest shows where, if you run it",
        ) from error
    return module


def keyword_of(behavior: Behavior) -> str:
    """The keyword by which pytest's ``-k`` selects this behavior of the atlas, and no other.

    Returns:
        the id, or ``[ID]`` if the id is part of another one.
    """
    return behavior.id if _all_ids().count(behavior.id) <= 1 else f"[{behavior.id}]"


@functools.cache
def _all_ids() -> str:
    return "\n".join(atlas())


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


def _atlas_names() -> list[str]:
    """The names of the atlas' modules, in the order of majors and areas."""
    package = importlib.import_module(ATLAS)
    names = [
        info.name
        for info in pkgutil.walk_packages(package.__path__, f"{ATLAS}.")
        if not info.ispkg and info.name.startswith(f"{ATLAS}.v")
    ]
    return sorted(names, key=_by_major)


def atlas_modules() -> tuple[ModuleType, ...]:
    """Every module of the atlas, imported, in the order of majors and areas."""
    return tuple(map(importlib.import_module, _atlas_names()))


def atlas_files() -> tuple[Path, ...]:
    """The files of :func:`atlas_modules`, which pytest collects as they are; none is imported here."""
    from pathlib import Path

    top = Path(importlib.import_module(ATLAS).__path__[0])
    return tuple(top.joinpath(*name.split(".")[2:]).with_suffix(".py") for name in _atlas_names())


@functools.cache
def atlas() -> Mapping[str, Behavior]:
    """All behaviors of the atlas by id, oldest major first.

    Raises:
        BehaviorError: one of them is declared wrongly.
    """
    return by_id(behavior for module in atlas_modules() for behavior in declared_in(module))


def is_of_atlas(behavior: Behavior) -> bool:
    """Whether a module of the atlas, and not a user's file, declares a behavior."""
    return str(behavior.observe.__module__).startswith(f"{ATLAS}.")


def find(id: str, behaviors: Mapping[str, Behavior]) -> Behavior:
    """The behavior with this id.

    Raises:
        BehaviorError: there is none. The message suggests similar ids.
    """
    if id in behaviors:
        return behaviors[id]
    near = _similar(id, behaviors)
    raise BehaviorError(
        f"no behavior has the id {id!r}",
        remedy=f"did you mean {' or '.join(near)}?" if near else "pgfeatures show lists them",
    )


def _similar(id: str, behaviors: Mapping[str, Behavior]) -> list[str]:
    """Ids with similar names; the major before the name doesn't count."""
    names: dict[str, list[str]] = {}
    for known in behaviors:
        names.setdefault(known.rpartition("/")[2], []).append(known)
    near = difflib.get_close_matches(id.rpartition("/")[2], names, n=3, cutoff=0.6)
    return [known for name in near for known in names[name]][:3]


def _by_major(name: str) -> tuple[tuple[int, ...], str]:
    """Sorts ``...atlas.v9_4.x`` before ``...atlas.v16.x``."""
    major, _, area = name.removeprefix(f"{ATLAS}.v").partition(".")
    return tuple(int(part) for part in major.split("_")), area
