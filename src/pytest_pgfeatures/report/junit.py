"""JUnit XML, as CI servers read it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_pgfeatures.commands.run import Ran

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(path: Path, command: str, runs: Sequence[Ran]) -> None:
    """Write how a command ended on each version: one test case each.

    Raises:
        OSError: the file can't be written.
    """
    suite = ElementTree.Element(
        "testsuite",
        name=f"pgfeatures run {command}",
        tests=str(len(runs)),
        failures=str(sum(run.status not in (0, None) for run in runs)),
        errors=str(sum(run.status is None for run in runs)),
        time=f"{sum(run.seconds for run in runs):.3f}",
    )
    for run in runs:
        case = ElementTree.SubElement(
            suite, "testcase", classname=run.cell, name=command, time=f"{run.seconds:.3f}"
        )
        if run.status is None:
            ElementTree.SubElement(case, "error", message=clean(run.trouble.splitlines()[0])).text = clean(
                run.trouble
            )
        elif run.status != 0:
            ElementTree.SubElement(case, "failure", message=f"exit status {run.status}")
        if run.output:
            ElementTree.SubElement(case, "system-out").text = clean(run.output)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    path.write_bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def clean(text: str) -> str:
    """The text without characters that XML has not."""
    return _NOT_IN_XML.sub("�", text)
