"""The table of a matrix of tests."""

from pytest_pgfeatures.report.summary import summary_table, unavailable_lines
from pytest_pgfeatures.results.model import InstallUsed, Item, Outcome, Result

PYPI = InstallUsed("18.6", "pypi", "/cache/pytest-pgfeatures/installs/18.6-linux-x86_64/bin")
OLD = InstallUsed("14.20", "path", "/opt/14/bin")


def result(name, outcome, cell="pg18", installs=(PYPI,), summary=""):
    return Result(
        item=Item("test", name), cell=cell, outcome=outcome, installs=tuple(installs), summary=summary
    )


RESULTS = [
    result("a", Outcome.PASSED),
    result("b", Outcome.FAILED),
    result("c", Outcome.ERROR),
    result("d", Outcome.NOT_RUN),
    result("e", Outcome.KNOWN_FAILURE),
    result("f", Outcome.UNAVAILABLE, "pg9.4", (), "9.4 is not available"),
    result("g", Outcome.PASSED, "pg14-pg18", (OLD, PYPI)),
]


def test_each_cell_has_a_line_and_each_further_install_another():
    lines = [line.split() for line in summary_table(RESULTS, 200)]
    assert lines == [
        ["cell", "version", "asked", "passed", "failed", "unavailable", "install"],
        ["pg9.4", "none", "1", "0", "0", "1", "-"],
        ["pg14-pg18", "14.20", "1", "1", "0", "0", "path:", "/opt/14/bin"],
        ["18.6", "pypi:", PYPI.bindir],
        ["pg18", "18.6", "5", "1", "2", "0", "pypi:", PYPI.bindir],
    ]


def test_it_keeps_within_the_width():
    lines = summary_table(RESULTS, 90)
    assert max(map(len, lines)) <= 90
    assert any("pypi: …" in line and line.endswith("linux-x86_64/bin") for line in lines)


def test_what_is_unavailable_has_a_reason():
    assert unavailable_lines(RESULTS) == ["unavailable: f: 9.4 is not available"]
