"""The majors of PostgreSQL by name: what a plan's spelling depends on.

Readers and writers compare majors for each node; names are faster to compare and to keep than
:class:`~pytest_pgfeatures.version.PgMajor`, which is what the public functions take.
"""

from __future__ import annotations

import functools

from pytest_pgfeatures.version import MAJORS

NAMES = tuple(str(known) for known in MAJORS)
"""``9.3`` to the newest that this release knows."""
NEWEST = NAMES[-1]


@functools.lru_cache(maxsize=64)
def order(major: str) -> tuple[int, ...]:
    """A key that sorts majors from the oldest to the newest."""
    return tuple(map(int, major.split(".")))


@functools.lru_cache(maxsize=1024)
def before(major: str, other: str) -> bool:
    """Whether ``major`` is older than ``other``."""
    return order(major) < order(other)
