"""Recognize the functions that declare behaviors. Every start of pytest imports this module, so it imports
nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_pgfeatures.behaviors.model import Behavior


def declared_by(thing: object) -> Behavior | None:
    """The behavior that ``thing`` was decorated with, or None."""
    found = getattr(thing, "behavior", None)
    if found is None:
        return None
    from pytest_pgfeatures.behaviors.model import Behavior

    return found if isinstance(found, Behavior) else None
