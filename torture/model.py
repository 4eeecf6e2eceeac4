"""Checks of the torture suite and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def nothing_missing() -> str:
    """The ``missing`` of checks that can run on any machine."""
    return ""


@dataclass(frozen=True, slots=True)
class Check:
    """A check that is attempted many times.

    Parameters:
        name: the subject of the attempts.
        attempts: the default number of attempts.
        run: makes the given number of attempts; returns a line for each that failed.
        unit: the number of attempts that belong together; more are divided among lanes.
        missing: returns why the check can't run on this machine; empty if it can.
    """

    name: str
    attempts: int
    run: Callable[[int], list[str]]
    unit: int = 1
    missing: Callable[[], str] = nothing_missing

    def measure(self, attempts: int | None = None) -> Result:
        """Make this many attempts, by default :attr:`attempts`."""
        count = self.attempts if attempts is None else attempts
        return Result(self.name, count, self.run(count))


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a check.

    Parameters:
        name: the check's name.
        attempts: the number of attempts.
        failures: a line for each failed attempt.
    """

    name: str
    attempts: int
    failures: list[str]


def each(attempt: Callable[[], list[str]]) -> Callable[[int], list[str]]:
    """Return a function that makes attempts one after the other.

    Parameters:
        attempt: makes one attempt; returns a line for each problem.
    """

    def run(count: int) -> list[str]:
        return ["; ".join(found) for found in (attempt() for _ in range(count)) if found]

    return run
