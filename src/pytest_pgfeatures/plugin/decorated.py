"""Tell behaviors and experiments from other functions. Every test is asked, so this module imports nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.behaviors.model import Behavior
    from pytest_pgfeatures.measure.model import Experiment


def behavior_of(thing: object) -> Behavior | None:
    """Return the behavior that a function was decorated with, or None."""
    if getattr(thing, "behavior", None) is None:
        return None
    from pytest_pgfeatures.behaviors.model import Behavior

    return Behavior.of(thing)


def experiment_of(thing: object) -> Experiment | None:
    """Return the experiment that a function was decorated with, or None."""
    if getattr(thing, "experiment", None) is None:
        return None
    from pytest_pgfeatures.measure.model import Experiment

    return Experiment.of(thing)
