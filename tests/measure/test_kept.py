"""A run is taken up where it stopped: rounds are kept as they come."""

from __future__ import annotations

import json

import pytest

from pytest_pgfeatures import Figure, experiment
from pytest_pgfeatures.errors import ExperimentError, ServerError
from pytest_pgfeatures.install import Resolver, parse_requests
from pytest_pgfeatures.measure.kept import FORMAT, Kept, work_of
from pytest_pgfeatures.measure.outcome import ClaimVerdict
from pytest_pgfeatures.measure.run import Measuring
from pytest_pgfeatures.server import Clusters


@pytest.fixture(scope="module")
def clusters():
    resolver = Resolver()
    with Clusters(resolver.store, resolver=resolver) as made:
        yield made


@pytest.fixture
def run(clusters, tmp_path):
    def measured(work, rounds, pg="18", figures=(), **parameters):
        declared = experiment(
            "ours/one", title="a claim", methods=("a", "b"), parameters=parameters, figures=figures
        )
        measuring = Measuring(
            clusters,
            cells=clusters.resolver.cells(parse_requests(pg)),
            rounds=rounds,
            kept=Kept(tmp_path / "kept"),
        )
        return measuring.one(declared(work).experiment)

    return measured


def counted(made):
    def work(bench, rows):
        made.append((bench.side, rows))
        bench.fact("rows", rows)
        while True:
            yield len(made) / 10 if bench.side == "a" else len(made) / 20

    return work


def test_rounds_are_added_to_those_that_are_kept(run, tmp_path):
    made = []
    first = run(counted(made), 2, rows=[1, 2])
    assert len(made) == 2 * 2 * 2
    whole = run(counted(made), 5, figures=Figure(claims="less"), rows=[1, 2])
    assert len(made) == 5 * 2 * 2
    for before, now in zip(first.points, whole.points, strict=False):
        assert now.values["b"]["time"][:2] == before.values["b"]["time"]
        assert len(now.values["b"]["time"]) == 5
    assert whole.points[0].facts == {"rows": "1"}
    assert whole.seconds > first.seconds
    assert [ratio.verdict for _, ratio in whole.comparisons()][-1] is ClaimVerdict.DIRECTION
    assert run(counted(made), 5, rows=[1, 2]).points[0].values == whole.points[0].values
    assert len(made) == 5 * 2 * 2  # the figure is another one, and nothing ran
    assert [file.name for file in (tmp_path / "kept").iterdir()] == ["ours-one.quick.json"]


def test_a_round_that_fails_is_measured_again(run):
    made = []

    def work(bench, rows):
        made.append(rows)
        if len(made) == 7:  # of the second round's second point
            raise ServerError("the server ended", remedy="")
        while True:
            yield float(len(made))

    failed = run(work, 5, rows=[1, 2])
    assert failed.failed
    assert "rows 2: the server ended" in failed.trouble
    assert [len(point.values["a"]["time"]) for point in failed.points] == [2, 1]
    whole = run(work, 5, rows=[1, 2])
    assert not whole.failed
    assert [len(point.values["a"]["time"]) for point in whole.points] == [5, 5]
    assert len(made) == 7 + 4 * 4


@pytest.mark.parametrize(
    "change",
    [
        "work",
        "format",
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("parameters", "install", "damage")),
    ],
)
def test_rounds_of_something_else_are_not_taken(run, tmp_path, change):
    made = []

    def other(bench, rows):
        made.append(rows)
        while True:
            yield float(rows + len(made))

    run(counted(made), 2, rows=10)
    (file,) = (tmp_path / "kept").iterdir()
    if change == "damage":
        file.write_text(file.read_text()[:-40])
    if change == "format":
        file.write_text(json.dumps(json.loads(file.read_text()) | {"format": "pytest-pgfeatures rounds 0"}))
    made.clear()
    found = run(
        other if change == "work" else counted(made),
        2,
        pg="17" if change == "install" else "18",
        rows=11 if change == "parameters" else 10,
    )
    assert len(made) == 4
    assert len(found.points[0].values["a"]["time"]) == 2
    kept = json.loads(file.read_text())
    assert kept["measured"]["installs"] == dict(found.installs)
    assert kept["format"] == FORMAT


def test_what_a_declaration_says_is_no_part_of_the_work():
    @experiment("ours/one", title="a claim", methods=("a", "b"))
    def first(bench):
        yield 1.0

    @experiment(
        "ours/one", title="another", methods=("a", "b"), figures=Figure("half", ratio=0.5), note="why"
    )
    def second(bench):
        yield 1.0  # a comment

    @experiment("ours/one", title="a claim", methods=("a", "b"))
    def third(bench):
        yield 2.0

    works = [work_of(each.experiment, "quick") for each in (first, second, third)]
    assert works[0] == works[1] != works[2]


def test_a_directory_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExperimentError, match="can't keep rounds in"):
        Kept(tmp_path / "file" / "kept")
