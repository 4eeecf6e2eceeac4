"""``python -m devtools.conformance``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from devtools.conformance.__main__ import command

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(command, [*map(str, arguments)])
    return result.exit_code, result.output


@pytest.mark.processes
def test_a_short_run_compares_reports_and_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "run"
    few = ("--pg", "16", "--count", 300, "--inputs", 100, "--batch", 100, "--directory", place)
    status, shown = run(*few)
    assert status == 0, shown
    assert "100/100" not in shown  # no progress where no terminal is
    report = (place / "report.txt").read_text()
    assert "trailing junk" in report
    assert "model against server" in report
    before = (place / "16-literals.json").read_text()
    status, _ = run(*few)
    assert status == 0
    assert (place / "16-literals.json").read_text() == before, "nothing was left to do"


@pytest.mark.processes  # it may fetch an install
def test_wrong_arguments_are_errors_with_a_remedy(tmp_path: Path) -> None:
    for wrong, said in (
        (("--pg", "8.4"), "8.4"),
        (("--pg", "16", "--batch", -1), "batch of -1"),
        (("--pg", "16", "--count", 0), "--count"),
    ):
        status, shown = run(*wrong, "--directory", tmp_path)
        assert status == 2
        assert said in shown
        assert "Traceback" not in shown
    assert list(tmp_path.iterdir()) == []
