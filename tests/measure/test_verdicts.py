"""Verdicts, on both sides of each border; claims of several rows; and what the report says of them."""

from __future__ import annotations

import pytest

from pytest_pgfeatures import Figure, Scaled, experiment
from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.measure.compare import CONTROL, compared, controlled, mean_of_turns
from pytest_pgfeatures.measure.interval import Interval
from pytest_pgfeatures.measure.outcome import ClaimVerdict, Measured, PointMeasured, Ratio, verdict_of
from pytest_pgfeatures.report.measure import control_text, figure_text, scaled_text, verdict_text

DOCUMENTED, DIRECTION = ClaimVerdict.AS_DOCUMENTED, ClaimVerdict.DIRECTION
UNDECIDED, OPPOSITE, NOT_JUDGED = ClaimVerdict.UNDECIDED, ClaimVerdict.OPPOSITE, ClaimVerdict.NOT_JUDGED
SAME = Figure("about as fast", claims="no difference", margin=0.1)


def interval(low, high):
    return Interval((low * high) ** 0.5, low, high, 5)


@pytest.mark.parametrize(
    ("low", "high", "figure", "verdict"),
    [
        (1.30, 1.39, Figure(ratio=1.4), DIRECTION),  # the document's 1.40 stands for 1.395 to 1.405
        (1.30, 1.396, Figure(ratio=1.4), DOCUMENTED),
        (1.404, 1.5, Figure(ratio=1.4), DOCUMENTED),
        (1.406, 1.5, Figure(ratio=1.4), DIRECTION),
        (1.04, 1.08, Figure(ratio=1.4), DIRECTION),
        (1.22, 1.32, Figure(ratio=1.045), DIRECTION),
        (0.99, 1.50, Figure(ratio=1.4), UNDECIDED),  # it has the figure, and 1 as well
        (1.00, 1.50, Figure(ratio=1.4), UNDECIDED),
        (1.001, 1.50, Figure(ratio=1.4), DOCUMENTED),
        (0.80, 0.999, Figure(ratio=1.4), OPPOSITE),
        (0.80, 1.0, Figure(ratio=1.4), UNDECIDED),
        (2.60, 2.70, Figure(ratio=(2.5, 3.33)), DOCUMENTED),
        (2.40, 2.49, Figure(ratio=(2.5, 3.33)), DIRECTION),
        (3.34, 3.50, Figure(ratio=(2.5, 3.33)), DIRECTION),
        (0.20, 0.25, Figure(values=(4.0, 1.0)), DOCUMENTED),
        (0.26, 0.30, Figure(values=(4.0, 1.0)), DIRECTION),
        (0.50, 0.90, Figure(claims="less"), DIRECTION),  # there is no size that it could have
        (1.10, 1.90, Figure(claims="less"), OPPOSITE),
        (0.90, 1.10, Figure(claims="less"), UNDECIDED),
        (0.91, 1.10, SAME, DOCUMENTED),
        (0.90, 1.05, SAME, UNDECIDED),  # 1 / 1.1 is 0.909
        (0.95, 1.11, SAME, UNDECIDED),
        (1.02, 1.09, SAME, DOCUMENTED),  # decided, and small enough
        (1.101, 1.2, SAME, OPPOSITE),
        (0.60, 0.70, SAME, OPPOSITE),
        (0.60, 1.70, SAME, UNDECIDED),
        (0.50, 0.90, None, NOT_JUDGED),
    ],
)
def test_a_verdict_says_what_the_interval_proves(low, high, figure, verdict):
    assert verdict_of(interval(low, high), figure) is verdict


@pytest.mark.parametrize("figure", [Figure(ratio=1.4), SAME, Figure(claims="more")])
def test_without_an_interval_nothing_is_decided(figure):
    assert verdict_of(Interval(1.4, None, None, 4), figure) is UNDECIDED


