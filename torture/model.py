"""What all tables of the torture suite are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is tried again and again.

    Parameters:
        name: what is tried.
        attempts: how many times by default.
        run: one attempt; returns a line for each problem, none if all went well.
    """

    name: str
    attempts: int
    run: Callable[[], list[str]]

    def measure(self, attempts: int | None = None) -> Result:
        """Try it so many times, by default ``attempts``."""
        count = self.attempts if attempts is None else attempts
        problems = [self.run() for _ in range(count)]
        return Result(self.name, count, ["; ".join(found) for found in problems if found])


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
