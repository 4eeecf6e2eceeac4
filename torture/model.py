"""What the table of the torture suite is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def nothing_missing() -> str:
    """For checks that any machine can make."""
    return ""


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is tried again and again.

    Parameters:
        name: what is tried.
        attempts: how many times by default.
        run: makes so many attempts; returns a line for each that failed.
        unit: how many attempts belong together; more are divided among lanes.
        missing: why this machine can't try it; empty if it can.
    """

    name: str
    attempts: int
    run: Callable[[int], list[str]]
    unit: int = 1
    missing: Callable[[], str] = nothing_missing

    def measure(self, attempts: int | None = None) -> Result:
        """Try it so many times, by default ``attempts``."""
        count = self.attempts if attempts is None else attempts
        return Result(self.name, count, self.run(count))


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it.

    Parameters:
        name: the check's.
        attempts: how many there were.
        failures: a line for each attempt that left a problem.
    """

    name: str
    attempts: int
    failures: list[str]


def each(attempt: Callable[[], list[str]]) -> Callable[[int], list[str]]:
    """Attempts one after the other.

    Parameters:
        attempt: one; returns a line for each problem, none if all went well.
    """

    def run(count: int) -> list[str]:
        return ["; ".join(found) for found in (attempt() for _ in range(count)) if found]

    return run
