"""The evidence of a row of the matrix: the statements, and the versions' answers, equal ones once."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.plan import parse_plan
from pytest_pgfeatures.plan.diff import diff
from pytest_pgfeatures.report.transcripts import aligned, alike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pgfeatures.results.transcript import Entry

NOT_ASKED = "(not asked)"


class Texts:
    """The texts of a page, each once. The page's data has their numbers, because versions mostly give the
    same answers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        """Return the texts in the order of their numbers."""
        return list(self._numbers)


def steps(transcripts: Mapping[int, Sequence[Entry]], texts: Texts) -> list[dict[str, Any]]:
    """Return each statement with its distinct answers, and with the differences of neighboring plans.

    Parameters:
        transcripts: the recorded entries, by the number of the column.
        texts: collects the statements and the answers.
    """
    named = {str(column): entries for column, entries in transcripts.items()}
    found = []
    for (session, statement), entries in aligned(named):
        said = alike({column: "\n".join(entry.answer()) for column, entry in entries.items()})
        answers: dict[str, list[int]] = {}
        for column in transcripts:
            answers.setdefault(said.get(str(column), NOT_ASKED), []).append(column)
        step: dict[str, Any] = {
            "session": texts.number(session),
            "statement": texts.number(statement),
            "answers": [[columns, texts.number(text)] for text, columns in answers.items()],
        }
        plans = {
            column: entry.plan for column in transcripts if (entry := entries.get(str(column))) and entry.plan
        }
        if differences := _plan_differences(plans, texts):
            step["plans"] = differences
        found.append(step)
    return found


def _plan_differences(plans: Mapping[int, str], texts: Texts) -> list[dict[str, Any]]:
    """Return the differences between each plan and the one of the previous column, if there are any."""
    found = []
    for (old, before), (new, after) in itertools.pairwise(plans.items()):
        if before == after:
            continue
        try:
            difference = diff(parse_plan(before), parse_plan(after))
        except PgFeaturesError:
            continue  # a plan that we can't read: the texts are shown side by side
        if difference:
            found.append(
                {
                    "columns": [old, new],
                    "rows": [[texts.number(text) for text in row] for row in difference.rows],
                    "changes": [texts.number(str(change)) for change in difference.changes],
                }
            )
    return found
