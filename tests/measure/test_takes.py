"""The time, disk and memory of experiments at the document's scale."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from pytest_pgfeatures import Scaled, experiment
from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.experiments.registry import documents_experiments
from pytest_pgfeatures.measure.kept import Kept
from pytest_pgfeatures.measure.outcome import Measured, PointMeasured
from pytest_pgfeatures.measure.takes import Takes, takes
from pytest_pgfeatures.report.measure import takes_texts


def declared(**options):
    def work(bench, table, clients, flag):
        yield 1.0

    parameters = {
        "table": {"1GB": Scaled(quick=100, document=10_000), "2GB": Scaled(quick=200, document=40_000)},
        "clients": Scaled(quick=2, document=4),
        "flag": Scaled(quick=True, document=False),
    }
    given = {"title": "a claim", "versions": ("<16", ">=16"), "parameters": parameters, **options}
    return experiment("ours/one", **given)(work).experiment


def measured(scale, rounds, seconds):
    point = PointMeasured({}, values={"<16": {"time": (1.0,) * rounds}})
    return Measured("ours/one", "", "", "", {}, {}, scale, (point,), seconds)


def test_time_grows_as_the_parameters_do_and_with_the_rounds():
    found = declared()  # the tables are 100 and 200 times as large, and there are twice as many clients
    assert takes(found, measured("quick", 2, 10.0)).seconds == pytest.approx(5.0 * 5 * (200 + 400) / 2)
    assert takes(found, measured("quick", 2, 10.0), rounds=10).seconds == pytest.approx(5.0 * 10 * 300)
    assert takes(found, measured("document", 1, 700.0)).seconds == pytest.approx(3500)
    assert takes(found, None).seconds is None
    assert takes(found, measured("quick", 0, 10.0)).seconds is None
    added = declared(steps=lambda table, clients, flag: table + clients)
    assert takes(added, measured("quick", 5, 1.0)).seconds == pytest.approx((10004 / 102 + 40004 / 202) / 2)


def test_files_are_those_of_the_largest_point_and_the_control():
    found = declared(room=lambda table, clients, flag: table * 1000, settings={"shared_buffers": "1GB"})
    assert takes(found, None) == Takes(None, 60_000_000, 3 * 1024**3)  # two sides and the control
    assert takes(declared(), None) == Takes(None, None, 3 * 128 * 1024**2)


@pytest.mark.parametrize(
    ("amounts", "texts"),
    [
        (Takes(None, None, 1024**3), ("?", "?", "1 GB")),
        (Takes(3.0, 1024**2, 1024), ("1 min", "1 MB", "1 kB")),
        (Takes(600.0, 1024**2, 1024), ("10 min", "1 MB", "1 kB")),
        (Takes(36000.0, 1024**2, 1024), ("10 h", "1 MB", "1 kB")),
    ],
)
def test_amounts_are_told_in_few_digits(amounts, texts):
    assert takes_texts(amounts) == texts


@pytest.mark.parametrize("id", documents_experiments())
def test_each_experiment_says_what_it_takes(id):
    found = takes(documents_experiments()[id], None)
    assert found.memory >= 128 * 1024**2
    assert found.disk is not None
    assert 0 < found.disk < 60 * 1024**3


def test_the_list_tells_it_at_the_documents_scale(tmp_path):
    found = documents_experiments()["16/ascii-check-time"]
    point = PointMeasured({}, values={"<16": {"time": (1.0,) * 5}})
    quick = Measured(found.id, "", "", "", {}, {}, "quick", (point,), 60.0)
    Kept(tmp_path).keep(found, quick)
    arguments = ["measure", "--list", "--scale", "document", "--resume", str(tmp_path), "-k", found.id]
    done = CliRunner().invoke(pgfeatures, arguments, env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "16/ascii-check-time 5 min 973 MB 384 MB" in " ".join(done.output.split())
