"""Writes JUnit XML for CI servers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pytest_pgfeatures.files import write_atomically
from pytest_pgfeatures.results.model import Outcome, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ELEMENTS: dict[Outcome, str | None] = {
    Outcome.AS_DOCUMENTED: None,
    Outcome.DEVIATES: "failure",
    Outcome.PASSED: None,
    Outcome.FAILED: "failure",
    Outcome.KNOWN_FAILURE: "skipped",
    Outcome.UNEXPECTED_PASS: "failure",
    Outcome.UNAVAILABLE: "error",
    Outcome.ERROR: "error",
    Outcome.NOT_RUN: "skipped",
    Outcome.NOTHING_TO_DO: "skipped",
}
"""The element that shows the outcome of a test case; None if it passed."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A ``testsuite`` element.

    Parameters:
        name: the suite's name.
        results: the test cases, each named after its item.
        classes: the prefix of each test case's class name; the cell of the matrix follows.
    """

    name: str
    results: Sequence[Result]
    classes: str = ""


def write_junit(path: Path, suites: Iterable[Suite]) -> None:
    """Write suites atomically.

    Raises:
        OSError: the file can't be written.
    """
    root = ElementTree.Element("testsuites")
    root.extend(map(_suite, suites))
    write_atomically(path, ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def _suite(suite: Suite) -> ElementTree.Element:
    elements = [ELEMENTS[result.outcome] for result in suite.results]
    drawn = ElementTree.Element(
        "testsuite",
        name=_clean(suite.name),
        tests=str(len(elements)),
        failures=str(elements.count("failure")),
        errors=str(elements.count("error")),
        skipped=str(elements.count("skipped")),
        time=f"{sum(result.seconds for result in suite.results):.3f}",
    )
    drawn.extend(_case(result, suite.classes) for result in suite.results)
    return drawn


def _case(result: Result, classes: str) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase",
        classname=_clean(classes + result.cell),
        name=_clean(result.item.id),
        time=f"{result.seconds:.3f}",
    )
    if result.tests:
        properties = ElementTree.SubElement(case, "properties")
        for each in result.tests:
            for name, count in (("found", each.found), ("run", each.run)):
                ElementTree.SubElement(
                    properties, "property", name=f"{each.kind} tests {name}", value=str(count)
                )
    if (element := ELEMENTS[result.outcome]) is not None:
        message = ": ".join(filter(None, (result.outcome, result.summary)))
        said = ElementTree.SubElement(case, element, message=_clean(message))
        said.text = _clean("\n".join(result.evidence.details))
    if result.evidence.program and result.evidence.program.output:
        ElementTree.SubElement(case, "system-out").text = _clean(result.evidence.program.output)
    return case


def _clean(text: str) -> str:
    """Return the text without characters that XML does not allow."""
    return _NOT_IN_XML.sub("�", text)
