"""The page of measurements has every experiment, and says why the rest is not measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from devtools.measurements import NOT_RUNNABLE, main, page

from pytest_pgfeatures import Figure
from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.measure.interval import Ratios
from pytest_pgfeatures.measure.outcome import Measured, PointMeasured, Ratio, verdict_of
from pytest_pgfeatures.report.measure import measurements_object

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "measurements.md").read_text(encoding="utf-8")


MACHINE = measurements_object([])["machine"]


def measured(base, side, scale="quick"):
    figure = Figure("half | the *time*", ratio=0.5)
    interval = Ratios(base, side).interval()
    ratio = Ratio("time", "s", ">=16", base[0], side[0], interval, figure, verdict_of(interval, figure))
    return Measured(
        id="ours/one",
        title="A title",
        source="Notes, 1.2",
        note="Ours is another machine.",
        sides={"<16": "15", ">=16": "16"},
        installs={"<16": "15.19 (pypi)", ">=16": "16.15 (pypi)"},
        scale=scale,
        scaled={"rows": ("10", "1,000")},
        points=(PointMeasured({"rows": "10"}, comparisons=(ratio,), facts={"entropy": "4 bits"}),),
    )


def test_an_experiment_has_its_figure_its_ratio_and_why_they_differ():
    text = page(MACHINE, [measured([1.0, 1.0, 1.0], [1.4, 1.4, 1.4])])
    assert "| 10 | time | 1 s | 16: 1.4 s | 1.40 | 0.50 | opposite |" in text
    assert "The document: half \\| the \\*time\\*." in text
    assert "Ours is another machine. 1 of 1 claims go the other way here." in text
    assert "Smaller than the document's: rows 10, the document's 1,000." in text
    assert "rows 10: entropy: 4 bits" in text


@pytest.mark.parametrize(
    ("smaller", "effect"),
    [
        ([0.81, 0.79, 0.8, 0.82, 0.78], "the sizes matter."),
        ([0.7, 0.75, 0.71, 0.8, 0.6], "no effect of the sizes was seen."),
    ],
)
def test_a_size_that_differs_has_its_reason_where_smaller_sizes_were_measured(smaller, effect):
    ones = [1.0] * 5
    large = measured(ones, [0.7, 0.71, 0.69, 0.7, 0.72], "document")
    alone = page(MACHINE, [large])
    assert "direction as documented; smaller effect" in alone
    assert "The cause of the different size was not investigated." in alone
    text = page(MACHINE, [large], [measured(ones, smaller)])
    assert "Tried out: With the smaller sizes of scale quick, the ratio of 16 was 0." in text
    assert effect in text
    assert "not investigated" not in text


def test_json_of_another_format_is_refused(tmp_path):
    (tmp_path / "other.json").write_text('{"format": "something else"}')
    with pytest.raises(SystemExit, match="is not of the format"):
        main([str(tmp_path / "other.json")])


def test_the_page_has_every_experiment_with_its_plot():
    assert re.findall(r"^### `([^`]+)`", PAGE, re.MULTILINE) == list(documents_experiments())
    plots = re.findall(r"\]\((measurements/[^)]+\.svg)\)", PAGE)
    assert len(plots) == len(documents_experiments())
    assert all((DOCS / plot).stat().st_size < 200_000 for plot in plots)
    assert sorted(path.name for path in (DOCS / "measurements").iterdir()) == sorted(
        plot.rpartition("/")[2] for plot in plots
    )


def test_what_is_not_measured_has_a_reason():
    assert all(what in PAGE for what, _ in NOT_RUNNABLE)
