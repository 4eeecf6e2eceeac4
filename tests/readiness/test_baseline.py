"""Entries of a baseline that say nothing that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.readiness.toml_files import read_baseline

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('until = "31.12.2026"', r"Invalid RFC3339 encoded date - at `\$.until`"),
        ("until = 2026", r"Expected `date \| null`, got `int` - at `\$\.until`"),
        ('reasons = "x"', "unknown field `reasons`"),
    ],
)
def test_an_entry_that_can_t_be_read_is_told_with_its_number(tmp_path: Path, line: str, said: str) -> None:
    good = '[[accepted]]\nstage = "queries"\nreason = "it is known"\nuntil = "2026-12-31"\n'
    (tmp_path / "baseline.toml").write_text(f'{good}[[accepted]]\nstage = "queries"\nreason = "so"\n{line}\n')
    with pytest.raises(PgFeaturesError, match=f"entry 2.*{said}"):
        read_baseline(str(tmp_path / "baseline.toml"))


@pytest.mark.parametrize(
    ("text", "said"), [("format = 2", "unknown format"), ("accepted = 1", "has no list")]
)
def test_what_this_release_does_not_know_is_refused_and_not_passed_over(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "baseline.toml").write_text(f"{text}\n")
    with pytest.raises(PgFeaturesError, match=rf"baseline\.toml:? {said}"):
        read_baseline(str(tmp_path / "baseline.toml"))
