"""The results of a suite's own tests, from the JUnit files that it wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from pytest_pgfeatures.files import read_regular

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


def read_outcomes(directory: Path) -> Outcomes:
    """Read the files that end with ``.xml``, as JUnit has them."""
    tests: dict[str, SuiteTest] = {}
    unread = []
    for path in sorted(directory.glob("*.xml")):
        try:
            tests |= _tests_of(read_regular(path, _MOST))
        except (expat.ExpatError, OSError, ValueError) as error:
            unread.append(f"{path.name} is no JUnit file: {error}")
    return Outcomes(tests, tuple(unread))


def _tests_of(content: bytes) -> dict[str, SuiteTest]:
    tests: dict[str, SuiteTest] = {}
    current: dict[str, Any] = {}

    def begin(name: str, attributes: dict[str, str]) -> None:
        if name == "testcase":
            current.clear()
            current.update(attributes, said=None, skipped=False)
        elif current and name in _FAILED:
            current["said"] = " ".join(attributes.get("message", "").split()) or name
        elif current and name == "skipped":
            current["skipped"] = True

    def end(name: str) -> None:
        if name == "testcase" and current and not current["skipped"]:
            key = ".".join(filter(None, (current.get("classname"), current.get("name"))))
            line = str(current.get("line", ""))
            said = current["said"]
            place = current.get("file", ""), int(line) if line.isdecimal() else 0
            # A test that occurs several times, such as by its teardown, failed if one of them did.
            if said is not None or key not in tests:
                tests[key] = SuiteTest(said is None, said or "", *place)
        if name == "testcase":
            current.clear()

    def refuse(*_: object) -> None:
        raise ValueError("it declares entities")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.EntityDeclHandler = refuse
    parser.Parse(content, True)
    return tests
