"""The exit status and output of programs: psql in a lab, ``make``, a command of ``pgfeatures run``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finished:
    """The exit status and output of a program.

    Parameters:
        argv: the command line.
        status: the exit status, or the negative number of the signal that ended it, as in :mod:`subprocess`.
        output: its standard output, including standard error if both were combined.
        errors: its standard error, if captured separately.
    """

    argv: tuple[str, ...]
    status: int
    output: str = ""
    errors: str = ""

    def __str__(self) -> str:
        """Return ``passed``, ``exit status 3`` or ``killed by signal 9``."""
        if self.status < 0:
            return f"killed by signal {-self.status}"
        return f"exit status {self.status}" if self.status else "passed"
