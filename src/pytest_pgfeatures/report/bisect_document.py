"""The JSON document of ``pgfeatures bisect``.

The classes are the format: ``make schemas`` writes the JSON Schema from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pgfeatures.behaviors.bisect import What
from pytest_pgfeatures.results.transcript import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pgfeatures.behaviors.bisect import Bisection


@dataclass(frozen=True, slots=True)
class StatementObject:
    """A statement of the input."""

    file: str
    line: int
    statement: str


@dataclass(frozen=True, slots=True)
class TurnObject:
    """Two neighboring versions that answer differently.

    Parameters:
        statement: its index in ``statements``, counted from 0.
        what: the difference of the later answer.
        before: the last version with the earlier answer.
        since: the first version with the later answer.
    """

    statement: int
    what: What
    before: str
    since: str


@dataclass(frozen=True, slots=True)
class BisectDocument:
    """The versions where answers change.

    Parameters:
        volatile: indexes of the statements that a second server of a version answers differently.
        answers: the statements and their answers, by version.
    """

    statements: tuple[StatementObject, ...]
    turns: tuple[TurnObject, ...]
    volatile: tuple[int, ...]
    answers: Mapping[str, tuple[Entry, ...]]

    @classmethod
    def of(cls, statements: Sequence[StatementObject], found: Bisection) -> BisectDocument:
        """Describe the changes, and the answers of each version."""
        turns = (
            TurnObject(turn.number, turn.what, str(turn.before.version), str(turn.since.version))
            for turn in found.turns
        )
        answers = {str(each.install.version): each.transcript for each in found.asked}
        return cls(tuple(statements), tuple(turns), found.volatile, answers)
