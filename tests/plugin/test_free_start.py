"""As ``pip install pytest-pgfeatures`` leaves it, without extras: nothing but this plugin is loaded by pytest, and
everything works that needs no extra."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
EXTRAS = {"hypothesis", "pytest_postgresql", "syrupy"}
STRATEGIES = "numeric_literals needs Hypothesis: pip install 'pytest-pgfeatures[hypothesis]'"
SUITE = "this suite needs pytest-postgresql: pip install 'pytest-pgfeatures[postgresql]'"
FIXTURE = "the fixture postgresql needs pytest-postgresql: pip install 'pytest-pgfeatures[postgresql]'"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a virtual environment that has this project, without extras."""
    place = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    pip = [sys.executable, "-m", "pip", "--python", place, "install", "--quiet", "--no-compile"]
    subprocess.run([*pip, str(TOP)], check=True)
    return place / "bin"


def run(fresh: Path, place: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of the environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        [fresh / program, *arguments],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_pytest_loads_no_plugin_but_ours(fresh: Path, tmp_path: Path) -> None:
    code = (
        "import importlib.metadata, importlib.util, json\n"
        "plugins = importlib.metadata.entry_points(group='pytest11')\n"
        f"there = [name for name in {sorted(EXTRAS)} if importlib.util.find_spec(name)]\n"
        "print(json.dumps([[plugin.name for plugin in plugins], there]))"
    )
    assert json.loads(run(fresh, tmp_path, "python", "-c", code).stdout) == [["pgfeatures"], []]


def test_a_test_with_a_server_and_one_without(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "from pytest_pgfeatures import explain\n"
        "from pytest_pgfeatures.literals import evaluate, read_numeric\n"
        "def test_server(pg_connection):\n"
        "    (answer,) = evaluate(pg_connection, ['0x1F'])\n"
        "    assert answer.agrees(read_numeric('0x1F', 18))\n"
        "    assert 'Result' in explain(pg_connection, 'SELECT 1')\n"
        "def test_empty(): pass\n"
    )
    ran = run(fresh, tmp_path, "pytest", "-q", "--pg=18")
    assert "2 passed" in ran.stdout, ran.stdout + ran.stderr


def test_no_assertions_of_ours_are_rewritten(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "from _pytest.assertion.rewrite import AssertionRewritingHook\n"
        "def test_server(pg_connection):\n"
        "    ours = {name: module for name, module in sys.modules.items() if name.startswith('pytest_pgf')}\n"
        "    hooks = {name for name in ours if isinstance(ours[name].__loader__, AssertionRewritingHook)}\n"
        "    assert len(ours) > 20\n"
        "    assert hooks == {'pytest_pgfeatures', 'pytest_pgfeatures.pytest_entry'}\n"
    )
    ran = run(fresh, tmp_path, "pytest", "-q", "--pg=18")
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_pythons_import_is_left_as_it_was(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_empty(): pass\n")
    code = (
        "import sys, pytest\n"
        "before = list(sys.meta_path)\n"
        "assert pytest.main([]) == pytest.main(['--pg=18']) == 0\n"
        "assert 'pytest_pgfeatures.plugin' in sys.modules\n"
        "assert sys.meta_path == before, sys.meta_path"
    )
    ran = run(fresh, tmp_path, "python", "-c", code)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_test_may_replace_pythons_finders(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    sys.meta_path[:] = [each for each in sys.meta_path if 'pgfeatures' not in repr(each)]\n"
    )
    ran = run(fresh, tmp_path, "pytest", "-q")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_behavior_is_verified(fresh: Path, tmp_path: Path) -> None:
    ran = run(fresh, tmp_path, "pgfeatures", "verify", "-k", "16/parallel-hash-full-join", "--pg", "18")
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_needs_an_extra_says_so_in_a_line(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "test_fixture.py").write_text("def test_it(postgresql): pass\n")
    (tmp_path / "test_strategies.py").write_text("from pytest_pgfeatures.literals import numeric_literals\n")
    (tmp_path / "test_suite.py").write_text("from pytest_postgresql import factories\n")
    ran = run(fresh, tmp_path, "pytest", "--pg=18", "--continue-on-collection-errors")
    assert "3 errors" in ran.stdout
    lines = [line.strip() for line in ran.stdout.splitlines()]
    assert sum(line.endswith(STRATEGIES) for line in lines) == 1
    assert lines.count(SUITE) == 1
    assert lines.count(FIXTURE) == 1


def test_a_suites_conftest_that_needs_an_extra_says_so_in_a_line(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from pytest_postgresql import factories\n")
    ran = run(fresh, tmp_path, "pytest", "--pg=18")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert ran.stderr.splitlines()[0] == f"ERROR: {SUITE}"
