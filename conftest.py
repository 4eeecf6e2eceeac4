"""Runs the code blocks of README.md, CONTRIBUTING.md and docs/, so that the documentation is tested.

Each page has a directory of its own, and its blocks run in order:

- A block whose first line is a comment with a file's name (``# test_orders.py``, ``-- schema.sql``) is written to
  that file, whatever its language. If its name is ``test_*.py``, pytest then runs it, unless a later command does.
- Any other ``python`` block is run, in one namespace for the page; ``pycon`` blocks are doctests in it.
- ``console``: bash runs the text after ``$`` in the page's directory. The command must succeed, or fail if
``<!-- fails -->`` is before the block. Lines after it that are not commands are the expected output, with
``...`` for anything. ``make`` only prints its commands, as one of its targets runs these blocks.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sybil import Region, Sybil
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown.lexers import FencedCodeBlockLexer

from pytest_pgfeatures.plugin.matrix import specs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sybil import Document, Example

pytest_plugins = ["devtools.tiers"]

TOP = Path(__file__).parent
PROGRAMS = Path(sys.executable).parent
SECONDS = 600
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
NAMED = re.compile(
    r"(?:#|--) (?P<name>[\w./-]+\.(?:py|sql|ini|toml|cfg|conf|json|txt|control|t)|(?:[\w./-]+/)?Makefile)\n"
)
COMMAND = re.compile(r"^\$ (?P<command>.*(?:(?<=\\)\n.*)*)\n?(?P<output>(?:(?!\$ ).*\n?)*)", re.MULTILINE)


class Blocks:
    """Finds a page's blocks, and the way to run each."""

    def __call__(self, document: Document) -> Iterator[Region]:
        run_python = PythonEvaluator()
        for region in FencedCodeBlockLexer(r"\w+")(document):
            language = region.lexemes["language"]
            region.parsed = region.lexemes["source"]
            if NAMED.match(region.parsed):
                region.evaluator = write_file
            elif language == "python":
                region.evaluator = run_python
            elif language == "console":
                region.evaluator = run_console
            elif language == "pycon":
                examples = DocTestStringParser(DocTestEvaluator(OPTIONS))(region.parsed, document.path)
                for example in examples:
                    example.adjust(region, region.parsed)
                    yield example
                continue
            else:
                continue  # JSON, diagrams, output: nothing to run
            yield region


def write_file(example: Example) -> str | None:
    """Write a block to the file it names; run the file if it has tests that no command runs."""
    match = NAMED.match(example.parsed)
    assert match
    path = Path(match["name"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(example.parsed, encoding="utf-8")
    later = example.document.text[example.end :]
    if re.fullmatch(r"test_\w+\.py", path.name) and f" {path}\n" not in later:
        status, output = run(f"pytest {path}")
        return output if status else None
    return None


def run_console(example: Example) -> str | None:
    """Run the commands of a block. Return the first difference from the page, None if there is no difference."""
    before = example.document.text[: example.start].rstrip()
    to_fail = before.endswith("<!-- fails -->")
    for match in COMMAND.finditer(example.parsed):
        command, expected = match["command"], match["output"]
        if command.startswith("make "):
            command = f"make --dry-run --directory={TOP} {command.removeprefix('make ')}"
            expected = ""
        status, output = run(command)
        if (status != 0) is not to_fail:
            return f"$ {command}\nended with status {status}:\n{output}"
        if expected.strip() and not is_as_shown(expected, output):
            return f"$ {command}\nexpected:\n{expected}\nprinted:\n{output}"
    return None


def is_as_shown(expected: str, output: str) -> bool:
    """Whether a command printed the page's lines; the length of a line drawn across the terminal doesn't count."""
    expected, output = (re.sub(r"([=─])\1{3,}", r"\1" * 4, text) for text in (expected, output))
    # Lines of nothing but "..." at either end may stand for nothing.
    ends = (r"\Z", r"\A\.\.\.\s+", r"\.\.\.\s*\Z", r"\A\.\.\.\s+|\.\.\.\s*\Z")
    readings = {re.sub(end, "", expected) for end in ends}
    return any(doctest.OutputChecker().check_output(reading, output, OPTIONS) for reading in readings)


def run(command: str) -> tuple[int, str]:
    """Run a command as a reader would type it. Return its exit status, and its output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "110", "NO_COLOR": "1"}
    environment["PYTEST_ADDOPTS"] = "-p no:hypothesispytest"  # it imports Hypothesis indirectly
    environment.pop("MAKEFLAGS", None)
    if "pip install" in command:
        environment["PIP_CONSTRAINT"] = str(our_wheel())
    ended = subprocess.run(
        ["bash", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        timeout=SECONDS,
        check=False,
    )
    return ended.returncode, ended.stdout


def our_wheel() -> Path:
    """Build this checkout's wheel, and return a constraints file that makes pip install it."""
    place = Path("wheel").absolute()
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", f"--wheel-dir={place}", TOP],
        check=True,
    )
    (wheel,) = place.glob("*.whl")
    constraints = place / "constraints.txt"
    constraints.write_text(f"pytest-pgfeatures @ {wheel.as_uri()}\n")
    return constraints


def enter(namespace: dict[str, Any]) -> None:
    """Give a page its directory."""
    namespace["__came_from"] = Path.cwd()
    place = Path(tempfile.mkdtemp(prefix="page-"))
    place.chmod(0o755)  # for the servers' user, where we are root
    os.chdir(place)


def leave(namespace: dict[str, Any]) -> None:
    """Remove the page's directory."""
    place = Path.cwd()
    os.chdir(namespace["__came_from"])
    shutil.rmtree(place)


pytest_collect_file = Sybil(
    parsers=[Blocks()], patterns=["README.md", "CONTRIBUTING.md", "docs/*.md"], setup=enter, teardown=leave
).pytest()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a page's blocks, which build on each other, and tests that share a fixture, in one process of xdist."""
    for item in items:
        if item.path.suffix == ".md" or (has_fixture_of_module(item) and not specs_of(item)):
            item.add_marker(pytest.mark.xdist_group(item.path.name))


def has_fixture_of_module(item: pytest.Item) -> bool:
    """Whether a test uses a fixture of scope module."""
    found = item._fixtureinfo.name2fixturedefs.values() if isinstance(item, pytest.Function) else ()
    return any(each.scope == "module" and each.baseid for fixtures in found for each in fixtures)
