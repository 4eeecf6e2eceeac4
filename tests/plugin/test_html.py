"""``pytest --pg-html FILE``: a page with the matrix of a test run."""

from __future__ import annotations

import json
import re
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
    assert texts[cell["again"]] == "pytest --pg 18 'test_it.py::test_it[pg18-</script><script>]'"
    kept = json.loads((pytester.path / "run.json").read_text())
    assert kept["command"] == "pytest"
    assert [result["outcome"] for result in kept["results"]] == ["failed", "failed", "passed"]


@pytest.mark.parametrize("option", ["--pg-html", "--pg-json"])
def test_a_place_that_can_t_be_written_is_said_before_anything_runs(run: Run, option: str) -> None:
    result = run("def test_it(): print('it ran')", "-s", f"{option}=test_it.py/run.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*can't write test_it.py/run.html: Not a directory: *"])
    result.stdout.no_fnmatch_line("*it ran*")
