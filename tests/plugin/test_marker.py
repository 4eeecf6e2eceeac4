"""Mistakes in the marker are errors that say what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., pytest.RunResult]

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("need=['icu']", "has no argument 'need'*did you mean needs?"),
        ("needs=['iku']", "iku*icu"),
        ("needs='icu'", "needs='icu' is not a list of capabilities"),
        ("needs={'icu': 'ten'}", "needs=*'icu': 'ten'*: 'ten' is not a PostgreSQL version"),
        ("needs={'icu': 10}", "needs=*'icu': 10*: 10 is not a set of versions"),
        ("needs={'iku': '>=10'}", "iku*icu"),
        ("settings=['a']", "is not a dict"),
        ("isolation='planet'", "no isolation 'planet'*database, transaction, cluster"),
        ("'>=sixteen'", "sixteen*what to do"),
        ("16, 17", "takes one set of versions, not 2"),
        ("16", "16 is not a set of versions*write them as text"),
    ],
)
def test_a_mistake_is_named(run: Run, arguments: str, said: str) -> None:
    source = f"import pytest\n\n@pytest.mark.pg({arguments})\ndef test_it(pg_connection): pass\n"
    result = run(source, "--pg=18")
    assert result.ret != 0
    text = " ".join(result.outlines)
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*INTERNALERROR*")
    pytest.LineMatcher([text]).fnmatch_lines([f"*{said}*"])


def test_markers_of_module_class_and_test_add_up(run: Run) -> None:
    source = """
import pytest
pytestmark = pytest.mark.pg(">=14", settings={"work_mem": "1MB", "jit": True})

@pytest.mark.pg("<18", settings={"work_mem": "2MB"})
class TestIt:
    @pytest.mark.pg("!=16")
    def test_it(self, pg_cluster):
        assert pg_cluster.sql("SHOW work_mem") == [("2MB",)]
        assert pg_cluster.sql("SHOW jit") == [("on",)]
"""
    result = run(source, "--pg=13,14,16,17,18", "-v")
    result.assert_outcomes(passed=2, deselected=3)
    result.stdout.fnmatch_lines(["*test_it?pg14? PASSED*", "*test_it?pg17? PASSED*"])


def test_strict_markers_know_it(run: Run) -> None:
    run("import pytest\n@pytest.mark.pg\ndef test_it(): pass", "--pg=18", "--strict-markers").assert_outcomes(
        passed=1
    )
