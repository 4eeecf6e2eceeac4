"""Finds the experiments in the modules of this package."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExperimentError
from pytest_pgfeatures.measure.model import Experiment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


PACKAGE = "pytest_pgfeatures.experiments"


@functools.cache
def documents_experiments() -> Mapping[str, Experiment]:
    """Return the documents' experiments by id: the 16 report's first, then the others', newest document first.

    Raises:
        ExperimentError: one is declared wrongly, or two have the same id.
    """
    package = importlib.import_module(PACKAGE)
    names = (info.name for info in pkgutil.iter_modules(package.__path__, f"{PACKAGE}."))
    return by_id(
        found
        for name in sorted((name for name in names if ".v" in name), key=_order)
        for thing in vars(importlib.import_module(name)).values()
        if (found := Experiment.of(thing)) is not None and found.work.__module__ == name
    )


def by_id(experiments: Iterable[Experiment]) -> dict[str, Experiment]:
    """Return experiments by id.

    Raises:
        ExperimentError: an id is declared in two places.
    """
    found: dict[str, Experiment] = {}
    for each in experiments:
        first = found.setdefault(each.id, each)
        if first is not each:
            raise ExperimentError(
                f"two experiments have the id {each.id}",
                details=(first.defined_at, each.defined_at),
                remedy="give one of them another id",
            )
    return found


def selected(experiments: Iterable[Experiment], keyword: str | None) -> list[Experiment]:
    """Return the experiment with the id ``keyword``, else those with all its words in id, title or source; all
    for None.

    Raises:
        ExperimentError: no experiment matches.
    """
    words = (keyword or "").lower().split()
    everything = list(experiments)
    if exact := [each for each in everything if each.id == keyword]:
        return exact
    found = [
        each
        for each in everything
        if all(word in f"{each.id} {each.title} {each.source}".lower() for word in words)
    ]
    if not found:
        import difflib

        near = difflib.get_close_matches(keyword or "", [each.id for each in everything], n=3, cutoff=0.3)
        raise ExperimentError(
            f"no experiment has {keyword!r} in its id, title or source",
            remedy=f"did you mean {' or '.join(near)}?"
            if near
            else "list the experiments with pgfeatures measure --list",
        )
    return found


def _order(name: str) -> tuple[bool, list[int], str]:
    major = name.rpartition(".v")[2]
    digits = [int(part) for part in major.split("_") if part.isdigit()]
    return digits != [16], [-part for part in digits], major
