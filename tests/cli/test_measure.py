"""pgfeatures measure, on real servers, and what it refuses."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pytest_pgfeatures.cli.main import pgfeatures
from pytest_pgfeatures.experiments.registry import documents_experiments, selected


def measure(*arguments):
    return CliRunner().invoke(pgfeatures, ["measure", *map(str, arguments)], env={"COLUMNS": "150"})


@pytest.mark.processes
def test_a_run_prints_the_ratio_beside_the_documents_and_writes_all_files(tmp_path):
    files = {name: tmp_path / f"out.{name}" for name in ("json", "html")}
    benchmarks, plots = tmp_path / "benchmarks.json", tmp_path / "plots"
    done = measure(
        *("-k", "16/freeze-wal", "--pg", "15,16", "--rounds", "3", "--benchmark-json", benchmarks),
        *("--json", files["json"], "--html", files["html"], "--plot", plots),
    )
    assert done.exit_code == 0, done.output
    assert "0.25" in done.output
    assert "1 experiment: 1 as documented" in done.output
    (found,) = json.loads(files["json"].read_text())["experiments"]
    (ratio,) = found["points"][0]["comparisons"]
    assert 0.2 < ratio["interval"]["ratio"] < 0.3
    assert ratio["verdict"] == "as documented"
    assert json.loads(benchmarks.read_text())["benchmarks"] == []  # bytes are no times
    assert sorted(path.name for path in plots.iterdir()) == ["16-freeze-wal.png", "16-freeze-wal.svg"]
    page = files["html"].read_text()
    assert "data:image/svg+xml;base64," in page
    assert "VACUUM FREEZE writes less WAL" in page
    assert "pgfeatures measure --scale quick --pg 15,16 --rounds 3 -k 16/freeze-wal" in page
    assert re.search(r"PostgreSQL 16\.\d+ \(\w+\): /.*/bin, sha256:[0-9a-f]{64}<", page)
    counts = re.findall(r"<dd>(\d+)</dd><dt>(asked|ran|absent)<", page)
    assert counts == [("1", "asked"), ("1", "ran"), ("0", "absent")]


def test_an_interrupted_run_writes_what_it_has_measured(tmp_path):
    program = "from pytest_pgfeatures.cli import main; main()"
    written = tmp_path / "out.json"
    arguments = [
        "-k",
        "report, 4.5",
        "--pg",
        "16",
        "--json",
        str(written),
    ]  # the first side needs 15, so it ends at once
    running = subprocess.Popen(
        [sys.executable, "-u", "-c", program, "measure", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert running.stdout is not None
    while "4.5.3" not in running.stdout.readline():
        assert running.poll() is None
    running.send_signal(signal.SIGTERM)
    rest = running.stdout.read()
    assert running.wait(timeout=60) == 143
    assert "Interrupted: 1 of 2 experiments were measured." in rest
    (found,) = json.loads(written.read_text())["experiments"]
    assert found["id"] == "16/freeze-wal"


def test_the_list_has_every_experiment_and_runs_none():
    done = measure("--list")
    assert done.exit_code == 0
    assert all(id in done.output for id in ("16/concurrent-copy", "17/vacuum-time", "9.4/json-search"))


@pytest.mark.processes
def test_sides_that_cannot_be_had_are_told():
    done = measure("-k", "freeze-wal", "--pg", "18")
    assert done.exit_code == 1
    assert "no PostgreSQL <16 can be had among 18 for the side <16" in done.output
    assert "1 unavailable" in done.output


@pytest.mark.parametrize("option", ["--json", "--html", "--benchmark-json"])
def test_a_file_that_cannot_be_written_is_told_before_anything_runs(tmp_path, option):
    file = tmp_path / "missing" / "out.json"
    done = measure("-k", "freeze-wal", option, file)
    assert done.exit_code == 2
    assert f"can't write {file}" in done.output
    assert "VACUUM" not in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_directory_for_plots_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    done = measure("-k", "freeze-wal", "--plot", tmp_path / "file" / "plots")
    assert done.exit_code == 2
    assert "can't write plots" in done.output


def test_without_matplotlib_plots_say_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = measure("-k", "freeze-wal", "--plot", tmp_path / "plots", "--html", tmp_path / "all.html")
    assert done.exit_code == 2
    assert "--plot needs matplotlib: pip install 'pytest-pgfeatures[plots]'" in done.output
    assert not list(tmp_path.iterdir())


def test_an_unknown_experiment_is_told():
    done = measure("-k", "nothing-of-this")
    assert done.exit_code == 2
    assert "no experiment has 'nothing-of-this'" in done.output


def test_a_whole_id_selects_only_this_experiment():
    everything = documents_experiments().values()
    assert [each.id for each in selected(everything, "14/toast-insert")] == ["14/toast-insert"]
    assert len(selected(everything, "toast-insert")) == 2
