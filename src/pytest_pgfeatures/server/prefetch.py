"""The number of databases that are created ahead of time, by version."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_pgfeatures.version import VersionSet


@dataclass(frozen=True, slots=True)
class Prefetch:
    """The creation of databases ahead of time on some majors.

    Parameters:
        ahead: the number of databases that are ready, or being created, before a test asks for one.
        most: that number in the end if tests have to wait for their databases: each wait adds one.
        at_once: the number created at the same time.
        connected: whether tests' connections to them are opened ahead, too.
    """

    versions: VersionSet
    ahead: int
    most: int
    at_once: int
    connected: bool


PREFETCHES: tuple[Prefetch, ...] = (
    # CREATE DATABASE waits for two checkpoints, and up to 12 sleeps a tenth of a second between looks at each.
    Prefetch(VersionSet("<13"), ahead=8, most=8, at_once=4, connected=False),
    Prefetch(VersionSet(">=13"), ahead=1, most=4, at_once=2, connected=True),
)
