"""How a program ended: psql in a lab, ``make`` of an extension, the command of ``pgfeatures run``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended, and what it printed.

    Parameters:
        argv: its command line.
        status: its exit status; negative for the signal that ended it, as in :mod:`subprocess`.
        output: what it wrote to standard output, and to standard error if both went to one place.
        errors: what it wrote to standard error, if that was kept apart.
    """

    argv: tuple[str, ...]
    status: int
    output: str = ""
    errors: str = ""

    def __str__(self) -> str:
        """``passed``, ``exit status 3`` or ``killed by signal 9``."""
        if self.status < 0:
            return f"killed by signal {-self.status}"
        return f"exit status {self.status}" if self.status else "passed"
