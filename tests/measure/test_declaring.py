"""Declaring experiments; the documents' own."""

from __future__ import annotations

import pytest

from pytest_pgfeatures import Figure, Scaled, experiment
from pytest_pgfeatures.errors import ExperimentError
from pytest_pgfeatures.experiments.registry import by_id, documents_experiments, selected
from pytest_pgfeatures.experiments.v14_data import KINDS, entropy, files_of

EXPERIMENTS = documents_experiments()


def declared(work=None, **options):
    def one(bench):
        yield 1.0

    given = {"title": "a claim", "methods": ("old", "new"), **options}
    return experiment("ours/one", **given)(work or one).experiment


def with_rows(bench, rows):
    yield 1.0


def no_generator(bench):
    return 1.0


@pytest.mark.parametrize(
    ("work", "options", "problem"),
    [
        (None, {"methods": ("one",)}, "two sides"),
        (None, {"methods": ("one", "one")}, "all different"),
        (None, {"versions": ("<16", ">=16")}, "versions and methods"),
        (None, {"methods": (), "versions": ("<16", "sixteen")}, "sixteen"),
        (with_rows, {}, "differ in rows"),
        (None, {"parameters": {"rows": 1}}, "differ in rows"),
        (no_generator, {}, "does not yield"),
        (None, {"figures": Figure("half", ratio=0.5, side="other")}, "a side that it has not"),
        (None, {"figures": Figure("half", ratio=0.5, quantity="size")}, "a quantity that it has not"),
        (None, {"figures": Figure("half")}, "neither a ratio"),
        (None, {"figures": Figure("half", claims="fewer")}, "claims something else"),
    ],
)
def test_a_wrong_declaration_is_refused(work, options, problem):
    with pytest.raises(ExperimentError, match=problem):
        declared(work, **options)


def test_the_grid_has_each_combination_with_labels_of_what_varies():
    parameters = {
        "rows": Scaled(quick=10, document=1000),
        "index": {"with": True, "without": False},
        "clients": [1, 2],
    }

    def work(bench, rows, index, clients):
        yield 1.0

    found = declared(work, parameters=parameters)
    points = found.points("quick")
    assert [str(point) for point in points] == [
        "index with, clients 1",
        "index with, clients 2",
        "index without, clients 1",
        "index without, clients 2",
    ]
    assert points[0].values == {"rows": 10, "index": True, "clients": 1}
    assert found.points("document")[3].values == {"rows": 1000, "index": False, "clients": 2}


def test_the_figure_that_names_most_parameters_counts():
    found = declared(
        with_rows,
        parameters={"rows": [1, 2]},
        figures=(Figure("mostly", ratio=0.5), Figure("here", values=(2.0, 3.0), at={"rows": "2"})),
    )
    assert found.figure("time", "new", {"rows": "1"}).reported == 0.5
    figure = found.figure("time", "new", {"rows": "2"})
    assert (figure.reported, figure.claim) == (1.5, "more")


def test_two_experiments_of_one_id_are_refused():
    with pytest.raises(ExperimentError, match="two experiments have the id ours/one"):
        by_id([declared(), declared()])


def test_a_keyword_that_fits_nothing_suggests_ids():
    with pytest.raises(ExperimentError, match="did you mean"):
        selected(EXPERIMENTS.values(), "16/freze-wal")
    assert [each.id for each in selected(EXPERIMENTS.values(), "freeze wal")] == ["16/freeze-wal"]


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_each_figure_of_a_document_belongs_to_a_point_of_the_grid(id):
    found = EXPERIMENTS[id]
    points = found.points("document")
    assert [point.names for point in points] == [point.names for point in found.points("quick")]
    shown = {
        figure.text
        for point in points
        for side in found.sides[1:]
        for quantity in found.quantities
        if (figure := found.figure(quantity, side.name, point.names)) is not None
    }
    assert shown == {figure.text for figure in found.figures}
    assert found.room is None or all(found.room(**point.values) > 0 for point in points)


def test_both_tables_of_the_vacuum_article_are_there():
    found = EXPERIMENTS["17/vacuum-time"]
    points = found.points("document")
    assert len(points) == 36
    reported = [found.figure("time", ">=17", point.names) for point in points]
    assert reported[27].reported == pytest.approx(0.5622, abs=0.0001)  # No. 28
    assert "ratio 0.47" in reported[27].text  # that of the minima


def test_the_data_is_the_same_each_time_and_of_different_entropy():
    told = {kind: entropy(files_of(kind, 20_000)) for kind in KINDS}
    assert files_of("src", 20_000) == files_of("src", 20_000)
    bits = {kind: float(text.partition(" ")[0]) for kind, text in told.items()}
    assert bits["English text"] < bits["src"] < bits["exe"] < 8
