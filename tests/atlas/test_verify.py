"""The atlas on real servers, through the command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from devtools.boundaries import VERSIONS, around_changes

from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.version import PgMajor, VersionSet

COMMAND = Path(sys.executable).parent / "pgfeatures"


def pgfeatures(*arguments, cwd, **environment):
    return subprocess.run(
        [COMMAND, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


RUN = """
import sys
from pytest_pgfeatures.behaviors.registry import atlas
from pytest_pgfeatures.cli.runner import run_atlas
version, written, *ids = sys.argv[1:]
sys.exit(run_atlas(version, ["-q", f"--pg-json={written}"], behaviors=[atlas()[id] for id in ids]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("version", VERSIONS)
def test_every_behavior_is_as_documented_on_both_sides_of_its_changes(version, tmp_path):
    ids = [found.id for found in atlas().values() if version in around_changes(found)]
    written = tmp_path / "results.json"
    run = subprocess.run(
        [sys.executable, "-c", RUN, version, str(written), *ids],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads(written.read_text())
    assert document["asked"] == document["ran"] + document["unavailable"] == len(ids)
    assert document["as_documented"] + document["unavailable"] == len(ids)
    assert {cell["behavior"] for cell in document["cells"]} == set(ids)


def test_every_row_of_a_table_is_run_where_a_server_can_be_had():
    """Rows without: those of 9.4, and those that a minor release ends, of which only the newest is run."""
    missed = [
        (found.id, str(row.versions))
        for found in atlas().values()
        for row in found.expected
        if not any(found.row(PgMajor(version)) is row for version in around_changes(found))
        and any(
            VersionSet(PgMajor(version)) & row.versions == VersionSet(PgMajor(version))
            for version in VERSIONS
        )
    ]
    assert missed == []


def test_the_command_runs_all_of_it(tmp_path):
    run = pgfeatures("verify", "--pg", "16", "--collect-only", "-q", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert f"{len(atlas())} tests collected" in run.stdout


def test_the_configuration_of_a_project_does_not_count(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (tmp_path / "conftest.py").write_text("raise SystemExit('the conftest.py was loaded')\n")
    run = pgfeatures("verify", "--pg", "16", "-k", "16/json-check", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 asked: 1 as documented" in run.stdout


def test_lf_runs_what_failed_last_in_the_same_directory(tmp_path):
    """The command keeps pytest's cache, though not in the project it is run in; runs elsewhere don't change it."""
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for place, behavior in ((here, "json-check"), (elsewhere, "window-range-kept")):
        place.mkdir()
        run = pgfeatures("verify", "--pg", "9.4..9.5", "-k", f"16/{behavior}", cwd=place)
        assert run.returncode == 1, run.stdout + run.stderr
        assert "2 asked: 1 as documented, 1 error" in run.stdout
    again = pgfeatures("verify", "--pg", "9.4..9.5", "--lf", cwd=here)
    assert again.returncode == 1
    assert "1 asked: 1 error" in again.stdout
    assert "json_check[pg9.4]" in again.stdout
    assert [*here.iterdir(), *elsewhere.iterdir()] == []


def test_a_version_that_can_t_be_read_is_a_usage_error(tmp_path):
    run = pgfeatures("verify", "--pg", "sixteen", cwd=tmp_path)
    assert run.returncode == 2
    assert "sixteen" in run.stderr
    assert "Traceback" not in run.stdout + run.stderr


def test_show_prints_the_transcript_side_by_side(tmp_path):
    run = pgfeatures("show", "16/window-frames-merged", "--pg", "15,16", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count("CREATE TABLE t_score") == 1, "an equal statement is shown once"
    lines = run.stdout.splitlines()
    assert [line.rpartition(": ")[2] for line in lines[-2:]] == ["3", "1"]
    assert lines[-1].startswith("PostgreSQL 16.")


@pytest.mark.parametrize("verb", [["show", "16/paralel-hash-full-join"]])
def test_an_unknown_behavior_brings_those_near_to_it(tmp_path, verb):
    run = pgfeatures(*verb, cwd=tmp_path)
    assert run.returncode == 2
    assert "did you mean 16/parallel-hash-full-join" in run.stderr
