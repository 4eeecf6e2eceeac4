"""JUnit XML, as CI servers read it."""

from xml.etree import ElementTree

import pytest

from pytest_pgfeatures.report.junit import ELEMENTS, Suite, write_junit
from pytest_pgfeatures.results.evidence import Evidence
from pytest_pgfeatures.results.model import Item, Outcome, Result
from pytest_pgfeatures.results.program import Finished


def result(outcome, cell="pg16", **fields):
    return Result(item=Item("stage", "build"), cell=cell, outcome=outcome, **fields)


def written(path, *suites):
    write_junit(path / "junit.xml", suites)
    return ElementTree.parse(path / "junit.xml").getroot().findall("testsuite")


def test_each_outcome_is_one_of_junit_s(tmp_path):
    assert set(ELEMENTS) == set(Outcome)
    (suite,) = written(tmp_path, Suite("all", [result(outcome) for outcome in Outcome]))
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "10", "failures": "3", "errors": "2", "skipped": "3"}
    passed = [case for case in suite if not len(case)]
    assert len(passed) == 2


def test_a_suite_has_classes_by_version_and_evidence(tmp_path):
    failed = result(
        Outcome.FAILED,
        seconds=1.5,
        summary="no semicolon",
        evidence=Evidence(details=("one", "two"), program=Finished(("make",), 2, "cc -c adder.c")),
    )
    (suite,) = written(tmp_path, Suite("adder pg16", [failed], "adder."))
    (case,) = suite
    assert (suite.get("name"), suite.get("time")) == ("adder pg16", "1.500")
    assert (case.get("classname"), case.get("name"), case.get("time")) == ("adder.pg16", "build", "1.500")
    assert case.find("failure").get("message") == "failed: no semicolon"
    assert case.find("failure").text == "one\ntwo"
    assert case.find("system-out").text == "cc -c adder.c"


@pytest.mark.parametrize("text", ["\x00\x1b[31mred", "\ud800", "<&>\"'"])
def test_whatever_a_program_prints_is_xml(tmp_path, text):
    evidence = Evidence(details=(text,), program=Finished((text,), 1, text))
    (suite,) = written(tmp_path, Suite(text, [result(Outcome.ERROR, summary=text, evidence=evidence)]))
    assert len(suite) == 1