@pytest.mark.parametrize(
    ("low", "high", "figure", "verdict"),
    [
        (1.3, 1.5, Figure(ratio=1.4), DIRECTION),
        (0.95, 1.05, SAME, DIRECTION),
        (0.5, 0.7, Figure(ratio=1.4), OPPOSITE),
        (0.9, 1.5, Figure(ratio=1.4), UNDECIDED),
    ],
)
def test_builds_that_differ_leave_the_direction_at_most(low, high, figure, verdict):
    assert verdict_of(interval(low, high), figure, alike=False) is verdict


def ratio_of(low, high, figure, *, alike=True):
    found = interval(low, high)
    return Ratio("time", "s", "b", 1.0, 1.0, found, figure, verdict_of(found, figure, alike=alike), alike)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (ratio_of(1.05, 1.07, Figure(ratio=1.4)), "smaller effect: the ratio is 24% below"),
        (ratio_of(1.25, 1.29, Figure(ratio=1.045)), "larger effect: the ratio is 21% above"),
        (ratio_of(0.19, 0.21, Figure(ratio=0.4)), "larger effect: the ratio is 49% below"),
        (ratio_of(0.59, 0.61, Figure(ratio=0.4)), "smaller effect: the ratio is 48% above"),
        (ratio_of(0.59, 0.61, Figure(claims="less")), "no size documented"),
        (ratio_of(1.05, 1.07, Figure(ratio=1.4), alike=False), "24% below; builds differ"),
        (ratio_of(1.39, 1.41, Figure(ratio=1.4), alike=False), "direction as documented; builds differ"),
        (ratio_of(0.5, 0.6, Figure(ratio=1.4), alike=False), "opposite; builds differ"),
        (ratio_of(0.9, 1.2, SAME), "undecided here (about"),
    ],
)
def test_the_verdict_says_how_much_and_which_way(ratio, text):
    assert text in verdict_text(ratio)


def test_a_margin_stands_beside_what_is_no_difference():
    assert figure_text(SAME) == "no difference: 0.91 to 1.10"
    assert figure_text(Figure(ratio=(2.5, 3.33))) == "2.50 to 3.33"


def work(bench, **_):
    yield 1.0


def declared(figures, **parameters):
    names = ", ".join(parameters)
    function = eval(f"lambda bench{', ' if names else ''}{names}: (yield 1.0)")
    return experiment(
        "ours/one", title="a claim", methods=("a", "b"), parameters=parameters, figures=figures
    )(function).experiment  # fmt: skip


def values_of(*ratios):
    return {"a": {"time": [1.0] * len(ratios)}, "b": {"time": list(ratios)}}


def test_what_is_claimed_of_several_rows_is_judged_once_of_their_mean():
    found = declared(Figure("half", ratio=0.5), rows=[1, 2, 3])
    values = [values_of(*(factor * each for each in (0.49, 0.5, 0.5, 0.5, 0.51))) for factor in (0.5, 1, 2)]
    points, together = compared(found, list(zip(found.points("quick"), values, strict=True)), alike=True)
    assert [ratio.verdict for (ratio,) in points] == [NOT_JUDGED] * 3
    assert [ratio.figure.reported for (ratio,) in points] == [0.5] * 3
    (row,) = together
    assert row.labels == {"rows": "all 3"}
    assert row.comparisons[0].verdict is DOCUMENTED
    assert row.comparisons[0].interval.ratio == pytest.approx(0.5, abs=0.01)


def test_the_figures_of_a_table_are_judged_as_one():
    figures = [
        Figure(str(ratio), ratio=ratio, at={"rows": rows}, table="all")
        for rows, ratio in (("1", 0.4), ("2", 0.9))
    ]
    found = declared(figures, rows=[1, 2])
    values = [values_of(0.39, 0.4, 0.4, 0.4, 0.41), values_of(0.89, 0.9, 0.9, 0.9, 0.91)]
    _, (row,) = compared(found, list(zip(found.points("quick"), values, strict=True)), alike=True)
    assert row.comparisons[0].figure.reported == pytest.approx(0.6, abs=0.005)
    assert row.comparisons[0].verdict is DOCUMENTED


