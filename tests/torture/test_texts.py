"""A sample of ``make torture``'s hostile texts."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from torture import growth, literals, versions

if TYPE_CHECKING:
    from torture.model import Check

CHECKS = (*literals.CHECKS, *versions.CHECKS)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_hostile_texts_are_refused_in_a_documented_way(check: Check) -> None:
    assert check.measure(min(check.attempts, 1_000) // (20 if "growth" in check.name else 1)).failures == []


@pytest.mark.thorough
def test_time_that_grows_faster_than_the_text_is_found() -> None:
    def read(text: str) -> None:
        until = time.process_time() + 0.02 * (len(text) / growth.SHORT) ** 3
        while time.process_time() < until:
            pass

    (said,) = growth.problems(read, lambda length: " " * length, ValueError)
    assert "s for 80,000" in said


def test_another_error_is_found() -> None:
    assert growth.problems(int, lambda length: "1" * length, LookupError)[0].startswith("ValueError: ")
    assert growth.problems(int, lambda length: "1" * length, ValueError) == []
