"""The versions on which to run a behavior so that it runs on both sides of each of its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pgfeatures.version import PgMajor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pgfeatures.behaviors.model import Behavior

VERSIONS = ("9.3", "9.5", "9.6", *map(str, range(10, 19)))
"""The majors with a server in a package registry."""


def around_changes(behavior: Behavior) -> Iterator[str]:
    """Yield the oldest and the newest available version of each row of the behavior's table."""
    majors = {version: PgMajor(version) for version in VERSIONS}
    for row in behavior.expected:
        inside = [version for version, major in majors.items() if behavior.row(major) is row]
        yield from dict.fromkeys([*inside[:1], *inside[-1:]])
