"""The results of a suite's own tests, from the JUnit files that it wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_pgfeatures.errors import PgFeaturesError
from pytest_pgfeatures.files import read_regular
from pytest_pgfeatures.readiness.inputs.xml_files import Element, parsed

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 64 << 20
_FAILED = ("failure", "error")


@dataclass(frozen=True, slots=True)
class SuiteTest:
    """A test of the suite.

    Parameters:
        said: how it failed; empty if it passed.
        file, line: where it is, if the file says so.
    """

    passed: bool
    said: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The tests of a run, by class and name; those that were skipped are not among them.

    Parameters:
        unread: files that are no JUnit, a line each.
    """

    tests: dict[str, SuiteTest] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    def broken_in(self, new: Outcomes) -> dict[str, SuiteTest]:
        """The tests that passed in this run and failed in another one."""
        passed = {name for name, test in self.tests.items() if test.passed}
        return {name: test for name, test in new.tests.items() if not test.passed and name in passed}


def read_outcomes(directory: Path) -> Outcomes:
    """Read the files that end with ``.xml``, as JUnit has them."""
    tests: dict[str, SuiteTest] = {}
    unread = []
    for path in sorted(directory.glob("*.xml")):
        try:
            tests |= _tests_of(path)
        except (PgFeaturesError, OSError, ValueError) as error:
            unread.append(f"{path.name} is no JUnit file: {error}")
    return Outcomes(tests, tuple(unread))


def _tests_of(path: Path) -> dict[str, SuiteTest]:
    tests: dict[str, SuiteTest] = {}
    waiting = [parsed(read_regular(path, _MOST), path.name)]
    while waiting:
        element = waiting.pop()
        inner = [each for each in element.contents if isinstance(each, Element)]
        waiting += reversed(inner)
        if element.tag != "testcase" or any(each.tag == "skipped" for each in inner):
            continue
        given = element.attributes
        said = [
            " ".join(each.attributes.get("message", "").split()) or each.tag
            for each in inner
            if each.tag in _FAILED
        ]
        key = ".".join(filter(None, (given.get("classname"), given.get("name"))))
        line = given.get("line", "")
        # A test that occurs several times, such as by its teardown, failed if one of them did.
        if said or key not in tests:
            place = given.get("file", ""), int(line) if line.isdecimal() else 0
            tests[key] = SuiteTest(not said, "".join(said[-1:]), *place)
    return tests