def test_the_claims_of_one_experiment_are_corrected_for_their_number():
    rounds = (0.80, 0.99, 0.90, 0.95, 0.85)  # decided alone, and not as one of five
    alone = declared(Figure(claims="less", at={"rows": "1"}), rows=[1, 2, 3, 4, 5])
    every = declared(
        [Figure(claims="less", at={"rows": str(row)}) for row in range(1, 6)], rows=[1, 2, 3, 4, 5]
    )
    same = (1.1, 0.9, 1.0, 1.05, 0.95)
    verdicts = []
    for found in (alone, every):
        values = [values_of(*rounds), *[values_of(*same)] * 4]
        points, _ = compared(found, list(zip(found.points("quick"), values, strict=True)), alike=True)
        verdicts.append(points[0][0].verdict)
    assert verdicts == [DIRECTION, UNDECIDED]


def test_the_control_counts_what_is_decided_and_leaves_out_what_is_the_same():
    found = declared(())
    values = values_of(1.0, 1.0, 1.0, 1.0, 1.0)
    unequal = controlled(found, {**values, CONTROL: {"time": [1.2, 1.21, 1.22, 1.2, 1.21]}})
    equal = controlled(found, {**values, CONTROL: {"time": [0.9, 1.1, 1.0, 1.05, 0.95]}})
    exact = controlled(found, {**values, CONTROL: {"time": [1.0] * 5}})
    points = tuple(PointMeasured({}, control=each) for each in (unequal, equal, exact))
    measured = Measured("ours/one", "a claim", "", "", {}, {}, "quick", points)
    assert measured.control() == (1, 2)
    assert control_text([measured]).startswith("A/A control: of 2 ratios")
    assert "1 (50%) was decided" in control_text([measured])
    assert control_text([]) == ""


def test_labels_and_lists_say_what_ran_where_the_document_had_more():
    found = declared(
        Figure("half", ratio=0.5, at={"table": "128MB"}),
        table={"128MB": Scaled(quick=5_000, document=1_000_000)},
        rows=Scaled(quick=10, document=1000),
    )
    (quick,), (document,) = found.points("quick"), found.points("document")
    assert (str(quick), str(document)) == ("table 5,000 for 128MB", "table 128MB")
    assert found.figure("time", "b", quick.names) is not None
    assert found.scaled("quick") == {"rows": ("10", "1,000")}
    assert found.scaled("document") == {}
    measured = Measured("ours/one", "", "", "", {}, {}, "quick", scaled=found.scaled("quick"))
    assert scaled_text(measured) == "rows 10, the document's 1,000"


def test_a_reason_that_was_tried_out_is_told_where_the_size_differs():
    figure = Figure(ratio=1.4, tried="Without the way to the server it was 1.38.")
    differing = PointMeasured({}, comparisons=(ratio_of(1.05, 1.07, figure),))
    documented = PointMeasured({}, comparisons=(ratio_of(1.3, 1.5, figure),))
    of = {
        point: Measured("ours/one", "", "", "", {}, {}, "quick", (each,)).reasons()
        for point, each in (("differing", differing), ("documented", documented))
    }
    assert of == {"differing": ["Without the way to the server it was 1.38."], "documented": []}


def test_turns_of_one_value_have_it_exactly():
    assert mean_of_turns([40.0, 40.0]) == 40.0
    assert mean_of_turns([2.0, 8.0]) == pytest.approx(4.0)


def test_each_experiment_of_the_documents_that_gives_a_reason_gives_it_for_a_claim():
    figures = [figure for each in documents_experiments().values() for figure in each.figures if figure.tried]
    assert len(figures) > 10
    assert all(figure.reported is not None or figure.claims for figure in figures)
    assert all(figure.tried.endswith(".") for figure in figures)
