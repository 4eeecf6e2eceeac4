"""Errors cross processes, and say what to do."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from pytest_pgfeatures import errors
from pytest_pgfeatures.literals import DivergenceError


def kinds() -> list[type[errors.PgFeaturesError]]:
    named = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    found = [kind for kind in named if issubclass(kind, Exception) and not issubclass(kind, Warning)]
    assert len(found) > 10
    return [*found, DivergenceError]


GIVEN = {
    "problem": "the problem",
    "what": "the strategies",
    "library": "Hypothesis",
    "extra": "hypothesis",
    "remedy": "the remedy",
    "details": ("one", "two"),
    "capability": "icu",
    "file": "schema.sql",
    "line": 3,
    "column": 2,
    "selector": "a >> b",
    "sqlstate": "42601",
    "position": 4,
    "divergence": ("any", "value", "that", "pickles"),
}
"""Of what any of them takes."""


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_an_error_is_the_same_after_pickling(kind: type[errors.PgFeaturesError]) -> None:
    error = kind(**{name: GIVEN[name] for name in inspect.signature(kind).parameters})
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.args == error.args


def test_the_text_has_problem_evidence_and_remedy() -> None:
    error = errors.PgFeaturesError("no server", remedy="start one", details=("looked here",))
    assert str(error) == "no server\n    looked here\nwhat to do: start one"


def test_errors_import_nothing_of_the_project() -> None:
    assert not re.search(r"^\s*(?:from|import) pytest_pgfeatures", inspect.getsource(errors), re.MULTILINE)
