"""``pytest --pg-html FILE``: a page with the matrix of a test run."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]

FAILING = """
import pytest

@pytest.mark.parametrize("name", ["<b>", "</script><script>"])
def test_it(pg_connection, name):
    table = pg_connection.execute("SELECT quote_ident(%s)", [name]).fetchone()[0]
    pg_connection.execute(f"CREATE TABLE {table} (a int)")
    pg_connection.execute(f"SELECT no_such_column FROM {table}")

def test_passing(pg_connection):
    pass

def test_without_a_server():
    pass
"""


def data(path: Path) -> Any:
    found = re.search(
        r'<script type="application/json" id="matrix-data">(.*?)</script>', path.read_text(), re.DOTALL
    )
    assert found
    return json.loads(found[1])


def test_a_failing_run(run: Run, pytester: pytest.Pytester) -> None:
    result = run(FAILING, "--pg=18", "--pg-html=page/run.html", "--pg-json=run.json")
    result.assert_outcomes(failed=2, passed=2)
    result.stdout.fnmatch_lines(["results written to page/run.html"])
    page = data(pytester.path / "page" / "run.html")
    texts = page["texts"]
    rows = {row["id"]: row["cells"] for row in page["rows"]}
    assert list(rows) == [
        "test_it.py::test_it[<b>]",
        "test_it.py::test_it[</script><script>]",
        "test_it.py::test_passing",
    ]
    (cell,) = rows["test_it.py::test_it[</script><script>]"]
    assert page["states"][cell["state"]]["name"] == "failed"
    assert 'column "no_such_column" does not exist' in texts[cell["summary"]]
    log = "\n".join(
        texts[text] for title, text in cell["sections"] if texts[title].startswith("Server log of pg18")
    )
    assert 'SELECT no_such_column FROM "</script><script>"' in log
    again = "pytest --pg 18 'test_it.py::test_it[pg18-</script><script>]' -p no:cacheprovider -p no:randomly"
    assert texts[cell["again"]] == again
    kept = json.loads((pytester.path / "run.json").read_text())
    assert kept["command"].endswith(" --pg=18 --pg-html=page/run.html --pg-json=run.json")
    assert kept["command"] in (pytester.path / "page" / "run.html").read_text()
    assert kept["results"][1]["again"] == again
    assert [result["outcome"] for result in kept["results"]] == ["failed", "failed", "passed"]


SELECTED = """
import pytest

@pytest.mark.pg
@pytest.mark.parametrize("word", ["it's $HOME", "x"])
def test_it(word):
    pass
"""


def test_the_command_that_runs_a_cell_again_runs_only_this_one(run: Run, pytester: pytest.Pytester) -> None:
    asked = ("--pg", "16,pypi:17,maven:17", "-k", "HOME", "-n0", "--deselect", "other.py")
    run(SELECTED, "test_it.py", *asked, "--pg-json", "all.json", "--junitxml=all.xml").assert_outcomes(
        passed=3
    )
    results = json.loads((pytester.path / "all.json").read_text())["results"]
    again = {result["cell"]: result["again"] for result in results}
    assert again["pg16"].startswith("pytest --pg 16 ")
    words = shlex.split(again["pg17-maven"])  # the name of the cell depends on the other one
    node = "test_it.py::test_it[pg17-maven-it's $HOME]"
    ours = ["-p", "no:cacheprovider", "-p", "no:randomly"]
    assert words == ["pytest", "--pg", "pypi:17,maven:17", node, *ours, "--deselect", "other.py"]
    alone = pytester.runpytest_subprocess(*words[1:], "--pg-json=one.json")
    alone.assert_outcomes(passed=1)
    (only,) = json.loads((pytester.path / "one.json").read_text())["results"]
    assert (only["cell"], only["again"]) == ("pg17-maven", again["pg17-maven"])


@pytest.mark.parametrize("option", ["--pg-html", "--pg-json"])
def test_a_place_that_can_t_be_written_is_said_before_anything_runs(run: Run, option: str) -> None:
    result = run("def test_it(): print('it ran')", "-s", f"{option}=test_it.py/run.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*can't write test_it.py/run.html: Not a directory: *"])
    result.stdout.no_fnmatch_line("*it ran*")
