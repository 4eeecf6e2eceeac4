"""Tests that pass on some versions and fail on others."""

from __future__ import annotations

import pytest

from pytest_pgfeatures.report.differences import Rerun, difference_lines
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

PASSED, FAILED, ERROR = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR


def of(id, outcomes, kind="test"):
    """Results of one item: the outcome of each cell; None where there was no server."""
    for cell, outcome in outcomes.items():
        installs = (InstallUsed("1", "pypi", "/x"),) if outcome else ()
        yield Result(item=Item(kind, id.format(cell)), cell=cell, outcome=outcome or ERROR, installs=installs)


def test_what_differs_is_named_and_what_fails_everywhere_is_counted():
    results = [
        *of("t.py::test_new[{}]", {"pg9.6": PASSED, "pg14": PASSED, "pg18": FAILED}),
        *of("t.py::test_new_too[{0}]@{0}", {"pg9.6": PASSED, "pg14": PASSED, "pg18": ERROR}),
        *of("t.py::test_broken[{}]", {"pg9.6": FAILED, "pg14": FAILED, "pg18": FAILED}),
        *of("t.py::test_fine[{}]", {"pg9.6": PASSED, "pg14": PASSED, "pg18": PASSED}),
        *of("t.py::test_old[{}]", {"pg18": PASSED, "pg9.6": FAILED, "pg14": PASSED}),
        *of("t.py::test_only_one[{}]", {"pg18": FAILED}),
        *of("t.py::test_no_server[{}]", {"pg9.6": None, "pg14": PASSED}),
        *of("t.py::test_unavailable[{}]", {"pg14": PASSED, "pg18": Outcome.UNAVAILABLE}),
    ]
    assert difference_lines(results, alone=True) == [
        "fails on 9.6, 14 and 18 alike: 1",
        "passes on 9.6 and 14, fails on 18: 2",
        "  t.py::test_new",
        "  t.py::test_new_too",
        "passes on 14 and 18, fails on 9.6: 1",
        "  t.py::test_old",
    ]


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("t.py::test_it[{}]", "t.py::test_it"),
        ("t.py::test_it[{}-a-b]", "t.py::test_it[a-b]"),
        ("t.py::test_it[a-{}-b]", "t.py::test_it[a-b]"),
        ("t.py::test_it[a-{}]", "t.py::test_it[a]"),
        ("t.py::test_it[a-{}0]", None),  # no cell, but a parameter of the test's own
    ],
)
def test_parameters_are_kept(id, name):
    results = [*of(id, {"pg1": PASSED, "pg2": FAILED})]
    assert difference_lines(results, alone=True) == (
        [] if name is None else ["passes on 1, fails on 2: 1", f"  {name}"]
    )


def test_pairs_and_sources_have_their_names():
    pairs = of("t.py::test_it[{}]", {"pg14-pg16": PASSED, "pg16-pg18": FAILED})
    assert difference_lines(pairs, alone=True)[0] == "passes on 14-16, fails on 16-18: 1"
    sources = of("t.py::test_it[{}]", {"pg17-pypi": PASSED, "pg17-maven": FAILED})
    assert difference_lines(sources, alone=True)[0] == "passes on 17-pypi, fails on 17-maven: 1"


def test_a_command_is_named_by_its_line():
    assert difference_lines(of("make test", {"pg14": PASSED, "pg18": FAILED}, "command"), alone=True) == [
        "passes on 14, fails on 18: 1",
        "  make test",
    ]


def test_only_what_is_so_alone_is_said_in_the_present_tense():
    results = [
        *of("t.py::test_new[{}]", {"pg14": PASSED, "pg18": FAILED}),
        *of("t.py::test_state[{}]", {"pg14": PASSED, "pg18": FAILED}),
        *of("t.py::test_order[{}]", {"pg14": PASSED, "pg18": FAILED}),
        *of("t.py::test_left[{}]", {"pg14": PASSED, "pg18": FAILED}),
    ]
    assert difference_lines(results)[0] == "passed on 14, failed on 18: 4"
    reruns = {
        "t.py::test_new": {"pg14": Rerun(True, "a"), "pg18": Rerun(False, "b")},
        "t.py::test_state": {"pg14": Rerun(True, "c"), "pg18": Rerun(True, "d")},
        "t.py::test_order": {"pg14": Rerun(False, "e"), "pg18": Rerun(None, "f")},
    }
    assert difference_lines(results, reruns) == [
        "passes on 14, fails on 18: 1",
        "  t.py::test_new",
        "passed on 14, failed on 18, not run again alone: 1",
        "  t.py::test_left",
        "depends on order or on what ran before: 2",
        "  t.py::test_state",
        "    failed on 18, passes alone: d",
        "  t.py::test_order",
        "    passed on 14, fails alone: e",
        "    failed on 18, neither passes nor fails alone: f",
    ]
