"""Numeric literals as each PostgreSQL major reads them: models, Hypothesis strategies, and evaluation on servers.

>>> from pytest_pgfeatures.literals import read_numeric
>>> read_numeric("1_000", 14)
Reading(type='integer', value=1, label='_000', sqlstate=None, message=None)

Each name is imported on first use. The models need only Python, :func:`evaluate` needs psycopg, and the strategies
and the comparisons need Hypothesis: ``pip install 'pytest-pgfeatures[hypothesis]'``.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import ExtraMissingError

if TYPE_CHECKING:
    from pytest_pgfeatures.literals.compare import diverges, same_on
    from pytest_pgfeatures.literals.divergence import Answer, Divergence, DivergenceError
    from pytest_pgfeatures.literals.evaluation import (
        Evaluation,
        evaluate,
        evaluate_expressions,
        evaluate_input,
        in_batches,
    )
    from pytest_pgfeatures.literals.inputs import read_input
    from pytest_pgfeatures.literals.oracle import Reading, read_numeric
    from pytest_pgfeatures.literals.strategies import (
        input_strings,
        integer_literals,
        literals_that_differ,
        malformed_numeric_literals,
        numeric_literals,
        overflowing_numeric_literals,
    )

__all__ = [
    "Answer",
    "Divergence",
    "DivergenceError",
    "Evaluation",
    "Reading",
    "diverges",
    "evaluate",
    "evaluate_expressions",
    "evaluate_input",
    "in_batches",
    "input_strings",
    "integer_literals",
    "literals_that_differ",
    "malformed_numeric_literals",
    "numeric_literals",
    "overflowing_numeric_literals",
    "read_input",
    "read_numeric",
    "same_on",
]

_MODULES = {
    "compare": ("diverges", "same_on"),
    "divergence": ("Answer", "Divergence", "DivergenceError"),
    "evaluation": ("Evaluation", "evaluate", "evaluate_expressions", "evaluate_input", "in_batches"),
    "inputs": ("read_input",),
    "oracle": ("Reading", "read_numeric"),
    "strategies": (
        "input_strings",
        "integer_literals",
        "literals_that_differ",
        "malformed_numeric_literals",
        "numeric_literals",
        "overflowing_numeric_literals",
    ),
}


_NEED_HYPOTHESIS = ("compare", "strategies")


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            if module in _NEED_HYPOTHESIS and importlib.util.find_spec("hypothesis") is None:
                raise ExtraMissingError(f"{__name__}.{name}", "Hypothesis", "hypothesis")
            return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
