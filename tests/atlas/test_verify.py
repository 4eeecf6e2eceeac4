"""The atlas on real servers, through the command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_pgfeatures.behaviors.registry import atlas

VERSIONS = ("9.6", "13", "14", "15", "16", "17", "18")
"""Around every change that the atlas documents so far."""

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


def test_every_behavior_is_as_documented(tmp_path):
    written = tmp_path / "results.json"
    run = pgfeatures("verify", "--pg", ",".join(VERSIONS), "--json", str(written), cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads(written.read_text())
    expected = len(VERSIONS) * len(atlas())
    assert document["asked"] == document["ran"] + document["unavailable"] == expected
    assert document["as_documented"] + document["unavailable"] == expected
    assert {cell["version"] for cell in document["cells"]} == set(VERSIONS)
    assert {cell["behavior"] for cell in document["cells"]} == set(atlas())


def test_the_configuration_of_a_project_does_not_count(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (tmp_path / "conftest.py").write_text("raise SystemExit('the conftest.py was loaded')\n")
    run = pgfeatures("verify", "--pg", "16", "-k", "16/json-check", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 asked: 1 as documented" in run.stdout


def test_lf_runs_what_failed_last(tmp_path):
    """The command keeps pytest's cache, though not in the project it is run in."""
    run = pgfeatures("verify", "--pg", "9.4,16", "-k", "16/json-check or 16/window-range-kept", cwd=tmp_path)
    assert run.returncode == 1, run.stdout + run.stderr
    again = pgfeatures("verify", "--pg", "9.4,16", "--lf", cwd=tmp_path)
    assert again.returncode == 1
    assert "2 asked: 2 error" in again.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_version_that_can_t_be_read_is_a_usage_error(tmp_path):
    run = pgfeatures("verify", "--pg", "sixteen", cwd=tmp_path)
    assert run.returncode == 4
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
