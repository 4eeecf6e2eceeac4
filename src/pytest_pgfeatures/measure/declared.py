"""Recognize the functions that declare experiments. Every start of pytest imports this module, so it imports
nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.measure.model import Experiment


def experiment_of(thing: object) -> Experiment | None:
    """Return the experiment that ``thing`` was decorated with, or None."""
    found = getattr(thing, "experiment", None)
    if found is None:
        return None
    from pytest_pgfeatures.measure.model import Experiment

    return found if isinstance(found, Experiment) else None
