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


WITHOUT_BEHAVIOR: dict[str, Reason] = {
    "10.22": Reason(
        NOT_TO_BE_HAD,
        "It would take a server older than 8.0, and pg_dump of 9.6. No source has either: servers can be had from"
        " 9.3 on, and pg_dump from 13 on.",
    ),
}
"""By key."""
