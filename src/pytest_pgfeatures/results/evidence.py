"""The evidence for an outcome: what was expected and observed, statements and answers, logs, a place in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.results.program import Finished
from pytest_pgfeatures.results.transcript import Entry

if TYPE_CHECKING:
    Plain = str | int | bool | list["Plain"] | dict[str, "Plain"] | None
else:
    Plain = Any  # msgspec reads annotations, but none that contains itself
"""The type of an observation, which is compared, printed, and written as JSON."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a user's file.

    Parameters:
        file: the path as given by the user, or relative to the sources.
        line: the line number, counted from 1.
    """

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for one outcome. Each part may be empty.

    Parameters:
        expected, observed: values of a behavior. An observed None has no meaning if the behavior did not run.
        transcript: the statements of a lab, and the server's answers.
        details: lines, such as compiler output or differences.
        sections: titles and texts, such as the server's log during a failed test.
        program: how the program ended, if one was run.
        location: the place of the problem in a user's file.
    """

    expected: Plain = None
    observed: Plain = None
    transcript: tuple[Entry, ...] = ()
    details: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    program: Finished | None = None
    location: Location | None = None


NOTHING = Evidence()
"""No evidence."""
