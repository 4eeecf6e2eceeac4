"""Entries of the release notes that no behavior observes, each with its reason."""

from typing import NamedTuple

C_CODE = "is about C code that uses the server's headers or hooks"
OTHER_SYSTEM = "is about another operating system"
NOT_TO_BE_HAD = "needs a component that can't be had"


class Reason(NamedTuple):
    """Why an entry has no behavior."""

    reason: str
    """One of the constants of this module."""
    tried: str
    """What it would take, and what was tried."""


WITHOUT_BEHAVIOR: dict[str, Reason] = {}
