"""The results of a run as a JSON document.

Its form is documented in docs/behaviors.md; ``format`` goes up by one if that changes incompatibly.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pgfeatures.report.matrix import by_behavior
from pytest_pgfeatures.report.values import conditions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.behaviors.result import Outcome, Result, Tally

FORMAT = 1


def document(results: Sequence[Result], tally: Tally) -> dict[str, Any]:
    """What :func:`write` writes."""
    return {
        "format": FORMAT,
        "asked": tally.asked,
        "ran": tally.ran,
        "absent": tally.absent,
        **{_key(outcome): count for outcome, count in tally.outcomes.items()},
        "cells": [_cell(result) for row in by_behavior(results).values() for result in row.values()],
    }


def write(path: Path, results: Sequence[Result], tally: Tally) -> None:
    """Write the document, as a whole or not at all.

    Raises:
        OSError: it can't be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text(
        json.dumps(document(results, tally), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    partial.replace(path)


def _cell(result: Result) -> dict[str, Any]:
    cell = result.to_dict()
    del cell["transcript"]
    return cell | {"conditions": conditions(result.expected, result.observed)}


def _key(outcome: Outcome) -> str:
    return outcome.replace(" ", "_")
